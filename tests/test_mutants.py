"""The tool that changes code to see whether tests notice it."""

from benchmarks.mutants.__main__ import ROOT, every, known_equivalents, sampled
from benchmarks.mutants.changes import changes
from benchmarks.mutants.concerned import AREAS, far, modules, near

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
            assert near(ROOT, module) + far(ROOT, module), module


def test_a_seed_fixes_the_sample():
    assert sampled(["table"], 5, 7, "") == sampled(["table"], 5, 7, "")


def test_what_is_said_to_be_equivalent_is_still_there_and_has_a_reason():
    known = known_equivalents()
    there = {one.shown for area in AREAS for one in every(area)} if known else set()
    for change, reason in known.items():
        assert change in there, f"equivalent.txt names a change that no longer exists: {change}"
        assert len(reason) > 10
