"""Games spread over the lanes of a GPU: kernels that find out which lane runs them, and play that lane's games.

lane    one of ``lanes`` threads of a GPU, which plays every ``lanes``-th game; threads beyond these have nothing to do
blank   an array of one state with its options set, which every lane copies
words   a lane's own integers: each seat's score in the game in play, then each seat's total over the lane's games so
        far, then the scratch array of the game's kernels, such as for legal actions

A lane's state is in what NVIDIA calls local memory. It is laid out so that neighbouring lanes that read the same field
of their states read adjacent memory.
"""

from kibitz.engine.kernels.hooks import deal, returns
from kibitz.engine.kernels.loops import playout, policy_playouts
from kibitz.kernel import hook, kernel

MAX_SEATS = 16
"""The maximum number of seats that a game may have here."""
SUM_ROWS = 1024
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
    """Set ``array[at]`` to the lower of itself and a number; other lanes may do so at the same time."""
    raise NotImplementedError


@kernel
def play_random_games(blank, scratch, scores, steps, sums, keep, k0, k1, first, last, lanes, seats, limit):
    """Play this lane's games of the random games ``first`` to ``last - 1`` (see ``playouts``), and add up the results.

    A row of ``sums`` has the total score of each seat and the total number of actions. If ``keep``, the scores and the
    number of actions of each game are written too.
    """
    lane = this_lane()
    if lane < lanes:
        s = own_state(blank)
        words = own_words(scratch, lane)
        out = words[2 * MAX_SEATS :]
        total = 0
        for seat in range(seats):
            words[MAX_SEATS + seat] = 0
        for i in range(first + lane, last, lanes):
            deal(s, k0, k1, i & 0xFFFFFFFF, i >> 32)
            length = playout(s, out, limit)
            returns(s, words)
            total += length
            for seat in range(seats):
                words[MAX_SEATS + seat] += words[seat]
            if keep:
                steps[i] = length
                for seat in range(seats):
                    scores[i * seats + seat] = words[seat]
        row = lane % SUM_ROWS * (seats + 1)
        for seat in range(seats):
            atomic_add(sums, row + seat, words[MAX_SEATS + seat])
        atomic_add(sums, row + seats, total)


@kernel
def play_policy_games(states, seat_policies, rng, scratch, seeds, keys, scores, steps, n, lanes, seats, limit):
    """Play this lane's games of ``n`` games between policies (see ``policy_playouts``).

    Each game has its own state, and each lane one generator for each seat.
    """
    lane = this_lane()
    if lane < lanes:
        lane_states = own_states()
        words = own_words(scratch, lane)
        generators = rng[lane * seats :]
        for i in range(lane, n, lanes):
            lane_states[0] = states[i]
            policy_playouts(
                lane_states, seat_policies, generators, words, seeds, keys, scores, steps, i, i + 1, seats, limit
            )
            states[i] = lane_states[0]
