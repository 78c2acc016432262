"""The strength of a poker hand of five, six or seven cards, as one integer.

    cards       a set of 5 to 7 cards of one pack (bit ``c`` for card ``c``)
    strength    1..7462, higher is better, equal for hands that tie: one for each class of five-card hands
    category    0..8: high card, pair, two pair, three, straight, flush, full house, four, straight flush
    rank        0..12 for deuce to Ace; Aces are high and count below the deuce in a straight only
    ranks       a set of ranks as 13 bits
    spread      a set of ranks as bits 0, 4, 8 ... 48, as the cards of one suit are in a set of cards
    order       the index of a set of ranks among all sets of its size, sorted by highest rank, then the next

A-2-3-4-5 is the lowest straight, below 2-3-4-5-6.  A royal flush is the best straight flush, 7462.
"""

from math import comb
from struct import pack

from kibitz.cards.sets import size
from kibitz.kernel import kernel

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
BEST_STRENGTH = 7462

SPREAD_RANKS = 0x1111111111111
"""All thirteen ranks, spread."""
ALL_RANKS = 0x1FFF
FIRST_STRENGTH = (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453)
"""The lowest strength of each category; they have 1277, 2860, 858, 858, 10, 1277, 156, 156 and 10 strengths."""
(HIGH_CARDS, PAIRS, TWO_PAIRS, THREES, STRAIGHTS, FLUSHES, FULL_HOUSES, FOURS, STRAIGHT_FLUSHES) = FIRST_STRENGTH


def straight_of(ranks: int) -> int:
    """1..10 for the best straight in a set of ranks, from A-2-3-4-5 to T-J-Q-K-A; 0 for none."""
    low = ranks << 1 | ranks >> 12  # the Ace below the deuce too
    return (low & low >> 1 & low >> 2 & low >> 3 & low >> 4).bit_length()


def orders_of_highest(n: int, width: int) -> list[int]:
    """For every set of ranks below ``width``, the order of its ``n`` highest ranks (of all if it has fewer)."""
    result = [0]
    for ranks in range(1, 1 << width):
        count, top = ranks.bit_count(), ranks.bit_length() - 1
        if count > n:
            result.append(result[ranks & ranks - 1])  # the same without the lowest rank
        else:  # of the sets of this size, comb(top, count) have only lower ranks than ``top``
            result.append(result[ranks ^ 1 << top] + comb(top, count))
    return result


def orders_without_straights() -> list[int]:
    """For every set of ranks, the order of its five highest among the 1277 sets of five that aren't straights."""
    result = []
    for ranks, order in enumerate(orders_of_highest(5, 13)):
        top = max(ranks.bit_length() - 1, 4)
        straights_below = top - 4 + (top == 12)  # A-2-3-4-5 is the lowest with an Ace
        result.append(max(order - straights_below, 0))
    return result


# Tables are bytes: their items are plain ints in Python, and the compiler treats them as constants.
BEST_STRAIGHT = bytes(map(straight_of, range(1 << 13)))
HIGHEST = bytes(orders_of_highest(1, 13))
HIGHEST_TWO = bytes(orders_of_highest(2, 12))
HIGHEST_THREE = bytes(orders_of_highest(3, 12))
HIGHEST_FIVE = pack("<8192H", *orders_without_straights())
"""Two bytes each, the lower first."""


@kernel
def aces_high(cards):
    """A set of cards with the Aces moved above the Kings."""
    return cards >> 4 | (cards & 15) << 48


@kernel
def gather_bits(spread):
    """A spread set of ranks (every fourth bit) as 13 bits: neighbours are moved together, then pairs, fours, eights."""
    spread = (spread | spread >> 3) & 0x3030303030303
    spread = (spread | spread >> 6) & 0xF000F000F000F
    spread = (spread | spread >> 12) & 0xFF000000FF
    return (spread | spread >> 24) & ALL_RANKS


@kernel
def highest_rank(ranks):
    """The highest of a non-empty set of ranks."""
    return 0 + HIGHEST[ranks]  # the compiler reads bytes as uint8, and the sum is an int64


@kernel
def without_rank(ranks, rank):
    """A set of ranks without one rank; the ranks above it move down by one."""
    return ranks & (1 << rank) - 1 | ranks >> (rank + 1) << rank


