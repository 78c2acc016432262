"""Loops over many hands in machine code, so that its speed is measured and not that of the calls."""

from kibitz.games.cribbage.scoring import show_points
from kibitz.games.go.groups import WAYS, best_score
from kibitz.games.president.listing import list_all
from kibitz.games.president.moves import ALL_FIVES
from kibitz.games.president.planning import CHOICES, FAILED, shed
from kibitz.kernel import kernel


@kernel
def partition_all(hands, first, last, n, work, totals, ways):
    """The best score of each of ``hands[first:last]``, sorted hands of ``n`` cards, and how many ways lead to it."""
    for i in range(first, last):
        totals[i] = best_score(hands[i], n, work)
        ways[i] = work[WAYS]


@kernel
def show_each(hands, starters, first, last):
    """The sum of the points of ``hands[first:last]``, which are sets."""
    total = 0
    for i in range(first, last):
        total += show_points(hands[i], starters[i], 0)
    return total


@kernel
def list_each(hands, first, last, out):
    """List all moves of ``hands[first:last]``; return their total number."""
    total = 0
    for i in range(first, last):
        total += list_all(hands[i], ALL_FIVES, out)
    return total


@kernel
def shed_each(hands, first, last, work):
    """The sum of the fewest moves of ``hands[first:last]``; nothing is remembered from hand to hand."""
    total = 0
    for i in range(first, last):
        for k in range(FAILED, CHOICES):
            work[k] = 0
        total += shed(hands[i], ALL_FIVES, work)
    return total
