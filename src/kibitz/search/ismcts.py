"""Information-set Monte Carlo tree search as kernels, for every game alike.

    world       a position drawn from all that the seat cannot tell apart (``resample``): every simulation has one
    memory      what a seat has seen happen since the root, as one number; ``kept`` has it for every seat
    node        a seat to move with its memory: what is learnt holds in all worlds in which it remembers the same
                (multiple observers; where ``sight`` hides nothing, the tree is that of a single observer)
    edge        an action at a node, with how often it was taken and legal, and what its seat was rewarded with
    at once     choices of several seats at the same time enter nobody's memory before all have been made
    rollout     how an imagined game goes on below the tree: by a policy of the game, or by lot
    reward      0 to ONE: mostly whether the seat comes first; by chips where the game is played for them

The tree is an array of entries of FIELDS integers, found by their keys; it never grows beyond its size.  All numbers
are integers, so plain Python and machine code find the same.  Sources: Cowling, Powley, Whitehouse, "Information set
Monte Carlo tree search", IEEE TCIAIG 2012; Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed
bandit problem", 2002 (UCB1); Coulom, "Computing Elo ratings of move patterns", 2007 (widening).
"""

from math import isqrt

from kibitz.cards.chance import below, rekey
from kibitz.cards.sets import highest
from kibitz.engine.slots import apply, choose, eased, legal, outlook, resample, sight, simultaneous
from kibitz.kernel import kernel

FIELDS = 4
KEY, VISITS, TOTAL, LEGAL = range(FIELDS)
"""An entry: its key, 0 where it is free; how often it was passed; rewards; how often its action was legal."""
USED = 0
"""Before the entries stands how many are in use."""
FIRST = 1

ONE = 1 << 16
LOW = (1 << 32) - 1
HIGH = (1 << 30) - 1
MIX_1, MIX_2, MIX_3 = 0x5BD1E995, 0x2C1B3C6D, 0x297A2D39
ROOTS = tuple(isqrt(n << 16) for n in range(1 << 10))
"""Square roots of 0 to 1023, times 256."""

SEAT, POLICY, EXPLORE, WIDE, CHIPS, LIMIT, FLIGHTY, SEATS, TOLD = range(9)
"""How to search, in an array: for which seat, with which policy (NOBODY: by lot), how eagerly to explore, from how
many actions on to widen step by step, for how many chips (0: for places), the longest rollout, how many of 256
rollout choices are by lot, how many seats there are, and whether the position is the true one in all worlds."""
NOBODY = -1
SEARCHED, COMPARED = 1, 3
"""What a world is drawn for."""
DEEPEST = 48
"""No way down the tree is longer; ``path`` has STEP numbers for each step, and then the first action taken."""
STEP = 3


@kernel
def mix(memory, seen):
    """A memory with one thing more; below 2 ** 60."""
    a = ((memory ^ seen) & LOW) * MIX_1
    a = (a ^ a >> 29) & LOW
    b = ((memory >> 32) + a & LOW) * MIX_2
    b = (b ^ b >> 31) & LOW
    a = (a + b & LOW) * MIX_3
    return (b & HIGH) << 30 | (a ^ a >> 33) & HIGH


@kernel
def entry(tree, key, size):
    """Where the entry of a key is or would be: a free one, or -1 where the tree is full; ``size`` is a power of two."""
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
def used(tree, key, at):
    """Make sure that the entry at ``at`` is that of a key."""
    if tree[at] == 0:
        tree[at] = key
        tree[USED] += 1


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
def select(s, n, room, tree, size, node, visits, lots, how):
    """The action of ``room[0:n]`` to take at a node: one not tried yet while few have been, else by promise."""
    tried = 0
    fresh = 0
    best = -1
    new = room[0]
    chosen = room[0]
    for i in range(n):
        at = entry(tree, mix(node, room[i] + 1), size)
        if at < 0 or tree[at + VISITS] == 0:
            fresh += 1
            if below(lots, fresh) == 0:
                new = room[i]
            continue
        tree[at + LEGAL] += 1
        tried += 1
        value = promise(tree, at, how[EXPLORE])
        if value > best:
            best = value
            chosen = room[i]
    if fresh and (tried == 0 or n <= how[WIDE] or tried * tried < how[WIDE] * visits):
        return new
    return chosen


@kernel
def descend(s, tree, size, path, kept, lots, room, how):
    """Go down the tree in a world, up to a node that is new; the number of steps noted in ``path``."""
    steps = 0
    for p in range(2 * how[SEATS]):
        kept[p] = 0
    while not s.over and steps < DEEPEST:
        p = s.player
        n = legal(s, room)
        a = room[0]
        fresh = False
        if n > 1:
            node = mix(kept[p], p + 1)
            at = entry(tree, node, size)
            if at < 0:
                return steps
            fresh = tree[at + VISITS] == 0
            if fresh:
                a = preferred(s, lots, room, how)
            else:
                a = select(s, n, room, tree, size, node, tree[at + VISITS], lots, how)
            note(tree, size, path, steps, node, at, a, p)
            steps += 1
        go_on(s, a, kept, how)
        if fresh:
            return steps
    return steps