@kernel
def strength_of_flush(ranks):
    """The strength of the best five of one suit."""
    straight = BEST_STRAIGHT[ranks]
    if straight:
        return STRAIGHT_FLUSHES - 1 + straight
    return FLUSHES + order_of_highest_five(ranks)


@kernel
def order_of_highest_five(ranks):
    """The order of the five highest of a set of ranks without a straight, 0..1276."""
    return HIGHEST_FIVE[2 * ranks] + 256 * HIGHEST_FIVE[2 * ranks + 1]


@kernel
def strength(cards):
    """The strength of the best five of a set of 5, 6 or 7 cards: 1 (7-5-4-3-2) to 7462 (royal flush)."""
    cards = aces_high(cards)
    diamonds = cards & SPREAD_RANKS
    clubs = cards >> 1 & SPREAD_RANKS
    hearts = cards >> 2 & SPREAD_RANKS
    spades = cards >> 3 & SPREAD_RANKS
    # Beside a flush at most two of seven cards are of other suits; four of a kind or a full house would need three.
    if size(diamonds) > 4:
        return strength_of_flush(gather_bits(diamonds))
    if size(clubs) > 4:
        return strength_of_flush(gather_bits(clubs))
    if size(hearts) > 4:
        return strength_of_flush(gather_bits(hearts))
    if size(spades) > 4:
        return strength_of_flush(gather_bits(spades))
    ones = gather_bits(diamonds | clubs | hearts | spades)
    twos = diamonds & clubs | hearts & spades | (diamonds | clubs) & (hearts | spades)
    if not twos:
        return strength_of_ranks(ones, 0, 0, 0)
    threes = diamonds & clubs & (hearts | spades) | hearts & spades & (diamonds | clubs)
    return strength_of_ranks(
        ones, gather_bits(twos), gather_bits(threes), gather_bits(diamonds & clubs & hearts & spades)
    )


@kernel
def strength_of_ranks(ones, twos, threes, fours):
    """The strength without a flush, from the ranks held at least once, twice, three and four times.

    Each rank is multiplied by the number of possible sets of kickers: 12 with one kicker, 66 with two, 220 with three,
    and 11 for each two pair.
    """
    if fours:
        rank = highest_rank(fours)
        return FOURS + 12 * rank + highest_rank(without_rank(ones, rank))
    if threes:
        rank = highest_rank(threes)
        pairs = without_rank(twos, rank)
        if pairs:
            return FULL_HOUSES + 12 * rank + highest_rank(pairs)
    straight = BEST_STRAIGHT[ones]
    if straight:
        return STRAIGHTS - 1 + straight
    if not twos:
        return HIGH_CARDS + order_of_highest_five(ones)
    if threes:
        return THREES + 66 * rank + HIGHEST_TWO[without_rank(ones, rank)]
    rank = highest_rank(twos)
    lower_pairs = twos & ~(1 << rank)
    if lower_pairs:
        low = highest_rank(lower_pairs)
        kickers = without_rank(without_rank(ones, rank), low)
        return TWO_PAIRS + 11 * (rank * (rank - 1) // 2 + low) + highest_rank(kickers)
    return PAIRS + 220 * rank + HIGHEST_THREE[without_rank(ones, rank)]


@kernel
def category(strength):
    """0..8 for high card to straight flush."""
    result = 0
    while result < 8 and strength >= FIRST_STRENGTH[result + 1]:
        result += 1
    return result


@kernel
def best_five(cards):
    """Five of 5, 6 or 7 cards, as a set, with the strength of the whole hand; equal hands give the same five.

    Every card, or every pair of seven cards, is left out in turn: the lowest of ``first`` and the lowest of ``second``.
    """
    target = strength(cards)
    first = cards
    while first:
        without_first = cards & ~(first & -first)
        if size(cards) == 5:
            return cards
        if size(cards) == 6:
            if strength(without_first) == target:
                return without_first
        else:
            second = without_first & ~((first & -first) - 1)
            while second:
                five = without_first & ~(second & -second)
                if strength(five) == target:
                    return five
                second &= second - 1
        first &= first - 1
    return 0
