"""Reads the arguments of assignment functions; raises NotationError with one sentence, and changes no argument.

code        a card exactly as COMP10001 writes it, such as ``0H``; like the assignments, Kibitz accepts no other
            notation here
what        the name of an argument in errors
"""

from itertools import pairwise
from typing import Any

from kibitz.cards import Card, code, short_repr
from kibitz.errors import NotationError

PLAYERS = 4
CARD_BY_CODE = {code(card): card for card in range(52)}


def read_card(text: object) -> Card:
    """The card with this code."""
    card = CARD_BY_CODE.get(text) if type(text) is str else None
    if card is None:
        raise NotationError(f"{short_repr(text)} is not a card: write value and suit, such as '0H'.")
    return card


def read_list(value: object, what: str) -> list[Any] | tuple[Any, ...]:
    """Return the value, if it is a list or a tuple."""
    if type(value) is list or type(value) is tuple:
        return value
    raise NotationError(f"{what} must be a list, not {short_repr(value)}.")


def read_cards(cards: object, what: str) -> list[Card]:
    """The cards of a list of codes, in its order; a card may appear twice."""
    return [read_card(card) for card in read_list(cards, what)]


def read_distinct_cards(cards: object, what: str) -> list[Card]:
    """The cards of a list of codes, which must be different, in rising order."""
    in_order = sorted(read_cards(cards, what))
    for card, following in pairwise(in_order):
        if card == following:
            raise NotationError(f"{what} holds {code(card)} twice, but there is one pack.")
    return in_order


def read_player(player: object) -> int:
    """Return the player's number, if it is valid."""
    if type(player) is int and 0 <= player < PLAYERS:
        return player
    raise NotationError(f"a player must be 0, 1, 2 or 3, not {short_repr(player)}.")
