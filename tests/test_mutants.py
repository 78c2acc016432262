"""The mutation testing tool."""

from pathlib import Path

import pytest

from tools.mutants import __main__ as tool
from tools.mutants.__main__ import ROOT, known_equivalents, sampled
from tools.mutants.changes import changes
from tools.mutants.concerned import AREAS, direct, far, modules, near
from tools.mutants.notes import Note, Notes, function_at, is_kernel
from tools.mutants.plugin import Choice
from tools.mutants.trials import COPIED, Trials

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


def test_tests_of_the_same_package_are_near_its_modules():
    nearest = [path for group in near(ROOT, Path("src/kibitz/arena/store/store.py")) for path in group]
    beside = [str(path.relative_to(ROOT)) for path in ROOT.glob("tests/arena/store/test_*.py")]
    assert len(beside) > 10
    assert all(nearest.count(path) == 1 for path in beside)


def test_every_source_folder_is_copied_for_trials():
    sources = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[a-z]*/**/*.py")}
    assert sources - {"build", "dist"} <= set(COPIED)


def test_a_seed_fixes_the_sample():
    assert sampled(["table"], 5, 7, "") == sampled(["table"], 5, 7, "")


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
SHAPES = """
LIMIT = 3

class Watch:
    def gone(self):
        def inner(x):
            return x < 1
        return [inner(x) for x in self.all if x]

    @property
    def left(self): return (lambda: 4)()

if LIMIT:
    def late():
        match LIMIT:
            case 3:
                return 1
"""


def test_a_line_belongs_to_its_qualified_function():
    lines = SHAPES.splitlines()
    found = {lines[number - 1].strip(): function_at(SHAPES, number) for number in range(1, len(lines) + 1)}
    assert found["LIMIT = 3"] == ""
    assert found["return x < 1"] == "Watch.gone.<locals>.inner"
    assert found["return [inner(x) for x in self.all if x]"] == "Watch.gone"
    assert found["def left(self): return (lambda: 4)()"] == "Watch.left"
    assert found["return 1"] == "late"


def test_kernels_are_recognised_by_their_decorator():
    source = "@kernel\ndef a(s):\n    return s.hand\n\n\n@cache\ndef b(s):\n    return 1\n\n\nLIMIT = 3\n"
    assert [line for line in range(1, 13) if is_kernel(source, line)] == [1, 2, 3]


def chosen_tests(tests, but=()):
    choice = Choice(tests, list(but))
    there = [
        "tests/a.py::one",
        "tests/a.py::two[go-mini]",
        "tests/a.py::two[bo]",
        "tests/b.py::one",
        "src/kibitz/c.py::c",
    ]
    return [test for test in there if choice.place(test) is not None]


def test_tests_are_chosen_by_name_file_or_parameter_prefix():
    documented = "src/kibitz/c.py::c"
    assert chosen_tests(["tests/a.py::one"]) == ["tests/a.py::one", documented]
    assert chosen_tests(["tests/a.py[go"]) == ["tests/a.py::two[go-mini]", documented]
    assert chosen_tests(["tests/a.py"], ["tests/a.py::two[bo]"]) == [
        "tests/a.py::one",
        "tests/a.py::two[go-mini]",
        documented,
    ]


def test_files_with_notes_run_before_unknown_ones(tmp_path):
    files = ["tests/a.py", "tests/b.py", "tests/c.py"]
    (tmp_path / "tests").mkdir()
    for file in files:
        (tmp_path / file).write_text("")
    notes = Notes(tmp_path, tmp_path)
    notes.note_of("tests/c.py").write_text("{}")
    some = "tests/a.py[go"
    assert notes.known_first([*files, some]) == (["tests/c.py", some], ["tests/a.py", "tests/b.py"])


def test_files_naming_the_changed_code_run_first(tmp_path):
    texts = {"a": "fit(3)", "b": "from x import other", "c": "the margins of it", "margins": "", "d": "LEAST = fit"}
    (tmp_path / "tests").mkdir()
    for name, text in texts.items():
        (tmp_path / f"tests/test_{name}.py").write_text(text)
    files = [f"tests/test_{name}.py" for name in texts]
    notes, module = Notes(tmp_path, tmp_path), Path("src/kibitz/arena/margins.py")

    def first(named):
        likely, rest = notes.likely_first(files, module, named)
        return [[Path(file).stem.removeprefix("test_") for file in found] for found in (likely, rest)]

    assert first("Rating.fit") == [["margins", "a", "c", "d"], ["b"]]
    assert first("LEAST = 3") == [["margins", "c", "d"], ["a", "b"]]


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


def test_each_run_has_its_own_reusable_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "KEPT", tmp_path)
    with tool.locked_folder() as first, tool.locked_folder() as second:
        assert first != second
    with tool.locked_folder() as again:
        assert again == first


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
