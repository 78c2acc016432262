"""The strength of a hand with jokers, which stand for the best cards.

    joker       stands for any card of its colour that is not in the hand and that no other joker stands for
    black, red  how many jokers of each colour, 0 to 2; with the other cards 5, 6 or 7 in all
    cards       the other cards, as a set
    any, two    of each colour: the ranks of which the hand has at least one card, and those of which it has both

No card comes twice, so five of a kind is impossible, and a black joker doesn't help a pair of black sixes: the third
six would have to be red.  For two groups of equal cards, such as a full house, every way to split the jokers between
them is tried: ``b`` black and ``r`` red ones for the first group, and the rest for the second.
"""

from kibitz.cards.sets import FULL_PACK, highest, size
from kibitz.games.poker.hands.ranking import (
    ALL_RANKS,
    FLUSHES,
    FOURS,
    FULL_HOUSES,
    HIGHEST_THREE,
    HIGHEST_TWO,
    PAIRS,
    SPREAD_RANKS,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    THREES,
    TWO_PAIRS,
    aces_high,
    gather_bits,
    highest_rank,
    order_of_highest_five,
    strength,
    without_rank,
)
from kibitz.kernel import kernel

MAX_JOKERS = 2
"""The maximum number of jokers of each colour."""
BLACK_CARDS = 0b1010 * SPREAD_RANKS
RED_CARDS = 0b0101 * SPREAD_RANKS
"""A rank's four bits are diamond, club, heart and spade, the lowest first; ``SPREAD_RANKS`` has the diamonds."""


@kernel
def wild_strength(cards, black, red):
    """The greatest strength that the jokers can give the hand (``ranking.strength``)."""
    if black + red == 0:
        return strength(cards)
    cards = aces_high(cards)
    diamonds = gather_bits(cards & SPREAD_RANKS)
    clubs = gather_bits(cards >> 1 & SPREAD_RANKS)
    hearts = gather_bits(cards >> 2 & SPREAD_RANKS)
    spades = gather_bits(cards >> 3 & SPREAD_RANKS)
    best = max(
        max(best_flush(diamonds, red), best_flush(hearts, red)),
        max(best_flush(clubs, black), best_flush(spades, black)),
    )
    if best >= FULL_HOUSES:
        return best
    return max(best, without_flush(clubs | spades, clubs & spades, diamonds | hearts, diamonds & hearts, black, red))


@kernel
def best_flush(ranks, jokers):
    """The strength of the best flush in one suit with this many jokers, 0 for none."""
    if size(ranks) + jokers < 5:
        return 0
    straights = straights_with(ranks, jokers)
    if straights:
        return STRAIGHT_FLUSHES + highest_rank(straights)
    for _ in range(jokers):
        ranks |= 1 << highest_rank(ALL_RANKS & ~ranks)
    return FLUSHES + order_of_highest_five(ranks)


@kernel
def straights_with(ranks, jokers):
    """The straights that jokers complete: bit 0 for A-2-3-4-5 up to bit 9 for T-J-Q-K-A."""
    # All ten windows of five successive ranks are counted at once: bit n of a to e is the 1st to 5th rank of window n.
    a = ranks << 1 | ranks >> 12
    b = a >> 1
    c = a >> 2
    d = a >> 3
    e = a >> 4
    odd = a ^ b ^ c
    pairs = a & b | c & (a | b)
    others = odd & d | e & (odd | d)
    odd ^= d ^ e
    # Each window holds odd + 2 * (pairs + others) of its five ranks, where all three are bits: five needs all three,
    # four needs pairs and others, three needs these two or one of them with odd, and so on.
    if jokers == 0:
        return odd & pairs & others & 0x3FF
    if jokers == 1:
        return pairs & others & 0x3FF
    if jokers == 2:
        return (pairs & others | odd & (pairs | others)) & 0x3FF
    if jokers == 3:
        return (pairs | others) & 0x3FF
    return (a | b | c | d | e) & 0x3FF


@kernel
def without_flush(black_any, black_two, red_any, red_two, black, red):
    """The greatest strength without a flush."""
    ones = black_any | red_any
    fours = both_of_colour(black_any, black_two, black) & both_of_colour(red_any, red_two, red)
    if fours:
        rank = highest_rank(fours)
        held = count_of_rank(rank, black_any, black_two, red_any, red_two)
        kickers = ones if held + black + red == 4 else ALL_RANKS
        return FOURS + 12 * rank + highest_rank(without_rank(kickers, rank))
    threes = ranks_with_three(black_any, black_two, red_any, red_two, black, red)
    if threes and may_be_full_house(black_any, black_two, red_any, red_two, black + red):
        result = best_full_house(black_any, black_two, red_any, red_two, black, red)
        if result:
            return result
    straights = straights_with(ones, black + red)
    if straights:
        return STRAIGHTS + highest_rank(straights)
    if threes:  # every joker is used: it would make a pair of any card, and so a full house
        rank = highest_rank(threes)
        return THREES + 66 * rank + HIGHEST_TWO[without_rank(ones, rank)]
    return best_pairs(black_any, black_two, red_any, red_two, black, red)


