"""How many moves a hand has, and which of them has a number in the list of ``listing``, without the whole list.

    number      the place of a move in the list, from 0

Single cards are counted in one step.  Of the others, kind by kind, no more is listed than has the number asked for.
"""

from kibitz.cards.sets import nth, size
from kibitz.games.president.fives import list_fives, run_starts
from kibitz.games.president.kinds import (
    list_fours,
    list_pairs,
    list_triples,
    values_with_four,
    values_with_three,
    values_with_two,
)
from kibitz.games.president.moves import CHOOSE_5, NONE, ONE_SUIT
from kibitz.kernel import kernel


@kernel
def count_counted(hand, fives):
    """How many moves ``list_counted`` lists."""
    cards = size(hand)
    twos = size(values_with_two(hand))
    threes = size(values_with_three(hand))
    fours = size(values_with_four(hand))
    n = cards + twos + 3 * threes + 7 * fours
    if cards < 5:
        return n
    pairs = twos + 2 * threes + 3 * fours
    triples = threes + 3 * fours
    same = size(hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16)
    if fives & 1:
        n += count_runs(hand) - same
    if fives & 2:
        n += count_suited(hand) - same
    if fives & 4:
        n += pairs * triples - 3 * threes - 21 * fours
    if fives & 8:
        n += fours * (cards - 4)
    return n + same if fives & 16 else n


@kernel
def count_runs(hand):
    """How many straights there are, those of one suit among them."""
    n = 0
    starts = run_starts(hand)
    while starts:
        start = starts & -starts
        starts ^= start
        ways = size(hand & 15 * start)
        for i in range(4, 20, 4):
            ways *= size(hand & 15 * start << i)
        n += ways
    return n


@kernel
def count_suited(hand):
    """How many flushes there are, straight ones among them."""
    n = 0
    for suit in range(4):
        n += CHOOSE_5[size(hand >> suit & ONE_SUIT)]
    return n


@kernel
def counted_at(hand, fives, i, out):
    """The move with number ``i`` among those that ``list_counted`` lists; ``out`` is scratch."""
    n = size(hand)
    if i < n:
        return nth(hand, n - 1 - i)
    i -= n
    n = list_pairs(hand, NONE, out, 0)
    if i >= n:
        n = list_triples(hand, NONE, out, n)
        n = list_fours(hand, NONE, out, n)
    if i >= n:
        list_fives(hand, NONE, fives, out, n)
    return out[i]
