"""Games spread over the lanes of a GPU: kernels that ask which lane runs, and play its share.

lane    one of ``lanes`` threads of a GPU; it plays every ``lanes``-th game, threads beyond those have nothing to do
blank   an array of one state with its options set, which every lane copies
words   a lane's own whole numbers: what each seat has earned, then its sums, then room for legal actions

A lane's state lies in what NVIDIA calls local memory: where neighbouring lanes read the same field of their states,
they read adjacent memory.
"""

from kibitz.engine.kernels.hooks import deal, returns
from kibitz.engine.kernels.loops import contests, playout
from kibitz.kernel import hook, kernel

SEATS = 16
"""The most seats that a game may have here."""
ROWS = 1024
"""Rows of sums: several, because lanes that add to the same word wait for each other."""


@hook
def this_lane():
    """The number of this lane; ``kibitz.engine.kernels.gpu_code`` implements this and the hooks below."""
    raise NotImplementedError


@hook
def own_state(blank):
    """A state that belongs to this lane alone, its options set as in ``blank[0]``."""
    raise NotImplementedError


@hook
def own_states():
    """An array of one uninitialised state that belongs to this lane alone."""
    raise NotImplementedError


@hook
def own_words(scratch, lane):
    """This lane's words: its column of ``scratch``, or local memory if they are few."""
    raise NotImplementedError


@hook
def atomic_add(array, at, number):
    """Add to ``array[at]``, to which other lanes may add at the same time."""
    raise NotImplementedError


@hook
def atomic_min(array, at, number):
    """Lower ``array[at]`` to a number, which other lanes may do at the same time."""
    raise NotImplementedError


@kernel
def random_shares(blank, scratch, scores, steps, sums, kept, k0, k1, first, last, lanes, seats, limit):
    """Play the random games ``first`` to ``last - 1`` (see ``playouts``), and add up their results.

    A row of ``sums`` has the scores of each seat and the actions. If ``kept``, the scores and actions of each game are
    written too.
    """
    lane = this_lane()
    if lane < lanes:
        s = own_state(blank)
        words = own_words(scratch, lane)
        out = words[2 * SEATS :]
        total = 0
        for seat in range(seats):
            words[SEATS + seat] = 0
        for i in range(first + lane, last, lanes):
            deal(s, k0, k1, i & 0xFFFFFFFF, i >> 32)
            length = playout(s, out, limit)
            returns(s, words)
            total += length
            for seat in range(seats):
                words[SEATS + seat] += words[seat]
            if kept:
                steps[i] = length
                for seat in range(seats):
                    scores[i * seats + seat] = words[seat]
        row = lane % ROWS * (seats + 1)
        for seat in range(seats):
            atomic_add(sums, row + seat, words[SEATS + seat])
        atomic_add(sums, row + seats, total)


@kernel
def contest_shares(states, seated, rng, scratch, seeds, keys, scores, steps, n, lanes, seats, limit):
    """Play ``n`` games between policies: see ``contests``; a game has its state, a lane one generator for each seat."""
    lane = this_lane()
    if lane < lanes:
        own = own_states()
        words = own_words(scratch, lane)
        generators = rng[lane * seats :]
        for i in range(lane, n, lanes):
            own[0] = states[i]
            contests(own, seated, generators, words, seeds, keys, scores, steps, i, i + 1, seats, limit)
            states[i] = own[0]
