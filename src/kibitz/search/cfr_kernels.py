"""Kernels that traverse a flat tree: reach and value of every node, counterfactual regret, best responses.

    arrays      ``seat, first, count, infoset, probability, payoff, start`` of a ``game_tree.Tree``; children come after
                their parents
    policy      by choice, its probability in its information set
    own         by node, the probability that the choices of ``me`` lead there
    others      by node, the probability that chance and the choices of all other seats lead there
    value       by node, its value to a seat
    gain        by choice, its counterfactual regret: how much better it is than the policy, weighted with ``others``

``me`` is the seat whose values are computed; ``n`` is the number of nodes or sets.
Sources: Zinkevich et al. 2007; Tammelin 2014 (CFR+); Brown and Sandholm 2019 (discounted); Lanctot et al. 2009.
"""

from kibitz.cards.chance import word
from kibitz.kernel import kernel

CHANCE, END = -1, -2
WORDS = 1 << 32


@kernel
def match_regrets(start, n, regret, policy):
    """Write the policy of ``n`` sets by regret matching: in proportion to positive regrets, else uniform."""
    for i in range(n):
        match_set(start[i], start[i + 1], regret, policy)


@kernel
def match_set(first, last, regret, policy):
    """Regret matching for one set, whose choices are ``first`` to ``last - 1``."""
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
def compute_reach(seat, first, count, infoset, probability, start, n, me, policy, own, others):
    """Write the reach probabilities of every node: ``own`` for ``me``, ``others`` for chance and the other seats."""
    own[0] = 1.0
    others[0] = 1.0
    for i in range(n):
        mover = seat[i]
        base = start[infoset[i]] if infoset[i] >= 0 else 0
        for j in range(count[i]):
            child = first[i] + j
            own[child] = own[i]
            others[child] = others[i]
            if mover == me:
                own[child] *= policy[base + j]
            elif mover == CHANCE:
                others[child] *= probability[child]
            else:
                others[child] *= policy[base + j]


@kernel
def compute_values(seat, first, count, infoset, probability, payoff, start, n, seats, me, policy, value):
    """Write the value of every node to ``me`` if everybody follows ``policy``."""
    for i in range(n - 1, -1, -1):
        if seat[i] == END:
            value[i] = payoff[i * seats + me]
            continue
        base = start[infoset[i]] if infoset[i] >= 0 else 0
        total = 0.0
        for j in range(count[i]):
            child = first[i] + j
            total += value[child] * (probability[child] if seat[i] == CHANCE else policy[base + j])
        value[i] = total


@kernel
def add_gains(seat, first, count, infoset, start, n, me, level, levels, others, value, gain):
    """Add the gains of the choices of ``me``; unless ``level`` is -1, the values of its choices at that level."""
    for i in range(n):
        if seat[i] == me and (level < 0 or levels[infoset[i]] == level):
            base = start[infoset[i]]
            for j in range(count[i]):
                gain[base + j] += others[i] * (value[first[i] + j] - (value[i] if level < 0 else 0.0))


@kernel
def add_average(seat, count, infoset, start, n, me, weight, policy, own, total):
    """Add the policy of ``me``, weighted by its own reach and ``weight``, to the sum for the average policy."""
    for i in range(n):
        if seat[i] == me:
            base = start[infoset[i]]
            for j in range(count[i]):
                total[base + j] += weight * own[i] * policy[base + j]


@kernel
def run_cfr(
    seat, first, count, infoset, probability, payoff, start, n, sets, seats, levels, iteration, last, method,
    regret, total, policy, own, others, value, gain,
):  # fmt: skip
    """Run iterations ``iteration`` to ``last - 1``, counted from 1, of CFR+ (method 0) or discounted CFR (1).

    The seats update their policies in turn, each against the others' latest.
    """
    for t in range(iteration, last):
        for me in range(seats):
            compute_reach(seat, first, count, infoset, probability, start, n, me, policy, own, others)
            compute_values(seat, first, count, infoset, probability, payoff, start, n, seats, me, policy, value)
            for k in range(start[sets]):
                gain[k] = 0.0
            add_gains(seat, first, count, infoset, start, n, me, -1, levels, others, value, gain)
            if method == 1:
                discount_regrets(t, start, sets, regret)
            for k in range(start[sets]):
                regret[k] += gain[k]
                if method == 0 and regret[k] < 0:
                    regret[k] = 0.0
            match_regrets(start, sets, regret, policy)
            compute_reach(seat, first, count, infoset, probability, start, n, me, policy, own, others)
            add_average(seat, count, infoset, start, n, me, t if method == 0 else t * t, policy, own, total)


