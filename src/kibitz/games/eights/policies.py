"""Strategies for Crazy Eights: one for views, the same at the speed of machine code, and a simpler one."""

from random import Random

from kibitz.cards import suit, value
from kibitz.cards.sets import lowest, size
from kibitz.games.eights.rules import CALL, DRAW, EIGHT, PASS, POINTS
from kibitz.games.eights.view import EightsView
from kibitz.kernel import kernel


def greedy(view: EightsView, legal: list[int], random: Random) -> int:
    """Plays the card that most of its hand can follow, of equals the most costly; eights last."""

    def worth(action: int) -> tuple[int, int]:
        if action >= CALL:
            return sum(suit(card) == action - CALL for card in view.hand), 0
        if action >= DRAW:
            return -2, 0
        alike = sum(suit(card) == suit(action) or value(card) == value(action) for card in view.hand)
        return (-1, 0) if value(action) == 8 else (alike, POINTS[value(action) - 1])

    return max(legal, key=worth)


POLICIES = {"quick": "Plays the card with the most others of its suit or rank, then the most costly; eights last."}
SEARCH = {"policy": "quick"}
ONE_SUIT = sum(1 << 4 * value for value in range(13))
"""All cards of suit 0."""


@kernel
def choose(s, policy, rng, scratch):
    """Name the longest suit; play the card with most others alike, then the most costly; eights last; else draw."""
    hand = s.hand[s.player]
    if s.calling:
        return CALL + longest_suit(hand)
    fits = hand & (ONE_SUIT << s.suit | 15 << (s.top & ~3) | 15 << 4 * EIGHT)
    if fits == 0:
        return DRAW if s.stock and s.drawn < s.limit else PASS
    best = -1
    chosen = 0
    while fits:
        card = lowest(fits)
        fits &= fits - 1
        alike = 0
        if card >> 2 != EIGHT:
            alike = 64 * size(hand & (ONE_SUIT << (card & 3) | 15 << (card & ~3)))
        if alike + POINTS[card >> 2] % 50 > best:
            best = alike + POINTS[card >> 2] % 50
            chosen = card
    return chosen


@kernel
def longest_suit(hand):
    """The suit of which a hand has the most cards."""
    best = 0
    for other in range(1, 4):
        if size(hand & ONE_SUIT << other) > size(hand & ONE_SUIT << best):
            best = other
    return best
