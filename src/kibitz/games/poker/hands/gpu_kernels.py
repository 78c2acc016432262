"""Poker hands spread over the lanes of a GPU: every lane looks up its share of many hands.

bad     ``bad[0]`` is the index of the first invalid hand; it is unchanged if all are valid

Lanes take the hands in turn, so that neighbouring lanes read adjacent memory.
"""

from kibitz.engine.kernels.gpu_kernels import atomic_min, this_lane
from kibitz.games.poker.hands.lookup import evaluate_each
from kibitz.games.poker.hands.wild import wild_each
from kibitz.kernel import kernel


@kernel
def hand_shares(hands, rows, strengths, out, bad, n, lanes):
    """Write the strengths of ``n`` hands: see ``evaluate_each``."""
    lane = this_lane()
    if lane < lanes:
        for i in range(lane, n, lanes):
            if evaluate_each(hands, i, i + 1, rows, strengths, out) >= 0:
                atomic_min(bad, 0, i)


@kernel
def wild_shares(hands, black, red, out, bad, n, lanes):
    """Write the strengths of ``n`` hands with jokers: see ``wild_each``."""
    lane = this_lane()
    if lane < lanes:
        for i in range(lane, n, lanes):
            if wild_each(hands, black, red, i, i + 1, out) >= 0:
                atomic_min(bad, 0, i)
