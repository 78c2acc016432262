"""A strategy for Crazy Eights; it has two names, since every game has a ``quick`` and a ``greedy``."""

from kibitz.cards.sets import lowest, size
from kibitz.cards.tricks import ONE_SUIT
from kibitz.games.eights.rules import CALL, DRAW, EIGHT, PASS, POINTS, playable
from kibitz.kernel import kernel

POLICIES = {
    "quick": "Plays the card with the most others of its suit or rank, then the most costly; eights last.",
    "greedy": "Plays the card that most of its hand can follow, of equals the most costly; eights last.",
}
SEARCH = {"policy": "quick"}


@kernel
def choose(s, policy, rng, scratch):
    """Name the longest suit; play the card with most others alike, then the most costly; eights last; else draw."""
    hand = s.hand[s.player]
    if s.calling:
        return CALL + longest_suit(hand)
    fits = playable(hand, s.top, s.suit)
    if fits == 0:
        return DRAW if s.stock and s.drawn < s.limit else PASS
    best = -1
    chosen = 0
    while fits:
        card = lowest(fits)
        fits &= fits - 1
        alike = hand & (ONE_SUIT << (card & 3) | 15 << (card & ~3))
        worth = 0 if card >> 2 == EIGHT else 64 * size(alike) + POINTS[card >> 2]
        if worth > best:
            best = worth
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
