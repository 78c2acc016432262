"""The tree of a search as one array: entries of FIELDS integers, found by their keys.

    entry       a node or an edge: its key, 0 where it is free, and what is known of it
    memory      what a seat has seen happen, as one number; two memories mixed are a third
    node        how often it was passed
    edge        how often it was taken, the rewards that followed, and how often it was legal

The tree never grows beyond its size; how nodes are counted at which regrets are matched is in ``bandits``.
"""

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
