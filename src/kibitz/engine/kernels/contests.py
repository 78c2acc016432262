"""Whole games between policies: generic kernels, built for each game by ``compilation``.

states      records with their options set: game ``first`` is played in ``states[0]``, the next one in ``states[1]``
rng         by seat, the generator that its policy draws from (``kibitz.engine.kernels.policies``)
seeds       the deal's seed, four words a game; ``keys`` the seeds of the generators, two words a seat and game
seated      the policy of every seat, game by game
limit       more actions than any game with these options has
"""

from kibitz.cards.chance import rekey
from kibitz.engine.kernels.hooks import apply, choose, deal, returns
from kibitz.kernel import kernel


@kernel
def contest(s, seated, at, rng, scratch, limit):
    """Play ``s`` to its end, seat ``p`` by policy ``seated[at + p]``; the number of actions, or -1 at the limit."""
    steps = 0
    while not s.over:
        if steps == limit:
            return -1
        p = s.player
        apply(s, choose(s, seated[at + p], rng[p], scratch))
        steps += 1
    return steps


@kernel
def contests(states, seated, rng, scratch, seeds, keys, scores, steps, first, last, seats, limit):
    """Deal and play games ``first`` to ``last - 1``; scores go to row ``i`` and lengths to ``steps[i]``."""
    for i in range(first, last):
        s = states[i - first]
        deal(s, seeds[4 * i], seeds[4 * i + 1], seeds[4 * i + 2], seeds[4 * i + 3])
        for p in range(seats):
            at = 2 * (seats * i + p)
            rekey(rng[p], keys[at], keys[at + 1], 0, 0)
        steps[i] = contest(s, seated, seats * i, rng, scratch, limit)
        returns(s, scratch)
        for p in range(seats):
            scores[seats * i + p] = scratch[p]
