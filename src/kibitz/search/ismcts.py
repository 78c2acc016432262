"""Information-set Monte Carlo tree search as kernels, for every game.

    determinization     a position drawn from those that the seat can't tell apart (``resample``), one per simulation
    memory      what a seat has seen happen since the root, as one number; ``memories`` has it for every seat
    node        a seat to move with its memory, shared by all determinizations in which it remembers the same (multiple
                observers; where ``observe_action`` hides nothing, the tree is that of a single observer)
    edge        an action at a node: how many times it was taken, how many times it was legal, and its seat's rewards
    simultaneous    choices that enter no seat's memory before all have been made; the search begins before the first
                of them, so that the hidden choices of other seats are simulated like any others
    single learner  only the searching seat learns: in the tree, too, the others follow the policy, with some random
                choices, and the seat remembers only its own actions.  So its plan must work whatever the others do
    rollout     the rest of a simulated game below the tree: by a policy of the game, or at random
    reward      0 to ONE: mostly for coming first; in games played for chips, by the chips won or lost

All numbers are integers, so plain Python and machine code give the same results.
Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 2012.
"""

from math import isqrt

from kibitz.cards.chance import randbelow, rekey
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
#   entry       a node or an edge: its key (0: the entry is free) and its statistics
#   memory      what a seat has seen happen, as one number; mixing two memories gives a third
#   node        how many times it was visited
#   edge        how many times it was taken, the rewards that followed, and how many times it was legal
#
# The tree never grows beyond its size.


FIELDS = 4
KEY, VISITS, TOTAL, LEGAL = range(FIELDS)
"""The fields of an entry: its key (0: it is free), visits, sum of rewards, and how many times its action was legal."""
USED = 0
"""The index of the number of entries in use."""
FIRST_ENTRY = 1
"""The index of the first entry."""

ONE = 1 << 16
"""The integer for 1.0 in rewards, probabilities and logarithms."""
LOW_32 = (1 << 32) - 1
"""A mask of the lowest 32 bits."""
LOW_30 = (1 << 30) - 1
"""A mask of the lowest 30 bits: a memory has two halves of this length."""
MIX_1, MIX_2, MIX_3 = 0x5BD1E995, 0x2C1B3C6D, 0x297A2D39
"""Odd multipliers; the first is MurmurHash2's."""


@kernel
def mix(memory, observation):
    """A memory with one observation added, as a hash below 2 ** 60."""
    a = ((memory ^ observation) & LOW_32) * MIX_1
    a = (a ^ a >> 29) & LOW_32
    b = ((memory >> 32) + a & LOW_32) * MIX_2
    b = (b ^ b >> 31) & LOW_32
    a = (a + b & LOW_32) * MIX_3
    return (b & LOW_30) << 30 | (a ^ a >> 33) & LOW_30


@kernel
def find_entry(tree, key, size):
    """The index of a key's entry, or of a free entry for it; -1 if the tree is full.  ``size`` is a power of two."""
    i = key & size - 1
    while True:
        at = FIRST_ENTRY + FIELDS * i
        if tree[at] == key:
            return at
        if tree[at] == 0:
            break
        i = i + 1 & size - 1
    if 4 * tree[USED] >= 3 * size:  # three quarters full: then searching for a free entry takes long
        return -1
    return at


@kernel
def claim_entry(tree, key, at):
    """If the entry at ``at`` is free, make it the entry of a key."""
    if tree[at] == 0:
        tree[at] = key
        tree[USED] += 1


# Selection of an action at a node, and learning from the end of the simulated game
#
#   UCB1        where a seat chooses alone: the mean reward of an edge, plus a bonus that shrinks with its visits
#   matching    regret matching, where seats choose simultaneously: each action in proportion to its positive regret; in
#               a zero-sum game of two seats the average strategy approaches an equilibrium
#   regret      how much more an action would have earned, on average, than the actions that were taken
#   share       the probability of an action without exploration; the sums of shares give the average strategy
#
# With regret matching, entries hold other sums. An advantage is how much a reward exceeds the node's mean reward before
# it. In a node, TOTAL sums the advantages, and LEGAL the rewards. In an edge, VISITS sums its shares, and TOTAL its
# advantages, each divided by the probability with which the edge was drawn.  All are integers.
#
# Sources: Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002 (UCB1); Coulom,
# "Computing Elo ratings of move patterns", 2007 (widening); Lisy, Kovarik, Lanctot, Bosansky, "Convergence of Monte
# Carlo tree search in simultaneous move games", NIPS 2013 (regret matching).


