"""Information-set Monte Carlo tree search as kernels, for every game.

    world       a position drawn from all those that the seat cannot tell apart (``resample``, a determinization); each
                simulation draws its own
    memory      what a seat has seen happen since the root, as one number; ``memories`` has it for every seat
    node        a seat to move with its memory, shared by all worlds in which it remembers the same (multiple observers;
                where ``observe_action`` hides nothing, the tree is that of a single observer)
    edge        an action at a node, with how often it was taken, how often it was legal, and the rewards of its seat
    simultaneous    choices that enter nobody's memory before all have been made; the search begins before the first
                of them, so that the hidden choices of other seats are simulated like any others
    single learner  only the searching seat learns: in the tree, too, the others follow the policy, with some random
                choices, and the seat remembers only its own actions.  So its plan has to suit all that others may do
    rollout     the rest of a simulated game below the tree: by a policy of the game, or at random
    reward      0 to ONE: mostly for coming first; in games played for chips, by the chips won or lost

All numbers are integers, so plain Python and machine code give the same results.
Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 2012.
"""

from math import isqrt

from kibitz.cards.chance import below, rekey
from kibitz.cards.sets import highest
from kibitz.engine.kernels.hooks import (
    apply,
    choose,
    evaluate,
    legal,
    legal_at,
    legal_count,
    observe_action,
    resample,
    simultaneous,
    truncate_rollout,
)
from kibitz.kernel import kernel

# The tree as one array: entries of FIELDS integers, found by their keys
#
#   entry       a node or an edge: its key (0: the entry is free) and what is known of it
#   memory      what a seat has seen happen, as one number; mixing two memories gives a third
#   node        how often it was visited
#   edge        how often it was taken, the rewards that followed, and how often it was legal
#
# The tree never grows beyond its size.


FIELDS = 4
KEY, VISITS, TOTAL, LEGAL = range(FIELDS)
"""An entry: its key (0: it is free); its visits; the sum of rewards; how often its action was legal."""
USED = 0
"""The index of the number of entries in use, which comes before the first entry."""
FIRST = 1

ONE = 1 << 16
LOW = (1 << 32) - 1
HIGH = (1 << 30) - 1
MIX_1, MIX_2, MIX_3 = 0x5BD1E995, 0x2C1B3C6D, 0x297A2D39


@kernel
def mix(memory, seen):
    """A memory with one thing added; below 2 ** 60."""
    a = ((memory ^ seen) & LOW) * MIX_1
    a = (a ^ a >> 29) & LOW
    b = ((memory >> 32) + a & LOW) * MIX_2
    b = (b ^ b >> 31) & LOW
    a = (a + b & LOW) * MIX_3
    return (b & HIGH) << 30 | (a ^ a >> 33) & HIGH


@kernel
def entry(tree, key, size):
    """The index of a key's entry, or of a free entry for it; -1 if the tree is full.  ``size`` is a power of two."""
    i = key & size - 1
    while True:
        at = FIRST + FIELDS * i
        if tree[at] == key:
            return at
        if tree[at] == 0:
            break
        i = i + 1 & size - 1
    if 4 * tree[USED] >= 3 * size:
        return -1
    return at


@kernel
def claim(tree, key, at):
    """If the entry at ``at`` is free, make it the entry of a key."""
    if tree[at] == 0:
        tree[at] = key
        tree[USED] += 1


# Selection of an action at a node, and learning from the end of the simulated game
#
#   UCB1        where a seat chooses alone: the mean reward of an edge, plus a bonus that shrinks with its visits
#   matching    where seats choose simultaneously: each action in proportion to its positive regret; in a zero-sum game
#               of two seats the average strategy approaches an equilibrium
#   regret      how much more an action would have earned, on average, than the actions that were taken
#   shares      the probabilities of an action without exploration; their sums give the average strategy
#
# With regret matching, entries hold other sums. In a node, TOTAL is how much more than its mean was earned, and LEGAL
# is the sum of all rewards. In an edge, VISITS is the sum of its shares, and TOTAL is how much more than the node's
# mean it earned, divided by the probability with which it was drawn.  All are integers.
#
# Sources: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002 (UCB1); Coulom,
# "Computing Elo ratings of move patterns", 2007 (widening); Lisy, Kovarik, Lanctot, Bosansky, "Convergence of Monte
# Carlo tree search in simultaneous move games", NIPS 2013 (regret matching).


