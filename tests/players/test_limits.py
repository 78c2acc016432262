"""Limits in words, and who may work when."""

from pathlib import Path

import pytest

from kibitz.cli import main
from kibitz.errors import NotationError
from kibitz.players.clocks import SECOND
from kibitz.players.limits import STANDARD, limits_from
from kibitz.players.process import PlayerProcess
from kibitz.players.wire import packed
from tests.players.conftest import go_with


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


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="the kernel has no such score")
def test_where_memory_runs_out_players_go_before_any_process_of_ours():
    process = PlayerProcess(STANDARD)
    try:
        assert Path(f"/proc/{process.pid}/oom_score_adj").read_text() == "1000\n"
        assert Path("/proc/self/oom_score_adj").read_text() != "1000\n"
    finally:
        process.end()
