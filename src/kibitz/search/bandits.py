"""Which action a search takes at a node, and what it learns from how the imagined game ended.

    promise     by UCB1, where a seat chooses alone: the mean reward of an edge, and more the less it is known
    matching    where seats choose at once: each action as often as its regret says, so that the average comes to an
                equilibrium where there are two seats with nothing for both to win
    regret      what an action would have earned more in the mean than what was done
    shares      how often an action was to be taken, what is only tried left out: added up, the average strategy

At a node where regrets are matched its entry has other sums: in TOTAL how much more than usual was earned, and in LEGAL
all rewards; an edge has its shares in VISITS, and in TOTAL how much more than usual it earned, weighed with the odds
against it.  All are integers.  Sources: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit
problem", 2002 (UCB1); Coulom, "Computing Elo ratings of move patterns", 2007 (widening); Lisy, Kovarik, Lanctot,
Bosansky, "Convergence of Monte Carlo tree search in simultaneous move games", NIPS 2013 (regret matching).
"""

from math import isqrt

from kibitz.cards.chance import below
from kibitz.cards.sets import highest
from kibitz.kernel import kernel
from kibitz.search.node_table import LEGAL, ONE, TOTAL, VISITS, entry, mix, used

ROOTS = tuple(isqrt(n << 16) for n in range(1 << 10))
"""Square roots of 0 to 1023, times 256."""
BOLD, SLOWLY = 4, 4
"""At most one in BOLD actions is only tried; after v visits one in sqrt(v) / SLOWLY."""


@kernel
def root_of(x):
    """The square root of a number below 2 ** 60, to three digits."""
    if x < 1 << 10:
        return ROOTS[x] >> 8
    half = (highest(x) - 8) >> 1
    return ROOTS[x >> 2 * half] << half >> 8


@kernel
def logarithm(n):
    """The binary logarithm of ``n`` times ONE, straight between powers of two."""
    top = highest(n)
    return top * ONE + ((n - (1 << top)) * ONE >> top)


@kernel
def promise(tree, at, explore):
    """What UCB1 promises of an edge: its mean reward, and more the less it is known."""
    n = tree[at + VISITS]
    spread = root_of((logarithm(tree[at + LEGAL]) << 16) // n)
    return tree[at + TOTAL] // n + (explore * spread >> 8)


@kernel
def select(n, scratch, tree, size, node, visits, rng, explore, wide):
    """The action of ``scratch[0:n]`` to take at a node: one not tried yet while few have been, else by promise."""
    tried = 0
    fresh = 0
    best = -1
    new = scratch[0]
    chosen = scratch[0]
    for i in range(n):
        at = entry(tree, mix(node, scratch[i] + 1), size)
        if at < 0 or tree[at + VISITS] == 0:
            fresh += 1
            if below(rng, fresh) == 0:
                new = scratch[i]
            continue
        tree[at + LEGAL] += 1
        tried += 1
        value = promise(tree, at, explore)
        if value > best:
            best = value
            chosen = scratch[i]
    if fresh and (tried == 0 or n <= wide or tried * tried < wide * visits):
        return new
    return chosen


@kernel
def learn(tree, at, edge, value):
    """A node and its edge, -1 if there is no room for it, learn of a reward."""
    tree[at + VISITS] += 1
    if edge >= 0:
        tree[edge + VISITS] += 1
        tree[edge + TOTAL] += value


@kernel
def match(n, scratch, tree, size, node, at, rng):
    """The action of ``scratch[0:n]`` to take at a node where seats choose at once, drawn; ``scratch[n]`` are its odds.

    The odds are in ONE.  ``scratch`` has place for ``3 * n`` integers.
    """
    used(tree, node, at)
    total = regrets(n, scratch, tree, size, node, at)
    tried = ONE // max(BOLD, root_of(tree[at + VISITS]) // SLOWLY)
    point = below(rng, ONE)
    chosen = n - 1
    odds = 0
    for i in range(n):
        share = scratch[n + i] * ONE // total if total else ONE // n
        edge = scratch[2 * n + i]
        if edge >= 0:
            tree[edge + VISITS] += share
        part = max(1, (share * (ONE - tried) >> 16) + tried // n)
        if odds == 0 and (point < part or i == n - 1):
            chosen = i
            odds = part
        point -= part
    scratch[n] = odds
    return scratch[chosen]


@kernel
def regrets(n, scratch, tree, size, node, at):
    """Write the positive regrets into ``scratch[n:]`` and the edges behind them; their sum.  Each edge was legal."""
    usual = tree[at + TOTAL] // max(1, tree[at + VISITS])
    total = 0
    for i in range(n):
        key = mix(node, scratch[i] + 1)
        edge = entry(tree, key, size)
        scratch[2 * n + i] = edge
        scratch[n + i] = 0
        if edge >= 0:
            used(tree, key, edge)
            if tree[edge + LEGAL]:
                scratch[n + i] = max(0, tree[edge + TOTAL] // tree[edge + LEGAL] - usual)
            tree[edge + LEGAL] += 1
        total += scratch[n + i]
    return total


@kernel
def learn_matched(tree, at, edge, value, odds):
    """A node where regrets are matched learns of a reward, and so does the edge that was drawn with these odds."""
    more = value - tree[at + LEGAL] // max(1, tree[at + VISITS])
    tree[at + VISITS] += 1
    tree[at + TOTAL] += more
    tree[at + LEGAL] += value
    if edge >= 0:
        tree[edge + TOTAL] += more * ONE // odds
