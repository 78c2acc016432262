import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kibitz.cards import sets
from kibitz.engine.kernels import compilation

TARGETS = {"plain": lambda: compilation.plain(sets), "compiled": lambda: compilation.compiled(sets)}
some_cards = st.frozensets(st.integers(0, 61))
FULL = frozenset(range(62))


@pytest.fixture(scope="module", params=TARGETS)
def target(request):
    return TARGETS[request.param]()


def mask(cards):
    return sum(1 << c for c in cards)


@given(cards=some_cards)
@example(cards=frozenset())
@example(cards=FULL)
def test_size_matches_length_of_python_set(target, cards):
    assert target.size(mask(cards)) == len(cards)


@given(cards=some_cards.filter(bool))
@example(cards=FULL)
def test_lowest_matches_minimum_of_python_set(target, cards):
    assert target.lowest(mask(cards)) == min(cards)


@given(cards=some_cards.filter(bool))
@example(cards=FULL)
def test_highest_matches_maximum_of_python_set(target, cards):
    assert target.highest(mask(cards)) == max(cards)


def test_every_card_is_the_lowest_of_a_range_starting_at_it(target):
    for card in range(62):
        assert target.lowest(1 << card) == card
        assert target.lowest(mask(range(card, 62))) == card
        assert target.highest(mask(range(card + 1))) == card


@given(cards=some_cards)
@example(cards=FULL)
def test_nth_matches_index_into_sorted_python_set(target, cards):
    assert [target.nth(mask(cards), n) for n in range(len(cards))] == sorted(cards)


@given(cards=some_cards, places=st.frozensets(st.integers(0, 61)))
@example(cards=FULL, places=FULL)
def test_at_places_matches_indexes_into_sorted_python_set(target, cards, places):
    chosen = [card for place, card in enumerate(sorted(cards)) if place in places]
    assert target.at_places(mask(cards), mask(places)) == mask(chosen)
