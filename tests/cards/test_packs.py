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


def test_pack_with_jokers_adds_a_black_and_a_red_joker():
    assert [code(c) for c in cards.PACK_WITH_JOKERS[52:]] == ["?B", "?R"]
    assert cards.PACK_WITH_JOKERS[:52] == cards.PACK


def test_two_packs_have_every_card_twice_with_different_ids():
    assert len(set(cards.TWO_PACKS)) == len(cards.TWO_PACKS) == 104
    assert sorted(map(face, cards.TWO_PACKS)) == sorted(2 * cards.PACK)
    assert [sum(pack_of(c) == pack for c in cards.TWO_PACKS) for pack in (0, 1)] == [52, 52]


def test_two_packs_with_jokers_add_two_plain_jokers():
    assert cards.TWO_PACKS_WITH_JOKERS[:104] == cards.TWO_PACKS
    assert [code(c) for c in cards.TWO_PACKS_WITH_JOKERS[104:]] == ["XX", "XX"]
    assert len(set(cards.TWO_PACKS_WITH_JOKERS)) == 106


def test_each_pack_matches_its_set():
    assert as_set(cards.PACK) == cards.FULL_PACK
    assert as_set(cards.PACK_WITH_JOKERS) == cards.FULL_PACK_WITH_JOKERS
    assert as_sets(cards.TWO_PACKS) == cards.TWO_FULL_PACKS
    assert as_sets(cards.TWO_PACKS_WITH_JOKERS) == cards.TWO_FULL_PACKS_WITH_JOKERS


@given(held)
def test_card_set_holds_the_same_cards_as_a_python_set(cards_held):
    assert cards_of(as_set(cards_held)) == sorted(set(cards_held))
    assert as_set(cards_of(as_set(cards_held))) == as_set(cards_held)


@given(ids)
def test_ids_of_two_packs_round_trip_through_two_sets(cards_held):
    assert ids_of(*as_sets(cards_held)) == sorted(set(cards_held))
    assert as_sets(iter(cards_held)) == as_sets(cards_held)


@pytest.mark.parametrize("card", [-1, 55, 64, 10**9])
def test_as_set_rejects_non_cards_of_one_pack(card):
    with pytest.raises(NotationError, match="is not a card of one pack"):
        as_set([card])


@pytest.mark.parametrize("card", [-1, 55, 64 + 55, 128, 10**9])
def test_as_sets_rejects_non_cards_of_two_packs(card):
    with pytest.raises(NotationError, match=f"{card} is not a card of two packs"):
        as_sets([card])


@pytest.mark.parametrize("mask", [-1, 1 << 55, 1 << 63])
def test_cards_of_rejects_masks_that_are_not_card_sets(mask):
    with pytest.raises(NotationError, match="isn't a set of cards"):
        cards_of(mask)


def test_float_is_rejected_even_after_an_equal_int_was_cached():
    assert cards_of(5) == [0, 2]
    with pytest.raises(TypeError):
        cards_of(5.0)
