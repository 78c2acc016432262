"""Generic kernels for the contract: trace games step by step, and compare ``legal`` with ``refusal`` and ``legal_at``.

states  an array of records, or a list of states; games are played in the first
"""

from kibitz.cards.chance import randbelow
from kibitz.engine.kernels.hooks import (
    apply,
    deal,
    legal,
    legal_at,
    legal_count,
    max_amount,
    min_amount,
    refusal,
    resample,
    returns,
    substitute,
)
from kibitz.kernel import kernel

AGREED = -2
TRACE = 20_000
"""The size of an array for one game's trace: three numbers an action."""


@kernel
def disagreement(s, out, times_listed, amounts, actions, first, step):
    """The first action, illegal numbers included, that is listed but refused, or legal but not listed once; or AGREED.

    Of the actions that are not listed, it checks ``first`` and every ``step``-th after it. Actions from ``amounts`` on
    are amounts: those from ``min_amount`` to ``max_amount`` must be legal, and the listed ones must ascend from the
    first to the last. ``times_listed`` is scratch: it holds zeros, before and after.
    """
    n = legal(s, out)
    wrong = AGREED
    low = min_amount(s)
    high = max_amount(s)
    before = low - 1
    for i in range(n):
        a = out[i]
        if a < amounts:
            times_listed[a] += 1
        if refusal(s, a) or (a < amounts and times_listed[a] > 1) or (a >= amounts and (a <= before or a > high)):
            wrong = a
        if a >= amounts:
            if before < low and a != low:
                wrong = low
            before = a
    if wrong == AGREED and low <= high and before != high:
        wrong = high
    for a in range(first, amounts, step):
        if wrong == AGREED and times_listed[a] != (refusal(s, a) == 0):
            wrong = a
    for i in range(n):
        if out[i] < amounts:
            times_listed[out[i]] = 0
    if wrong == AGREED and amounts < actions:
        wrong = amount_disagreement(s, amounts, actions)
    for a in (-1, actions):
        if wrong == AGREED and refusal(s, a) == 0:
            wrong = a
    return wrong


@kernel
def amount_disagreement(s, amounts, actions):
    """An amount that is legal but not from ``min_amount`` to ``max_amount``, or the other way round; or AGREED.

    It checks the amounts near both ends, a few between and beyond them, and the first and the last of all amounts.
    """
    low = min_amount(s)
    high = max_amount(s)
    for k in range(17):
        between = low + (high - low) * k // 16
        under = amounts + (low - amounts) * k // 16
        above = high + (actions - high) * k // 16
        for amount in (between, under, above):
            for a in range(amount - 2, amount + 3):
                if amount_is_wrong(s, a, low, high, amounts, actions):
                    return a
    return AGREED


@kernel
def amount_is_wrong(s, a, low, high, amounts, actions):
    """Whether an amount between the ends is refused, or one outside them is legal."""
    if a < amounts or a >= actions:
        return False
    return (refusal(s, a) == 0) != (low <= a <= high)


@kernel
def first_disagreement(states, out, times_listed, amounts, actions, first, last):
    """``disagreement`` over every action in every position of the random games ``first`` to ``last - 1``."""
    s = states[0]
    for i in range(first, last):
        deal(s, 17, 0, i, 0)
        while not s.over:
            a = disagreement(s, out, times_listed, amounts, actions, 0, 1)
            if a != AGREED:
                return a
            apply(s, out[randbelow(s, legal(s, out))])
    return AGREED


@kernel
def misplaced(s, out, scratch, step):
    """The first place in ``legal``'s list, of every ``step``-th, where ``legal_at`` gives another action; or AGREED.

    If ``legal_count`` is wrong, it returns the list's true length. Each place is asked for twice, the second time
    backwards from the last.
    """
    n = legal(s, out)
    if legal_count(s, scratch) != n:
        return n
    for i in range(0, n, step):
        if legal_at(s, i, scratch) != out[i]:
            return i
    for i in range(n - 1, -1, -step):
        if legal_at(s, i, scratch) != out[i]:
            return i
    return AGREED


@kernel
def first_misplaced(states, out, scratch, first, last):
    """``misplaced`` in every position of the random games ``first`` to ``last - 1``."""
    s = states[0]
    for i in range(first, last):
        deal(s, 19, 0, i, 0)
        while not s.over:
            wrong = misplaced(s, out, scratch, 1)
            if wrong != AGREED:
                return wrong
            apply(s, out[randbelow(s, legal(s, out))])
    return AGREED


@kernel
def play_traced(states, out, trace, k0, k1, k2, k3):
    """Play a random game, resampling one seat's hidden cards now and then; return how many numbers ``trace`` holds."""
    s = states[0]
    deal(s, k0, k1, k2, k3)
    n = 0
    while not s.over and n < TRACE - 4:
        count = legal(s, out)
        a = out[randbelow(s, count)]
        trace[n] = count
        trace[n + 1] = substitute(s)
        trace[n + 2] = a
        n += 3
        apply(s, a)
        if randbelow(s, 16) == 0:
            while not resample(s, s.player):
                trace[n - 3] += 1000  # so that rejections show in the trace
    returns(s, out)
    trace[n] = out[0]
    return n + 1


@kernel
def replay_traced(states, out, trace, actions, n, k0, k1, k2, k3):
    """Play ``n`` given actions from a deal; return how many numbers ``trace`` holds.

    For each step these are what it lists, refuses and substitutes. When the trace is full, it starts again from 0.
    """
    s = states[0]
    deal(s, k0, k1, k2, k3)
    m = 0
    for i in range(n):
        count = legal(s, out)
        trace[m] = count
        trace[m + 1] = out[count - 1]
        trace[m + 2] = substitute(s)
        trace[m + 3] = refusal(s, actions[i] + 1)
        trace[m + 4] = refusal(s, trace[m + 1] + 1)
        trace[m + 5] = legal_count(s, out)
        trace[m + 6] = legal_at(s, trace[m + 5] - 1, out)
        trace[m + 7] = legal_at(s, trace[m + 5] // 2, out)
        m += 8
        apply(s, actions[i])
        if m > TRACE - 11:
            m = 0
    trace[m] = legal(s, out)
    returns(s, out)
    trace[m + 1] = out[0]
    if not s.over:
        while not resample(s, s.player):
            trace[m] += 1000
    return m + 2
