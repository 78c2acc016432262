"""What a file may rely on: fresh state, its own arguments, the same random numbers, and its full time."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from kibitz.errors import MachineError
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.files.sources import Sources
from kibitz.players.isolation import fork_server_client
from kibitz.players.isolation.conversation import CodeCache
from kibitz.players.limits import Limits
from kibitz.table.match import play_match
from tests.players.conftest import BAD_SEAT, BO, GO, HONEST, HONEST_BO, go_with, match_with

LUCKY = """
import random
NAMES = {'a', 'b', 'c', 'd', 'e', 'f'}
def comp10001go_play(discard_history, player_no, hand):
    return random.choice(hand)
def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
"""


def match_of(make, game=GO, seed=5):
    return play_match(game, [make(seat) for seat in range(game.seats)], seed)


def test_globals_last_for_one_game_and_seat():
    source = go_with("calls.append(player_no)\nprint(calls)\nreturn hand[0]", "calls = []")
    for _ in range(2):
        match = match_of(lambda seat: FilePlayer("p", "p.py", source))
        assert [prints.splitlines()[-1] for prints in match.prints] == [str([seat] * 10) for seat in range(4)]


def test_file_may_change_its_arguments():
    body = "assert len(discard_history) == 10 - len(hand), discard_history\ncard = hand[0]\nhand.clear()\n"
    ruin = "for turn in discard_history: turn.clear()\ndiscard_history.clear()\nreturn card"
    assert match_with(go_with(body + ruin)).record.forfeits == ()
    source = HONEST_BO.replace("def comp10001bo_play(", "def play(") + (
        "\ndef comp10001bo_play(a, b, c, d, e, f):\n    answer = play(a, b, c, d, e, f)\n"
        "    for x in (b, d[0][0], e[0], f): x.append(1)\n    return answer\n"
    )
    assert match_with(source, game=BO).record.forfeits == ()


def test_history_has_one_more_turn_in_every_call():
    source = go_with("print(player_no, discard_history)\nreturn hand[0]")
    match = match_of(lambda seat: FilePlayer("p", "p.py", source))
    lines = [prints.splitlines() for prints in match.prints]
    assert lines[0][0] == "0 []"
    for turn in range(10):
        assert len({line[turn][2:] for line in lines}) == 1
        assert lines[0][turn].count("[") == (turn + 1 if turn else 1)


def test_bo_arguments_have_tuples_as_in_the_assignment():
    source = HONEST_BO.replace(
        "    for card in hand:\n        if card[0] != 'A':",
        "    assert all(type(pair) is tuple for pair in stockpiles) and type(discard_piles[0][0]) is list\n"
        "    assert all(type(item) is tuple and type(item[1][2]) is tuple for item in play_history)\n"
        "    for card in hand:\n        if card[0] != 'A':",
    )
    assert match_with(source, game=BO).record.forfeits == ()


def test_same_seed_gives_the_same_game_in_another_process():
    source = LUCKY.replace("random.choice(hand)", "print(list(NAMES), random.random()) or random.choice(hand)")
    first = match_of(lambda seat: FilePlayer("p", "p.py", source))
    fork_server_client.close()
    second = match_of(lambda seat: FilePlayer("p", "p.py", source))
    assert (first.record, first.prints) == (second.record, second.prints)
    assert len(set(first.prints)) == 4
    assert match_of(lambda seat: FilePlayer("p", "p.py", source), seed=6).prints[0] != first.prints[0]


def test_trusted_players_play_the_same_game():
    here = match_of(lambda seat: TrustedFilePlayer("p", "p.py", LUCKY))
    assert here.record == match_of(lambda seat: FilePlayer("p", "p.py", LUCKY)).record


def test_trusted_player_forfeits_with_a_traceback():
    source = go_with("return hand[99]")
    players = [TrustedFilePlayer(f"{seat}", "p.py", HONEST) for seat in range(4)]
    players[BAD_SEAT] = TrustedFilePlayer("bad", "/x/bad.py", source)
    match = play_match(GO, players, 1)
    assert [(forfeit.seat, forfeit.kind) for forfeit in match.record.forfeits] == [(BAD_SEAT, "exception")]
    assert "IndexError" in match.details[BAD_SEAT]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def f(:", "load"),
        ("x = 1", "load"),
        ("import sys; sys.exit()", "exit"),
        (go_with("return True"), "invalid"),
        (go_with("return 1.5"), "invalid"),
    ],
)
def test_trusted_players_fail_with_the_same_kinds(source, kind):
    for make in (TrustedFilePlayer, FilePlayer):
        match = match_of(lambda seat, make=make: make("p", "p.py", source if seat == BAD_SEAT else HONEST))
        assert [(forfeit.seat, forfeit.kind) for forfeit in match.record.forfeits] == [(BAD_SEAT, kind)]


def test_player_cannot_change_its_cached_code():
    source = go_with("import sys\nprint(len(sys.modules))\nreturn hand[0]", "comp = 1\ncomp += 1\nprint(comp is 2)")
    games = [match_of(lambda seat: FilePlayer("p", "p.py", source)).prints for _ in range(2)]
    assert games[0] == games[1]


def test_code_cache_is_bounded():
    cache = CodeCache(max_size=100)
    for number in range(9):
        sources = Sources(((f"{number}.py", b"source"),))
        for _ in range(2):
            cache.put(sources, "x" * 30)
            assert sum(len(code) + files.size for files, code in cache.codes.items()) == cache.size <= 100
            assert cache.get(sources) == "x" * 30


@pytest.mark.long
def test_busy_machine_causes_no_forfeit():
    """Eight other processes share the core: wall time is far beyond the limit, but only CPU time counts."""
    fork_server_client.close()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    hog = "import time\nprint('x', flush=True)\nend = time.time() + 60\nwhile time.time() < end: pass"
    hogs = [
        subprocess.Popen([sys.executable, "-c", hog], stdout=subprocess.PIPE, start_new_session=True) for _ in range(8)
    ]
    try:
        for process in hogs:
            process.stdout.read(1)
        body = "import time\nif not discard_history:\n  end = time.process_time() + 0.15\n"
        work = "  while time.process_time() < end: pass\nreturn hand[0]"
        limits = Limits(load=0.3, call=0.25, bank=1, wall_factor=1, wall_floor=0.25)
        assert match_with(go_with(body + work), limits).record.forfeits == ()
    finally:
        for process in hogs:
            process.kill()
            process.wait()
            process.stdout.close()
        os.sched_setaffinity(0, cores)
        fork_server_client.close()


def test_machine_error_is_not_a_forfeit(monkeypatch):
    def refuse(self, fds, memory):
        raise MachineError("no process to be had")

    monkeypatch.setattr(fork_server_client.ForkServerClient, "fork", refuse)
    with pytest.raises(MachineError, match="no process to be had"):
        match_with(HONEST)


def is_running(pid):
    """Whether a process exists and is not a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as found:
            return found.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition):
    end = time.monotonic() + 120
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_dead_fork_server_voids_the_game_and_is_replaced():
    player = FilePlayer("p", "p.py", HONEST)
    player.start(GO, 0, 1)
    pid = player.process.pid
    server = fork_server_client.client().server
    server.kill()
    server.wait()
    assert player.end(None) == ""
    assert wait_until(lambda: not is_running(pid))
    assert match_with(HONEST).record.forfeits == ()