@kernel
def note(tree, size, path, steps, node, at, a, p):
    """Note a step on the way down: the entries of its node and edge, and whose it was."""
    used(tree, node, at)
    key = mix(node, a + 1)
    edge = entry(tree, key, size)
    if edge >= 0:
        used(tree, key, edge)
        if tree[edge + VISITS] == 0:
            tree[edge + LEGAL] += 1
    path[STEP * steps] = at
    path[STEP * steps + 1] = edge
    path[STEP * steps + 2] = p
    if steps == 0:
        path[STEP * DEEPEST] = a


@kernel
def go_on(s, a, kept, how):
    """Carry out an action, and let every seat remember what it sees of it."""
    p = s.player
    hidden = simultaneous(s)
    late = how[SEATS] if hidden else 0
    for q in range(how[SEATS]):
        kept[late + q] = mix(kept[late + q], sight(s, q, a) + 1)
    apply(s, a)
    if hidden and (s.over or s.player <= p or not simultaneous(s)):
        for q in range(how[SEATS]):
            kept[q] = mix(kept[q], kept[late + q])
            kept[late + q] = 0


@kernel
def preferred(s, lots, room, how):
    """What the policy does; any legal action by lot where there is none."""
    if how[POLICY] == NOBODY:
        return room[below(lots, legal(s, room))]
    return choose(s, how[POLICY], lots, room)


@kernel
def rollout(s, lots, room, how):
    """Play an imagined game to its end, or to the limit."""
    steps = 0
    while not s.over and steps < how[LIMIT]:
        if how[FLIGHTY] and below(lots, 256) < how[FLIGHTY]:
            apply(s, room[below(lots, legal(s, room))])
        else:
            apply(s, preferred(s, lots, room, how))
        steps += 1


@kernel
def reward(earned, p, how):
    """What the end of an imagined game is worth to a seat, 0 to ONE."""
    mine = earned[p]
    if how[CHIPS]:
        return max(0, min(ONE, ONE // 2 + mine * ONE // (2 * how[CHIPS])))
    above = 0
    equal = 0
    for q in range(how[SEATS]):
        above += earned[q] > mine
        equal += earned[q] == mine
    rest = how[SEATS] - 1
    placed = ONE // 4 * (2 * (how[SEATS] - above - equal) + equal - 1) // (2 * rest)
    return placed + (3 * ONE // 4 // equal if above == 0 else 0)


@kernel
def learn(tree, path, steps, earned, how):
    """Tell every node and edge on the way how the imagined game ended."""
    for i in range(steps):
        tree[path[STEP * i] + VISITS] += 1
        edge = path[STEP * i + 1]
        if edge >= 0:
            tree[edge + VISITS] += 1
            tree[edge + TOTAL] += reward(earned, path[STEP * i + 2], how)


@kernel
def copied(states, raw, words):
    """Make ``states[1]`` a copy of ``states[0]``; ``raw`` is the memory of both, ``words`` integers each."""
    for i in range(words):
        raw[words + i] = raw[i]


@kernel
def imagined(states, raw, words, keys, number, use, how):
    """Draw a world of the position ``states[0]`` into ``states[1]``, with lots of its own in ``states[2]``.

    Its number and what it is used for, SEARCHED or COMPARED, fix both.
    """
    copied(states, raw, words)
    rekey(states[1], keys[0], keys[1], number, use)
    rekey(states[2], keys[0], keys[1], number, use + 1)
    while not how[TOLD] and not resample(states[1], how[SEAT]):
        pass
    eased(states[1])


@kernel
def search(states, raw, words, tree, size, path, kept, room, tally, actions, number, keys, how, first, last):
    """Simulations ``first`` to ``last - 1`` of the position ``states[0]``, as its mover can imagine it.

    ``states[1]`` is room for a world, and ``states[2]`` for the lots of all that is drawn besides its cards.
    ``actions[0:number]`` are what it may do; ``tally`` has for each how often it was taken, and what its seat earned
    then, added up and squared, and its rewards: four numbers.
    """
    for i in range(first, last):
        imagined(states, raw, words, keys, i & LOW, SEARCHED, how)
        s = states[1]
        lots = states[2]
        steps = descend(s, tree, size, path, kept, lots, room, how)
        rollout(s, lots, room, how)
        outlook(s, room)
        learn(tree, path, steps, room, how)
        for j in range(number):
            if actions[j] == path[STEP * DEEPEST]:
                mine = room[how[SEAT]]
                tally[4 * j] += 1
                tally[4 * j + 1] += mine
                tally[4 * j + 2] += mine * mine
                tally[4 * j + 3] += reward(room, how[SEAT], how)


@kernel
def after(states, raw, words, room, a, ends, keys, how, first, last):
    """What comes of action ``a`` in worlds ``first`` to ``last - 1``, if all go on by the policy: earned, and reward.

    World ``i`` is the same whatever action is asked about, so that two actions can be held against each other.
    """
    for i in range(first, last):
        imagined(states, raw, words, keys, i & LOW, COMPARED, how)
        s = states[1]
        lots = states[2]
        apply(s, a)
        rollout(s, lots, room, how)
        outlook(s, room)
        ends[2 * i] = room[how[SEAT]]
        ends[2 * i + 1] = reward(room, how[SEAT], how)
