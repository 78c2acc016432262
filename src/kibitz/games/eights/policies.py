"""A strategy for Crazy Eights, under two names, since every game has a ``quick`` and a ``greedy``."""

from kibitz.cards.sets import lowest, size
from kibitz.cards.tricks import ONE_SUIT
from kibitz.games.eights.rules import CALL, DRAW, EIGHT, PASS, POINTS, playable
from kibitz.kernel import kernel

POLICIES = {
    "quick": "Plays the card with the most others of its suit or value in hand; if equal, the costliest; eights last.",
    "greedy": "Plays the card that most of its hand can follow; if equal, the costliest; eights last.",
}
SEARCH = {"policy": "quick"}


@kernel
def choose(s, policy, rng, scratch):
    """Name the longest suit, or play the card with the most others of its suit or value in hand, eights last.

    If these are equal, play the card with the most points.  If no card can be played, draw, or else pass.
    """
    hand = s.hand[s.player]
    if s.calling:
        return CALL + longest_suit(hand)
    candidates = playable(hand, s.top, s.suit)
    if candidates == 0:
        return DRAW if s.stock and s.drawn < s.limit else PASS
    best = -1
    chosen = 0
    while candidates:
        card = lowest(candidates)
        candidates &= candidates - 1
        alike = hand & (ONE_SUIT << (card & 3) | 15 << (card & ~3))  # its suit, and the four cards of its value
        worth = 0 if card >> 2 == EIGHT else 64 * size(alike) + POINTS[card >> 2]  # points only break ties
        if worth > best:
            best = worth
            chosen = card
    return chosen


@kernel
def longest_suit(hand):
    """The suit with the most cards in a hand (the first of several)."""
    best = 0
    for suit in range(1, 4):
        if size(hand & ONE_SUIT << suit) > size(hand & ONE_SUIT << best):
            best = suit
    return best
