"""Typed plays of Bo: a card alone is looked up in the hand, on the stockpile and on the discard piles."""

import pytest

from kibitz.cards import parse
from kibitz.engine.registry import game
from kibitz.engine.sentences import names_for
from kibitz.errors import NotationError
from kibitz.games.bo import rules
from kibitz.games.bo.piles import set_top
from kibitz.games.bo.rules import FROM_PILE, SOURCE, STOCK

BO = game("bo")


@pytest.fixture
def view():
    """Player 0 holds 4S and 9D twice over two packs, its stockpile shows 5S; 8S, 5C and 6H twice lie on piles."""
    s = BO.blank()
    rules.clear(s)
    for place, card in enumerate(("4S", "9D", "9D")):
        s.hand[place] = parse(card)
    s.stock_counts[:] = [1, 1, 1, 1]
    s.stock[:] = [0] * len(s.stock)
    for seat, card in enumerate(("5S", "KD", "QC", "JH")):
        s.stock[8 * seat] = parse(card)
    for pile, card in ((4, "8S"), (9, "5C"), (12, "6H"), (17, "6H"), (6, "KD"), (7, "4S"), (5, "5S")):
        set_top(s, pile, parse(card) + (64 if pile % 2 else 0))
    return BO.view(s, 0)


@pytest.mark.parametrize(
    ("typed", "source", "pile"),
    [
        ("4S b1", 0, 0),
        ("9d b2", 1, 1),
        ("5S b1", STOCK, 0),
        ("8S b1", FROM_PILE, 0),
        ("5C d0.1", FROM_PILE + 5, 4),
        ("KD b4", FROM_PILE + 2, 3),
        ("9D h3>b1", 2, 0),
        ("h3>b1", 2, 0),
        ("5S s>d2.3", STOCK, 14),
        ("6H d2.1>b1", FROM_PILE + 8, 0),
        ("4S d0.4>b1", FROM_PILE + 3, 0),
    ],
)
def test_typed_card_is_found_at_its_source(view, typed, source, pile):
    assert BO.parse(view, typed) == SOURCE * source + pile


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("6H b1", "6♥ lies on several piles"),
        ("2C b1", "2♣ is not in your hand, on your stockpile or on a discard pile."),
        ("QC b1", "Q♣ is not in your hand, on your stockpile or on a discard pile."),
        ("5S h>b1", "5♠ is not in your hand."),
        ("4H h1>b1", "The card at h1 is 4♠, not 4h."),
        ("4S d4.1>b1", "There is no pile d4.1: seats are numbered from 0 to 3."),
        ("4S d4.1", "There is no pile d4.1: seats are numbered from 0 to 3."),
        ("h>b1", "has no card"),
    ],
)
def test_unavailable_card_is_refused_with_the_reason(view, typed, sentence):
    with pytest.raises(NotationError, match=sentence.replace(".", r"\.")):
        BO.parse(view, typed)


@pytest.mark.parametrize(("size", "words"), [(1, "stockpiles of 1 card,"), (2, "stockpiles of 2 cards,")])
def test_stockpile_size_is_described_in_singular_or_plural(size, words):
    played = game("bo-mini").with_options(stock_size=size)
    begun = played.opening(played.deal(1))[0].event
    assert words in played.words.describe(begun, 0, names_for(0, ("Ann", "Ben")))
