"""Many hands of Go partitioned in one loop, so that machine code is measured and not the calls to it."""

from kibitz.games.go.groups import WAYS, best
from kibitz.kernel import kernel


@kernel
def partition_all(hands, first, last, n, work, totals, ways):
    """The best score of each of ``hands[first:last]``, sorted hands of ``n`` cards, and how many ways lead to it."""
    for i in range(first, last):
        totals[i] = best(hands[i], n, work)
        ways[i] = work[WAYS]
