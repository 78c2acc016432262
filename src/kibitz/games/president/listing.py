"""Lists the moves of a hand directly: only sets of cards that are moves are tried.

    hand        a set of heights (see ``moves``)
    floor       only moves with higher numbers are listed; NONE for all of a size
    fives       the allowed kinds of five cards, as bits (``moves.FIVES``)
    out, n      the list so far and its length; every kernel here returns the new length

Hand types come from low to high, and each type from its highest move to its lowest.

    descending  a list packed into one integer: the ways to choose one, two or three of the suits that the hand holds
                of a value, as their numbers plus one, the highest first (in the lowest bits); a 0 ends it
    values      a set of values, each as the bit of its diamond
    diamond     the height of a value's diamond, which stands for the value

Flushes are found suit by suit, and then merged to be in order.

``count_all`` counts the moves of a hand without listing them.  ``move_at`` finds a move by its place in the list: it
lists only the kinds up to that place.
"""

from kibitz.cards.sets import highest, lowest, nth, size
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
    NONE,
    ONE_SUIT,
    PAIR,
    PAIR_SUITS,
    SAME_SUIT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPLE,
    TRIPLE_SUITS,
    cards_in,
)
from kibitz.kernel import kernel

# Moves of up to four cards


def _packed_descending(bits: int, patterns: tuple[int, ...], suits: int) -> int:
    """The patterns that ``suits`` contains, as indices plus one, in descending order, packed in ``bits`` bits each."""
    indices = [i for i, pattern in enumerate(patterns) if pattern & suits == pattern]
    return sum((i + 1) << bits * k for k, i in enumerate(reversed(indices)))


SUITS_DESCENDING = tuple(_packed_descending(3, (1, 2, 4, 8), suits) for suits in range(16))
PAIRS_DESCENDING = tuple(_packed_descending(4, PAIR_SUITS, suits) for suits in range(16))
TRIPLES_DESCENDING = tuple(_packed_descending(4, TRIPLE_SUITS, suits) for suits in range(16))


@kernel
def list_singles(hand, floor, out, n):
    """List the single cards."""
    hand &= -(1 << (floor + 1))  # the cards above the floor
    while hand:
        card = highest(hand)
        out[n] = card
        n += 1
        hand ^= 1 << card
    return n


@kernel
def values_with_two(hand):
    """The values of which there are two cards or more, each as its diamond's bit.

    Shifts bring the four suits of every value onto its diamond.  Two cards are either one half of the suits (diamond
    and club, or heart and spade) or one card of each half.
    """
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
def list_descending(base, descending, floor, out, n):
    """List the moves ``base`` plus each of the four-bit numbers in ``descending``, if they are above the floor."""
    while descending and base + (descending & 15) > floor:
        out[n] = base + (descending & 15)
        descending >>= 4
        n += 1
    return n


@kernel
def list_pairs(hand, floor, out, n):
    """List the pairs."""
    values = values_with_two(hand)
    while values:
        diamond = highest(values)
        values ^= 1 << diamond
        # - 1, since the numbers in PAIRS_DESCENDING are one too high
        n = list_descending(PAIR + 6 * (diamond >> 2) - 1, PAIRS_DESCENDING[hand >> diamond & 15], floor, out, n)
    return n


@kernel
def list_triples(hand, floor, out, n):
    """List three of a kind."""
    values = values_with_three(hand)
    while values:
        diamond = highest(values)
        values ^= 1 << diamond
        n = list_descending(TRIPLE + diamond - 1, TRIPLES_DESCENDING[hand >> diamond & 15], floor, out, n)
    return n


@kernel
def list_fours(hand, floor, out, n):
    """List four of a kind."""
    values = values_with_four(hand)
    while values:
        diamond = highest(values)
        values ^= 1 << diamond
        if FOUR + (diamond >> 2) <= floor:
            return n
        out[n] = FOUR + (diamond >> 2)
        n += 1
    return n


# Moves of five cards


MERGE_BUFFER = MOVES - 1287
"""Where in ``out`` the flushes of one suit wait to be merged: no list of moves is long enough to reach it."""
SAME_SUIT_OF_FOUR = SAME_SUIT >> 2


