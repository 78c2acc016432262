"""A copy of the tree in which one change at a time is made and the tests concerned are run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mutants.changes import Change
from benchmarks.mutants.concerned import far, near

COPIED = ("src", "tests", "examples", "docs", "benchmarks", "requirements", "README.md", "Makefile", "pyproject.toml")
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header", "--tb=no")
SLACK, LEAST = 4, 60.0
"""A run that takes so many times what it takes without a change, and at least so many seconds, has noticed it."""


@dataclass
class Trials:
    """One copy of the tree, and how long its tests take as they are."""

    root: Path
    tree: Path
    usual: dict[tuple[str, ...], float] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path, tree: Path) -> Trials:
        """Copy what tests need."""
        for name in COPIED:
            source = root / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.is_file():
                shutil.copy(source, tree / name)
        return cls(root, tree)

    def noticed(self, module: Path, change: Change) -> str:
        """The tests that noticed a change, "" if none did; RuntimeError where they fail without it."""
        path = self.tree / module
        source = path.read_text()
        for group in near(self.root, module) + far(self.root, module):
            limit = max(LEAST, SLACK * self.seconds(group))
            path.write_text(change.made(source))
            try:
                if self.fails(group, limit):
                    return " ".join(group)[:100]
            finally:
                path.write_text(source)
        return ""

    def seconds(self, group: list[str]) -> float:
        """How long a group of tests takes as the code is."""
        key = tuple(group)
        if key not in self.usual:
            begun = time.monotonic()
            if self.fails(group, None):
                raise RuntimeError(f"These tests fail without any change: {' '.join(group)}")
            self.usual[key] = time.monotonic() - begun
        return self.usual[key]

    def fails(self, group: list[str], limit: float | None) -> bool:
        """Whether a group of tests fails, or does not end in time."""
        environment = {**os.environ, "PYTHONPATH": str(self.tree / "src"), "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", *OPTIONS, *group]
        with subprocess.Popen(
            command,
            cwd=self.tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                return process.wait(limit) not in (0, 5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return True
