"""The arena commands: their output on a terminal and elsewhere; stopping loses nothing."""

import csv
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.arena import open as open_arena
from tests.players.conftest import HONEST, go_with
from tests.strategies.seats import FILES

SOURCE = Path(sys.modules["kibitz"].__file__).parents[1]
KIBITZ = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]
NAMES = ("Ann", "Ben", "Cas", "Dot")


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """A season with four players and no games played."""
    path = tmp_path_factory.mktemp("season") / "season.sqlite"
    with open_arena(path) as arena:
        arena.begin("go", seed=5)
        for name in NAMES:
            arena.submit("go", f"{name}.py", name, content=f"{HONEST}\n# {name}\n".encode(), games=2)
    return path


@pytest.fixture
def store(season, tmp_path, monkeypatch):
    """A copy of the season that a test may change."""
    path = tmp_path / "season.sqlite"
    path.write_bytes(season.read_bytes())
    monkeypatch.setenv("KIBITZ_STORE", str(path))
    return path


def test_working_file_is_accepted(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    words = ["arena", "submit", "go", FILES / "go" / "first.py", "--name", "Ann", "--games", "2"]
    answer = kibitz(*words)
    assert answer.status == 0
    assert answer.lines[0].startswith("ok      The file loads")
    assert re.fullmatch(
        r"Accepted: version 1 of Ann \(first.py, SHA-256 [0-9a-f]{12}\) will play in tournament go from the next .*",
        answer.lines[-1],
    )
    again = kibitz(*words)
    assert (again.status, again.err) == (
        2,
        "kibitz: This file is already version 1, which is playing; nothing has changed.\n",
    )


def test_failing_file_is_refused_with_a_report_that_can_be_repeated(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    (tmp_path / "mine.py").write_text(go_with("return hand[99]"))
    words = ["arena", "submit", "go", tmp_path / "mine.py", "--name", "Ann", "--games", "2"]
    answer = kibitz(*words)
    assert answer.status == 2
    assert answer.lines[-1].startswith("Refused: version 1 of Ann (mine.py")
    failed = [line for line in answer.lines if line.startswith("FAILED")]
    assert failed
    repeated = kibitz("arena", "failures", "Ann")
    assert repeated.lines[0] == "Version 1 of Ann was refused by go:"
    assert [line for line in repeated.lines if line.startswith("FAILED")] == failed
    assert not any("has forfeited" in line for line in repeated.lines)
    assert "  refused  mine.py" in kibitz("arena", "history", "Ann").out
    again = kibitz(*words)
    assert "The same file was refused as version 1." in again.lines


@pytest.mark.long
def test_second_runner_needs_the_beside_option(kibitz, store):
    with open_arena(store) as arena:
        arena.store.register_runner("go", "another machine", lease_s=3600)
    refused = kibitz("arena", "run", "go", "--rounds", "1", "--workers", "1")
    assert refused.status == 2
    assert refused.err.endswith("wait for it, stop it, or share its work (--join).\n")
    answer = kibitz("arena", "run", "go", "--rounds", "1", "--workers", "1", "--join")
    assert answer.status == 0
    assert answer.lines[0].startswith("go (submissions open): 1 regular round")


def test_tournament_can_have_its_own_limits(kibitz, tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    answer = kibitz("arena", "begin", "go", "--limits", "call=1,memory=256")
    assert answer.status == 0
    words = "call=1,memory=256"
    tried = f"kibitz check-player go FILE --limits {words}"
    assert answer.lines[1] == f"Limits of player files: {words}; try yours with '{tried}'."
    with open_arena(tmp_path / "season.sqlite") as arena:
        limits = arena.tournament("go").limits
    assert (limits.call, limits.bank, limits.memory) == (1.0, 60.0, 256 << 20)
    assert kibitz("arena", "ranking").lines[0].endswith(f"0 regular rounds, 0 matches, limits {words}")


def test_rounds_are_played_and_reported_line_by_line(kibitz, store, tmp_path):
    answer = kibitz("arena", "run", "--rounds", "1", "--workers", "1")
    assert answer.status == 0
    assert answer.err.splitlines()[0] == "go: round 1 complete, 4 blocks"
    assert answer.err.splitlines()[-1] == "Done: 16 matches played and saved in this run."
    assert answer.lines[0] == "go (submissions open): 1 regular round, 16 matches"
    table = kibitz("arena", "ranking", "go")
    assert table.lines == answer.lines
    again = kibitz("arena", "run", "go", "--rounds", "1")
    assert again.out == answer.out, "finished rounds are not played again"
    assert "Done: 0 matches" in again.err
    by_games = kibitz("arena", "run", "go", "--games", "17", "--workers", "1")
    assert by_games.lines[0] == "go (submissions open): 2 regular rounds, 32 matches"
    wide = kibitz("arena", "run", "go", "--margin", "5000")
    assert wide.out == by_games.out, "the interval is already narrow enough"
    exported = kibitz("arena", "export", "go", "-o", tmp_path / "x.csv")
    assert exported.out == f"32 matches of go are in {tmp_path / 'x.csv'}.\n"
    with open(tmp_path / "x.csv", newline="") as file:
        assert len(list(csv.DictReader(file))) == 32 * 4
    assert "already exists" in kibitz("arena", "export", "go", "-o", tmp_path / "x.csv").err
    assert kibitz("arena", "rate", tmp_path / "x.csv").lines == by_games.lines[1:]
    assert kibitz("arena", "export", "go").out.startswith("tournament,phase,")


@pytest.mark.long
def test_several_tournaments_take_turns(kibitz, store):
    with open_arena(store) as arena:
        for name in NAMES:
            source = f"{HONEST}\n# {name}\n".encode()
            arena.submit("go:players=3", f"{name}.py", name, content=source, games=2)
        arena.begin("bo")
    answer = kibitz("arena", "run", "--rounds", "2", "--workers", "1")
    rounds = [line for line in answer.err.splitlines() if "round" in line]
    assert [line.partition(" complete")[0] for line in rounds] == [
        "go: round 1",
        "go:players=3: round 1",
        "go: round 2",
        "go:players=3: round 2",
    ]
    assert answer.out.count(": 2 regular rounds") == 2
    assert "bo (submissions open): 0 regular rounds, 0 matches" in answer.lines


@pytest.mark.long
def test_stopped_season_is_resumed_with_the_same_table(kibitz, store, tmp_path):
    whole = tmp_path / "whole.sqlite"
    whole.write_bytes(store.read_bytes())
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    running = subprocess.Popen(
        [*KIBITZ, "arena", "run", "go"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    running.stderr.readline()
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=120)
    assert running.returncode == 130
    assert "Stopped: " in errors
    assert "Traceback" not in errors
    more = int(re.search(r": (\d+) regular round", output)[1]) + 2
    stopped = kibitz("arena", "run", "go", "--rounds", more, "--workers", "2")
    straight = kibitz("arena", "run", "go", "--rounds", more, "--workers", "1", "--store", whole)
    assert stopped.out == straight.out
    assert f": {more} regular rounds" in stopped.out


@pytest.mark.long
def test_an_interrupted_check_is_reported_and_can_be_repeated(kibitz, store, tmp_path):
    (tmp_path / "slow.py").write_text(HONEST.replace("return hand[0]", "sum(range(10**6)); return hand[0]"))
    words = ["arena", "submit", "go", str(tmp_path / "slow.py"), "--name", "Eve"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    trying = subprocess.Popen([*KIBITZ, *words], env=environment, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while "waiting" not in kibitz("arena", "history", "Eve").out:
        assert time.monotonic() < until
    trying.send_signal(signal.SIGINT)
    errors = trying.communicate(timeout=60)[1]
    assert trying.returncode == 130
    assert errors.strip() == "kibitz: interrupted."
    assert "The check was interrupted: it was stopped." in kibitz("arena", "history", "Eve").out
    again = kibitz(*words, "--games", "2")
    assert again.lines[-1].startswith("Accepted: version 2 of Eve")
    assert "was refused" not in again.out


@pytest.mark.long
def test_table_is_updated_live_on_a_terminal(store):
    main, other = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    running = subprocess.Popen(
        [*KIBITZ, "arena", "run", "go", "--rounds", "3"], env=environment, stdout=other, stderr=other
    )
    os.close(other)
    seen = b""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            chunk = os.read(main, 1 << 16)
        except OSError:
            break
        seen += chunk
    os.close(main)
    assert running.wait(60) == 0
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
    assert re.search(r"round \d: \d of 4 blocks, [\d.]+ games/s *\r\nStop with Ctrl-C: nothing is lost.", shown)
    assert "go (submissions open): 1 regular round, 16 matches" in shown
    assert "go (submissions open): 3 regular rounds, 48 matches" in shown.rsplit("Stop with Ctrl-C", 1)[1]


def test_frozen_tournament_final_seeds_and_verification(kibitz, store):
    assert "go takes no more submissions. 4 players: Ann, Ben, Cas, Dot." in kibitz("arena", "freeze", "go").out
    assert "takes submissions again" in kibitz("arena", "freeze", "go", "--undo").out
    kibitz("arena", "freeze", "go")
    sealed = kibitz("arena", "seeds", "go")
    assert "secret" in sealed.out
    answer = kibitz("arena", "final", "go", "--margin", "5000", "--rounds", "1", "--workers", "1")
    assert answer.status == 0
    assert re.match(r"SHA-256 of the seed of the final: [0-9a-f]{64}$", answer.lines[0])
    assert "go (finished): 1 final round, 16 matches" in answer.lines
    checks = [line.strip() for line in answer.lines if "sha256sum" in line]
    for stage, check in zip(("regular rounds", "final"), checks, strict=True):
        digest = subprocess.run(["sh", "-c", check], capture_output=True, text=True).stdout.split()[0]
        assert f"SHA-256 of the seed of the {stage}: {digest}" in answer.lines
    proof = kibitz("arena", "verify", "go", "--replay", "2")
    assert (proof.status, proof.lines[-1]) == (0, "go is verified.")
    assert "go is finished: " in kibitz("arena", "run", "go").err
    assert "no tournament to play" in kibitz("arena", "run").err


def test_a_custom_game_prints_its_table_and_the_replay_command(kibitz, store):
    before = kibitz("arena", "ranking").out
    answer = kibitz("arena", "custom", "go", "Ann", "first", "random", "greedy", "--seed", "3", "--workers", "1")
    assert answer.status == 0
    assert answer.lines[0] == "custom-1 (unrated, finished): 1 round, 4 matches"
    assert answer.lines[-1] == "See a game with 'kibitz arena replay custom-1/1'."
    replay = kibitz("arena", "replay", "custom-1/1")
    assert replay.lines[0] == "Seats: 0 Ann, 1 first, 2 random, 3 greedy"
    assert replay.lines[-1].startswith("Match custom-1/1 is identical: ")
    assert kibitz("arena", "ranking").out == before


def test_the_overview_names_every_command(kibitz):
    from kibitz.cli.arena import COMMANDS

    for words in (["arena"], ["arena", "--help"], ["help", "arena"]):
        answer = kibitz(*words)
        assert answer.status == 0
        assert all(f"\n  {name} " in answer.out for name in COMMANDS)
        assert max(map(len, answer.lines)) <= 80
    for name in COMMANDS:
        helped = kibitz("arena", name, "--help").out
        assert (f"Usage: kibitz arena {name}" in helped, "ARGS" in helped) == (True, False), name