SQUARE_ROOTS = tuple(isqrt(n << 16) for n in range(1 << 10))
"""Square roots of 0 to 1023, times 256."""
EXPLORE_ONE_IN, EXPLORE_DECAY = 4, 4
"""One in EXPLORE_ONE_IN choices is random; after v visits, one in sqrt(v) / EXPLORE_DECAY if that is less often."""


@kernel
def square_root(x):
    """The square root of a number below 2 ** 60, rounded down, to about three significant digits."""
    if x < 1 << 10:
        return SQUARE_ROOTS[x] >> 8
    half = (highest(x) - 8) >> 1  # so that x >> 2 * half is below 1024; its root is that of x, divided by 2 ** half
    return SQUARE_ROOTS[x >> 2 * half] << half >> 8


@kernel
def logarithm(n):
    """ONE times the binary logarithm of ``n``, linearly interpolated between powers of two."""
    top = highest(n)
    return top * ONE + ((n - (1 << top)) * ONE >> top)


@kernel
def ucb1(tree, at, explore):
    """The UCB1 value of an edge: its mean reward, plus a bonus that shrinks with its visits."""
    n = tree[at + VISITS]
    spread = square_root((logarithm(tree[at + LEGAL]) << 16) // n)  # ONE * sqrt(log2(legal) / n)
    return tree[at + TOTAL] // n + (explore * spread >> 8)


@kernel
def select_action(n, scratch, tree, size, node, visits, rng, explore, widen_from):
    """The action of ``scratch[0:n]`` to take at a node: an untried one while few are tried, else the best by UCB1."""
    tried = 0
    untried = 0
    best = -1
    random_untried = scratch[0]
    chosen = scratch[0]
    for i in range(n):
        at = find_entry(tree, mix(node, scratch[i] + 1), size)
        if at < 0 or tree[at + VISITS] == 0:
            untried += 1
            if randbelow(rng, untried) == 0:
                random_untried = scratch[i]
            continue
        tree[at + LEGAL] += 1
        tried += 1
        value = ucb1(tree, at, explore)
        if value > best:
            best = value
            chosen = scratch[i]
    if untried and (tried == 0 or n <= widen_from or tried * tried < widen_from * visits):
        return random_untried
    return chosen


@kernel
def update(tree, at, edge, value):
    """Update a node and its edge (-1 if there was no room for it) with a reward."""
    tree[at + VISITS] += 1
    if edge >= 0:
        tree[edge + VISITS] += 1
        tree[edge + TOTAL] += value


@kernel
def draw_by_regrets(n, scratch, tree, size, node, at, rng):
    """Draw one of the actions ``scratch[0:n]`` at a node with simultaneous choices; ``scratch[n]`` is its probability.

    Probabilities are in units of 1 / ONE.  ``scratch`` has room for ``3 * n`` integers.
    """
    claim_entry(tree, node, at)
    total = regrets(n, scratch, tree, size, node, at)
    exploration = ONE // max(EXPLORE_ONE_IN, square_root(tree[at + VISITS]) // EXPLORE_DECAY)
    point = randbelow(rng, ONE)
    chosen = n - 1
    odds = 0
    for i in range(n):
        share = scratch[n + i] * ONE // total if total else ONE // n
        edge = scratch[2 * n + i]
        if edge >= 0:
            tree[edge + VISITS] += share
        probability = max(1, (share * (ONE - exploration) >> 16) + exploration // n)
        if odds == 0 and (point < probability or i == n - 1):
            chosen = i
            odds = probability
        point -= probability
    scratch[n] = odds
    return scratch[chosen]


@kernel
def regrets(n, scratch, tree, size, node, at):
    """Write the positive regrets into ``scratch[n:]``, followed by the edges; return the sum of the regrets."""
    mean = tree[at + TOTAL] // max(1, tree[at + VISITS])
    total = 0
    for i in range(n):
        key = mix(node, scratch[i] + 1)
        edge = find_entry(tree, key, size)
        scratch[2 * n + i] = edge
        scratch[n + i] = 0
        if edge >= 0:
            claim_entry(tree, key, edge)
            if tree[edge + LEGAL]:
                scratch[n + i] = max(0, tree[edge + TOTAL] // tree[edge + LEGAL] - mean)
            tree[edge + LEGAL] += 1
        total += scratch[n + i]
    return total


@kernel
def update_with_regret(tree, at, edge, value, odds):
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
"""The search settings as an array: the seat, the policy (NOBODY: random), the weight of exploration (times 256), the
number of actions above which to widen, the chips (0: for places), the longest rollout, how many of 256 rollout choices
are random, the number of seats, whether all determinizations are the true position, whether simultaneous choices use
regret matching, whether there is a single learner, and how many of 256 choices of the others in the tree are then
random."""
NOBODY = -1
FOR_SEARCH, FOR_COMPARISON = 1, 3
"""The purposes for which determinizations are drawn; the next number is for the purpose's own generator."""
MAX_DEPTH = 48
"""The maximum number of steps down the tree. ``path`` has STEP numbers for each step (see ``record_step``), and then
the searching seat's first action."""
STEP = 4


@kernel
def descend(s, tree, size, path, root_memories, memories, rng, scratch, settings):
    """Go down the tree in a determinization, to a new node; return the number of steps recorded in ``path``.

    ``root_memories`` has the initial memories. The descent goes on until the searching seat has made a choice or the
    game ends.
    """
    steps = 0
    path[STEP * MAX_DEPTH] = NOBODY
    for p in range(settings[SEATS]):
        memories[p] = root_memories[p]
        memories[settings[SEATS] + p] = 0
    while not s.over and steps < MAX_DEPTH:
        p = s.player
        n = legal(s, scratch)
        a = scratch[0]
        is_new = False
        if n > 1 and settings[SINGLE_LEARNER] and p != settings[SEAT]:
            a = policy_action(s, settings[OTHERS_RANDOM], rng, scratch, settings)
        elif n > 1:
            node = mix(memories[p], p + 1)
            at = find_entry(tree, node, size)
            if at < 0:
                return steps
            is_new = tree[at + VISITS] == 0
            odds = 0
            if settings[MATCHING] and simultaneous(s):
                a = draw_by_regrets(n, scratch, tree, size, node, at, rng)
                odds = scratch[n]
            elif is_new:
                a = policy_action(s, 0, rng, scratch, settings)
            else:
                a = select_action(
                    n, scratch, tree, size, node, tree[at + VISITS], rng, settings[EXPLORE], settings[WIDENING]
                )
            record_step(tree, size, path, steps, node, at, a, p, odds)
            steps += 1
            if p == settings[SEAT] and path[STEP * MAX_DEPTH] == NOBODY:
                path[STEP * MAX_DEPTH] = a
        advance(s, a, memories, settings)
        if is_new and path[STEP * MAX_DEPTH] != NOBODY:
            return steps
    return steps


@kernel
def record_step(tree, size, path, steps, node, at, a, p, odds):
    """Record a step down: its node, edge and seat, and the probability of its action if it was drawn, else 0."""
    claim_entry(tree, node, at)
    key = mix(node, a + 1)
    edge = find_entry(tree, key, size)
    if edge >= 0:
        claim_entry(tree, key, edge)
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
    hidden_offset = settings[SEATS] if hidden else 0
    for q in range(settings[SEATS]):
        if q == p or not settings[SINGLE_LEARNER]:
            memories[hidden_offset + q] = mix(memories[hidden_offset + q], observe_action(s, q, a) + 1)
    apply(s, a)
    if hidden and (s.over or s.player <= p or not simultaneous(s)):
        for q in range(settings[SEATS]):
            memories[q] = mix(memories[q], memories[hidden_offset + q])
            memories[hidden_offset + q] = 0


@kernel
def random_action(s, rng, scratch):
    """A uniformly random legal action."""
    return legal_at(s, randbelow(rng, legal_count(s, scratch)), scratch)


@kernel
def policy_action(s, random_share, rng, scratch, settings):
    """The policy's choice; a random action if there is no policy, and in ``random_share`` of 256 cases."""
    if settings[POLICY] == NOBODY or (random_share and randbelow(rng, 256) < random_share):
        return random_action(s, rng, scratch)
    return choose(s, settings[POLICY], rng, scratch)


@kernel
def rollout(s, rng, scratch, settings):
    """Play a simulated game to its end, or to the limit."""
    steps = 0
    while not s.over and steps < settings[LIMIT]:
        apply(s, policy_action(s, settings[ROLLOUT_RANDOM], rng, scratch, settings))
        steps += 1


@kernel
def reward(earned, p, settings):
    """The reward of a seat at the end of a game, 0 to ONE.

    For chips, it grows with the chips won; for places, three quarters are for coming first and a quarter for the place.
    """
    own_earned = earned[p]
    if settings[CHIPS]:
        return max(0, min(ONE, ONE // 2 + own_earned * ONE // (2 * settings[CHIPS])))
    above = 0
    equal = 0
    for q in range(settings[SEATS]):
        above += earned[q] > own_earned
        equal += earned[q] == own_earned
    others = settings[SEATS] - 1
    placed = ONE // 4 * (2 * (settings[SEATS] - above - equal) + equal - 1) // (2 * others)
    return placed + (3 * ONE // 4 // equal if above == 0 else 0)


@kernel
def backpropagate(tree, path, steps, earned, settings):
    """Update every node and edge on the path with the end of the simulated game."""
    for i in range(steps):
        at = path[STEP * i]
        edge = path[STEP * i + 1]
        odds = path[STEP * i + 3]
        value = reward(earned, path[STEP * i + 2], settings)
        if odds:
            update_with_regret(tree, at, edge, value, odds)
        else:
            update(tree, at, edge, value)


@kernel
def copy_state(states, raw, record_words, position_words):
    """Make ``states[1]`` a copy of ``states[0]``; ``raw`` is the memory of both, ``record_words`` integers each.

    Only the first ``position_words`` integers are copied; the rest is scratch.
    """
    for i in range(position_words):
        raw[record_words + i] = raw[i]


@kernel
def draw_determinization(states, raw, record_words, position_words, keys, number, purpose, settings):
    """Draw a determinization of the position ``states[0]`` into ``states[1]``, with its own generator in ``states[2]``.

    ``number`` and ``purpose`` (FOR_SEARCH or FOR_COMPARISON) determine both.
    """
    copy_state(states, raw, record_words, position_words)
    rekey(states[1], keys[0], keys[1], number, purpose)
    rekey(states[2], keys[0], keys[1], number, purpose + 1)
    while not settings[TRUE_STATE] and not resample(states[1], settings[SEAT]):
        pass
    truncate_rollout(states[1])


@kernel
def simulate(
    purpose, states, raw, record_words, position_words, tree, size, path, root_memories, memories, scratch, results,
    actions, n_actions, keys, settings, first, last,
):  # fmt: skip
    """Simulate games ``first`` to ``last - 1`` of the position ``states[0]``, as its mover sees it.

    ``states[1]`` is space for a determinization, and ``states[2]`` the generator of the simulation; see ``copy_state``
    for ``raw``. ``actions[0:n_actions]`` are the legal actions.

    FOR_SEARCH, the tree grows, and ``results`` has four numbers for each action: how often it was taken, and the sums
    of the seat's returns, of their squares, and of the rewards. FOR_COMPARISON, ``actions[0]`` is taken, then all seats
    follow the policy, and game ``i`` writes its return and reward; its determinization is the same for every action,
    so that two can be compared. Both are one kernel, because what they share is then compiled once.
    """
    for i in range(first, last):
        draw_determinization(states, raw, record_words, position_words, keys, i & LOW_32, purpose, settings)
        s = states[1]
        rng = states[2]
        steps = 0
        if purpose == FOR_SEARCH:
            steps = descend(s, tree, size, path, root_memories, memories, rng, scratch, settings)
        else:
            while s.player != settings[SEAT]:
                apply(s, policy_action(s, settings[ROLLOUT_RANDOM], rng, scratch, settings))
            apply(s, actions[0])
        rollout(s, rng, scratch, settings)
        evaluate(s, scratch)
        earned = scratch[settings[SEAT]]
        rewarded = reward(scratch, settings[SEAT], settings)
        if purpose == FOR_COMPARISON:
            results[2 * i] = earned
            results[2 * i + 1] = rewarded
            continue
        backpropagate(tree, path, steps, scratch, settings)
        for j in range(n_actions):
            if actions[j] == path[STEP * MAX_DEPTH]:
                results[4 * j] += 1
                results[4 * j + 1] += earned
                results[4 * j + 2] += earned * earned
                results[4 * j + 3] += rewarded
