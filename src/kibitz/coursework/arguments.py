"""Reads the arguments of assignment functions: NotationError with one sentence, and no argument is changed.

    code        a card exactly as COMP10001 writes it; no other notation is accepted, as in the assignments

Every reader returns a new object, or raises the error.
"""

from itertools import pairwise
from typing import Any

from kibitz.cards import Card, code, shown
from kibitz.errors import NotationError

PLAYERS = 4
CARD = {code(card): card for card in range(52)}
"""The 52 codes and their cards."""


def read_card(text: object) -> Card:
    """The card of a code."""
    card = CARD.get(text) if type(text) is str else None
    if card is None:
        raise NotationError(f"{shown(text)} is not a card: write value and suit, such as '0H'.")
    return card


def read_list(thing: object, what: str) -> list[Any] | tuple[Any, ...]:
    """A list, or a tuple instead."""
    if type(thing) is list or type(thing) is tuple:
        return thing
    raise NotationError(f"{what} must be a list, not {shown(thing)}.")


def read_cards(cards: object, what: str) -> list[Card]:
    """The cards of a list, in its order; a card may come twice."""
    return [read_card(card) for card in read_list(cards, what)]


def read_different(cards: object, what: str) -> list[Card]:
    """The cards of a list from one pack, in rising order."""
    read = sorted(read_cards(cards, what))
    for card, other in pairwise(read):
        if card == other:
            raise NotationError(f"{what} holds {code(card)} twice, but there is one pack.")
    return read


def read_player(player: object) -> int:
    """The number of a player."""
    if type(player) is int and 0 <= player < PLAYERS:
        return player
    raise NotationError(f"a player must be 0, 1, 2 or 3, not {shown(player)}.")
