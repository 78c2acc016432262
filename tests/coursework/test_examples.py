"""The published examples: the coursework functions answer them, and the judges accept no wrong answer."""

import copy

import pytest

import kibitz.games.bo.assignment
import kibitz.games.go.assignment
import kibitz.games.huxxy.assignment
from benchmarks.peers import go_classes
from kibitz.coursework import comp10001
from kibitz.engine.views.value_types import argument_mismatch, type_mismatch
from kibitz.games.go.assignment import PARTITIONS, SCORES
from kibitz.games.signatures import FUNCTIONS

EXAMPLES = (
    kibitz.games.go.assignment.EXAMPLES + kibitz.games.bo.assignment.EXAMPLES + kibitz.games.huxxy.assignment.EXAMPLES
)
NAMED = [pytest.param(example, id=f"{k} {example.function}") for k, example in enumerate(EXAMPLES)]
NONSENSE = [None, [], {}, 7, 2.5, "KS", "", [[]], [["KS"]], [[["KS"]]], (), (3, None), object(), [[[1]]], [None], b"QC"]


@pytest.mark.parametrize("example", NAMED)
def test_functions_match_published_examples_with_their_types_and_keep_their_arguments(example):
    arguments = copy.deepcopy(example.arguments)
    value = getattr(comp10001, example.function)(*arguments)
    assert example.judge(value) is None
    assert arguments == example.arguments
    assert not argument_mismatch(FUNCTIONS[example.function], example.arguments)
    assert not type_mismatch(FUNCTIONS[example.function].returns, value)


@pytest.mark.parametrize("example", NAMED)
def test_a_judge_explains_any_wrong_answer(example):
    right = getattr(comp10001, example.function)(*copy.deepcopy(example.arguments))
    for value in NONSENSE:
        if value != right:
            assert isinstance(example.judge(value), str)
    if type(right) is bool or right in (0, 1):
        other = int(right) if type(right) is bool else bool(right)
        assert example.judge(other) is not None, "True is not 1 here"


def test_every_function_has_an_example():
    none_published = {"comp10001huxxy_bonus_play"}
    assert {example.function for example in EXAMPLES} == set(comp10001.__all__) - none_published


@pytest.mark.parametrize(("cards", "best"), [PARTITIONS[3]])
def test_stored_partitions_match_brute_force(cards, best):
    assert sets(go_classes.best_partitions(cards)) == sets(best)


@pytest.mark.long
@pytest.mark.parametrize(("cards", "best"), PARTITIONS)
def test_all_stored_partitions_match_brute_force(cards, best):
    assert sets(go_classes.best_partitions(cards)) == sets(best)


@pytest.mark.parametrize(("cards", "score"), SCORES)
def test_stored_scores_match_the_class_version(cards, score):
    assert go_classes.score_group(cards) == score


def test_judge_of_groupings_accepts_any_valid_one():
    (example,) = (example for example in EXAMPLES if example.function == "comp10001go_group")
    singles = [[turn[3]] for turn in example.arguments[0]]
    assert example.judge(singles) is None
    assert example.judge(singles[1:]) is not None
    assert example.judge([*singles, singles[0]]) is not None


def test_judge_of_huxxy_plays_accepts_any_legal_play():
    (example,) = (example for example in EXAMPLES if example.function == "comp10001huxxy_play")
    assert comp10001.comp10001huxxy_play(*copy.deepcopy(example.arguments)) == (0, 3, None), "as published"
    for allowed in [(0, 3, None), (0, 1, ("8S", 1)), (0, 1, ("3S", 0)), (0, 2, ("KC", 0, 1))]:
        assert comp10001.comp10001huxxy_valid_play(allowed, *example.arguments)
        assert example.judge(allowed) is None
    for refused, why in {
        (0, 0, None): "only instead of playing",
        (1, 3, None): "for player 0",
        (0, 1, ("KC", 0)): "don't hold",
        (0, 1, ("8S", 2)): "no such group",
        (0, 2, ("AC", 0, 1)): "isn't in that group",
        (0, 2, ("KC", 0, 0)): "the group that it is in",
    }.items():
        assert not comp10001.comp10001huxxy_valid_play(refused, *example.arguments)
        assert why in example.judge(refused)
        assert "(0, 3, None)" in example.judge(refused)


def sets(partitions):
    found = {frozenset(frozenset(group) for group in partition) for partition in partitions}
    assert len(found) == len(partitions)
    return found
