"""Many hands of President in one loop, so that machine code is measured and not the calls to it."""

from kibitz.games.president.listing import list_counted
from kibitz.games.president.moves import ALL_FIVES
from kibitz.games.president.planning import CHOICES, FAILED, shed
from kibitz.kernel import kernel


@kernel
def list_each(hands, first, last, out):
    """How many moves ``hands[first:last]`` have together, each listed."""
    total = 0
    for i in range(first, last):
        total += list_counted(hands[i], ALL_FIVES, out)
    return total


@kernel
def shed_each(hands, first, last, work):
    """The fewest moves of ``hands[first:last]`` added up; nothing is remembered from hand to hand."""
    total = 0
    for i in range(first, last):
        for k in range(FAILED, CHOICES):
            work[k] = 0
        total += shed(hands[i], ALL_FIVES, work)
    return total
