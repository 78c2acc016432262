"""All moves of a hand, written down directly: no subset is tried that is no move.

    hand        a set of heights (see ``moves``)
    floor       only moves with higher numbers are listed; NONE for all of a size
    out, n      the list so far and its length; every kernel here returns the new length

Each size comes from its highest move to its lowest, hand types from low to high, as the report shows them.

The surprising part are flushes: they come suit by suit, and must be merged to be in order.
"""

from kibitz.cards.sets import size
from kibitz.games.president.moves import (
    CHOOSE_2,
    CHOOSE_3,
    CHOOSE_4,
    CHOOSE_5,
    FLUSH,
    FOUR,
    FOUR_AND_ONE,
    FULL_HOUSE,
    MOVES,
    ONE_SUIT,
    PAIR,
    PAIR_SUITS,
    SAME_SUIT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPLE,
    TRIPLE_SUITS,
)
from kibitz.kernel import kernel

NONE = -1
SPARE = MOVES - 1287
"""Where in ``out`` the flushes of one suit wait to be merged: no list of moves gets that long."""


@kernel
def list_all(hand, out):
    """Every move of a hand, whatever its size."""
    n = 0
    for cards in range(1, 6):
        n = list_size(hand, cards, NONE, out, n)
    return n


@kernel
def list_size(hand, cards, floor, out, n):
    """The moves with this many cards."""
    if cards == 1:
        return list_singles(hand, floor, out, n)
    if cards == 2:
        return list_pairs(hand, floor, out, n)
    if cards == 3:
        return list_triples(hand, floor, out, n)
    return list_fours(hand, floor, out, n) if cards == 4 else list_fives(hand, floor, out, n)


@kernel
def highest(cards):
    """The highest card of a non-empty set."""
    n = 0
    if cards >> 32:
        n += 32
        cards >>= 32
    if cards >> 16:
        n += 16
        cards >>= 16
    if cards >> 8:
        n += 8
        cards >>= 8
    if cards >> 4:
        n += 4
        cards >>= 4
    if cards >> 2:
        n += 2
        cards >>= 2
    return n + (cards >> 1)


@kernel
def list_singles(hand, floor, out, n):
    """Single cards."""
    hand &= -(1 << (floor + 1))
    while hand:
        card = highest(hand)
        out[n] = card
        n += 1
        hand ^= 1 << card
    return n


@kernel
def values_with_two(hand):
    """The values of which there are two cards or more, each as its diamond's bit."""
    return (hand & hand >> 1 | (hand | hand >> 1) & (hand >> 2 | hand >> 3) | hand >> 2 & hand >> 3) & ONE_SUIT


@kernel
def values_with_three(hand):
    """The values of which there are three cards or more, each as its diamond's bit."""
    return (hand & hand >> 1 & (hand >> 2 | hand >> 3) | hand >> 2 & hand >> 3 & (hand | hand >> 1)) & ONE_SUIT


@kernel
def values_with_four(hand):
    """The values of which there are four cards, each as its diamond's bit."""
    return hand & hand >> 1 & hand >> 2 & hand >> 3 & ONE_SUIT


@kernel
def list_pairs(hand, floor, out, n):
    """Pairs."""
    values = values_with_two(hand)
    while values:
        low = highest(values)
        values ^= 1 << low
        suits = hand >> low & 15
        base = PAIR + 6 * (low >> 2)
        for i in range(5, -1, -1):
            if suits & PAIR_SUITS[i] == PAIR_SUITS[i]:
                if base + i <= floor:
                    return n
                out[n] = base + i
                n += 1
    return n


@kernel
def list_triples(hand, floor, out, n):
    """Three of a kind."""
    values = values_with_three(hand)
    while values:
        low = highest(values)
        values ^= 1 << low
        suits = hand >> low & 15
        for i in range(3, -1, -1):
            if suits & TRIPLE_SUITS[i] == TRIPLE_SUITS[i]:
                if TRIPLE + low + i <= floor:
                    return n
                out[n] = TRIPLE + low + i
                n += 1
    return n


@kernel
def list_fours(hand, floor, out, n):
    """Four of a kind."""
    values = values_with_four(hand)
    while values:
        low = highest(values)
        values ^= 1 << low
        if FOUR + (low >> 2) <= floor:
            return n
        out[n] = FOUR + (low >> 2)
        n += 1
    return n


@kernel
def list_fives(hand, floor, out, n):
    """All moves of five cards."""
    if floor < FLUSH:
        n = list_straights(hand, floor, out, n)
    if floor < FULL_HOUSE:
        n = list_flushes(hand, floor, out, n)
    if floor < FOUR_AND_ONE:
        n = list_full_houses(hand, floor, out, n)
    if floor < STRAIGHT_FLUSH:
        n = list_fours_and_one(hand, floor, out, n)
    return list_straight_flushes(hand, floor, out, n)


