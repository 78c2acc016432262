"""Packs of cards, in order and as sets.

    pack            the 52 cards, diamonds, clubs, hearts, spades of each value from Ace to King
    coloured jokers the black and the red joker, which poker adds to a pack
    two packs       104 ids; with jokers, also one plain joker per pack, for the bonus version of Huxxy
    set             an int whose bit ``c`` says that card ``c`` is in it (see ``kibitz.cards.sets``)

Cards from two packs are kept as two sets, one per pack: ids go up to 118, too high for a bit in a 64-bit integer.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from kibitz.cards.card import BLACK_JOKER, JOKER, PACK_STEP, RED_JOKER, Card, face, pack_of
from kibitz.cards.notation import short_repr
from kibitz.cards.sets import FULL_PACK
from kibitz.errors import NotationError

CardSet: TypeAlias = int

EVERY_CARD = (1 << (RED_JOKER + 1)) - 1
"""The set of the 52 cards and the three jokers, the largest card set."""

PACK: tuple[Card, ...] = tuple(range(52))
PACK_WITH_JOKERS = (*PACK, BLACK_JOKER, RED_JOKER)
TWO_PACKS = (*PACK, *(PACK_STEP + card for card in PACK))
TWO_PACKS_WITH_JOKERS = (*TWO_PACKS, JOKER, PACK_STEP + JOKER)

FULL_PACK_WITH_JOKERS: CardSet = FULL_PACK | 1 << BLACK_JOKER | 1 << RED_JOKER
TWO_FULL_PACKS: tuple[CardSet, CardSet] = (FULL_PACK, FULL_PACK)
TWO_FULL_PACKS_WITH_JOKERS = (FULL_PACK | 1 << JOKER, FULL_PACK | 1 << JOKER)


def as_set(cards: Iterable[Card]) -> CardSet:
    """The set of some cards 0..54, given in any order; duplicates count once, as in a Python set."""
    card_set = 0
    for card in cards:
        if not 0 <= card <= RED_JOKER:
            raise NotationError(
                f"{short_repr(card)} is not a card of one pack: a set holds cards from 0 to {RED_JOKER}"
            )
        card_set |= 1 << card
    return card_set


def as_sets(ids: Iterable[Card]) -> tuple[CardSet, CardSet]:
    """The sets of some ids, given in any order: two sets, one for each pack."""
    ids = list(ids)
    for card in ids:
        if pack_of(card) not in (0, 1) or face(card) > RED_JOKER:
            raise NotationError(f"{short_repr(card)} is not a card of two packs: write an id of pack 0 or 1")
    first, second = ([face(card) for card in ids if pack_of(card) == pack] for pack in (0, 1))
    return as_set(first), as_set(second)


def cards_of(cards: CardSet) -> list[Card]:
    """The cards of a set, lowest first.

    >>> cards_of(as_set([38, 0, 7]))
    [0, 7, 38]
    """
    if not 0 <= cards <= EVERY_CARD:
        raise NotationError(f"{short_repr(cards)} isn't a set of cards: only the bits 0 to {RED_JOKER} may be set")
    return [*_cards_cached(cards)]


@lru_cache(maxsize=1 << 12, typed=True)
def _cards_cached(cards: CardSet) -> tuple[Card, ...]:
    """The cards of a set, cached because the views of a game ask for the same packs, boards and hands repeatedly."""
    return tuple([card for card in range(RED_JOKER + 1) if cards >> card & 1])


def ids_of(first: CardSet, second: CardSet) -> list[Card]:
    """The ids in two sets, one per pack, lowest first."""
    return cards_of(first) + [PACK_STEP + card for card in cards_of(second)]
