"""Scores of many hands on a GPU: every lane scores its share of them."""

from kibitz.cards.sets import size
from kibitz.engine.kernels.gpu_kernels import atomic_min, this_lane
from kibitz.games.cribbage.hands.lookup import points
from kibitz.kernel import kernel


@kernel
def score_hands(table, hands, starters, crib, out, first_bad, n, lanes):
    """Write the scores of ``n`` hands with their starters.

    ``first_bad[0]``, at first ``n``, becomes the first row that isn't five different cards.
    """
    lane = this_lane()
    if lane < lanes:
        for i in range(lane, n, lanes):
            if are_cards(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], starters[i]):
                out[i] = points(table, hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], starters[i], crib)
            else:
                atomic_min(first_bad, 0, i)


@kernel
def are_cards(a, b, c, d, e):
    """Whether five numbers are different cards."""
    if (a | b | c | d | e) >> 6:
        return False
    cards = 1 << a | 1 << b | 1 << c | 1 << d | 1 << e
    return not cards >> 52 and size(cards) == 5
