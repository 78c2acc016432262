"""Cases: every function has some, with the published types, and our own functions pass them."""

from copy import deepcopy
from functools import cache
from importlib import import_module

import pytest

from kibitz.coursework import aps106, comp10001, cs212
from kibitz.engine.views.value_types import type_mismatch
from kibitz.errors import NotationError
from kibitz.marking.assignments import NAMES, assignment
from kibitz.marking.cases.case import Answer
from tests.contract.groups import fast_huxxy, sharing
from tests.tiers import first_fast

HOMES = {"aps106": aps106, "cs212": cs212}
FUNCTIONS = [
    pytest.param(
        name,
        signature,
        id=f"{name} {signature.name}",
        marks=sharing("huxxy") if name == "huxxy" else pytest.mark.xdist_group(f"cases of {name} {signature.name}"),
    )
    for name in NAMES.values()
    for signature in assignment(name).signatures
]
ODD = [None, True, 17, -1, "KS", [], (), [[]], [["KS"]], (0,), (3, None), [None], "", 2.5, (9, [1])]


def our_module(name):
    return HOMES.get(assignment(name).course, comp10001)


@cache
def drawn(name, signature, seed=5):
    """Three rounds of all edge cases, drawn once for all tests of a function."""
    if name == "huxxy":
        fast_huxxy()
    return assignment(name).hidden(signature.name, 3 * len(edge_cases(name, signature)), seed, bonus=True)


def edge_cases(name, signature):
    """All edge cases of a function, those of the bonus rules included."""
    found = assignment(name)
    return found.edge_cases.get(signature.name, ()) + found.bonus.get(signature.name, ())


def two_rounds(name, signature):
    """The first two rounds of all edge cases."""
    return drawn(name, signature)[: 2 * len(edge_cases(name, signature))]


def answer(name, case):
    arguments = deepcopy(case.arguments)
    value = getattr(our_module(name), case.function)(*arguments)
    return Answer(value, arguments)


@pytest.mark.parametrize("name", NAMES.values())
def test_every_function_of_an_assignment_has_named_edge_cases(name):
    found = assignment(name)
    assert set(found.edge_cases) | set(found.bonus) == set(found.functions)
    assert {case.function for case in found.published} <= set(found.functions)
    assert found.published
    for signature in found.signatures:
        every = edge_cases(name, signature)
        assert len({edge_case.name for edge_case in every}) == len(every) > 0


@pytest.mark.long
def test_jokers_occur_only_in_cases_of_the_bonus_rules():
    found = assignment("huxxy")
    for function in found.edge_cases:
        assert "XX" not in repr([case.arguments for case in found.hidden(function, 60, 5)])
        assert (
            "XX" in repr([case.arguments for case in found.hidden(function, 60, 5, bonus=True)]) or "play" in function
        )


@pytest.mark.parametrize(("name", "signature"), FUNCTIONS)
def test_our_own_function_is_right_in_every_case(name, signature):
    for case in two_rounds(name, signature):
        assert case.judge(answer(name, case)) is None, (case.edge_case, case.arguments)


@pytest.mark.parametrize("name", NAMES.values())
def test_our_own_functions_are_right_in_published_cases(name):
    for case in assignment(name).published:
        assert case.judge(answer(name, case)) is None, (case.function, case.arguments)


@pytest.mark.parametrize(("name", "signature"), FUNCTIONS)
def test_arguments_have_the_published_types(name, signature):
    """Except plays, which may be invalid on purpose."""
    for case in two_rounds(name, signature):
        assert signature.least <= len(case.arguments) <= len(signature.parameters)
        for parameter, value in zip(signature.parameters, case.arguments, strict=False):
            if parameter.name != "play":
                assert not type_mismatch(parameter.type, value), (case.edge_case, parameter.name, value)


@pytest.mark.parametrize(("name", "signature"), FUNCTIONS)
def test_odd_values_are_judged_wrong_unless_they_are_the_answer(name, signature):
    """A judge never raises, and its verdict is a clause that says what would be right."""
    for case in two_rounds(name, signature):
        right = answer(name, case)
        for value in ODD:
            if not (type(value) is type(right.value) and value == right.value):
                verdict = case.judge(right._replace(value=value))
                assert verdict is None or (verdict.startswith("it ") and not verdict.endswith(".")), (
                    case.edge_case,
                    value,
                )
        assert any(case.judge(right._replace(value=value)) for value in ODD)


@pytest.mark.parametrize(("name", "signature"), FUNCTIONS)
def test_no_constant_answer_is_right_in_all_cases(name, signature):
    """A function that returns a constant fails some case, unless there is only one right answer."""
    found = drawn(name, signature)
    answers = [answer(name, case).value for case in found]
    if all(value == answers[0] and type(value) is type(answers[0]) for value in answers):
        assert signature.name in ("generate_deck", "deal_card"), "only one deck exists, and dealing returns nothing"
        return
    for value in answers:
        assert any(case.judge(Answer(deepcopy(value), answer(name, case).after)) for case in found)


@pytest.mark.parametrize(("name", "signature"), first_fast(FUNCTIONS, 2))
def test_seed_determines_the_cases(name, signature):
    def written(cases):
        return [(case.edge_case, case.arguments, case.right) for case in cases]

    again = drawn.__wrapped__(name, signature)
    assert written(drawn(name, signature)) == written(again)
    if signature.parameters:
        assert written(again) != written(drawn(name, signature, 6))


def test_in_place_function_is_judged_by_its_changed_arguments():
    (first, *_) = assignment("cribbage-lab").hidden("deal_card", 3, 1)
    deck, hand = deepcopy(first.arguments)
    verdict = first.judge(Answer(None, (deck, hand)))
    assert verdict.startswith(f"it should take the first card, {deck[0]!r}, off the deck, and leave [")
    hand.insert(0, deck.pop(0))
    assert len(hand) == 1 or "end of the hand" in first.judge(Answer(None, (deck, hand)))


def test_shuffle_must_keep_the_cards_unchanged():
    (first, *_) = assignment("cribbage-lab").hidden("shuffle", 3, 1)
    (deck,) = deepcopy(first.arguments)
    assert first.judge(Answer(deck[::-1], (deck,))) is None
    for other in ([suit, float(value)] for suit, value in deck), [*deck[:-1], deck[0]]:
        assert first.judge(Answer(list(other)[::-1], (deck,))).endswith("is missing")


def test_joker_may_double_a_card_only_in_peters_version():
    poker = import_module("kibitz.marking.cases.poker")
    hand = ["AS", "KS", "QS", "JS", "9S", "2H", "?B"]
    assert poker.can_be_made(["AS", "KS", "QS", "JS", "TS"], hand, doubles=False)
    assert not poker.can_be_made(["AS", "AS", "KS", "QS", "JS"], hand, doubles=False)
    assert poker.can_be_made(["AS", "AS", "KS", "QS", "JS"], hand, doubles=True)
    assert not poker.can_be_made(["AS", "KS", "QS", "JS", "TH"], hand, doubles=True)


def test_unknown_assignment_is_rejected_with_a_suggestion():
    with pytest.raises(NotationError, match=r"unknown assignment 'hux'; did you mean 'huxxy'\? known .* go, bo,"):
        assignment("hux")
    with pytest.raises(NotationError, match=r"^president has no assignment; 'kibitz template president' explains"):
        assignment("president")
