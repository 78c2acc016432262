"""Kernels that traverse a flat tree: reach and value of every node, counterfactual regret, best responses.

    shape       ``seat, first, count, at, odds, pay, start`` of a ``game_tree.Tree``; children come after their parents
    policy      by choice, its probability where its set is reached
    own         by node, the probability that the choices of ``me`` lead there
    others      by node, the probability that chance and the choices of all other seats lead there
    value       by node, its value to a seat
    gain        by choice, how much better it is than the policy, weighted with ``others`` (counterfactual)

``me`` is the seat whose values are computed; ``n`` is the number of nodes or sets.
Sources: Zinkevich et al. 2007; Tammelin 2014 (CFR+); Brown and Sandholm 2019 (discounted); Lanctot et al. 2009.
"""

from kibitz.cards.chance import word
from kibitz.kernel import kernel

CHANCE, END = -1, -2
WORDS = 1 << 32


@kernel
def match_regrets(start, n, regret, policy):
    """Regret matching: each choice of ``n`` sets in proportion to its positive regret, all equally if there is none."""
    for i in range(n):
        match_set(start[i], start[i + 1], regret, policy)


@kernel
def match_set(first, last, regret, policy):
    """Regret matching for the choices ``first`` to ``last - 1`` of one set."""
    total = 0.0
    for k in range(first, last):
        if regret[k] > 0:
            total += regret[k]
    for k in range(first, last):
        if total > 0:
            policy[k] = regret[k] / total if regret[k] > 0 else 0.0
        else:
            policy[k] = 1.0 / (last - first)


@kernel
def descend(seat, first, count, at, odds, start, n, me, policy, own, others):
    """Write how probably every node is reached, by the choices of ``me`` (``own``) and by all else (``others``)."""
    own[0] = 1.0
    others[0] = 1.0
    for i in range(n):
        mover = seat[i]
        base = start[at[i]] if at[i] >= 0 else 0
        for j in range(count[i]):
            child = first[i] + j
            own[child] = own[i]
            others[child] = others[i]
            if mover == me:
                own[child] *= policy[base + j]
            elif mover == CHANCE:
                others[child] *= odds[child]
            else:
                others[child] *= policy[base + j]


@kernel
def ascend(seat, first, count, at, odds, pay, start, n, seats, me, policy, value):
    """Write the value of every node to ``me`` if everybody follows ``policy``."""
    for i in range(n - 1, -1, -1):
        if seat[i] == END:
            value[i] = pay[i * seats + me]
            continue
        base = start[at[i]] if at[i] >= 0 else 0
        total = 0.0
        for j in range(count[i]):
            child = first[i] + j
            total += value[child] * (odds[child] if seat[i] == CHANCE else policy[base + j])
        value[i] = total


@kernel
def add_gains(seat, first, count, at, start, n, me, level, levels, others, value, gain):
    """Add what the choices of ``me`` gain; if ``level`` isn't -1, only choices at that level, and their whole worth."""
    for i in range(n):
        if seat[i] == me and (level < 0 or levels[at[i]] == level):
            base = start[at[i]]
            for j in range(count[i]):
                gain[base + j] += others[i] * (value[first[i] + j] - (value[i] if level < 0 else 0.0))


@kernel
def add_average(seat, count, at, start, n, me, weight, policy, own, total):
    """Add the policy of ``me``, weighted by its own reach and ``weight``, to the sum that gives the average policy."""
    for i in range(n):
        if seat[i] == me:
            base = start[at[i]]
            for j in range(count[i]):
                total[base + j] += weight * own[i] * policy[base + j]


@kernel
def improve(
    seat, first, count, at, odds, pay, start, n, sets, seats, levels, iteration, last, method,
    regret, total, policy, own, others, value, gain,
):  # fmt: skip
    """Run iterations ``iteration`` to ``last - 1``, counted from 1, of CFR+ (method 0) or discounted CFR (1).

    The seats improve in turn, each against the others' newest policies.
    """
    for t in range(iteration, last):
        for me in range(seats):
            descend(seat, first, count, at, odds, start, n, me, policy, own, others)
            ascend(seat, first, count, at, odds, pay, start, n, seats, me, policy, value)
            for k in range(start[sets]):
                gain[k] = 0.0
            add_gains(seat, first, count, at, start, n, me, -1, levels, others, value, gain)
            if method == 1:
                discount_regrets(t, start, sets, regret)
            for k in range(start[sets]):
                regret[k] += gain[k]
                if method == 0 and regret[k] < 0:
                    regret[k] = 0.0
            match_regrets(start, sets, regret, policy)
            descend(seat, first, count, at, odds, start, n, me, policy, own, others)
            add_average(seat, count, at, start, n, me, t if method == 0 else t * t, policy, own, total)


