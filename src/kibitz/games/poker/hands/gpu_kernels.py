"""The strengths of many hands on a GPU: every lane looks up its share of them.

first_bad   ``first_bad[0]``, at first ``n``, becomes the index of the first invalid hand

Lanes take the hands in turn, so that neighbouring lanes read adjacent memory.
"""

from kibitz.engine.kernels.gpu_kernels import atomic_min, this_lane
from kibitz.games.poker.hands.lookup import evaluate_slice
from kibitz.games.poker.hands.wild import evaluate_wild_slice
from kibitz.kernel import kernel


@kernel
def evaluate_hands(hands, rows, strengths, out, first_bad, n, lanes):
    """Write the strengths of ``n`` hands: see ``evaluate_slice``."""
    lane = this_lane()
    if lane < lanes:
        for i in range(lane, n, lanes):
            if evaluate_slice(hands, i, i + 1, rows, strengths, out) >= 0:
                atomic_min(first_bad, 0, i)


@kernel
def evaluate_wild_hands(hands, black, red, out, first_bad, n, lanes):
    """Write the strengths of ``n`` hands with jokers: see ``evaluate_wild_slice``."""
    lane = this_lane()
    if lane < lanes:
        for i in range(lane, n, lanes):
            if evaluate_wild_slice(hands, black, red, i, i + 1, out) >= 0:
                atomic_min(first_bad, 0, i)
