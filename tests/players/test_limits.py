"""Limits in words, and games that do not count."""

import pytest

from kibitz.cards import code
from kibitz.cli import main
from kibitz.errors import IdleError, MachineError, NotationError
from kibitz.players.clocks import SECOND
from kibitz.players.file_player import FilePlayer
from kibitz.players.limits import STANDARD, limits_from
from kibitz.players.process import PlayerProcess
from kibitz.players.replays import IDLE_VOIDS, TRIES, play_counted
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.players.wire import packed
from tests.players.conftest import BAD_SEAT, GO, HONEST, QUICK, go_with


def test_limits_are_set_by_name_and_the_others_stay():
    found = limits_from("call=1.5, bank=20,memory=256,output=8")
    assert (found.call, found.bank, found.memory, found.output) == (1.5, 20, 256 << 20, 8 << 10)
    assert (found.load, found.reply) == (STANDARD.load, STANDARD.reply)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("calls=1", "no limit called 'calls': there are load, call, bank, memory, output"),
        ("", "no limit called ''"),
        ("call", "the limit call needs a number, as in 'call=1', not ''"),
        ("call=fast", "not 'fast'"),
        ("call=0", "must be from 0.01 to 1000000, not 0"),
        ("bank=nan", "must be from"),
        ("memory=1", "must be from 64 to 1000000, not 1"),
    ],
    ids=lambda value: value or "empty",
)
def test_limits_that_cannot_be_read_are_refused_in_a_sentence(words, sentence):
    with pytest.raises(NotationError, match=sentence):
        limits_from(words)


def test_a_match_keeps_to_the_limits_of_the_command_line(tmp_path, capsys):
    file = tmp_path / "slow.py"
    file.write_text(go_with("while True: pass"))
    assert main(["match", "go", str(file), "first", "first", "first", "--quiet", "--limits", "call=0.1"]) == 0
    assert "used more than 0.1 s of CPU time" in capsys.readouterr().out
    assert main(["match", "go", str(file), "first", "first", "first", "--limits", "speed=1"]) == 2
    assert "there is no limit called 'speed'" in capsys.readouterr().err


def specs_with(source):
    found = [find_player(GO, "first")] * GO.seats
    found[BAD_SEAT] = PlayerSpec("bad", "bad.py", "go", "hash", source, limits=QUICK)
    return found


def test_a_player_that_always_sleeps_voids_its_game_twice_and_then_forfeits(monkeypatch):
    voids = counted_voids(monkeypatch)
    match = play_counted(GO, specs_with(go_with("import time; time.sleep(60)")), 1)
    assert [(forfeit.seat, forfeit.kind) for forfeit in match.record.forfeits] == [(BAD_SEAT, "idle")]
    assert "slept or waited" in match.record.forfeits[0].sentence
    assert voids == [BAD_SEAT] * IDLE_VOIDS


def test_a_game_in_which_the_machine_stood_still_once_is_played_again_to_the_same_end(monkeypatch):
    """The players of the void game leave nothing behind: the result is that of a game without a void."""
    from kibitz.players import process

    honest = play_counted(GO, specs_with(HONEST), 1).record
    voids = counted_voids(monkeypatch)
    stalled = iter([True])
    ask = process.PlayerProcess.ask

    def stand_still(self, *given):
        if next(stalled, False):
            self.end()
            raise IdleError("The machine stood still.")
        return ask(self, *given)

    monkeypatch.setattr(process.PlayerProcess, "ask", stand_still)
    assert play_counted(GO, specs_with(HONEST), 1).record == honest
    assert voids == [BAD_SEAT]


class Changing(PlayerSpec):
    """A file that knows by some trick which attempt at its game this is."""

    def make(self, *, patient=False):
        """Tell the file."""
        ATTEMPTS.append(self.name)
        source = f"ATTEMPT = {ATTEMPTS.count(self.name)}\n{self.source}"
        return FilePlayer(self.name, "bad.py", source, self.limits, patient=patient)