ROOTS = tuple(isqrt(n << 16) for n in range(1 << 10))
"""Square roots of 0 to 1023, times 256."""
EXPLORE_ONE_IN, EXPLORE_DECAY = 4, 4
"""One in EXPLORE_ONE_IN choices explores; after v visits, one in sqrt(v) / EXPLORE_DECAY if that is less often."""


@kernel
def square_root(x):
    """The square root of a number below 2 ** 60, to three digits."""
    if x < 1 << 10:
        return ROOTS[x] >> 8
    half = (highest(x) - 8) >> 1
    return ROOTS[x >> 2 * half] << half >> 8


@kernel
def logarithm(n):
    """ONE times the binary logarithm of ``n``, linearly interpolated between powers of two."""
    top = highest(n)
    return top * ONE + ((n - (1 << top)) * ONE >> top)


@kernel
def ucb1(tree, at, explore):
    """The UCB1 value of an edge: its mean reward, plus a bonus that shrinks with its visits."""
    n = tree[at + VISITS]
    spread = square_root((logarithm(tree[at + LEGAL]) << 16) // n)
    return tree[at + TOTAL] // n + (explore * spread >> 8)


@kernel
def select(n, scratch, tree, size, node, visits, rng, explore, wide):
    """The action of ``scratch[0:n]`` to take at a node: an untried one while few are tried, else the best by UCB1."""
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
        value = ucb1(tree, at, explore)
        if value > best:
            best = value
            chosen = scratch[i]
    if fresh and (tried == 0 or n <= wide or tried * tried < wide * visits):
        return new
    return chosen


@kernel
def update(tree, at, edge, value):
    """Update a node and its edge (-1 if there was no room for it) with a reward."""
    tree[at + VISITS] += 1
    if edge >= 0:
        tree[edge + VISITS] += 1
        tree[edge + TOTAL] += value


@kernel
def match(n, scratch, tree, size, node, at, rng):
    """Draw one of the actions ``scratch[0:n]`` at a node with simultaneous choices; ``scratch[n]`` is its probability.

    Probabilities are in units of 1 / ONE.  ``scratch`` has room for ``3 * n`` integers.
    """
    claim(tree, node, at)
    total = regrets(n, scratch, tree, size, node, at)
    explored = ONE // max(EXPLORE_ONE_IN, square_root(tree[at + VISITS]) // EXPLORE_DECAY)
    point = below(rng, ONE)
    chosen = n - 1
    odds = 0
    for i in range(n):
        share = scratch[n + i] * ONE // total if total else ONE // n
        edge = scratch[2 * n + i]
        if edge >= 0:
            tree[edge + VISITS] += share
        part = max(1, (share * (ONE - explored) >> 16) + explored // n)
        if odds == 0 and (point < part or i == n - 1):
            chosen = i
            odds = part
        point -= part
    scratch[n] = odds
    return scratch[chosen]


@kernel
def regrets(n, scratch, tree, size, node, at):
    """Write the positive regrets into ``scratch[n:]``, followed by the edges; return the sum of the regrets."""
    mean = tree[at + TOTAL] // max(1, tree[at + VISITS])
    total = 0
    for i in range(n):
        key = mix(node, scratch[i] + 1)
        edge = entry(tree, key, size)
        scratch[2 * n + i] = edge
        scratch[n + i] = 0
        if edge >= 0:
            claim(tree, key, edge)
            if tree[edge + LEGAL]:
                scratch[n + i] = max(0, tree[edge + TOTAL] // tree[edge + LEGAL] - mean)
            tree[edge + LEGAL] += 1
        total += scratch[n + i]
    return total


@kernel
def update_matched(tree, at, edge, value, odds):
    """Update a node with regret matching, and the edge drawn with probability ``odds``, with a reward."""
    advantage = value - tree[at + LEGAL] // max(1, tree[at + VISITS])
    tree[at + VISITS] += 1
    tree[at + TOTAL] += advantage
    tree[at + LEGAL] += value
    if edge >= 0:
        tree[edge + TOTAL] += advantage * ONE // odds


# The search


(
    SEAT,
    POLICY,
    EXPLORE,
    WIDENING,
    CHIPS,
    LIMIT,
    ROLLOUT_RANDOM,
    SEATS,
    TRUE_STATE,
    MATCHING,
    SINGLE_LEARNER,
    OTHERS_RANDOM,
) = range(12)
"""The search settings as an array: the seat, the policy (NOBODY: random), the weight of exploration, with more than how
many actions to widen, the chips (0: for places), the longest rollout, how many of 256 rollout choices are random, the
number of seats, whether all worlds are the true position, whether simultaneous choices use regret matching, whether
there is a single learner, and, if so, how many of 256 choices of the others in the tree are random."""
NOBODY = -1
SEARCHED, COMPARED = 1, 3
"""The purposes for which worlds are drawn."""
DEEPEST = 48
"""The most steps down the tree; ``path`` has STEP numbers for each, and then the seat's first action."""
STEP = 4


@kernel
def descend(s, tree, size, path, root_memories, memories, rng, scratch, settings):
    """Go down the tree in a world as far as a new node; return the number of steps noted in ``path``.

    ``root_memories`` has the initial memories. Afterwards, the searching seat has made a choice, unless the game ended.
    """
    steps = 0
    path[STEP * DEEPEST] = NOBODY
    for p in range(settings[SEATS]):
        memories[p] = root_memories[p]
        memories[settings[SEATS] + p] = 0
    while not s.over and steps < DEEPEST:
        p = s.player
        n = legal(s, scratch)
        a = scratch[0]
        fresh = False
        if n > 1 and settings[SINGLE_LEARNER] and p != settings[SEAT]:
            a = preferred(s, settings[OTHERS_RANDOM], rng, scratch, settings)
        elif n > 1:
            node = mix(memories[p], p + 1)
            at = entry(tree, node, size)
            if at < 0:
                return steps
            fresh = tree[at + VISITS] == 0
            odds = 0
            if settings[MATCHING] and simultaneous(s):
                a = match(n, scratch, tree, size, node, at, rng)
                odds = scratch[n]
            elif fresh:
                a = preferred(s, 0, rng, scratch, settings)
            else:
                a = select(n, scratch, tree, size, node, tree[at + VISITS], rng, settings[EXPLORE], settings[WIDENING])
            note_step(tree, size, path, steps, node, at, a, p, odds)
            steps += 1
            if p == settings[SEAT] and path[STEP * DEEPEST] == NOBODY:
                path[STEP * DEEPEST] = a
        advance(s, a, memories, settings)
        if fresh and path[STEP * DEEPEST] != NOBODY:
            return steps
    return steps


@kernel
def note_step(tree, size, path, steps, node, at, a, p, odds):
    """Note a step down: its node, edge and seat, and the probability of its action if it was drawn, else 0."""
    claim(tree, node, at)
    key = mix(node, a + 1)
    edge = entry(tree, key, size)
    if edge >= 0:
        claim(tree, key, edge)
        if odds == 0 and tree[edge + VISITS] == 0:
            tree[edge + LEGAL] += 1
    path[STEP * steps] = at
    path[STEP * steps + 1] = edge
    path[STEP * steps + 2] = p
    path[STEP * steps + 3] = odds


@kernel
def advance(s, a, memories, settings):
    """Carry out an action; every seat remembers what it sees of it, or, with a single learner, only its own actions."""
    p = s.player
    hidden = simultaneous(s)
    held = settings[SEATS] if hidden else 0
    for q in range(settings[SEATS]):
        if q == p or not settings[SINGLE_LEARNER]:
            memories[held + q] = mix(memories[held + q], observe_action(s, q, a) + 1)
    apply(s, a)
    if hidden and (s.over or s.player <= p or not simultaneous(s)):
        for q in range(settings[SEATS]):
            memories[q] = mix(memories[q], memories[held + q])
            memories[held + q] = 0


@kernel
def random_action(s, rng, scratch):
    """Any legal action, all equally likely."""
    return legal_at(s, below(rng, legal_count(s, scratch)), scratch)


@kernel
def preferred(s, share, rng, scratch, settings):
    """The policy's choice; any legal action if there is no policy, and in ``share`` of 256 cases."""
    if settings[POLICY] == NOBODY or (share and below(rng, 256) < share):
        return random_action(s, rng, scratch)
    return choose(s, settings[POLICY], rng, scratch)


@kernel
def rollout(s, rng, scratch, settings):
    """Play a simulated game to its end, or to the limit."""
    steps = 0
    while not s.over and steps < settings[LIMIT]:
        apply(s, preferred(s, settings[ROLLOUT_RANDOM], rng, scratch, settings))
        steps += 1


@kernel
def reward(earned, p, settings):
    """The reward of a seat at the end of a game, 0 to ONE."""
    mine = earned[p]
    if settings[CHIPS]:
        return max(0, min(ONE, ONE // 2 + mine * ONE // (2 * settings[CHIPS])))
    above = 0
    equal = 0
    for q in range(settings[SEATS]):
        above += earned[q] > mine
        equal += earned[q] == mine
    rest = settings[SEATS] - 1
    placed = ONE // 4 * (2 * (settings[SEATS] - above - equal) + equal - 1) // (2 * rest)
    return placed + (3 * ONE // 4 // equal if above == 0 else 0)


@kernel
def update_path(tree, path, steps, earned, settings):
    """Update every node and edge on the path with the end of the simulated game."""
    for i in range(steps):
        at = path[STEP * i]
        edge = path[STEP * i + 1]
        odds = path[STEP * i + 3]
        value = reward(earned, path[STEP * i + 2], settings)
        if odds:
            update_matched(tree, at, edge, value, odds)
        else:
            update(tree, at, edge, value)


@kernel
def copy_state(states, raw, words, part):
    """Make ``states[1]`` a copy of ``states[0]``; ``raw`` is the memory of both, ``words`` integers each.

    Only the first ``part`` of them are copied; the rest is scratch.
    """
    for i in range(part):
        raw[words + i] = raw[i]


@kernel
def draw_world(states, raw, words, part, keys, number, use, settings):
    """Draw a world of the position ``states[0]`` into ``states[1]``, with its own generator in ``states[2]``.

    ``number`` and ``use`` (SEARCHED or COMPARED) determine both.
    """
    copy_state(states, raw, words, part)
    rekey(states[1], keys[0], keys[1], number, use)
    rekey(states[2], keys[0], keys[1], number, use + 1)
    while not settings[TRUE_STATE] and not resample(states[1], settings[SEAT]):
        pass
    truncate_rollout(states[1])


@kernel
def search(
    states, raw, words, part, tree, size, path, root_memories, memories, scratch, tally, actions, n_actions, keys,
    settings, first, last,
):  # fmt: skip
    """Run simulations ``first`` to ``last - 1`` of the position ``states[0]``, as its mover sees it.

    ``states[1]`` is space for a world, and ``states[2]`` the generator of all that is drawn besides its cards; the
    first ``part`` of the ``words`` integers of each are copied, the rest is scratch.
    ``actions[0:n_actions]`` are the legal ones; ``tally`` has four numbers for each: how often it was taken, and the
    sums of what the seat earned then, of the squares of that, and of the rewards.
    """
    for i in range(first, last):
        draw_world(states, raw, words, part, keys, i & LOW, SEARCHED, settings)
        s = states[1]
        rng = states[2]
        steps = descend(s, tree, size, path, root_memories, memories, rng, scratch, settings)
        rollout(s, rng, scratch, settings)
        evaluate(s, scratch)
        update_path(tree, path, steps, scratch, settings)
        for j in range(n_actions):
            if actions[j] == path[STEP * DEEPEST]:
                mine = scratch[settings[SEAT]]
                tally[4 * j] += 1
                tally[4 * j + 1] += mine
                tally[4 * j + 2] += mine * mine
                tally[4 * j + 3] += reward(scratch, settings[SEAT], settings)


@kernel
def results_after(states, raw, words, part, scratch, a, out, keys, settings, first, last):
    """Write what action ``a`` earns and its reward in worlds ``first`` to ``last - 1``, if all then follow the policy.

    World ``i`` is the same for every action, so that two actions can be compared.
    """
    for i in range(first, last):
        draw_world(states, raw, words, part, keys, i & LOW, COMPARED, settings)
        s = states[1]
        rng = states[2]
        while s.player != settings[SEAT]:
            apply(s, preferred(s, settings[ROLLOUT_RANDOM], rng, scratch, settings))
        apply(s, a)
        rollout(s, rng, scratch, settings)
        evaluate(s, scratch)
        out[2 * i] = scratch[settings[SEAT]]
        out[2 * i + 1] = reward(scratch, settings[SEAT], settings)
