"""Eight styles of playing Crazy Eights, from the written rules.

rating      of a card to play, a tuple; DRAW and PASS come last unless a style says otherwise
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from kibitz.games.eights.view import EightsView

DRAW, PASS, CALL = 52, 53, 54
EIGHT = 8

Rating = tuple[float, ...]


def value(card: int) -> int:
    """Ace 1 to king 13."""
    return (card >> 2) + 1


def points(card: int) -> int:
    """The points that a card costs if it is left in the hand."""
    return 50 if value(card) == EIGHT else min(10, value(card))


def held(view: EightsView, suit: int) -> int:
    """How many cards of a suit the hand has."""
    return sum(card & 3 == suit and value(card) != EIGHT for card in view.hand)


def style(
    rate: Callable[[EightsView, int], Rating],
    call: Callable[[EightsView, int], float] = held,
    *,
    saves_eights: bool = True,
    draws_first: bool = False,
) -> Callable[[EightsView, list[int], Random], int]:
    """The strategy that plays the card, and calls the suit, that is rated highest."""

    def choose(view: EightsView, legal: list[int], random: Random) -> int:
        def rated(action: int) -> tuple[Rating, float]:
            if action >= CALL:
                return (call(view, action - CALL),), random.random()
            if action >= DRAW:
                return (1 if draws_first and action == DRAW else -1,), 0
            last = saves_eights and value(action) == EIGHT and len(view.hand) > 1
            return (-0.5 if last else 0, *rate(view, action)), random.random()

        return max(legal, key=rated)

    return choose


def left(view: EightsView, card: int) -> Rating:
    """How many cards of the hand have the suit or the value of a card."""
    return (sum(other & 3 == card & 3 or value(other) == value(card) for other in view.hand),)


def rare(view: EightsView, suit: int) -> float:
    """How many cards of a suit have been laid."""
    return Counter(card & 3 for card in view.discards)[suit]


def no_rating(view: EightsView, card: int) -> Rating:
    """The same rating for every card."""
    return (0,)


STYLES = {
    "anything": style(no_rating, lambda view, suit: 0, saves_eights=False),
    "saves_eights": style(no_rating),
    "eights_first": style(lambda view, card: (value(card) == EIGHT,), saves_eights=False),
    "dearest": style(lambda view, card: (points(card),)),
    "cheapest": style(lambda view, card: (-points(card),)),
    "longest_suit": style(lambda view, card: (held(view, card & 3),)),
    "shortest_suit": style(lambda view, card: (-held(view, card & 3),)),
    "keeps_going": style(left),
    "changes_suit": style(lambda view, card: (card & 3 != view.suit,), rare),
    "draws_first": style(left, draws_first=True),
}
