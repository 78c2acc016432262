"""How long marking takes: one submission of COMP10001-Go, and a class, from the command to the last file.

ours        ``kibitz mark`` with 200 hidden cases of each function, started as a person starts it
peer        the cases asked of the same functions in this process, with no confinement at all
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from copy import deepcopy
from pathlib import Path
from time import perf_counter

from benchmarks.harness import Probe, Row, Rows

HOME = Path(__file__).parents[1]
HIDDEN, CLASS = 200, 60
KIBITZ = (sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))")


def rows() -> Rows:
    """One submission and a class of sixty."""
    honest = runpy.run_path(str(HOME / "docs" / "marking.py"))["HONEST"]
    found = [
        Row(f"one submission of Go, 5 functions of {HIDDEN} cases", "s", alone(honest), unconfined(honest), 10),
        Row(f"{CLASS} submissions of Go, {os.cpu_count()} cores", "s", together(honest), None),
    ]
    return found, ["One submission is asked to be marked in at most 10 s. The files of a class all differ."]


def alone(source: str) -> Probe:
    """A probe: the seconds until one submission is marked."""

    def probe() -> float:
        with tempfile.TemporaryDirectory() as name:
            Path(name, "mine.py").write_text(source, encoding="utf-8")
            return timed(name, "mine.py")

    return probe


def together(source: str) -> Probe:
    """A probe: the seconds until a class is marked."""

    def probe() -> float:
        with tempfile.TemporaryDirectory() as name:
            for number in range(CLASS):
                folder = Path(name, "class", f"student {number}")
                folder.mkdir(parents=True)
                (folder / "mine.py").write_text(f"{source}\n# {number}\n", encoding="utf-8")
            return timed(name, "class")

    return probe


def timed(folder: str, what: str) -> float:
    """The seconds that the command takes."""
    command = [*KIBITZ, "mark", "go", what, "--hidden", str(HIDDEN), "--seed", "1"]
    start = perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return perf_counter() - start


def unconfined(source: str) -> Probe:
    """A probe: the seconds that the functions themselves take."""

    def probe() -> float:
        from kibitz.marking.assignments import assignment

        found = assignment("go")
        module: dict[str, object] = {}
        exec(compile(source, "mine.py", "exec"), module)
        cases = [case for name in found.functions for case in found.hidden(name, HIDDEN, 1)]
        start = perf_counter()
        for case in cases:
            function = module[case.function]
            assert callable(function)
            function(*deepcopy(case.arguments))
        return perf_counter() - start

    return probe