@kernel
def list_fives(hand, floor, fives, out, n):
    """List all moves of five cards of the kinds in ``fives`` (bits by ``moves.FIVES``)."""
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
    """The lowest values of all runs of five values in the hand, each as its diamond's bit: a value is four bits."""
    values = (hand | hand >> 1 | hand >> 2 | hand >> 3) & ONE_SUIT
    return values & values >> 4 & values >> 8 & values >> 12 & values >> 16


@kernel
def list_straights(hand, floor, out, n):
    """List the straights that are not straight flushes, from the highest to the lowest.

    The letters a to e stand for the five values from the lowest up.  ``SUITS_DESCENDING`` has the suits held of a value
    as three-bit digits, each a suit plus one, the highest first.  The number of a straight has the suits as base-four
    digits; 341 (11111 in base four) subtracts the ones again.
    """
    starts = run_starts(hand)
    while starts:
        diamond = highest(starts)
        starts ^= 1 << diamond
        base = STRAIGHT + 256 * diamond
        if base + 1023 <= floor:
            return n
        run = hand >> diamond
        all_a = SUITS_DESCENDING[run & 15]
        all_b = SUITS_DESCENDING[run >> 4 & 15]
        all_c = SUITS_DESCENDING[run >> 8 & 15]
        all_d = SUITS_DESCENDING[run >> 12 & 15]
        es = SUITS_DESCENDING[run >> 16 & 15]
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
    """List the straights that differ only in the suit of their lowest card."""
    first = base + suits
    # ``suits`` holds -1 for the lowest card, whose digit has a one to subtract; ``+ 1`` and ``// 4`` leave the higher
    # four, which are divisible by 11 11 (base four) if all are equal.
    if first >= floor and (suits + 1) // 4 % SAME_SUIT_OF_FOUR:
        # Always write four numbers, which needs no branches; those beyond the new length will be overwritten.
        out[n] = first + (lowest_suits & 7)
        out[n + 1] = first + (lowest_suits >> 3 & 7)
        out[n + 2] = first + (lowest_suits >> 6 & 7)
        out[n + 3] = first + (lowest_suits >> 9)
        return n + 1 + (lowest_suits > 7) + (lowest_suits > 63) + (lowest_suits > 511)  # three bits a suit
    while lowest_suits:
        a = lowest_suits & 7
        if first + a > floor and suits + a != SAME_SUIT * (a - 1):  # unless all five are of suit ``a - 1``
            out[n] = first + a
            n += 1
        lowest_suits >>= 3
    return n


@kernel
def list_flushes(hand, floor, out, n):
    """List the flushes that are not straight flushes."""
    first = n  # where the list of flushes begins
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
            n = merge(out, first, n, list_flushes_of(values, cards, suit, floor, out, MERGE_BUFFER))
    return n


@kernel
def list_flushes_of(values, cards, suit, floor, out, n):
    """List the flushes of one suit: ``values`` holds the values of its ``cards``, four bits each, the lowest first."""
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
                        if a - e > 4 and base_d + 4 * e > floor:  # a - e is 4 in a straight flush
                            out[n] = base_d + 4 * e
                            n += 1
    return n


@kernel
def merge(out, first, n, end):
    """Merge ``out[MERGE_BUFFER:end]`` into ``out[first:n]``, both in descending order; return the list's new length."""
    i = n - 1
    j = end - 1
    n += end - MERGE_BUFFER
    to = n - 1
    while j >= MERGE_BUFFER:
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
    """List the full houses."""
    threes = values_with_three(hand)
    while threes:
        three = highest(threes)
        threes ^= 1 << three
        all_triples = TRIPLES_DESCENDING[hand >> three & 15]
        twos = values_with_two(hand) & ~(1 << three)
        while twos:
            two = highest(twos)
            twos ^= 1 << two
            base = FULL_HOUSE + 24 * (13 * (three >> 2) + (two >> 2)) - 7  # 6 + 1: triples and pairs are one too high
            pairs = PAIRS_DESCENDING[hand >> two & 15]
            triples = all_triples
            while triples:
                n = list_descending(base + 6 * (triples & 15), pairs, floor, out, n)
                triples >>= 4
    return n