@kernel
def discount_regrets(t, start, sets, regret):
    """Discount old regrets: positive ones by (t - 1)^1.5 / ((t - 1)^1.5 + 1), negative ones by one half."""
    grown = (t - 1) ** 1.5
    for k in range(start[sets]):
        regret[k] *= grown / (grown + 1.0) if regret[k] > 0 else 0.5


@kernel
def sample(
    s, seat, first, count, at, odds, pay, start, iteration, last, seats,
    regret, total, policy, value, queue,
):  # fmt: skip
    """Run iterations of external-sampling MCCFR: chance and other seats draw one choice each, ``me`` tries all."""
    for _ in range(iteration, last):
        for me in range(seats):
            n = sample_nodes(s, seat, first, count, at, odds, start, me, regret, total, policy, queue)
            collect_values(seat, first, count, at, pay, start, me, seats, n, regret, policy, value, queue)


@kernel
def sample_nodes(s, seat, first, count, at, odds, start, me, regret, total, policy, queue):
    """Queue the nodes that one sample for ``me`` meets, and return how many; a chosen child replaces its parent."""
    queue[0] = 0
    n = 1
    i = 0
    while i < n:
        node = queue[i]
        while seat[node] != END and seat[node] != me:
            if seat[node] == CHANCE:
                node = first[node] + drawn_child(s, first[node], count[node], odds)
            else:
                base = start[at[node]]
                match_set(base, base + count[node], regret, policy)
                for k in range(base, base + count[node]):
                    total[k] += policy[k]
                node = first[node] + drawn_child(s, base, count[node], policy)
        if seat[node] == me:
            base = start[at[node]]
            match_set(base, base + count[node], regret, policy)
            for j in range(count[node]):
                queue[n] = first[node] + j
                n += 1
        queue[i] = node
        i += 1
    return n


@kernel
def collect_values(seat, first, count, at, pay, start, me, seats, n, regret, policy, value, queue):
    """Write the values of queued nodes, the last first, and add to the regrets of ``me``.

    The queue has its nodes' children in the order of the nodes, so going backwards, each group ends where the last one
    began.
    """
    first_child = n
    for i in range(n - 1, -1, -1):
        node = queue[i]
        if seat[node] == END:
            value[i] = pay[node * seats + me]
            continue
        base = start[at[node]]
        first_child -= count[node]
        mean = 0.0
        for j in range(count[node]):
            mean += policy[base + j] * value[first_child + j]
        value[i] = mean
        for j in range(count[node]):
            regret[base + j] += value[first_child + j] - mean


@kernel
def drawn_child(s, base, n, odds):
    """A random number from 0 to ``n - 1``, with the probabilities ``odds[base:]``."""
    point = word(s) / WORDS
    for j in range(n - 1):
        point -= odds[base + j]
        if point < 0:
            return j
    return n - 1


@kernel
def best_response(
    seat, first, count, at, odds, pay, start, n, sets, seats, me, levels, deepest,
    policy, best, own, others, value, gain,
):  # fmt: skip
    """Make ``best`` the best response of ``me`` to all others, and return its worth.

    It decides the last choices first, since what is best there doesn't depend on earlier choices.
    """
    for k in range(start[sets]):
        best[k] = policy[k]
    descend(seat, first, count, at, odds, start, n, me, policy, own, others)
    for level in range(deepest, -1, -1):
        ascend(seat, first, count, at, odds, pay, start, n, seats, me, best, value)
        for k in range(start[sets]):
            gain[k] = 0.0
        add_gains(seat, first, count, at, start, n, me, level, levels, others, value, gain)
        for i in range(n):
            if seat[i] == me and levels[at[i]] == level:
                choose_best(start[at[i]], start[at[i] + 1], gain, best)
    ascend(seat, first, count, at, odds, pay, start, n, seats, me, best, value)
    return value[0]


@kernel
def choose_best(first, last, gain, best):
    """Write to ``best`` the choice with the highest gain among ``first`` to ``last - 1``; the first of equals."""
    top = first
    for k in range(first, last):
        if gain[k] > gain[top]:
            top = k
    for k in range(first, last):
        best[k] = 1.0 if k == top else 0.0
