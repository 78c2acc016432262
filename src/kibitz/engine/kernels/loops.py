"""Whole games, random or between policies: generic kernels, built for each game by ``compilation``.

states      states with their options set, as rows of a NumPy array or as plain Python objects: one for each game
            between policies; random games are all played in the first
out         scratch for the legal actions of one state
first, last the games to play, from number ``first`` to ``last - 1``; random game ``i`` is dealt from the batch's seed
            and ``i``
limit       an upper bound on the actions of a game with these options

For games between policies:

seat_policies   the number of each seat's policy, game by game
seeds           the seeds of the deals, four words per game
keys            the seeds of the policies' generators, two words per seat and game
rng             by seat, the generator that its policy draws from (``kibitz.engine.kernels.policies``)
"""

from kibitz.cards.chance import randbelow, rekey
from kibitz.engine.kernels.hooks import apply, choose, deal, legal_at, legal_count, returns
from kibitz.kernel import kernel

MAX_STEPS = 100_000
"""No game of Kibitz, or round of a game with rounds, is longer; a playout that gets there returns -1."""


@kernel
def playout(s, out, limit):
    """Play ``s`` to its end with uniformly random legal actions; return the number of actions, or -1 at the limit.

    The choices come from the state's own generator, so a seed fixes the whole game.
    """
    steps = 0
    while not s.over:
        if steps == limit:
            return -1
        apply(s, legal_at(s, randbelow(s, legal_count(s, out)), out))
        steps += 1
    return steps


@kernel
def playouts(states, out, earned, scores, steps, k0, k1, first, last, seats, limit):
    """Deal and play games ``first`` to ``last - 1`` in ``states[0]``; scores and lengths go to row ``i``."""
    s = states[0]
    for i in range(first, last):
        deal(s, k0, k1, i & 0xFFFFFFFF, i >> 32)
        steps[i] = playout(s, out, limit)
        returns(s, earned)
        for seat in range(seats):
            scores[i * seats + seat] = earned[seat]


@kernel
def policy_playout(s, seat_policies, start, rng, scratch, limit):
    """Play ``s`` to its end, seat ``p`` by policy ``seat_policies[start + p]``; return the same as ``playout``."""
    steps = 0
    while not s.over:
        if steps == limit:
            return -1
        p = s.player
        apply(s, choose(s, seat_policies[start + p], rng[p], scratch))
        steps += 1
    return steps


@kernel
def policy_playouts(states, seat_policies, rng, scratch, seeds, keys, scores, steps, first, last, seats, limit):
    """Deal and play games ``first`` to ``last - 1``; scores go to row ``i`` and lengths to ``steps[i]``."""
    for i in range(first, last):
        s = states[i - first]
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        for p in range(seats):
            k = 2 * (seats * i + p)
            rekey(rng[p], keys[k], keys[k + 1], 0, 0)
        steps[i] = policy_playout(s, seat_policies, seats * i, rng, scratch, limit)
        returns(s, scratch)
        for p in range(seats):
            scores[seats * i + p] = scratch[p]