def test_fork_server_that_dies_in_a_game_causes_no_forfeit():
    """Its players die with it, which isn't their failure."""

    class Killer(StrategyPlayer):
        def act(self, view, legal):
            server = fork_server_client.client()
            os.kill(server.pid, signal.SIGKILL)
            assert wait_until(lambda: not is_running(player.process.pid))
            return super().act(view, legal)

    player = FilePlayer("p", "p.py", HONEST)
    first = strategies(GO)["first"]
    players = [Killer("killer", first), player, *(StrategyPlayer(f"{seat}", first) for seat in (2, 3))]
    with pytest.raises(MachineError, match="server for players' processes"):
        play_match(GO, players, 1)
    assert match_with(HONEST).record.forfeits == ()


def test_many_threads_share_one_fork_server():
    found = []
    threads = [threading.Thread(target=lambda: found.append(match_with(HONEST).record)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_many_games_leave_nothing_behind():
    source = go_with("if len(discard_history) == 3: 1 / 0\nreturn hand[0]")
    for seed in range(5):
        assert match_with(source, seed=seed).record.forfeits[0].kind == "exception"


def test_player_can_end_before_it_starts_and_twice():
    player = FilePlayer("p", "p.py", HONEST)
    assert player.end(None) == ""
    player.start(GO, 0, 1)
    assert player.end(None) == ""
    assert player.end(None) == ""


def test_killed_worker_takes_its_fork_server_and_players_along():
    worker = (
        "import os\nfrom kibitz.players.isolation.confined_process import PlayerProcess\n"
        "from kibitz.players.limits import STANDARD\n"
        "p = PlayerProcess(STANDARD)\np.load('p.py', 'x = 1', [], 0)\n"
        "print(p.pid, p.server.pid, flush=True)\nos.read(0, 1)\n"
    )
    with subprocess.Popen([sys.executable, "-c", worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        pids = [int(word) for word in process.stdout.readline().split()]
        assert all(is_running(pid) for pid in pids)
        process.kill()
    assert wait_until(lambda: not any(is_running(pid) for pid in pids))


def test_worker_closes_its_fork_server_without_a_warning():
    worker = "from kibitz.players.isolation.fork_server_client import client\nprint(client().pid)"
    ended = subprocess.run([sys.executable, "-W", "error", "-c", worker], capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    assert not is_running(int(ended.stdout))


def test_forked_worker_gets_its_own_fork_server():
    mine = fork_server_client.client().pid
    pid = os.fork()
    if not pid:
        status = 1
        try:
            match = match_with(HONEST)
            status = int(fork_server_client.client().pid == mine or bool(match.record.forfeits))
            fork_server_client.close()
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    assert fork_server_client.client().pid == mine
    assert match_with(HONEST).record.forfeits == ()