@kernel
def may_be_full_house(black_any, black_two, red_any, red_two, jokers):
    """Whether the hand may make a full house: with one joker it needs two pair or three of a kind, with two a pair."""
    twos = black_two | red_two | black_any & red_any
    if jokers == 1:
        return (twos & (twos - 1) | black_two & red_any | black_any & red_two) != 0
    return twos != 0 or jokers > 2


@kernel
def best_full_house(black_any, black_two, red_any, red_two, black, red):
    """The strength of the best full house, 0 for none."""
    ranks = 0
    for b in range(black + 1):
        for r in range(red + 1):
            pairs = ranks_with_two(black_any, black_two, red_any, red_two, black - b, red - r)
            ranks |= ranks_with_three(black_any, black_two, red_any, red_two, b, r) & ranks_apart_from(pairs)
    if not ranks:
        return 0
    rank = highest_rank(ranks)
    low = 0
    for b in range(black + 1):
        for r in range(red + 1):
            if ranks_with_three(black_any, black_two, red_any, red_two, b, r) >> rank & 1:
                low |= ranks_with_two(black_any, black_two, red_any, red_two, black - b, red - r)
    return FULL_HOUSES + 12 * rank + highest_rank(without_rank(low, rank))


@kernel
def best_pairs(black_any, black_two, red_any, red_two, black, red):
    """The strength of the best two pair, or of the pair that a joker makes of any card."""
    ones = black_any | red_any
    ranks = 0
    for b in range(black + 1):
        for r in range(red + 1):
            pairs = ranks_with_two(black_any, black_two, red_any, red_two, black - b, red - r)
            ranks |= ranks_with_two(black_any, black_two, red_any, red_two, b, r) & ranks_apart_from(pairs)
    if not ranks:
        rank = highest_rank(ranks_with_two(black_any, black_two, red_any, red_two, black, red))
        return PAIRS + 220 * rank + HIGHEST_THREE[without_rank(ones, rank)]
    rank = highest_rank(ranks)
    ranks = 0
    for b in range(black + 1):
        for r in range(red + 1):
            if ranks_with_two(black_any, black_two, red_any, red_two, b, r) >> rank & 1:
                ranks |= ranks_with_two(black_any, black_two, red_any, red_two, black - b, red - r)
    low = highest_rank(ranks & ~(1 << rank))
    held = count_of_rank(rank, black_any, black_two, red_any, red_two)
    held += count_of_rank(low, black_any, black_two, red_any, red_two)
    kickers = ones if held + black + red == 4 else ALL_RANKS
    return (
        TWO_PAIRS + 11 * (rank * (rank - 1) // 2 + low) + highest_rank(without_rank(without_rank(kickers, rank), low))
    )


@kernel
def ranks_apart_from(pairs):
    """The ranks that leave ``pairs`` a rank: all but the only one, if there is only one, and none if there is none."""
    if pairs & (pairs - 1):
        return ALL_RANKS
    return ALL_RANKS & ~pairs if pairs else 0


@kernel
def count_of_rank(rank, black_any, black_two, red_any, red_two):
    """How many cards of a rank the hand holds."""
    return (black_any >> rank & 1) + (black_two >> rank & 1) + (red_any >> rank & 1) + (red_two >> rank & 1)


@kernel
def both_of_colour(any_, two, jokers):
    """The ranks of which the hand and ``jokers`` jokers make both cards of a colour (``any`` and ``two`` above)."""
    if jokers == 0:
        return two
    return any_ if jokers == 1 else ALL_RANKS


@kernel
def ranks_with_three(black_any, black_two, red_any, red_two, black, red):
    """The ranks of which the hand and the jokers make three cards."""
    black_two = both_of_colour(black_any, black_two, black)
    red_two = both_of_colour(red_any, red_two, red)
    return black_two & (ALL_RANKS if red else red_any) | red_two & (ALL_RANKS if black else black_any)


@kernel
def ranks_with_two(black_any, black_two, red_any, red_two, black, red):
    """The ranks of which the hand and the jokers make two cards."""
    both = (ALL_RANKS if black else black_any) & (ALL_RANKS if red else red_any)
    return both | both_of_colour(black_any, black_two, black) | both_of_colour(red_any, red_two, red)


@kernel
def replace_jokers(cards, black, red):
    """The set of cards in which each joker has become the card that gives the hand its greatest strength."""
    target = wild_strength(cards, black, red)
    while black + red:
        free = aces_high((BLACK_CARDS if black else RED_CARDS) & ~cards)
        if black:
            black -= 1
        else:
            red -= 1
        card = aces_low(1 << highest(free))
        while wild_strength(cards | card, black, red) < target:
            free &= ~aces_high(card)
            card = aces_low(1 << highest(free))
        cards |= card
    return cards


@kernel
def aces_low(cards):
    """The inverse of ``aces_high``."""
    return cards << 4 & 0xFFFFFFFFFFFF0 | cards >> 48


@kernel
def evaluate_wild_slice(hands, black, red, first, last, out):
    """Write the strengths of ``hands[first:last]`` with their jokers; return the index of an invalid one, or -1."""
    for i in range(first, last):
        cards = hands[i]
        n = size(cards & FULL_PACK) + black[i] + red[i]
        if cards >> 52 or n < 5 or n > 7 or black[i] < 0 or black[i] > MAX_JOKERS or red[i] < 0 or red[i] > MAX_JOKERS:
            return i
        out[i] = wild_strength(cards, black[i], red[i])
    return -1
