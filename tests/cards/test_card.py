import pytest

from kibitz import cards
from kibitz.cards import BLACK_JOKER, JOKER, JOKERS, PACK, PACK_STEP, RED_JOKER, Suit
from kibitz.errors import NotationError

NATURAL = [(value, suit) for value in range(1, 14) for suit in range(4)]


def test_card_number_is_four_times_value_index_plus_suit():
    assert [cards.card_of(value, suit) for value, suit in NATURAL] == list(range(52))
    assert [(cards.value(c), cards.suit(c)) for c in PACK] == NATURAL


def test_lowest_bit_of_card_is_its_colour():
    for card in (*PACK, BLACK_JOKER, RED_JOKER):
        assert cards.colour(card) == card & 1
        assert cards.is_red(card) is (card & 1 == 0)
        assert cards.is_black(card) is (card & 1 == 1)


def test_diamonds_and_hearts_are_red_clubs_and_spades_black():
    colours = {suit.name: cards.colour(cards.card_of(1, suit)).name for suit in Suit}
    assert colours == {"DIAMONDS": "RED", "HEARTS": "RED", "CLUBS": "BLACK", "SPADES": "BLACK"}


def test_id_has_the_attributes_of_its_face_in_either_pack():
    functions = [cards.value, cards.suit, cards.colour, cards.is_red, cards.is_black, cards.in_words]
    for pack in (0, 1):
        for card in PACK:
            id = PACK_STEP * pack + card
            assert (cards.pack_of(id), cards.face(id)) == (pack, card)
            assert [function(id) for function in functions] == [function(card) for function in functions]


def test_only_the_three_jokers_are_jokers_in_either_pack():
    for pack in (0, PACK_STEP):
        assert [c for c in range(55) if cards.is_joker(pack + c)] == list(JOKERS) == [52, 53, 54]


def test_plain_joker_has_no_colour():
    assert not cards.is_red(JOKER)
    assert not cards.is_black(JOKER)
    with pytest.raises(NotationError, match="no colour"):
        cards.colour(JOKER)


@pytest.mark.parametrize("joker", [*JOKERS, PACK_STEP + JOKER])
def test_joker_has_no_value_or_suit(joker):
    with pytest.raises(NotationError, match="a joker has no value"):
        cards.value(joker)
    with pytest.raises(NotationError, match="a joker has no suit"):
        cards.suit(joker)


@pytest.mark.parametrize(("value", "suit"), [(0, 0), (14, 0), (1, -1), (1, 4)])
def test_values_and_suits_out_of_range_are_rejected(value, suit):
    with pytest.raises(NotationError, match="must be from"):
        cards.card_of(value, suit)


def test_every_card_has_distinct_words():
    words = [cards.in_words(c) for c in range(55)]
    assert len(set(words)) == 55
    assert [words[c] for c in (0, 3, 38, 51, *JOKERS)] == [
        "ace of diamonds",
        "ace of spades",
        "ten of hearts",
        "king of spades",
        "joker",
        "black joker",
        "red joker",
    ]


def test_all_lists_every_public_name_once():
    assert len(set(cards.__all__)) == len(cards.__all__)
    assert all(hasattr(cards, name) for name in cards.__all__)
