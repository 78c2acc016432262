"""Kernels that look up the strengths of many hands in a table of 217 KB, built by ``bulk.py``.

    counts      how many cards of each value a hand has: four bits per value, Aces lowest, as cards are numbered
    key         ``counts * FACTOR`` modulo 2**62, of which the top 26 bits tell all counts of 5 to 7 cards apart
    slot        the index in the table of the strength of a hand's counts: ``rows[row of its key] + column of its key``
    suits       how many cards of each suit, four bits per suit
    rows        ROWS offsets, chosen so that the slots of a row's columns fall between those that other rows use
    strengths   by slot, the strength of a hand with the slot's counts, without a flush

Keys add up.  The key of a hand is the sum of the keys of its cards (modulo 2**62), so a loop over boards adds one
number per card instead of looking at the hand again; ``key_of`` does the same for a set.
"""

from kibitz.cards.sets import FULL_PACK, lowest, size
from kibitz.games.poker.hands.ranking import SPREAD_RANKS, aces_high, gather_bits, strength_of_flush, strength_of_ranks
from kibitz.kernel import kernel

FACTOR = 0xECDDD7611F7A47B
"""A number found by search; building the table fails if two counts share a key."""
KEYS = (1 << 62) - 1
KEY_BITS = 26
COLUMN_BITS = 12
ROWS = 1 << (KEY_BITS - COLUMN_BITS)
COLUMNS = 1 << COLUMN_BITS
WORD = 31
"""How many bits of ``used`` each integer holds: two neighbouring integers then fit into 62 bits."""

BITS_OF_TWO, BITS_OF_FOUR = 0x5555555555555, 0x3333333333333
DIAMONDS, CLUBS, HEARTS, SPADES = SPREAD_RANKS, SPREAD_RANKS << 1, SPREAD_RANKS << 2, SPREAD_RANKS << 3
THREE_EACH, EIGHTS = 0x3333, 0x8888
"""Four bits for each suit: counts that begin at three reach the bit of eight with the fifth card, a flush."""


@kernel
def key_of(cards):
    """The key of a set of cards.

    The bits of each value are counted in place, as in the usual population count, first in pairs and then in fours:
    ``1011`` (three suits of a value) becomes ``01 10`` (one and two), then ``0011``.
    """
    counts = cards - (cards >> 1 & BITS_OF_TWO)
    counts = (counts & BITS_OF_FOUR) + (counts >> 2 & BITS_OF_FOUR)
    return counts * FACTOR & KEYS


@kernel
def row_of(key):
    """The row of a key, or of a sum of keys."""
    return (key & KEYS) >> (62 - KEY_BITS + COLUMN_BITS)


@kernel
def column_of(key):
    """The column of a key, or of a sum of keys."""
    return key >> (62 - KEY_BITS) & COLUMNS - 1


@kernel
def suits_of(cards):
    """The numbers of diamonds, clubs, hearts and spades in a set, four bits each."""
    return size(cards & DIAMONDS) | size(cards & CLUBS) << 4 | size(cards & HEARTS) << 8 | size(cards & SPADES) << 12


@kernel
def flush_strength(cards):
    """The strength of the flush in a set of cards, 0 for none."""
    cards = aces_high(cards)
    for suit in range(4):
        if size(cards >> suit & SPREAD_RANKS) > 4:
            return strength_of_flush(gather_bits(cards >> suit & SPREAD_RANKS))
    return 0


@kernel
def has_flush(cards):
    """Whether five or more cards of a set are of one suit."""
    return (
        (size(cards & DIAMONDS) > 4)
        | (size(cards & CLUBS) > 4)
        | (size(cards & HEARTS) > 4)
        | (size(cards & SPADES) > 4)
    )


# The table is read inline, since a function call with arrays as arguments costs as much as looking up a hand.


@kernel
def evaluate_slice(hands, first, last, rows, strengths, out):
    """Write the strengths of ``hands[first:last]``, sets of 5 to 7 cards; return the index of an invalid set, or -1."""
    for i in range(first, last):
        cards = hands[i]
        n = size(cards & FULL_PACK)
        if cards >> 52 or n < 5 or n > 7:
            return i
        if has_flush(cards):
            out[i] = flush_strength(cards)
        else:
            key = key_of(cards)
            out[i] = strengths[rows[row_of(key)] + column_of(key)]
    return -1


@kernel
def evaluate_counts(counts, first, last, out):
    """Write the strengths of hands with ``counts[first:last]``, without a flush.

    A count from 1 to 4 is one of the bit patterns 001, 010, 011 and 100.  It is at least one if any bit is set, at
    least two if bit 1 or 2 is, at least three if bits 0 and 1 are or bit 2 is, and four if bit 2 is.
    """
    for i in range(first, last):
        count = aces_high(counts[i])
        ones = (count | count >> 1 | count >> 2) & SPREAD_RANKS
        twos = (count >> 1 | count >> 2) & SPREAD_RANKS
        threes = (count & count >> 1 | count >> 2) & SPREAD_RANKS
        fours = count >> 2 & SPREAD_RANKS
        out[i] = strength_of_ranks(gather_bits(ones), gather_bits(twos), gather_bits(threes), gather_bits(fours))


@kernel
def place_rows(columns, unplaced, starts, order, n, used, rows, strengths):
    """Fill the table and return its length.

    Row ``r`` has ``columns[starts[r]:starts[r + 1]]``, in ascending order, and the strengths at the same indices of
    ``unplaced``; ``order`` lists the ``n`` rows that are not empty, the longest first.  Each gets the first offset at
    which all its slots are free; ``used`` has a bit for every slot.
    """
    free = 0
    length = 0
    for i in range(n):
        row = order[i]
        first = starts[row]
        last = starts[row + 1]
        while used[free // WORD] >> free % WORD & 1:
            free += 1
        offset = first_fit(columns, first, last, max(free - columns[first], 0), used)
        for k in range(first, last):
            slot = offset + columns[k]
            used[slot // WORD] |= 1 << slot % WORD
            strengths[slot] = unplaced[k]
        rows[row] = offset
        length = max(length, offset + columns[last - 1] + 1)
    return length


@kernel
def first_fit(columns, first, last, offset, used):
    """The first offset from ``offset`` on at which a row needs no used slot; WORD offsets are tried at once.

    Bit j of ``blocked`` says that the row can't begin at ``offset + j``: for each column, the used slots from
    ``offset + column`` on are moved down to bit 0 and collected.  The first bit that stays 0 gives the answer.
    """
    while True:
        blocked = 0
        for k in range(first, last):
            slot = offset + columns[k]
            word = slot // WORD
            blocked |= (used[word] | used[word + 1] << WORD) >> slot % WORD
        blocked &= (1 << WORD) - 1
        if blocked + 1 < 1 << WORD:
            return offset + lowest(~blocked & (1 << WORD) - 1)
        offset += WORD
