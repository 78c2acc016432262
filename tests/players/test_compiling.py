"""Missing code is compiled while people play, and players use it from their next decision on."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

WAITING = """
import time
import kibitz
from kibitz.players.built_in import weaker_players_notice
from kibitz.players.compiling import compile_notice

game = kibitz.game("go-mini")
assert compile_notice(game, ["best"]) == compile_notice(game, ["best"]) != ""
began = time.monotonic()
while weaker_players_notice(game, ["best"]) and time.monotonic() < began + 560:
    time.sleep(1)
assert compile_notice(game, ["best"]) == weaker_players_notice(game, ["best"]) == ""
"""
ENDING = '''
import os, time
from kibitz.players import compiling

compiling.PROGRAM = """
import os, sys, time
from kibitz.executors.worker import die_with_parent
die_with_parent(int(sys.argv[2]))
print(os.getpid(), file=open(sys.argv[1], "a"), flush=True)
time.sleep(600)
"""
for name in ("one", "two", "one"):
    compiling.compile_later(name)
while not os.path.exists("one") or not open("one").read().strip():
    time.sleep(0.05)
time.sleep(0.5)
'''


def run(program, folder, **named):
    """Run a program, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **named}, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_missing_code_is_compiled_in_the_background(tmp_path):
    run(WAITING, tmp_path, KIBITZ_CACHE=str(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the process ends when it is done")
def test_one_process_compiles_at_a_time_and_ends_with_the_program(tmp_path):
    run(ENDING, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["one"]
    (process,) = (tmp_path / "one").read_text().split()
    for _ in range(300):
        if is_gone(Path("/proc", process, "stat")):
            return
        time.sleep(0.1)
    raise AssertionError(f"process {process} goes on")


def is_gone(stat):
    """Whether a process has ended, even if nothing has waited for it."""
    try:
        return stat.read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
