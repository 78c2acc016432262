"""The time that a person waits for importing, for help, and for the first game, each in a fresh process.

    screens     the whole process on its own terminal, until the first screen is shown
    import      timed inside the process, so that the interpreter's own start is left out
    the others  the whole process; the peer is an interpreter that does nothing

So the first row's ratio compares Kibitz with NumPy; the others' show how much of the time is Python's own start.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from time import perf_counter

from benchmarks.harness import Figure, Probe, Row, Rows

RUNS = 3
"""Processes for one figure, which is their median; five repeats make fifteen runs."""

IMPORT = "from time import perf_counter as now; start = now(); import {}; print(now() - start)"
HELP = [str(Path(sys.executable).with_name("kibitz")), "--help"]
FIRST_GAME = """
import sys
sys.modules["numba"] = None
import random, kibitz
game = kibitz.game({name!r})
state = game.deal(seed=1)
while legal := game.legal(state):
    game.play(state, random.choice(legal))
"""

SCREENS = (("", b"Cribbage"), ("play go", b"which card do you keep?"))
"""The words of a command, and a text on its first screen."""


def rows() -> Rows:
    """One row for each kind of start."""
    bare = process("-c", "pass")
    table_rows = [Row("import kibitz", "s", inside(IMPORT.format("kibitz")), inside(IMPORT.format("numpy")), 60e-3)]
    notes = [f"Each figure of a repeat is the median of {RUNS} runs. import kibitz stands against import numpy."]
    if works(HELP):
        table_rows.append(Row("kibitz --help", "s", process(*HELP), bare, 0.3))
    else:
        notes.append("Left out: kibitz --help, since it does not run yet.")
    for name in ("bo", "go"):
        play = process("-c", FIRST_GAME.format(name=name))
        table_rows.append(Row(f"first game of {name}, without Numba", "s", play, bare, 2.0))
    for words, marker in SCREENS:
        table_rows.append(Row(f"kibitz {words}".strip() + ", first screen", "s", until_seen(words, marker), bare, 1.0))
    for row in table_rows:
        row.ours()  # once beforehand, so that bytecode is not compiled on the clock
    return table_rows, notes


def works(arguments: list[str]) -> bool:
    """Whether a fresh interpreter succeeds with these arguments."""
    return subprocess.run([sys.executable, *arguments], capture_output=True).returncode == 0


def process(*arguments: str) -> Probe:
    """A probe: how long a fresh interpreter takes with these arguments."""

    def once() -> float:
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        return perf_counter() - start

    return lambda: Figure(tuple(once() for _ in range(RUNS))).median


def until_seen(words: str, marker: bytes) -> Probe:
    """A probe: how long a fresh interpreter takes until ``marker`` is on its terminal."""

    def once() -> float:
        near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TERM": "xterm-256color", "XDG_DATA_HOME": folder}
            start, seen = perf_counter(), b""
            command = [HELP[0], *words.split()]
            running = subprocess.Popen(
                command, stdin=far, stdout=far, stderr=far, env=environment, start_new_session=True
            )
            while marker not in seen:
                seen += os.read(near, 1 << 16)
            took = perf_counter() - start
            running.terminate()
            running.wait()
        os.close(near)
        os.close(far)
        return took

    return lambda: Figure(tuple(once() for _ in range(RUNS))).median


def inside(code: str) -> Probe:
    """A probe: the time that a fresh interpreter prints when it runs ``code``."""

    def once() -> float:
        finished = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        return float(finished.stdout)

    return lambda: Figure(tuple(once() for _ in range(RUNS))).median
