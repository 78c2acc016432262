"""Ranks as numbers, by which what was computed before is found again.

CODE        a number for each rank: no two sets of five cards have equal sums unless their ranks are the same
class       two cards laid away: their ranks, and whether they are of one suit; 169 classes, at 13 * one + other
group       the ranks of at most four cards, in any order; the groups of four cards come last
"""

from math import comb

from kibitz.cards.sets import lowest
from kibitz.games.cribbage.counting import rank_points
from kibitz.kernel import kernel

RANKS = 13
CODE = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""Each is the least with which all sums of five, no rank more than four times, still differ."""
SUMS = 5 * CODE[12] + 1
CLASSES = RANKS * RANKS
OF_FOUR = sum(comb(RANKS + n - 1, n) for n in range(4))
"""The first group of four cards."""
GROUPS = OF_FOUR + comb(RANKS + 3, 4)
PLACE = tuple(comb(rank + n - 1, n) for n in range(1, 5) for rank in range(RANKS))
"""What the ``n``-th lowest card of a group adds to its number, at RANKS * (n - 1) + rank."""
START = tuple(sum(comb(RANKS + k - 1, k) for k in range(n)) for n in range(5))
"""The first group of ``n`` cards."""


@kernel
def fill(table):
    """Write what five ranks score, fifteens, pairs and runs, at the sum of their codes; ``table`` has SUMS places."""
    for a in range(RANKS):
        for b in range(a, RANKS):
            for c in range(b, RANKS):
                for d in range(c, RANKS):
                    for e in range(d + (d == a), RANKS):
                        table[CODE[a] + CODE[b] + CODE[c] + CODE[d] + CODE[e]] = rank_points(five(a, b, c, d, e))


@kernel
def five(a, b, c, d, e):
    """A set with five given ranks, in ascending order."""
    cards = 15 << 4 * a & -(15 << 4 * a)
    cards |= next_of(cards, b)
    cards |= next_of(cards, c)
    cards |= next_of(cards, d)
    return cards | next_of(cards, e)


@kernel
def next_of(cards, rank):
    """The lowest card of a rank that is not in a set."""
    free = 15 << 4 * rank & ~cards
    return free & -free


@kernel
def code_of(cards):
    """The sum of the codes of a set of cards."""
    total = 0
    while cards:
        total += CODE[lowest(cards) >> 2]
        cards &= cards - 1
    return total


@kernel
def class_of(one, other):
    """The class of two different cards.

    >>> class_of(0, 5), class_of(0, 4), class_of(4, 0)  # A♦ 2♣, A♦ 2♦ in either order
    (1, 13, 13)
    """
    low = one >> 2
    high = other >> 2
    if low > high:
        low, high = high, low
    return high * RANKS + low if (one ^ other) & 3 == 0 else low * RANKS + high


@kernel
def group_of(cards):
    """The number of the ranks of a set of at most four cards.

    >>> group_of(0), group_of(0b1), group_of(0b10), group_of(0b10001)
    (0, 1, 1, 15)
    """
    n = 0
    number = 0
    while cards:
        number += PLACE[RANKS * n + (lowest(cards) >> 2)]
        cards &= cards - 1
        n += 1
    return START[n] + number
