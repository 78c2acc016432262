"""Whole random games: generic kernels, built for each game by ``compilation``.

states      records or plain states with their options set
out         scratch for the legal actions of one state
first       which game of a batch comes first: game ``i`` is dealt from the batch seed and ``i``
limit       more actions than any game with these options has
"""

from kibitz.cards.chance import below
from kibitz.engine.kernels.hooks import apply, deal, legal_at, legal_count, returns
from kibitz.kernel import kernel

MOVES_LIMIT = 100_000
"""No game of ours, or round of a game with rounds, is longer; a playout that gets there reports a fault."""


@kernel
def playout(s, out, limit):
    """Play ``s`` to its end with uniformly random legal actions; the number of actions, or -1 at the limit.

    The choices come from the state's own generator, so a seed fixes the whole game.
    """
    steps = 0
    while not s.over:
        if steps == limit:
            return -1
        apply(s, legal_at(s, below(s, legal_count(s, out)), out))
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
