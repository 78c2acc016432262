"""Many shows in one loop, counted anew each time without a table."""

from kibitz.games.cribbage.counting import show_points
from kibitz.kernel import kernel


@kernel
def show_each(hands, starters, first, last):
    """The points of the hands ``first`` to ``last - 1``, given as sets, added up."""
    total = 0
    for i in range(first, last):
        total += show_points(hands[i], starters[i], 0)
    return total