@kernel
def run_starts(hand):
    """The values that start five successive ones of the hand, each as its diamond's bit."""
    there = (hand | hand >> 1 | hand >> 2 | hand >> 3) & ONE_SUIT
    return there & there >> 4 & there >> 8 & there >> 12 & there >> 16


@kernel
def list_straights(hand, floor, out, n):
    """Straights that are no straight flush."""
    starts = run_starts(hand)
    while starts:
        low = highest(starts)
        starts ^= 1 << low
        base = STRAIGHT + 256 * low
        if base + 1023 <= floor:
            return n
        for e in range(3, -1, -1):
            if not hand >> low + 16 + e & 1:
                continue
            for d in range(3, -1, -1):
                if not hand >> low + 12 + d & 1:
                    continue
                for c in range(3, -1, -1):
                    if not hand >> low + 8 + c & 1:
                        continue
                    for b in range(3, -1, -1):
                        if not hand >> low + 4 + b & 1:
                            continue
                        suits = 256 * e + 64 * d + 16 * c + 4 * b
                        for a in range(3, -1, -1):
                            if hand >> low + a & 1 and base + suits + a > floor and suits + a != SAME_SUIT * a:
                                out[n] = base + suits + a
                                n += 1
    return n


@kernel
def list_flushes(hand, floor, out, n):
    """Flushes that are no straight flush."""
    first = n
    for suit in range(4):
        cards = hand & ONE_SUIT << suit
        if size(cards) < 5:
            continue
        if n == first:
            n = list_flushes_of(cards >> suit, suit, floor, out, n)
        else:
            n = merge(out, first, n, list_flushes_of(cards >> suit, suit, floor, out, SPARE))
    return n


@kernel
def list_flushes_of(cards, suit, floor, out, n):
    """The flushes of one suit; ``cards`` are its cards as diamonds."""
    for a in range(12, 3, -1):
        if not cards >> 4 * a & 1:
            continue
        base_a = FLUSH + suit + 4 * CHOOSE_5[a]
        if a < 12 and FLUSH + 4 * CHOOSE_5[a + 1] <= floor:
            return n
        for b in range(a - 1, 2, -1):
            if not cards >> 4 * b & 1:
                continue
            base_b = base_a + 4 * CHOOSE_4[b]
            for c in range(b - 1, 1, -1):
                if not cards >> 4 * c & 1:
                    continue
                base_c = base_b + 4 * CHOOSE_3[c]
                for d in range(c - 1, 0, -1):
                    if not cards >> 4 * d & 1:
                        continue
                    base_d = base_c + 4 * CHOOSE_2[d]
                    for e in range(d - 1, -1, -1):
                        if cards >> 4 * e & 1 and a - e > 4 and base_d + 4 * e > floor:
                            out[n] = base_d + 4 * e
                            n += 1
    return n


@kernel
def merge(out, first, n, end):
    """Merge ``out[SPARE:end]`` into ``out[first:n]``, both falling; return the new end of the list."""
    i = n - 1
    j = end - 1
    n += end - SPARE
    to = n - 1
    while j >= SPARE:
        if i >= first and out[i] < out[j]:
            out[to] = out[i]
            i -= 1
        else:
            out[to] = out[j]
            j -= 1
        to -= 1
    return n


@kernel
def list_full_houses(hand, floor, out, n):
    """Full houses."""
    threes = values_with_three(hand)
    while threes:
        three = highest(threes)
        threes ^= 1 << three
        twos = values_with_two(hand) & ~(1 << three)
        while twos:
            two = highest(twos)
            twos ^= 1 << two
            base = FULL_HOUSE + 24 * (13 * (three >> 2) + (two >> 2))
            for i in range(3, -1, -1):
                if hand >> three & TRIPLE_SUITS[i] != TRIPLE_SUITS[i]:
                    continue
                for j in range(5, -1, -1):
                    if hand >> two & PAIR_SUITS[j] == PAIR_SUITS[j] and base + 6 * i + j > floor:
                        out[n] = base + 6 * i + j
                        n += 1
    return n


@kernel
def list_fours_and_one(hand, floor, out, n):
    """Four of a kind with any other card."""
    fours = values_with_four(hand)
    while fours:
        four = highest(fours)
        fours ^= 1 << four
        others = hand & ~(15 << four)
        while others:
            card = highest(others)
            others ^= 1 << card
            if FOUR_AND_ONE + 13 * four + card > floor:
                out[n] = FOUR_AND_ONE + 13 * four + card
                n += 1
    return n


@kernel
def list_straight_flushes(hand, floor, out, n):
    """Straight flushes."""
    starts = hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16
    while starts:
        low = highest(starts)
        starts ^= 1 << low
        if STRAIGHT_FLUSH + low > floor:
            out[n] = STRAIGHT_FLUSH + low
            n += 1
    return n
