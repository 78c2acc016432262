"""A strategy for Crazy Eights, under two names, since every game has a ``quick`` and a ``greedy``."""

from kibitz.cards.sets import size
from kibitz.cards.tricks import of_suit
from kibitz.games.eights.rules import CALL, DRAW, EIGHT, POINTS
from kibitz.kernel import kernel

POLICIES = {
    "quick": "Plays the card with the most others of its suit or value in hand; if equal, the costliest; eights last.",
    "greedy": "Plays the card that most of its hand can follow; if equal, the costliest; eights last.",
}
SEARCH = {"policy": "quick"}


@kernel
def worth(s, policy, a):
    """How good an action is: naming the longest suit, or playing the card with the most others of its suit or value.

    Equal cards count by their points.  Eights come last, but before drawing and passing.
    """
    hand = s.hand[s.player]
    if a >= CALL:
        return size(of_suit(hand, a - CALL))
    if a >= DRAW:
        return -1
    if a >> 2 == EIGHT:
        return 0
    alike = of_suit(hand, a & 3) | hand & 15 << (a & ~3)  # its suit, and the four cards of its value
    return 64 * size(alike) + POINTS[a >> 2]  # points only break ties
