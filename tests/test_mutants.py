"""The tool that changes code to see whether tests notice it."""

from benchmarks.mutants.__main__ import ROOT, known_equivalents, sampled
from benchmarks.mutants.changes import changes
from benchmarks.mutants.concerned import AREAS, direct, far, modules, near
from benchmarks.mutants.notes import Note, Notes, function_at
from benchmarks.mutants.trials import COPIED, Trials

SOURCE = """
def total(words, limit=3):
    if len(words) < limit and words:
        words.clear()
    return len(words) + 1  # "a" < "b"
"""


def made(source):
    return {change.made(source) for change in changes(source)}


def test_each_operator_number_branch_and_call_is_changed_once():
    found = made(SOURCE)
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


def test_text_annotations_and_assertions_are_left_alone():
    assert made("def f(a: int = None) -> 3:\n    'a < b'\n    assert a < 1\n    return 'x' % a\n") == set()


def test_every_area_has_modules_and_every_module_has_tests():
    for area in AREAS:
        assert modules(ROOT, area)
        for module in modules(ROOT, area):
            assert direct(ROOT, module) or near(ROOT, module) or far(ROOT, module), module


def test_all_folders_with_sources_are_copied_for_trials():
    sources = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[a-z]*/**/*.py")}
    assert sources - {"build", "dist"} <= set(COPIED)


def test_a_seed_fixes_the_sample():
    assert sampled(["table"], 5, 7, "") == sampled(["table"], 5, 7, "")


def test_what_is_said_to_be_equivalent_is_still_there_and_has_a_reason():
    for change, reason in known_equivalents().items():
        module = change.split(": ")[0]
        source = (ROOT / module).read_text()
        there = {f"{module}: {one.shown(source)}" for one in changes(source)}
        assert change in there, f"equivalent.txt names a change that no longer exists: {change}"
        assert len(reason) > 10


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


def test_a_line_is_known_by_the_function_around_it_as_python_qualifies_it():
    lines = SHAPES.splitlines()
    found = {lines[number - 1].strip(): function_at(SHAPES, number) for number in range(1, len(lines) + 1)}
    assert found["LIMIT = 3"] == ""
    assert found["return x < 1"] == "Watch.gone.<locals>.inner"
    assert found["return [inner(x) for x in self.all if x]"] == "Watch.gone"
    assert found["def left(self): return (lambda: 4)()"] == "Watch.left"
    assert found["return 1"] == "late"


class Scripted(Trials):
    """Trials whose tests fail by a script: by test, whether it fails with the change and without, run by run."""

    def __init__(self, tree, runs, starts):
        noted = {test: Note(0.0, starts, frozenset()) for test in runs}
        super().__init__(tree, tree, Notes(tree, tree, {"tests/test_a.py": noted}))
        self.runs = {test: {side: list(told) for side, told in sides.items()} for test, sides in runs.items()}

    def failing(self, tests, but=()):
        side = (self.tree / "module.py").read_text()
        return next((test for test in tests if self.runs[test][side].pop(0)), "")


def noticed(tmp_path, starts, **sides):
    test = "tests/test_a.py::test"
    trials = Scripted(tmp_path, {test: sides}, starts)
    return trials.found(tmp_path / "module.py", "unchanged", "changed", [[test]]) == test


def test_a_failure_counts_only_where_the_change_makes_it(tmp_path):
    assert noticed(tmp_path, False, changed=[True], unchanged=[False])
    assert not noticed(tmp_path, False, changed=[False], unchanged=[])
    assert not noticed(tmp_path, False, changed=[True], unchanged=[True]), "it fails anyway"


def test_a_failure_of_a_test_that_starts_processes_must_come_twice(tmp_path):
    assert noticed(tmp_path, True, changed=[True, True], unchanged=[False])
    assert not noticed(tmp_path, True, changed=[True, False], unchanged=[])
