"""Sets of cards as bit masks.

    set     an int whose bit ``c`` says that card ``c`` (0..51) is in it; two packs are two such ints

All bits stay below bit 62, so the same source works for Python ints and for signed 64-bit machine words.
"""

from kibitz.kernel import kernel

FULL_PACK = (1 << 52) - 1


@kernel
def size(cards):
    """The number of cards in a set."""
    return cards.bit_count()


@kernel
def lowest(cards):
    """The lowest card of a non-empty set."""
    low = cards & -cards  # the lowest set bit: 0b1011000 gives 0b1000
    return low.bit_length() - 1


@kernel
def highest(cards):
    """The highest card of a non-empty set."""
    return cards.bit_length() - 1


@kernel
def nth(cards, n):
    """The card of a set that has exactly ``n`` cards of the set below it, found by bisection."""
    card = 0
    width = 32
    while width:
        low = cards & ((1 << width) - 1)  # the lower half of the bits
        below = size(low)
        if n >= below:  # the card is in the upper half
            n -= below
            card += width
            cards >>= width
        else:
            cards = low
        width >>= 1
    return card


@kernel
def at_places(cards, places):
    """The cards of a set at ``places``, given as bits; the lowest card is at place 0.

    >>> bin(at_places(0b1011000, 0b101))  # the lowest card and the third
    '0b1001000'
    """
    found = 0
    while places:
        if places & 1:
            found |= cards & -cards
        cards &= cards - 1  # without the lowest card
        places >>= 1
    return found


@kernel
def unpack(cards, out):
    """Write the cards of a set into ``out``, lowest first; return how many."""
    n = 0
    while cards:
        out[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n
