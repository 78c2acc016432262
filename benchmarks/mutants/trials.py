"""A copy of the tree in which one change at a time is made and the tests concerned are run.

noticed     a test fails with the change and passes without it; one that starts processes, and so depends on the
            machine, fails twice: a test that fails by itself now and then, or always on this machine, notices nothing
hung        a test that does not end in ``PATIENCE`` seconds with the change, and passes without it
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mutants.changes import Change
from benchmarks.mutants.concerned import far, near
from benchmarks.mutants.notes import PLUGIN, Notes, function_at

COPIED = ("src", "tests", "examples", "docs", "benchmarks", "requirements", "README.md", "Makefile", "pyproject.toml")
PATIENCE = 90
"""Seconds for one test; the slowest takes a quarter of it on a quiet machine."""
LONGEST = 900.0
"""Seconds for one run of a group of tests."""
SETTINGS = (
    "console_output_style=classic",
    f"faulthandler_timeout={PATIENCE}",
    "faulthandler_exit_on_timeout=true",
)
OPTIONS = (*PLUGIN, "-x", "-v", "--no-header", "--tb=no", "--color=no", *(f"--override-ini={one}" for one in SETTINGS))
FAILED = re.compile(r"^(?:FAILED|ERROR) ((?:tests|src)/.*?)(?: - .*)?$", re.MULTILINE)
BEGUN = re.compile(r"^(tests/\S*::.*?) (?:(?:PASSED|SKIPPED|XFAIL)[^\n]*)?$", re.MULTILINE)
NO_TESTS = 5


@dataclass
class Trials:
    """One copy of the tree.

    ``unsound`` tests fail there without any change, so they say nothing; ``sound`` ones pass, and nothing but the code
    decides it.
    """

    root: Path
    tree: Path
    notes: Notes
    far: bool = True
    unsound: set[str] = field(default_factory=set)
    sound: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Path, tree: Path, kept: Path, *, far: bool = True) -> Trials:
        """Copy what tests need, and watch which functions they run; notes of that are kept in a folder."""
        for name in COPIED:
            source = root / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.is_file():
                shutil.copy(source, tree / name)
        return cls(root, tree, Notes.of(tree, kept), far)

    def noticed(self, module: Path, change: Change) -> str:
        """The test that noticed a change, "" if none did."""
        path = self.tree / module
        source = path.read_text()
        try:
            return self.found(path, source, change.made(source), self.groups(module, function_at(source, change.line)))
        finally:
            path.write_text(source)

    def groups(self, module: Path, function: str) -> list[list[str]]:
        """The tests to run: those that run the function, then those near and far in which nobody could watch."""
        inside = self.notes.inside(module, function) if function else []
        groups = near(self.tree, module) + (far(self.tree, module) if self.far else [])
        files = [file for group in groups for file in group if file.startswith("tests/")]
        every = not function or "games" in module.parts
        beyond = self.notes.beyond(files, every=every)
        return [[*inside, str(module)], [test for test in beyond if test not in set(inside)]]

    def found(self, path: Path, source: str, changed: str, groups: Sequence[list[str]]) -> str:
        """The first test of some groups that fails with a change, again with it, and not without."""
        passing_over = set(self.unsound)
        for group in groups:
            while True:
                path.write_text(changed)
                test = self.failing([test for test in group if test not in passing_over])
                if not test:
                    break
                if self.believed(test, path, source):
                    return test
                passing_over.add(test)
        return ""

    def believed(self, test: str, path: Path, source: str) -> bool:
        """Whether a failure is the change's: it comes again with the change, and not without."""
        if test in self.sound:
            return True
        starts = self.notes.starts(test)
        if starts and not self.failing([test]):
            return False
        path.write_text(source)
        if self.failing([test]):
            self.unsound.add(test)
            return False
        if not starts:
            self.sound.add(test)
        return True

    def failing(self, tests: Sequence[str]) -> str:
        """The first test that fails or hangs, "" if none does; a module among them stands for its documentation."""
        if not tests:
            return ""
        files = dict.fromkeys(test.split("::")[0] for test in tests)
        chosen = self.tree / "chosen.json"
        chosen.write_text(json.dumps(tests))
        command = [sys.executable, "-m", "pytest", *OPTIONS, "--doctest-modules", *files]
        code, output = ended(command, self.tree, chosen)
        if code in (0, NO_TESTS):
            return ""
        named = FAILED.findall(output) or BEGUN.findall(output)[-1:]
        return named[0] if named else tests[0]


def ended(command: Sequence[str], tree: Path, chosen: Path) -> tuple[int, str]:
    """The exit status of a run of the tests in a tree, and what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["KIBITZ_MUTANTS_CHOSEN"] = str(chosen)
    with subprocess.Popen(
        command,
        cwd=tree,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
        errors="replace",
    ) as process:
        try:
            output, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
    return process.returncode, output
