"""Scores in cribbage: the show and the play (``rules.md``).

    rank        0 (Ace) to 12 (King); pairs and runs depend on it
    value       what a card adds to a count: 1 for an Ace to 9 for a nine; 10 for tens, Jacks, Queens and Kings
    run         three or more successive ranks, Ace low
    nob         a Jack in the hand, of the starter's suit

In the play, the latest cards make a run in any order, but not if a card between them doesn't belong to it or repeats a
rank.  A pack has four cards of each rank, so the number of cards of a rank fits into a nibble (four bits).
"""

from kibitz.cards.sets import FULL_PACK, lowest, size
from kibitz.kernel import kernel

MAX_COUNT = 31
"""The highest count."""
FIFTEEN = 15
SUM_NIBBLES = (1 << 60) - 1
"""The bits of fifteen nibbles: nibble n counts the sets of cards that add up to n, for 0 to 14."""
ONE_SUIT = sum(1 << 4 * rank for rank in range(13))
"""The cards of suit 0 as a set."""
JACK = 10
FLUSH = 4
"""A flush needs at least this many cards of a suit; it scores a point for each card."""


@kernel
def value_of(card):
    """The value that a card adds to a count.

    >>> value_of(0), value_of(51)
    (1, 10)
    """
    rank = card >> 2
    return rank + 1 if rank < 9 else 10


@kernel
def cards_up_to(value):
    """The set of all cards whose value is at most ``value``."""
    if value <= 0:
        return 0
    return (1 << 4 * value) - 1 if value < 10 else FULL_PACK  # four cards of each rank below


@kernel
def rank_points(cards):
    """The points for fifteens, pairs and runs among up to five cards, given as a set.

    >>> rank_points(0b1111 << 16)  # four fives: four fifteens and six pairs
    20
    """
    points = 0
    sums = 1  # nibble n: how many sets of the cards so far add up to n; at first only the empty set, to 0
    counts = 0  # nibble r: how many cards of rank r there are so far
    ranks = 0  # bit r: whether there is a card of rank r
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        rank = card >> 2
        value = value_of(card)
        points += 2 * (sums >> 4 * (FIFTEEN - value) & 15)  # each set that lacks just this value becomes a fifteen
        sums += (sums & SUM_NIBBLES >> 4 * value) << 4 * value  # each set that stays below 15, with this card added
        points += 2 * (counts >> 4 * rank & 15)  # a pair with each earlier card of the rank
        counts += 1 << 4 * rank
        ranks |= 1 << rank
    return points + run_points(ranks, counts)


@kernel
def run_points(ranks, counts):
    """The points for the longest run among at most five cards, times the number of sets of cards that make it."""
    starts = ranks & ranks >> 1 & ranks >> 2  # the ranks that two more follow
    if not starts:
        return 0
    rank = lowest(starts)
    length = 0
    ways = 1
    while ranks >> rank & 1:
        ways *= counts >> 4 * rank & 15
        length += 1
        rank += 1
    return length * ways


@kernel
def suit_points(hand, starter, crib):
    """The points for flush and nob in a hand or, with ``crib`` 1, in a crib, where a flush needs the starter too."""
    nob = hand >> (4 * JACK + (starter & 3)) & 1  # whether the Jack of the starter's suit is held
    n = size(hand)
    suit = lowest(hand) & 3
    if n < FLUSH or hand & ~(ONE_SUIT << suit):
        return nob
    if starter & 3 == suit:
        return nob + n + 1
    return nob if crib else nob + n


@kernel
def show_points(hand, starter, crib):
    """The score of the set ``hand`` with the starter; ``crib`` is 1 for a crib, else 0."""
    return rank_points(hand | 1 << starter) + suit_points(hand, starter, crib)


@kernel
def same_rank_count(played, first, last):
    """How many of the latest cards of a count, ``played[first:last]``, have the rank of the last one; 1 if no pair."""
    n = 1
    while last - n > first and played[last - n - 1] >> 2 == played[last - 1] >> 2:
        n += 1
    return n


@kernel
def run_length(played, first, last):
    """The length of the longest run that the latest cards of ``played[first:last]`` make, in any order, or 0."""
    longest = 0
    ranks = 0
    i = last
    while i > first:
        i -= 1
        bit = 1 << (played[i] >> 2)
        if ranks & bit:
            break
        ranks |= bit
        # Adding the lowest bit of a solid block, as in 0b0111, carries past all of it: 0b1000.
        if last - i >= 3 and (ranks + (ranks & -ranks)) & ranks == 0:
            longest = last - i
    return longest


@kernel
def play_points(played, first, last, count):
    """The score of the card just played: ``played[first:last]`` are the cards of this count, ``count`` their sum."""
    n = same_rank_count(played, first, last)
    points = n * (n - 1) + run_length(played, first, last)
    return points + 2 if count == FIFTEEN or count == MAX_COUNT else points
