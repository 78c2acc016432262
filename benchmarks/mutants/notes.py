"""Which test runs which function: watched once for every file of tests, and kept until that file changes.

note     of one test: its seconds, whether it starts processes, the functions of Kibitz that it runs in its own
inside   tests that run a function in their own process: the ones most likely to notice a change of it
beyond   tests that start processes, or machine code, in which nobody can watch
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

TESTS = "tests/**/test_*.py"
PLUGIN = ("-p", "benchmarks.mutants.plugin", "-p", "no:cacheprovider")


class Note(msgspec.Struct, frozen=True):
    """What one test did when it was watched; functions by file within the package, as Python qualifies their names."""

    seconds: float
    starts: bool
    functions: frozenset[tuple[str, str]]


@dataclass
class Notes:
    """The notes of all tests, by file and test."""

    files: dict[str, dict[str, Note]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: Path, kept: Path) -> Notes:
        """Watch the tests of a tree that have changed since notes of them were kept in a folder."""
        notes = cls()
        kept.mkdir(parents=True, exist_ok=True)
        paths = sorted(tree.glob(TESTS))
        for number, path in enumerate(paths, 1):
            file = str(path.relative_to(tree))
            note = kept / f"{fingerprint(file, path.read_text())}.json"
            if not note.exists():
                print(f"watching which functions tests run: {number} of {len(paths)}, {file}", flush=True)
                watch(tree, file, note)
            notes.files[file] = msgspec.json.decode(note.read_bytes(), type=dict[str, Note])
        return notes

    def inside(self, module: Path, function: str) -> list[str]:
        """The tests that run a function, the quickest first."""
        wanted = ("/".join(module.parts[2:]), function)
        return self.quickest((test, note) for test, note in self.all() if wanted in note.functions)

    def beyond(self, files: Sequence[str], *, every: bool) -> list[str]:
        """The tests of some files that start processes, or all of them; whole files that nobody has watched."""
        tests = ((test, note) for file in files for test, note in self.files.get(file, {}).items())
        found = self.quickest((test, note) for test, note in tests if every or note.starts)
        return found + [file for file in files if not self.files.get(file)]

    def starts(self, test: str) -> bool:
        """Whether a test starts processes, as far as is known."""
        note = self.files.get(test.split("::")[0], {}).get(test)
        return note is None or note.starts

    def all(self) -> Iterable[tuple[str, Note]]:
        """Every test with its note."""
        return ((test, note) for notes in self.files.values() for test, note in notes.items())

    def quickest(self, found: Iterable[tuple[str, Note]]) -> list[str]:
        """The tests in the order of their time; those that take next to none stay together as they are."""
        return [test for test, note in sorted(found, key=lambda pair: round(pair[1].seconds, 1))]


def fingerprint(file: str, text: str) -> str:
    """What a file of tests is known by as long as nothing in it changes."""
    return hashlib.sha256(f"{file} {text}".encode()).hexdigest()[:32]


def watch(tree: Path, file: str, note: Path) -> None:
    """Run a file of tests and write down what they run; those that fail are watched like the others."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "notes.json"
        environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "CI": "true", "KIBITZ_MUTANTS_WATCH": str(out)}
        command = [sys.executable, "-m", "pytest", "-q", *PLUGIN, file]
        subprocess.run(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        note.write_text(out.read_text() if out.exists() else json.dumps({}))


def function_at(source: str, line: int) -> str:
    """The qualified name of the innermost function that holds a line; "" outside any."""
    return within(ast.parse(source), line, "")


def within(node: ast.AST, line: int, prefix: str) -> str:
    """The name of the innermost function below a node, whose own names begin with ``prefix``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) and not holds(child, line):
            continue
        if isinstance(child, ast.ClassDef):
            return within(child, line, f"{prefix}{child.name}.")
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}{child.name}"
            return within(child, line, f"{name}.<locals>.") or name
        if found := within(child, line, prefix):
            return found
    return ""


def holds(node: ast.AST, line: int) -> bool:
    """Whether a line is one of a node's."""
    lines = [child.lineno for child in ast.walk(node) if isinstance(child, ast.stmt | ast.expr)]
    lines += [child.end_lineno or 0 for child in ast.walk(node) if isinstance(child, ast.stmt | ast.expr)]
    return bool(lines) and min(lines) <= line <= max(lines)
