"""Sets of cards as bit masks: the one module with 64-bit set arithmetic.

    set     an int whose bit ``c`` says that card ``c`` (0..51) is in it; two packs are two such ints

Everything stays below bit 62, so the same source is right on Python ints and on signed 64-bit machine words.
"""

from kibitz.kernel import kernel

FULL_PACK = (1 << 52) - 1


@kernel
def size(cards):
    """The number of cards in a set."""
    n = 0
    while cards:
        cards &= cards - 1
        n += 1
    return n


@kernel
def lowest(cards):
    """The lowest card of a non-empty set: how many zero bits lie below its first one bit."""
    bit = cards & -cards
    n = 0
    if bit >> 32:
        n += 32
        bit >>= 32
    if bit >> 16:
        n += 16
        bit >>= 16
    if bit >> 8:
        n += 8
        bit >>= 8
    if bit >> 4:
        n += 4
        bit >>= 4
    if bit >> 2:
        n += 2
        bit >>= 2
    return n + (bit >> 1)


@kernel
def nth(cards, n):
    """The card with exactly ``n`` cards of the set below it."""
    while n:
        cards &= cards - 1
        n -= 1
    return lowest(cards)


@kernel
def unpack(cards, out):
    """Write the cards of a set into ``out``, lowest first; return how many."""
    n = 0
    while cards:
        out[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n
