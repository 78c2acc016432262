"""Games spread over the lanes of a GPU: kernels that ask which lane runs, and play its share.

lane    one of ``lanes`` threads of a GPU, with a state and scratch of its own; threads beyond those have nothing to do
share   some of the games, one after the other; every lane has about as many

What a lane does is what a thread of the processor does in ``batch`` and in ``arena.contests``, by the same generic
kernels.  Arrays have a row for each lane, or one for each game.
"""

from kibitz.engine.contests import contests
from kibitz.engine.loops import playouts
from kibitz.kernel import hook, kernel


@hook
def this_lane():
    """Which lane runs; ``kibitz.engine.gpu`` fills it."""
    raise NotImplementedError


@kernel
def beginning(first, last, lane, lanes):
    """The first game of a lane's share of ``first`` to ``last - 1``, and the end of the share before."""
    return first + (last - first) * lane // lanes


@kernel
def random_shares(states, scratch, earned, scores, steps, k0, k1, first, last, lanes, seats, limit):
    """Play the random games ``first`` to ``last - 1``: see ``playouts``; ``scratch`` hold a lane's legal actions."""
    lane = this_lane()
    if lane < lanes:
        begin = beginning(first, last, lane, lanes)
        end = beginning(first, last, lane + 1, lanes)
        playouts(states[lane:], scratch[lane], earned[lane], scores, steps, k0, k1, begin, end, seats, limit)


@kernel
def contest_shares(states, seated, rng, scratch, seeds, keys, scores, steps, n, lanes, seats, limit):
    """Play ``n`` games between policies: see ``contests``; a game has its state, a lane one generator for each seat."""
    lane = this_lane()
    if lane < lanes:
        begin = beginning(0, n, lane, lanes)
        end = beginning(0, n, lane + 1, lanes)
        own = rng[lane * seats :]
        contests(states[begin:], seated, own, scratch[lane], seeds, keys, scores, steps, begin, end, seats, limit)
