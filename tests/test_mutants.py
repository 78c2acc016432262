"""The mutation testing tool."""

from pathlib import Path

import pytest

from tools.mutants.__main__ import ROOT, known_equivalents
from tools.mutants.changes import changes
from tools.mutants.concerned import AREAS, direct, far, modules, near
from tools.mutants.notes import Note, Notes
from tools.mutants.trials import Trials

SOURCE = """
def total(words, limit=3):
    if len(words) < limit and words:
        words.clear()
    return len(words) + 1  # "a" < "b"
"""


def mutants_of(source):
    return {change.made(source) for change in changes(source)}


def test_operators_numbers_branches_and_calls_are_changed_once():
    found = mutants_of(SOURCE)
    for old, new in (
        ("< limit", "<= limit"),
        ("limit and words", "limit or words"),
        ("limit=3", "limit=4"),
        ("words.clear()", "pass"),
        ("+ 1", "- 1"),
        ("+ 1", "+ 2"),
        ("len(words) < limit and words", "(not (len(words) < limit and words))"),
    ):
        assert SOURCE.replace(old, new, 1) in found
    assert len(found) == 7


def test_text_annotations_and_assertions_are_unchanged():
    assert mutants_of("def f(a: int = None) -> 3:\n    'a < b'\n    assert a < 1\n    return 'x' % a\n") == set()


def test_zip_swaps_arguments_and_min_becomes_max():
    assert mutants_of("pairs = zip(a, b, strict=True)\n") == {"pairs = zip(b, a, strict=True)\n"}
    assert mutants_of("least = min(a, b)\n") == {"least = max(a, b)\n"}
    assert mutants_of("least = min(a, b, key=f)\n") == {"least = max(a, b, key=f)\n", "least = min(b, a, key=f)\n"}


@pytest.mark.long
def test_every_area_has_modules_and_every_module_has_tests():
    for area in AREAS:
        assert modules(ROOT, area)
        for module in modules(ROOT, area):
            assert direct(ROOT, module) or near(ROOT, module) or far(ROOT, module), module


def test_listed_equivalents_exist_and_have_a_reason():
    for change, reason in known_equivalents().items():
        module = change.split(": ")[0]
        source = (ROOT / module).read_text()
        there = {f"{module}: {one.shown(source)}" for one in changes(source)}
        assert change in there, f"equivalent.txt names a change that no longer exists: {change}"
        assert len(reason) > 10


WATCHED = """
import importlib.util, subprocess, sys, threading
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("watched", Path("src/kibitz/watched.py").absolute())
watched = importlib.util.module_from_spec(spec)
spec.loader.exec_module(watched)

@pytest.fixture(scope="module")
def ready():
    watched.a()

def test_one(ready):
    watched.b()

def test_two(ready):
    thread = threading.Thread(target=watched.c)
    thread.start()
    thread.join()
    subprocess.run([sys.executable, "-c", ""], check=True)
"""


@pytest.mark.long
def test_notes_tell_which_functions_a_test_runs(tmp_path):
    """In its own thread, in other threads and in fixtures."""
    file = "tests/test_watched.py"
    (tmp_path / "src" / "kibitz").mkdir(parents=True)
    (tmp_path / "src" / "kibitz" / "watched.py").write_text(
        "def a(): pass\ndef b(): pass\ndef c(): pass\ndef d(): pass\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / file).write_text(WATCHED)
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    trials = Trials(tmp_path, tmp_path, Notes(tmp_path, tmp_path))
    assert trials.failing([file]) == ""
    notes = Notes(tmp_path, tmp_path)
    assert notes.are_of(file), "they are kept"
    module = Path("src/kibitz/watched.py")
    runs = {name: [test.split("::")[1] for test in notes.inside([file], module, name)] for name in "abcd"}
    assert runs == {"a": ["test_one", "test_two"], "b": ["test_one"], "c": ["test_two"], "d": []}
    assert [test.split("::")[1] for test in notes.beyond([file], every=False)] == ["test_two"]


class Scripted(Trials):
    """Trials with scripted results: for each test, whether its runs fail with and without the change."""

    def __init__(self, tree, runs, starts):
        noted = {test: Note(0.0, starts, frozenset()) for test in runs}
        super().__init__(tree, tree, Notes(tree, tree, {"tests/test_a.py": noted}))
        self.runs = {test: {side: list(told) for side, told in sides.items()} for test, sides in runs.items()}

    def failing(self, tests, but=()):
        side = (self.tree / "module.py").read_text()
        return next((test for test in tests if self.runs[test][side].pop(0)), "")


def is_noticed(tmp_path, starts, **sides):
    test = "tests/test_a.py::test"
    trials = Scripted(tmp_path, {test: sides}, starts)
    return trials.found(tmp_path / "module.py", "unchanged", "changed", [[test]]) == test


def test_a_failure_counts_only_if_caused_by_the_change(tmp_path):
    assert is_noticed(tmp_path, False, changed=[True], unchanged=[False])
    assert not is_noticed(tmp_path, False, changed=[False], unchanged=[])
    assert not is_noticed(tmp_path, False, changed=[True], unchanged=[True]), "it fails anyway"


def test_a_failure_with_subprocesses_must_repeat(tmp_path):
    assert is_noticed(tmp_path, True, changed=[True, True], unchanged=[False])
    assert not is_noticed(tmp_path, True, changed=[True, False], unchanged=[])
