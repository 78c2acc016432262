"""Generic kernels for the contract: games traced step by step, and ``legal`` held against ``refusal``."""

from kibitz.cards.chance import below
from kibitz.engine.slots import apply, deal, legal, refusal, resample, returns, substitute
from kibitz.kernel import kernel

AGREED = -2
TRACE = 20_000
"""Room for one game's trace: three numbers an action."""


@kernel
def disagreement(s, out, spare, actions, first, step):
    """The first action, illegal numbers included, that is listed but refused, or not once but legal; or AGREED.

    Of the actions that are not listed, ``first`` and every ``step``-th after it are looked at.  ``spare`` holds zeros
    and is left so.
    """
    n = legal(s, out)
    wrong = AGREED
    for i in range(n):
        spare[out[i]] += 1
        if spare[out[i]] > 1 or refusal(s, out[i]):
            wrong = out[i]
    for a in range(first, actions, step):
        if wrong == AGREED and spare[a] != (refusal(s, a) == 0):
            wrong = a
    for i in range(n):
        spare[out[i]] = 0
    if wrong == AGREED and refusal(s, -1) == 0:
        return -1
    if wrong == AGREED and refusal(s, actions) == 0:
        return actions
    return wrong


@kernel
def first_disagreement(states, out, spare, actions, first, last):
    """``disagreement`` over every action in every position of the random games ``first`` to ``last - 1``."""
    s = states[0]
    for i in range(first, last):
        deal(s, 17, 0, i, 0)
        while not s.over:
            a = disagreement(s, out, spare, actions, 0, 1)
            if a != AGREED:
                return a
            apply(s, out[below(s, legal(s, out))])
    return AGREED


@kernel
def traced(s, out, trace, k0, k1, k2, k3):
    """Play a random game, resampling one seat's hidden cards now and then; note what happens; return how much."""
    deal(s, k0, k1, k2, k3)
    n = 0
    while not s.over and n < TRACE - 4:
        count = legal(s, out)
        a = out[below(s, count)]
        trace[n] = count
        trace[n + 1] = substitute(s)
        trace[n + 2] = a
        n += 3
        apply(s, a)
        if below(s, 16) == 0:
            while not resample(s, s.player):
                trace[n - 3] += 1000
    returns(s, out)
    trace[n] = out[0]
    return n + 1


@kernel
def traced_record(states, out, trace, k0, k1, k2, k3):
    """``traced`` for a record."""
    return traced(states[0], out, trace, k0, k1, k2, k3)