@kernel
def discount_regrets(t, start, sets, regret):
    """Discount old regrets: positive ones by (t - 1)^1.5 / ((t - 1)^1.5 + 1), negative ones by one half."""
    grown = (t - 1) ** 1.5
    for k in range(start[sets]):
        regret[k] *= grown / (grown + 1.0) if regret[k] > 0 else 0.5


@kernel
def run_mccfr(
    s, seat, first, count, infoset, probability, payoff, start, iteration, last, seats,
    regret, total, policy, value, queue,
):  # fmt: skip
    """Run iterations of external-sampling MCCFR: chance and other seats sample one choice each, ``me`` tries all."""
    for _ in range(iteration, last):
        for me in range(seats):
            n = sample_nodes(s, seat, first, count, infoset, probability, start, me, regret, total, policy, queue)
            collect_values(seat, first, count, infoset, payoff, start, me, seats, n, regret, policy, value, queue)


@kernel
def sample_nodes(s, seat, first, count, infoset, probability, start, me, regret, total, policy, queue):
    """Queue the nodes that one sample for ``me`` reaches, and return how many; a sampled child replaces its parent."""
    queue[0] = 0
    n = 1
    i = 0
    while i < n:
        node = queue[i]
        while seat[node] != END and seat[node] != me:
            if seat[node] == CHANCE:
                node = first[node] + sample_child(s, first[node], count[node], probability)
            else:
                base = start[infoset[node]]
                match_set(base, base + count[node], regret, policy)
                for k in range(base, base + count[node]):
                    total[k] += policy[k]
                node = first[node] + sample_child(s, base, count[node], policy)
        if seat[node] == me:
            base = start[infoset[node]]
            match_set(base, base + count[node], regret, policy)
            for j in range(count[node]):
                queue[n] = first[node] + j
                n += 1
        queue[i] = node
        i += 1
    return n


@kernel
def collect_values(seat, first, count, infoset, payoff, start, me, seats, n, regret, policy, value, queue):
    """Write the values of queued nodes, the last first, and add to the regrets of ``me``.

    The children of queued nodes are queued in the same order as the nodes, so, going backwards, each node's group of
    children ends where the previous group began.
    """
    first_child = n
    for i in range(n - 1, -1, -1):
        node = queue[i]
        if seat[node] == END:
            value[i] = payoff[node * seats + me]
            continue
        base = start[infoset[node]]
        first_child -= count[node]
        mean = 0.0
        for j in range(count[node]):
            mean += policy[base + j] * value[first_child + j]
        value[i] = mean
        for j in range(count[node]):
            regret[base + j] += value[first_child + j] - mean


@kernel
def sample_child(s, base, n, probability):
    """A random number from 0 to ``n - 1``, with the probabilities ``probability[base:]``."""
    point = word(s) / WORDS
    for j in range(n - 1):
        point -= probability[base + j]
        if point < 0:
            return j
    return n - 1


@kernel
def best_response(
    seat, first, count, infoset, probability, payoff, start, n, sets, seats, me, levels, deepest,
    policy, best, own, others, value, gain,
):  # fmt: skip
    """Make ``best`` the best response of ``me`` to all others, and return its value.

    The deepest choices are decided first, since the best of them don't depend on earlier choices.
    """
    for k in range(start[sets]):
        best[k] = policy[k]
    compute_reach(seat, first, count, infoset, probability, start, n, me, policy, own, others)
    for level in range(deepest, -1, -1):
        compute_values(seat, first, count, infoset, probability, payoff, start, n, seats, me, best, value)
        for k in range(start[sets]):
            gain[k] = 0.0
        add_gains(seat, first, count, infoset, start, n, me, level, levels, others, value, gain)
        for i in range(n):
            if seat[i] == me and levels[infoset[i]] == level:
                choose_best(start[infoset[i]], start[infoset[i] + 1], gain, best)
    compute_values(seat, first, count, infoset, probability, payoff, start, n, seats, me, best, value)
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
