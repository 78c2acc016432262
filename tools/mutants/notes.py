"""Which test runs which function: recorded when a test file is first run, and kept until that file changes.

note     the record of one test: its seconds, whether it starts processes, the functions of Kibitz that it runs in its
         own process
inside   tests that run a function in their own process: the ones most likely to notice a change of it
beyond   tests that start processes, whose functions cannot be recorded
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
"""The assumed seconds of a test file without notes."""
PLUGIN = ("-p", "tools.mutants.plugin", "-p", "no:cacheprovider")


class Note(msgspec.Struct, frozen=True):
    """The record of one test; ``functions`` are files within the package and qualified names."""

    seconds: float
    starts: bool
    functions: frozenset[tuple[str, str]]


@dataclass
class Notes:
    """The notes of test files, by file and test.

    ``tree`` is the copy in which the tests run, ``kept`` the folder of the notes.  If a test of a file failed, only the
    tests up to that one have notes, in ``begun``.  Notes are recorded while a change is tried, which may keep tests
    from running functions that they usually run: at worst a later change is reported to survive although they would
    notice it.
    """

    tree: Path
    kept: Path
    files: dict[str, dict[str, Note]] = field(default_factory=dict)
    begun: dict[str, Note] = field(default_factory=dict)

    def known_first(self, files: Iterable[str]) -> tuple[list[str], list[str]]:
        """Split test files into those with notes, and the others.

        ``FILE[go``, which means some tests of a file, counts as known, since it is never recorded.
        """
        known, others = list[str](), list[str]()
        for file in files:
            (known if "[" in file or self.are_of(file) else others).append(file)
        return known, others

    def are_of(self, file: str) -> bool:
        """Whether there are notes of a test file, or there can be none."""
        if file in self.files or "[" in file or not file.startswith("tests/") or "::" in file:
            return True
        if not (note := self.note_of(file)).exists():
            return False
        self.files[file] = msgspec.json.decode(note.read_bytes(), type=dict[str, Note])
        return True

    def likely_first(self, files: Sequence[str], module: Path, named: str) -> tuple[list[str], list[str]]:
        """Split test files into those that likely notice a change, and the others.

        Likely files have the module's name in their own name or contain it, or contain words of ``named``, the changed
        function or line; files with more of these words come first.
        """
        words = {module.stem, *(word for word in re.findall(r"\w{3,}", named) if not word.startswith("__"))}
        words_in = {file: words & set(re.findall(r"\w+", (self.tree / file).read_text())) for file in files}
        score = {file: len(words_in[file]) + 2 * (module.stem in Path(file).stem.split("_")) for file in files}
        ranked = sorted(files, key=lambda file: -score[file])
        return [file for file in ranked if score[file]], [file for file in ranked if not score[file]]

    def learn(self, file: str, watched: Path, *, whole: bool) -> None:
        """Read the notes in the file ``watched``, and keep them if the ``whole`` test file was run."""
        if not watched.exists():
            return
        if whole:
            self.kept.mkdir(parents=True, exist_ok=True)
            shutil.copy(watched, self.note_of(file))
        self.begun.update(msgspec.json.decode(watched.read_bytes(), type=dict[str, Note]))

    def note_of(self, file: str) -> Path:
        """The file for the notes of a test file with its present text."""
        text = (self.tree / file).read_text()
        return self.kept / f"{hashlib.sha256(f'{file} {text}'.encode()).hexdigest()[:32]}.json"

    def inside(self, files: Iterable[str], module: Path, function: str) -> list[str]:
        """The tests of some files that run a function, the quickest first."""
        target = ("/".join(module.parts[2:]), function)
        return self.quickest((test, note) for test, note in self.of(files) if target in note.functions)

    def beyond(self, files: Sequence[str], *, every: bool) -> list[str]:
        """The tests of some files that start processes, or all of them; then the files without notes, whole."""
        tests = self.quickest((test, note) for test, note in self.of(files) if every or note.starts)
        return tests + [file for file in files if not self.files.get(file)]

    def starts(self, test: str) -> bool:
        """Whether a test starts processes; True if there is no note of it."""
        note = self.of_test(test)
        return note is None or note.starts

    def seconds(self, test: str) -> float:
        """How long a test took when it was recorded, or the assumed time of a file."""
        note = self.of_test(test)
        return note.seconds if note else FILE

    def of_test(self, test: str) -> Note | None:
        """The note of one test, if there is one."""
        return self.files.get(test.split("::")[0], {}).get(test) or self.begun.get(test)

    def of(self, files: Iterable[str]) -> Iterable[tuple[str, Note]]:
        """Every test of some files with its note."""
        return (pair for file in files for pair in self.files.get(file, {}).items())

    def quickest(self, tests: Iterable[tuple[str, Note]]) -> list[str]:
        """The tests by ascending time, rounded to tenths of a second so that quick ones keep their order."""
        return [test for test, note in sorted(tests, key=lambda pair: round(pair[1].seconds, 1))]


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
