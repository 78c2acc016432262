"""A copy of the tree in which one change at a time is made and the tests concerned are run.

noticed     a test fails with the change and passes without it; a test that starts processes, and so depends on the
            machine, must fail twice with it, so that tests that fail now and then, or always here, do not count
hung        a test does not end in ``TIMEOUT`` seconds with the change, and passes without it

The copy is always in the same place, since the cache of machine code depends on the path of the source: so machine
code of unchanged code is found in the next run too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence, Set
from compileall import compile_dir
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from py_compile import PycInvalidationMode

from kibitz.executors.worker import die_with_parent
from tools.mutants.changes import Change
from tools.mutants.concerned import far, near
from tools.mutants.notes import PLUGIN, Notes, function_at, is_kernel

FOLDERS = ("src", "tests", "examples", "docs", "benchmarks", "tools", "requirements", "website", ".ci")
FILES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "LICENSES", "Makefile", "pyproject.toml")
COPIED = (*FOLDERS, *FILES)
"""The parts of the tree that tests read."""
MACHINE_CODE = "machine_code"
"""The folder of machine code, beside the tree; machine code of a change is deleted with the change."""
TIMEOUT = 180
"""Seconds for one test, compiling the change included; the slowest test takes an eighth on an idle machine."""
RUN = 120.0
"""Seconds that the tests of one run should take together, by their notes.  A failing test ends its run, so that later
runs are not needed."""
LONGEST = 900.0
"""Seconds after which a run is ended, and counts as one that notices nothing."""
SETTINGS = (
    "console_output_style=classic",
    f"faulthandler_timeout={TIMEOUT}",
    "faulthandler_exit_on_timeout=true",
)
OPTIONS = (*PLUGIN, "-x", "-v", "--no-header", "--tb=no", "--color=no", *(f"--override-ini={one}" for one in SETTINGS))
FAILED = re.compile(r"^(?:FAILED|ERROR) ((?:tests|src)/.*?)(?: - .*)?$", re.MULTILINE)
BEGUN = re.compile(r"^(tests/\S*::.*?) (?:(?:PASSED|SKIPPED|XFAIL)[^\n]*)?$", re.MULTILINE)
NO_TESTS = 5


@dataclass
class Trials:
    """One copy of the tree.

    ``unsound`` tests fail there without any change, so they are ignored; ``sound`` tests pass without a change and
    start no processes, so that their result depends on the code alone.
    """

    root: Path
    tree: Path
    notes: Notes
    far: bool = True
    unsound: set[str] = field(default_factory=set)
    sound: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Path, place: Path, kept: Path, *, far: bool = True) -> Trials:
        """Copy the files that tests need to ``place``, whose machine code is kept; ``kept`` is the folder of notes.

        Byte code is checked by the source's hash, so that every change is recognized.
        """
        tree = place / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True)
        for name in COPIED:
            source = root / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.is_file():
                shutil.copy(source, tree / name)
        compile_dir(tree / "src", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        return cls(root, tree, Notes(tree, kept), far)

    def noticed(self, module: Path, change: Change) -> str:
        """The test that noticed a change, "" if none did."""
        path = self.tree / module
        source = path.read_text()
        before = set(machine_code(self.tree).glob("*"))
        try:
            return self.found(path, source, change.made(source), self.runs(module, source, change.line))
        finally:
            path.write_text(source)
            if is_kernel(source, change.line):
                for compiled in set(machine_code(self.tree).glob("*")) - before:
                    shutil.rmtree(compiled)

    def runs(self, module: Path, source: str, line: int) -> Iterator[list[str]]:
        """The tests to run, run by run: the module's documentation, then tests from near to far.

        For a kernel, or for a line outside functions, these are all tests of the files, and the far files need no
        notes.
        """
        function = function_at(source, line)
        every = not function or is_kernel(source, line)
        named = function or source.splitlines()[line - 1]
        if ">>>" in source:
            yield [str(module)]
        nearest = near(self.tree, module)
        for files in nearest:
            yield from self.of_files(module, function, named, files, every=every)
        for files in far(self.tree, module) if self.far or not nearest else []:
            if every:
                yield from self.together(files)
            else:
                yield from self.of_files(module, function, named, files, every=every)

    def of_files(
        self, module: Path, function: str, named: str, files: Sequence[str], *, every: bool
    ) -> Iterator[list[str]]:
        """The tests of some files that run a function, then ``every`` other test, or those that start processes.

        A file without notes is recorded while it is run as a whole: before the others if it likely notices the change,
        otherwise after them.
        """
        known, others = self.notes.known_first(files)
        likely, rest = self.notes.likely_first(others, module, named)
        inside = self.notes.inside(known, module, function)
        beyond = self.notes.beyond(known, every=every)
        yield from ([file] for file in likely)
        yield from self.together(inside)
        yield from self.together([test for test in beyond if test not in set(inside)])
        yield from ([file] for file in rest)

    def together(self, tests: Sequence[str]) -> Iterator[list[str]]:
        """Divide some tests into runs of ``RUN`` seconds."""
        run, seconds = list[str](), 0.0
        for test in tests:
            run, seconds = [*run, test], seconds + self.notes.seconds(test)
            if seconds > RUN:
                yield run
                run, seconds = [], 0.0
        if run:
            yield run

    def found(self, path: Path, source: str, changed: str, runs: Iterable[list[str]]) -> str:
        """The first test of some runs that fails with a change, again with it, and not without."""
        ignored = set(self.unsound)
        for run in runs:
            while True:
                path.write_text(changed)
                test = self.failing([test for test in run if test not in ignored], ignored)
                if not test:
                    break
                if self.believed(test, path, source):
                    return test
                ignored.add(test)
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

    def failing(self, tests: Sequence[str], but: Set[str] = frozenset()) -> str:
        """The first test, except those in ``but``, that fails or hangs; "" if none does.

        A module among the tests means the tests of its documentation.
        """
        if not tests:
            return ""
        files = list(dict.fromkeys(test.split("::")[0].split("[")[0] for test in tests))
        chosen = self.tree / "chosen.json"
        chosen.write_text(json.dumps({"tests": tests, "but": sorted(but)}))
        command = [sys.executable, "-m", "pytest", *OPTIONS, *files]
        unknown = len(tests) == 1 and not self.notes.are_of(tests[0])
        watched = self.tree / "watched.json" if unknown else None
        code, output = ended(command, self.tree, chosen, watched)
        if watched:
            self.notes.learn(tests[0], watched, whole=code in (0, NO_TESTS))
        if code in (0, NO_TESTS):
            return ""
        failed = FAILED.findall(output) or BEGUN.findall(output)[-1:]
        return failed[0] if failed else tests[0]


def machine_code(tree: Path) -> Path:
    """The folder of the machine code of a tree's tests."""
    return tree.parent / MACHINE_CODE


def ended(command: Sequence[str], tree: Path, chosen: Path, watched: Path | None) -> tuple[int, str]:
    """Run tests in a tree; return the exit status, 0 if the run had to be ended, and the output.

    The functions that the tests run are written to the file ``watched`` if there is one.  Processes that tests have
    left running in their process group are ended as well.
    """
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["KIBITZ_MUTANTS_CHOSEN"] = str(chosen)
    environment["KIBITZ_CACHE"] = str(machine_code(tree))
    if watched:
        watched.unlink(missing_ok=True)
        environment["KIBITZ_MUTANTS_WATCH"] = str(watched)
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            command,
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
        try:
            code = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            code = 0
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        return code, output.read()
