"""Cards: what all card games share, without anything specific to one game.

    card        an int 0..51 by value, then suit; 52..54 are jokers (``card``)
    value       A 2 3 4 5 6 7 8 9 0 J Q K, as 1..13; each game has its own order of ranks
    suit        diamonds, clubs, hearts, spades; ``card & 1`` is the colour
    id          a card in a game with two packs, 64 * pack + card; its face is the card without the pack
    code        a card as text, ``0H``; other notations are ``TH``, ``10♥`` and ``['hearts', 10]`` (``notation``)
    pack        the cards a game is played with, in order (``packs``)
    set         cards as an int with one bit for each; two packs are two sets (``packs``; for kernels, ``sets``)
    hand        a list of cards, with at most as many copies of a card as there are packs
    chance      the random generator that is part of every state (``chance``), and cards drawn with it (``drawing``)

Kernels import ``kibitz.cards.sets``, ``chance``, ``drawing``, ``hands`` and ``tricks`` by name; other code imports from
here.
Importing this package loads nothing outside the standard library.
"""

from kibitz.cards.card import (
    BLACK_JOKER,
    JOKER,
    JOKERS,
    PACK_STEP,
    RED_JOKER,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    SUITS,
    VALUE_NAMES,
    VALUES,
    Card,
    Colour,
    Suit,
    card_of,
    colour,
    face,
    in_words,
    is_black,
    is_joker,
    is_red,
    pack_of,
    suit,
    value,
)
from kibitz.cards.notation import (
    POKER_VALUES,
    code,
    pair,
    parse,
    parse_cards,
    parse_hand,
    parse_pair,
    poker_code,
    short_repr,
    symbol,
    symbols,
)
from kibitz.cards.packs import (
    FULL_PACK_WITH_JOKERS,
    PACK,
    PACK_WITH_JOKERS,
    TWO_FULL_PACKS,
    TWO_FULL_PACKS_WITH_JOKERS,
    TWO_PACKS,
    TWO_PACKS_WITH_JOKERS,
    CardSet,
    as_set,
    as_sets,
    cards_of,
    ids_of,
)
from kibitz.cards.sets import FULL_PACK

__all__ = [
    "BLACK_JOKER",
    "FULL_PACK",
    "FULL_PACK_WITH_JOKERS",
    "JOKER",
    "JOKERS",
    "PACK",
    "PACK_STEP",
    "PACK_WITH_JOKERS",
    "POKER_VALUES",
    "RED_JOKER",
    "SUITS",
    "SUIT_NAMES",
    "SUIT_SYMBOLS",
    "TWO_FULL_PACKS",
    "TWO_FULL_PACKS_WITH_JOKERS",
    "TWO_PACKS",
    "TWO_PACKS_WITH_JOKERS",
    "VALUES",
    "VALUE_NAMES",
    "Card",
    "CardSet",
    "Colour",
    "Suit",
    "as_set",
    "as_sets",
    "card_of",
    "cards_of",
    "code",
    "colour",
    "face",
    "ids_of",
    "in_words",
    "is_black",
    "is_joker",
    "is_red",
    "pack_of",
    "pair",
    "parse",
    "parse_cards",
    "parse_hand",
    "parse_pair",
    "poker_code",
    "short_repr",
    "suit",
    "symbol",
    "symbols",
    "value",
]
