"""The time of marking one submission of COMP10001-Go, and a class, from the command to the last file.

ours        ``kibitz mark`` and ``kibitz similar``, started as a person starts them
peer        the cases run on the same functions in this process, without any confinement
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from time import perf_counter

from benchmarks.harness import Probe, Row, Rows

HOME = Path(__file__).parents[1]
HIDDEN, CLASS = 200, 300
KIBITZ = (sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))")


def rows() -> Rows:
    """Rows of one submission, and of a class of 300: marked, one student marked again, and compared."""
    honest = runpy.run_path(str(HOME / "docs" / "marking.py"))["HONEST"]
    marked, again, similar = of_class(honest)
    table_rows = [
        Row(f"one submission of Go, 5 functions of {HIDDEN} cases", "s", alone(honest), unconfined(honest), 10),
        Row(f"{CLASS} submissions of Go, 100 cases, {os.cpu_count()} cores", "s", marked, None, 600),
        Row("one of them marked again", "s", again, None, 10),
        Row(f"{CLASS} submissions compared", "s", similar, None, 30),
    ]
    return table_rows, [
        "The files of a class all differ, and all their functions return: one that doesn't takes minutes."
    ]


def alone(source: str) -> Probe:
    """A probe: the seconds until one submission is marked."""

    def probe() -> float:
        with tempfile.TemporaryDirectory() as name:
            Path(name, "mine.py").write_text(source, encoding="utf-8")
            return timed(name, ["mark", "go", "mine.py", "--hidden", str(HIDDEN), "--seed", "1"])

    return probe


def of_class(source: str) -> tuple[Probe, Probe, Probe]:
    """Probes: the seconds to mark a class, to mark one of its students again, and to compare the class."""
    folder = tempfile.TemporaryDirectory()
    for number in range(CLASS):
        student_folder = Path(folder.name, "class", f"student {number}")
        student_folder.mkdir(parents=True)
        (student_folder / "mine.py").write_text(f"{source}\n# {number}\n", encoding="utf-8")
    mark = ["mark", "go", "class", "--seed", "1", "-o", "marks"]

    def marked() -> float:
        shutil.rmtree(Path(folder.name, "marks"), ignore_errors=True)
        return timed(folder.name, mark)

    def again() -> float:
        return timed(folder.name, [*mark, "--again", "student 7"])

    def similar() -> float:
        return timed(folder.name, ["similar", "class", "-o", "pairs.html"])

    return marked, again, similar


def timed(folder: str, command: Sequence[str]) -> float:
    """The seconds that a command takes."""
    start = perf_counter()
    subprocess.run([*KIBITZ, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return perf_counter() - start


def unconfined(source: str) -> Probe:
    """A probe: the seconds that the functions themselves take."""

    def probe() -> float:
        from kibitz.marking.assignments import assignment

        go_assignment = assignment("go")
        module: dict[str, object] = {}
        exec(compile(source, "mine.py", "exec"), module)
        cases = [case for name in go_assignment.functions for case in go_assignment.hidden(name, HIDDEN, 1)]
        start = perf_counter()
        for case in cases:
            function = module[case.function]
            assert callable(function)
            function(*deepcopy(case.arguments))
        return perf_counter() - start

    return probe