ATTEMPTS = []
SLEEPY = "import time\nif ATTEMPT == 1 and len(discard_history) == 2: time.sleep(60)\n"


def changing(name, body, top=""):
    return Changing(name, f"{name}.py", "go", "hash", go_with(body, top), limits=QUICK)


def test_a_player_that_voids_its_game_by_sleeping_gets_no_second_throw_of_the_dice():
    """Its card of the void attempt stands; its grouping, to which that attempt did not come, is its own."""
    ATTEMPTS.clear()
    specs = specs_with(HONEST)
    hands = play_counted(GO, specs_with(go_with("print(*hand)\nreturn hand[0]")), 1).prints[BAD_SEAT].splitlines()
    specs[BAD_SEAT] = changing("bad", f"{SLEEPY}return hand[0 if ATTEMPT == 1 else -1]")
    match = play_counted(GO, specs, 1)
    assert ATTEMPTS == ["bad", "bad"]
    assert match.record.forfeits == ()
    laid = [code(action) for action in match.record.actions[BAD_SEAT : 3 * GO.seats : GO.seats]]
    assert laid == [hands[0].split()[0], hands[1].split()[0], hands[2].split()[-1]]


@pytest.mark.parametrize("top", ["", "if ATTEMPT == 1: 1 / 0"], ids=["in a call", "at load"])
def test_a_failure_in_a_void_attempt_is_not_forgiven(top):
    """Else an accomplice could sleep for whoever has failed."""
    ATTEMPTS.clear()
    specs = specs_with(HONEST)
    specs[BAD_SEAT] = changing("bad", "if ATTEMPT == 1: 1 / 0\nreturn hand[0]", top)
    specs[BAD_SEAT + 1] = changing("sleepy", f"{SLEEPY}return hand[0]")
    match = play_counted(GO, specs, 1)
    assert ATTEMPTS == ["bad", "sleepy"] * 2
    assert [(forfeit.seat, forfeit.kind) for forfeit in match.record.forfeits] == [
        (BAD_SEAT, "load" if top else "exception")
    ]


WORKS_ON = """
import os, sys, time
runner = sys.modules["kibitz.players.child"]
answer = runner.answer
def play(tenths, at_once):
    if at_once:
        os.write(21, b'["ok",2,"now"]\\n')
        runner.answer = lambda word, seq, rest: seq > 2 and answer(word, seq, rest)
    end = time.process_time() + tenths / 10
    while time.process_time() < end:
        pass
    return "later"
"""


def test_nobody_works_while_another_thinks():
    """Timers and naps would interrupt the other, whose CPU time grew by up to a half; the work waits for its turn."""
    busy, thinker = PlayerProcess(STANDARD), PlayerProcess(STANDARD)
    try:
        for process in (busy, thinker):
            process.load("works.py", WORKS_ON, [("play", 2)], 1)
        assert busy.call("play", packed([5, 1]), "[]") == "now"
        before = busy.cpu()
        assert thinker.call("play", packed([3, 0]), "[]") == "later"
        assert busy.cpu() - before < 0.1 * SECOND
        assert busy.call("play", packed([0, 0]), "[]") == "later"
        assert busy.cpu() - before > 0.3 * SECOND
    finally:
        busy.end()
        thinker.end()


def test_a_machine_that_keeps_failing_is_not_waited_for(monkeypatch):
    from kibitz.players import replays

    calls = []

    def broken(game, players, seed):
        calls.append(1)
        raise MachineError("No process is to be had.")

    monkeypatch.setattr(replays, "play_match", broken)
    with pytest.raises(MachineError):
        play_counted(GO, specs_with(HONEST), 1)
    assert len(calls) == TRIES


def counted_voids(monkeypatch):
    from kibitz.players import replays

    play, voids = replays.play_match, []

    def counting(game, players, seed):
        try:
            return play(game, players, seed)
        except IdleError as error:
            voids.append(error.seat)
            raise

    monkeypatch.setattr(replays, "play_match", counting)
    return voids
