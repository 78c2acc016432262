import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz import cards
from kibitz.cards import as_set, as_sets, cards_of, code, face, ids_of, pack_of
from kibitz.errors import NotationError

held = st.lists(st.integers(0, 54))
ids = st.lists(st.builds(lambda pack, card: 64 * pack + card, st.integers(0, 1), st.integers(0, 54)))


def test_a_pack_has_every_value_of_every_suit_once():
    assert {code(c) for c in cards.PACK} == {v + s for v in "A234567890JQK" for s in "SHDC"}
    assert len(cards.PACK) == 52


def test_a_pack_with_jokers_has_a_black_and_a_red_one_more():
    assert [code(c) for c in cards.PACK_WITH_JOKERS[52:]] == ["?B", "?R"]
    assert cards.PACK_WITH_JOKERS[:52] == cards.PACK


def test_two_packs_have_every_card_twice_under_different_ids():
    assert len(set(cards.TWO_PACKS)) == len(cards.TWO_PACKS) == 104
    assert sorted(map(face, cards.TWO_PACKS)) == sorted(2 * cards.PACK)
    assert [sum(pack_of(c) == pack for c in cards.TWO_PACKS) for pack in (0, 1)] == [52, 52]


def test_two_packs_with_jokers_have_two_plain_jokers_more():
    assert cards.TWO_PACKS_WITH_JOKERS[:104] == cards.TWO_PACKS
    assert [code(c) for c in cards.TWO_PACKS_WITH_JOKERS[104:]] == ["XX", "XX"]
    assert len(set(cards.TWO_PACKS_WITH_JOKERS)) == 106


def test_each_pack_and_its_set_hold_the_same_cards():
    assert as_set(cards.PACK) == cards.FULL_PACK
    assert as_set(cards.PACK_WITH_JOKERS) == cards.FULL_PACK_WITH_JOKERS
    assert as_sets(cards.TWO_PACKS) == cards.TWO_FULL_PACKS
    assert as_sets(cards.TWO_PACKS_WITH_JOKERS) == cards.TWO_FULL_PACKS_WITH_JOKERS


@given(held)
def test_a_set_of_cards_holds_what_a_python_set_holds(some):
    assert cards_of(as_set(some)) == sorted(set(some))
    assert as_set(cards_of(as_set(some))) == as_set(some)


@given(held, held)
def test_bits_combine_as_python_sets_do(some, others):
    assert cards_of(as_set(some) & as_set(others)) == sorted(set(some) & set(others))
    assert cards_of(as_set(some) | as_set(others)) == sorted(set(some) | set(others))
    assert cards_of(as_set(some) & ~as_set(others)) == sorted(set(some) - set(others))


@given(ids)
def test_two_packs_become_two_sets_and_come_back(some):
    assert ids_of(*as_sets(some)) == sorted(set(some))
    assert as_sets(iter(some)) == as_sets(some)


@pytest.mark.parametrize("card", [-1, 55, 64, 10**9])
def test_a_set_refuses_what_is_no_card_of_one_pack(card):
    with pytest.raises(NotationError, match="is not a card of one pack"):
        as_set([card])


@pytest.mark.parametrize("card", [-1, 55, 64 + 55, 128, 10**9])
def test_two_sets_refuse_what_is_no_card_of_two_packs(card):
    with pytest.raises(NotationError, match=f"{card} is not a card of two packs"):
        as_sets([card])


@pytest.mark.parametrize("mask", [-1, 1 << 55, 1 << 63])
def test_what_is_no_set_of_cards_has_no_cards(mask):
    with pytest.raises(NotationError, match="isn't a set of cards"):
        cards_of(mask)


def test_no_number_but_a_whole_one_is_a_set_even_if_an_equal_one_was_asked_before():
    assert cards_of(5) == [0, 2]
    with pytest.raises(TypeError):
        cards_of(5.0)