@kernel
def list_fours_and_one(hand, floor, out, n):
    """List four of a kind with any other card."""
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
    """List the straight flushes."""
    starts = hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16
    while starts:
        lowest_card = highest(starts)
        starts ^= 1 << lowest_card
        if STRAIGHT_FLUSH + lowest_card > floor:
            out[n] = STRAIGHT_FLUSH + lowest_card
            n += 1
    return n


# All moves


@kernel
def list_all(hand, fives, out):
    """List every allowed move of a hand, of all sizes."""
    n = list_singles(hand, NONE, out, 0)
    n = list_pairs(hand, NONE, out, n)
    n = list_triples(hand, NONE, out, n)
    n = list_fours(hand, NONE, out, n)
    return list_fives(hand, NONE, fives, out, n)


@kernel
def list_of_size(hand, cards, floor, fives, out, n):
    """List the allowed moves of a hand with ``cards`` cards."""
    if cards == 1:
        return list_singles(hand, floor, out, n)
    if cards == 2:
        return list_pairs(hand, floor, out, n)
    if cards == 3:
        return list_triples(hand, floor, out, n)
    return list_fours(hand, floor, out, n) if cards == 4 else list_fives(hand, floor, fives, out, n)


@kernel
def list_containing(hand, card, fives, out):
    """List every allowed move of a hand that contains ``card``, which must be in the hand.

    For each kind of move, the cards that can't be in a move with it are left out first; then the moves are listed, and
    those without the card are removed.
    """
    diamond = card & ~3
    same = hand & 15 << diamond  # the cards of its value
    at_most_four_away = (1 << min(52, diamond + 20)) - (1 << max(0, diamond - 16))  # of other values
    near = (hand ^ same | 1 << card) & at_most_four_away
    out[0] = card
    n = list_pairs(same, NONE, out, 1)
    n = list_triples(same, NONE, out, n)
    n = list_fours(same, NONE, out, n)
    n = list_fives(near, NONE, fives & 1, out, n)
    n = list_fives(hand & ONE_SUIT << (card & 3), NONE, fives & 2, out, n)
    n = list_fives(hand, NONE, fives & 12, out, n)
    n = list_fives(near & ONE_SUIT << (card & 3), NONE, fives & 16, out, n)
    length = 0
    for i in range(n):
        if cards_in(out[i]) >> card & 1:
            out[length] = out[i]
            length += 1
    return length


# Counting moves, and finding one by its number


@kernel
def count_all(hand, fives):
    """How many moves ``list_all`` lists.

    ``twos``, ``threes`` and ``fours`` count the values with that many cards or more. A value with two, three or four
    cards has 1, 3 or 6 pairs and 0, 1 or 4 triples. A full house is a pair with a triple of another value, so the
    products of one value, 3 or 24, are subtracted. A hand of 3♦ 3♣ 3♥ 4♦ 4♣ has 4 pairs and 1 triple, and 4 - 3 = 1
    full house.
    """
    cards = size(hand)
    twos = size(values_with_two(hand))
    threes = size(values_with_three(hand))
    fours = size(values_with_four(hand))
    # Of a value, the second card adds a pair; the third two pairs and a triple; the fourth three pairs, three triples
    # and the four.
    n = cards + twos + 3 * threes + 7 * fours
    if cards < 5:
        return n
    pairs = twos + 2 * threes + 3 * fours
    triples = threes + 3 * fours
    straight_flushes = size(hand & hand >> 4 & hand >> 8 & hand >> 12 & hand >> 16)
    if fives & 1:
        n += count_straights(hand) - straight_flushes
    if fives & 2:
        n += count_flushes(hand) - straight_flushes
    if fives & 4:
        n += pairs * triples - 3 * threes - 21 * fours
    if fives & 8:
        n += fours * (cards - 4)
    return n + straight_flushes if fives & 16 else n


@kernel
def count_straights(hand):
    """How many straights there are, straight flushes included."""
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
def count_flushes(hand):
    """How many flushes there are, straight flushes included."""
    n = 0
    for suit in range(4):
        n += CHOOSE_5[size(hand >> suit & ONE_SUIT)]
    return n


@kernel
def move_at(hand, fives, i, out):
    """The move at place ``i``, from 0, of those that ``list_all`` lists; ``out`` is scratch."""
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
