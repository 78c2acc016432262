"""Which test runs which function: watched when a file of tests is first run, and kept until that file changes.

note     of one test: its seconds, whether it starts processes, the functions of Kibitz that it runs in its own
inside   tests that run a function in their own process: the ones most likely to notice a change of it
beyond   tests that start processes, or machine code, in which nobody can watch
kernel   a function that becomes machine code
"""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

FILE = 20.0
"""Seconds that a file of tests takes of which nothing is known."""
PLUGIN = ("-p", "benchmarks.mutants.plugin", "-p", "no:cacheprovider")


class Note(msgspec.Struct, frozen=True):
    """What one test did when it was watched; functions by file within the package, as Python qualifies their names."""

    seconds: float
    starts: bool
    functions: frozenset[tuple[str, str]]


@dataclass
class Notes:
    """The notes of the files of tests that were asked for, by file and test.

    ``tree`` is the copy in which they are run, ``kept`` the folder of their notes.  Of a file in which a test failed
    only the first are known, in ``begun``.  A change that no test of a file noticed may have kept them from what they
    run otherwise: at worst a later change is said to survive that they would notice.
    """

    tree: Path
    kept: Path
    files: dict[str, dict[str, Note]] = field(default_factory=dict)
    begun: dict[str, Note] = field(default_factory=dict)

    def known_first(self, files: Iterable[str]) -> tuple[list[str], list[str]]:
        """Some files of tests: those of which notes are kept, and the others.

        ``FILE[go``, which stands for some tests of a file, is never watched.
        """
        known, others = list[str](), list[str]()
        for file in files:
            (known if "[" in file or self.are_of(file) else others).append(file)
        return known, others

    def are_of(self, file: str) -> bool:
        """Whether there are notes of a file of tests, or can be none."""
        if file in self.files or "[" in file or not file.startswith("tests/") or "::" in file:
            return True
        if not (note := self.note_of(file)).exists():
            return False
        self.files[file] = msgspec.json.decode(note.read_bytes(), type=dict[str, Note])
        return True

    def likely_first(self, files: Sequence[str], module: Path, named: str) -> tuple[list[str], list[str]]:
        """The files of tests that likely notice a change, and the others.

        Likely ones are called like its module or say its name, or some of what is ``named`` where the change is made;
        the more of that they say the earlier they come.
        """
        words = {module.stem, *(word for word in re.findall(r"\w{3,}", named) if not word.startswith("__"))}
        told = {file: words & set(re.findall(r"\w+", (self.tree / file).read_text())) for file in files}
        score = {file: len(told[file]) + 2 * (module.stem in Path(file).stem.split("_")) for file in files}
        ranked = sorted(files, key=lambda file: -score[file])
        return [file for file in ranked if score[file]], [file for file in ranked if not score[file]]

    def learn(self, file: str, watched: Path, *, whole: bool) -> None:
        """Take in what was watched in a file of tests; it is kept if the tests were run to the last."""
        if not watched.exists():
            return
        if whole:
            self.kept.mkdir(parents=True, exist_ok=True)
            shutil.copy(watched, self.note_of(file))
        self.begun.update(msgspec.json.decode(watched.read_bytes(), type=dict[str, Note]))

    def note_of(self, file: str) -> Path:
        """Where a file of tests has its notes, as long as nothing in it changes."""
        text = (self.tree / file).read_text()
        return self.kept / f"{hashlib.sha256(f'{file} {text}'.encode()).hexdigest()[:32]}.json"

    def inside(self, files: Iterable[str], module: Path, function: str) -> list[str]:
        """The tests of some files that run a function, the quickest first."""
        wanted = ("/".join(module.parts[2:]), function)
        return self.quickest((test, note) for test, note in self.of(files) if wanted in note.functions)

    def beyond(self, files: Sequence[str], *, every: bool) -> list[str]:
        """The tests of some files that start processes, or all of them; whole files of which there are no notes."""
        found = self.quickest((test, note) for test, note in self.of(files) if every or note.starts)
        return found + [file for file in files if not self.files.get(file)]

    def starts(self, test: str) -> bool:
        """Whether a test starts processes, as far as is known."""
        note = self.of_test(test)
        return note is None or note.starts

    def seconds(self, test: str) -> float:
        """How long a test took when it was watched, or a guess at a whole file's."""
        note = self.of_test(test)
        return note.seconds if note else FILE

    def of_test(self, test: str) -> Note | None:
        """The note of one test, if there is one."""
        return self.files.get(test.split("::")[0], {}).get(test) or self.begun.get(test)

    def of(self, files: Iterable[str]) -> Iterable[tuple[str, Note]]:
        """Every test of some files with its note."""
        return (pair for file in files for pair in self.files.get(file, {}).items())

    def quickest(self, found: Iterable[tuple[str, Note]]) -> list[str]:
        """The tests in the order of their time; those that take next to none stay together as they are."""
        return [test for test, note in sorted(found, key=lambda pair: round(pair[1].seconds, 1))]


def is_kernel(source: str, line: int) -> bool:
    """Whether the outermost function that holds a line becomes machine code."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and holds(node, line)]
    marks = [ast.unparse(mark) for node in functions for mark in node.decorator_list]
    return any(mark.split("(")[0].split(".")[-1] == "kernel" for mark in marks)


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
