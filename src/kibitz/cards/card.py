"""One card and its properties.

    card        an int: 0..51 are 4 * (value - 1) + suit, 52..54 the jokers
    value       Ace 1, Two 2, … Ten 10, Jack 11, Queen 12, King 13
    suit        diamonds 0, clubs 1, hearts 2, spades 3
    colour      red 0 (diamonds, hearts) or black 1 (clubs, spades)
    joker       ``JOKER`` has no colour; ``BLACK_JOKER`` and ``RED_JOKER`` each stand for any card of their colour
    id          a card in a game with two packs: 64 * pack + card, where pack is 0 or 1
    face        the card of an id, without its pack

Every function here accepts a card or an id; for an id, the result is that of its face.

Suits are numbered so that ``card & 1`` is the colour, also of the two coloured jokers. The order of cards is by value,
then by suit in the order of President.
"""

from enum import IntEnum
from typing import Annotated, TypeAlias

from kibitz.errors import NotationError

CARD = "card"
Card: TypeAlias = Annotated[int, CARD]
"""A card as an int; the annotation marks it as a card for code that displays the fields of views."""


class Suit(IntEnum):
    """The four suits, in the order in which cards are numbered."""

    DIAMONDS = 0
    CLUBS = 1
    HEARTS = 2
    SPADES = 3


class Colour(IntEnum):
    """The two colours, as the lowest bit of a card."""

    RED = 0
    BLACK = 1


JOKER = 52
BLACK_JOKER = 53
RED_JOKER = 54
JOKERS = (JOKER, BLACK_JOKER, RED_JOKER)
PACK_STEP = 64
"""The difference between the ids of the same card in the two packs."""

VALUES = "A234567890JQK"
"""The letters of the values from Ace to King, as COMP10001 writes them: ``0`` is ten."""
SUITS = "DCHS"
"""The letters of the suits, in the order of ``Suit``."""
SUIT_SYMBOLS = "♦♣♥♠"
SUIT_NAMES = ("diamonds", "clubs", "hearts", "spades")
VALUE_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
JOKER_NAMES = ("joker", "black joker", "red joker")

_SUIT = tuple(Suit)
_COLOUR = tuple(Colour)


def card_of(value: int, suit: int) -> Card:
    """The card of a value 1..13 and a suit 0..3. Raises NotationError if there is none.

    >>> card_of(10, Suit.HEARTS)
    38
    """
    if not 1 <= value <= len(VALUES):
        raise NotationError("a card's value must be from 1 (Ace) to 13 (King)")
    if not 0 <= suit < len(SUITS):
        raise NotationError("a card's suit must be from 0 (diamonds) to 3 (spades)")
    return 4 * (value - 1) + suit


def face(card: Card) -> Card:
    """The card of an id, without its pack; a card is its own face."""
    return card & (PACK_STEP - 1)


def pack_of(card: Card) -> int:
    """The pack, 0 or 1, that an id belongs to."""
    return card // PACK_STEP


def is_joker(card: Card) -> bool:
    """Whether the card is one of the three jokers."""
    return face(card) >= JOKER


def value(card: Card) -> int:
    """1 (Ace) to 13 (King). Raises NotationError for a joker, whose value depends on the game."""
    if is_joker(card):
        raise NotationError("a joker has no value")
    return (face(card) >> 2) + 1


def suit(card: Card) -> Suit:
    """The card's suit. Raises NotationError for a joker."""
    if is_joker(card):
        raise NotationError("a joker has no suit")
    return _SUIT[card & 3]


def colour(card: Card) -> Colour:
    """The card's colour, which the coloured jokers have too. Raises NotationError for ``JOKER``."""
    if face(card) == JOKER:
        raise NotationError("the plain joker XX has no colour: only ?B, ?R and the 52 cards have one")
    return _COLOUR[card & 1]


def is_red(card: Card) -> bool:
    """Whether the card is a diamond, a heart or the red joker."""
    return face(card) != JOKER and not card & 1


def is_black(card: Card) -> bool:
    """Whether the card is a club, a spade or the black joker."""
    return face(card) != JOKER and bool(card & 1)


def in_words(card: Card) -> str:
    """The card in spoken English.

    >>> in_words(38), in_words(RED_JOKER)
    ('ten of hearts', 'red joker')
    """
    if is_joker(card):
        return JOKER_NAMES[face(card) - JOKER]
    return f"{VALUE_NAMES[value(card) - 1]} of {SUIT_NAMES[suit(card)]}"
