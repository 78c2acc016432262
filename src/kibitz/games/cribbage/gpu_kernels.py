"""Shows spread over the lanes of a GPU: every lane counts its share of many hands."""

from kibitz.engine.gpu_kernels import this_lane
from kibitz.games.cribbage.lookup import score_each
from kibitz.kernel import kernel


@kernel
def show_shares(table, hands, starters, crib, out, n, lanes):
    """Write what ``n`` hands score with their starters: see ``score_each``; lanes take them in turn."""
    lane = this_lane()
    if lane < lanes:
        for i in range(lane, n, lanes):
            score_each(table, hands[i : i + 1], starters[i : i + 1], crib, out[i : i + 1])
