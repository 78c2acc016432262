"""The moves of five cards that a hand has (see ``listing``).

Flushes come suit by suit, and must be merged to be in order.
"""

from kibitz.cards.sets import highest, lowest, size
from kibitz.games.president.kinds import (
    PAIRS_FALLING,
    SUITS_FALLING,
    TRIPLES_FALLING,
    list_falling,
    values_with_four,
    values_with_three,
    values_with_two,
)
from kibitz.games.president.moves import (
    CHOOSE_2,
    CHOOSE_3,
    CHOOSE_4,
    CHOOSE_5,
    FLUSH,
    FOUR_AND_ONE,
    FULL_HOUSE,
    MOVES,
    ONE_SUIT,
    SAME_SUIT,
    STRAIGHT,
    STRAIGHT_FLUSH,
)
from kibitz.kernel import kernel

SPARE = MOVES - 1287
"""Where in ``out`` the flushes of one suit wait to be merged: no list of moves gets that long."""
SAME_SUIT_OF_FOUR = SAME_SUIT >> 2


@kernel
def list_fives(hand, floor, fives, out, n):
    """All moves of five cards of the kinds in ``fives`` (bits by ``moves.FIVES``)."""
    if fives & 1 and floor < FLUSH:
        n = list_straights(hand, floor, out, n)
    if fives & 2 and floor < FULL_HOUSE:
        n = list_flushes(hand, floor, out, n)
    if fives & 4 and floor < FOUR_AND_ONE:
        n = list_full_houses(hand, floor, out, n)
    if fives & 8 and floor < STRAIGHT_FLUSH:
        n = list_fours_and_one(hand, floor, out, n)
    return list_straight_flushes(hand, floor, out, n) if fives & 16 else n


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
        run = hand >> low
        all_a = SUITS_FALLING[run & 15]
        all_b = SUITS_FALLING[run >> 4 & 15]
        all_c = SUITS_FALLING[run >> 8 & 15]
        all_d = SUITS_FALLING[run >> 12 & 15]
        es = SUITS_FALLING[run >> 16 & 15]
        while es:
            ds = all_d
            while ds:
                cs = all_c
                while cs:
                    bs = all_b
                    while bs:
                        suits = 256 * (es & 7) + 64 * (ds & 7) + 16 * (cs & 7) + 4 * (bs & 7) - 341
                        n = add_straights(base, suits, all_a, floor, out, n)
                        bs >>= 3
                    cs >>= 3
                ds >>= 3
            es >>= 3
    return n


@kernel
def add_straights(base, suits, lowest_suits, floor, out, n):
    """The straights that differ only in the suit of their lowest card."""
    first = base + suits
    if first >= floor and (suits + 1) // 4 % SAME_SUIT_OF_FOUR:
        # Always four: what is too many is written over, and no branch is guessed wrong.
        out[n] = first + (lowest_suits & 7)
        out[n + 1] = first + (lowest_suits >> 3 & 7)
        out[n + 2] = first + (lowest_suits >> 6 & 7)
        out[n + 3] = first + (lowest_suits >> 9)
        return n + 1 + (lowest_suits > 7) + (lowest_suits > 63) + (lowest_suits > 511)
    while lowest_suits:
        a = lowest_suits & 7
        if first + a > floor and suits + a != SAME_SUIT * (a - 1):
            out[n] = first + a
            n += 1
        lowest_suits >>= 3
    return n


@kernel
def list_flushes(hand, floor, out, n):
    """Flushes that are no straight flush."""
    first = n
    for suit in range(4):
        suited = hand >> suit & ONE_SUIT
        if size(suited) < 5:
            continue
        values = 0
        cards = 0
        while suited:
            values |= lowest(suited) >> 2 << 4 * cards
            suited &= suited - 1
            cards += 1
        if n == first:
            n = list_flushes_of(values, cards, suit, floor, out, n)
        else:
            n = merge(out, first, n, list_flushes_of(values, cards, suit, floor, out, SPARE))
    return n


@kernel
def list_flushes_of(values, cards, suit, floor, out, n):
    """The flushes of one suit: ``values`` holds the values of its ``cards``, four bits each, the lowest first."""
    for i in range(cards - 1, 3, -1):
        a = values >> 4 * i & 15
        base_a = FLUSH + suit + 4 * CHOOSE_5[a]
        if a < 12 and FLUSH + 4 * CHOOSE_5[a + 1] <= floor:
            return n
        for j in range(i - 1, 2, -1):
            base_b = base_a + 4 * CHOOSE_4[values >> 4 * j & 15]
            for k in range(j - 1, 1, -1):
                base_c = base_b + 4 * CHOOSE_3[values >> 4 * k & 15]
                for m in range(k - 1, 0, -1):
                    base_d = base_c + 4 * CHOOSE_2[values >> 4 * m & 15]
                    for h in range(m - 1, -1, -1):
                        e = values >> 4 * h & 15
                        if a - e > 4 and base_d + 4 * e > floor:
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
        all_triples = TRIPLES_FALLING[hand >> three & 15]
        twos = values_with_two(hand) & ~(1 << three)
        while twos:
            two = highest(twos)
            twos ^= 1 << two
            base = FULL_HOUSE + 24 * (13 * (three >> 2) + (two >> 2)) - 7
            pairs = PAIRS_FALLING[hand >> two & 15]
            triples = all_triples
            while triples:
                n = list_falling(base + 6 * (triples & 15), pairs, floor, out, n)
                triples >>= 4
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
