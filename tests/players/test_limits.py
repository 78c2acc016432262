"""Limits as text, and how they are applied to processes."""

from dataclasses import replace
from pathlib import Path

import pytest

import kibitz.players.isolation.confined_process as process_module
from kibitz.cli import main
from kibitz.cli.options import LimitsText
from kibitz.errors import NotationError
from kibitz.players.isolation.confined_process import SECOND, PlayerProcess
from kibitz.players.isolation.wire import packed
from kibitz.players.limits import STANDARD, Limits, limits_from, limits_text
from tests.players.conftest import go_with


def test_limits_are_set_by_name_and_the_others_keep_their_defaults():
    found = limits_from("call=1.5, bank=20,memory=256,output=8")
    assert (found.call, found.bank, found.memory, found.output) == (1.5, 20, 256 << 20, 8 << 10)
    assert (found.load, found.reply) == (STANDARD.load, STANDARD.reply)


def test_help_shows_the_standard_limits():
    (option,) = LimitsText.__metadata__
    assert limits_from(option.help.rpartition("Default: ")[2].rstrip(".")) == STANDARD


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("calls=1", "unknown limit 'calls'; known limits: load, call, bank, memory, output"),
        ("", "unknown limit ''"),
        ("call", "the limit call needs a number, as in 'call=1', not ''"),
        ("call=fast", "not 'fast'"),
        ("call=0", "must be from 0.01 to 1000000, not 0"),
        ("bank=nan", "must be from"),
        ("memory=1", "must be from 64 to 1000000, not 1"),
        ("memory=63.9", "must be from 64 to 1000000, not 63.9"),
        ("output=0.9", "the limit output must be from 1 to 1000000, not 0.9"),
        ("load=0.009", "the limit load must be from 0.01 to 1000000, not 0.009"),
        ("bank=1000000.5", "the limit bank must be from 0.01 to 1000000, not 1000000.5"),
        ("call=1,bank=2,call=3", "'call=1,bank=2,call=3' says call twice"),
    ],
    ids=lambda value: value or "empty",
)
def test_invalid_limits_are_rejected(words, sentence):
    with pytest.raises(NotationError, match=sentence):
        limits_from(words)


LEAST = "load=0.01,call=0.01,bank=0.01,memory=64,output=1"


def test_smallest_and_largest_limits_round_trip_through_text():
    """By hand: seconds as they are, 64 MiB and one kiB in bytes."""
    assert limits_from(LEAST) == Limits(0.01, 0.01, 0.01, memory=64 * 1024 * 1024, output=1024)
    assert limits_from("memory=1000000").memory == 1_000_000 * 1_048_576
    most = "load=1000000,call=1000000,bank=1000000,memory=1000000,output=1000000"
    for words in (LEAST, most, "memory=64.5", "call=0.1", ""):
        assert limits_text(limits_from(words) if words else STANDARD) == words


def test_standard_limits_match_the_docs():
    """docs/sandbox.md: 2 s of CPU time to load, 4 s for a call, 60 s for a game, 512 MiB, 1 MiB of output."""
    page = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text()
    says = "2 s of CPU time to load, 4 s for a call, 60 s for a game, 512 MiB of memory; 1 MiB of its output is kept."
    assert says in page
    assert (STANDARD.load, STANDARD.call, STANDARD.bank) == (2, 4, 60)
    assert (STANDARD.memory, STANDARD.output) == (512 * 1024 * 1024, 1024 * 1024)


def test_idle_limit_follows_from_cpu_time_and_triples_in_rated_games():
    """By hand, in seconds."""
    assert [STANDARD.wall(cpu) for cpu in (0.0, 0.4, 0.6, 4.0)] == [5, 5, 6, 40]
    assert [STANDARD.idleness(cpu) for cpu in (0.0, 1.5)] == [40, 55]
    assert [STANDARD.idleness(cpu, rated=True) for cpu in (0.0, 1.5)] == [120, 135]
    assert Limits(wall_factor=2, wall_floor=9).idleness(3) == 9 + 6


def test_match_uses_the_limits_of_the_command_line(tmp_path, capsys):
    file = tmp_path / "slow.py"
    file.write_text(go_with("while True: pass"))
    assert main(["match", "go", str(file), "first", "first", "first", "--quiet", "--limits", "call=0.1"]) == 1
    assert "used more than 0.1 s of CPU time" in capsys.readouterr().out
    assert main(["match", "go", str(file), "first", "first", "first", "--limits", "speed=1"]) == 2
    assert "unknown limit 'speed'" in capsys.readouterr().err


WORKS_ON = """
import os, sys, time
runner = sys.modules["kibitz.players.isolation.child"]
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


def test_no_player_works_while_another_thinks():
    """Otherwise the other's CPU time would grow by up to a half; background work waits for the next turn."""
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


def test_queueing_limit_is_ten_times_the_wall_limit(monkeypatch):
    made, real = [], process_module.Stopwatch

    def stopwatch(pid, allowed, wall, timeout):
        made.append((allowed, timeout))
        return real(pid, allowed, wall, timeout)

    monkeypatch.setattr(process_module, "Stopwatch", stopwatch)
    limits = replace(STANDARD, wall_floor=5.0, wall_factor=10.0)
    process = PlayerProcess(limits)
    try:
        process.load("mine.py", "def play():\n    return 1\n", [("play", 0)], 1)
        process.call("play", packed([]), "[]")
    finally:
        process.end()
    assert [allowed for allowed, _ in made] == [limits.load, limits.call]
    assert [timeout for _, timeout in made] == [10 * limits.wall(limits.load), 10 * limits.wall(limits.call)]


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="the kernel has no such score")
def test_players_are_killed_first_when_memory_runs_out():
    process = PlayerProcess(STANDARD)
    try:
        assert Path(f"/proc/{process.pid}/oom_score_adj").read_text() == "1000\n"
        assert Path("/proc/self/oom_score_adj").read_text() != "1000\n"
    finally:
        process.end()
