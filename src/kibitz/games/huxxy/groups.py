"""Groups of Huxxy as sets of cards (rule sheet "huxxy", Groups on the table and Bonus game).

    pair of sets    a hand, a group or the stock holds every card at most twice, so it is two bit sets: ``once`` has
                    the faces that are there, ``twice`` those that are there a second time; ``twice`` lies in ``once``
    face            0..51 a card, JOKER 52; the two copies of a face are the same card here
    class           all cards whose value and colour add up to an even (or an odd) number: neighbours of a run are in
                    one class, which is how colours alternate
    points          what a card counts towards the opening turn: a Joker 0
    worth           what a card counts in hand at the end: a Joker 48

The empty group is valid.
"""

from kibitz.cards.sets import FULL_PACK, lowest, size
from kibitz.kernel import kernel

JOKER = 52
JOKER_BIT = 1 << JOKER
JOKER_WORTH = 48
EVEN = sum(1 << card for card in range(52) if not (card >> 2) + card & 1)
ODD = FULL_PACK ^ EVEN
ACES = FULL_PACK // 15
"""The first suit of every value: one bit in each group of four."""


@kernel
def add(once, twice, i, card):
    """Add a card to pair ``i`` of two arrays of sets."""
    twice[i] |= once[i] & 1 << card
    once[i] |= 1 << card


@kernel
def remove(once, twice, i, card):
    """Take a card, which must be there, out of pair ``i`` of two arrays of sets."""
    once[i] &= twice[i] | ~(1 << card)
    twice[i] &= ~(1 << card)


@kernel
def points(card):
    """What a card counts towards the opening turn."""
    return 0 if card == JOKER else (card >> 2) + 1


@kernel
def worth(card):
    """What a card costs who is left with it."""
    return JOKER_WORTH if card == JOKER else (card >> 2) + 1


@kernel
def total_worth(once, twice):
    """The worth of all cards in a pair of sets."""
    total = 0
    for cards in (once, twice):
        while cards:
            total += worth(lowest(cards))
            cards &= cards - 1
    return total


@kernel
def values_of(cards):
    """The values in a set without Jokers, as one bit in each group of four."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3) & ACES


@kernel
def is_valid(once, twice):
    """Whether a group is empty, a run or N of a kind; a Joker in it may stand for any card not there twice."""
    if once == 0:
        return True
    real = once & FULL_PACK
    jokers = once >> JOKER
    cards = size(once) + size(twice)
    if cards < 3 or twice >> JOKER:
        return False
    values = values_of(real)
    if values & (values - 1) == 0:
        suits = size(real)
        if cards < 5:
            return twice == 0
        return cards < 9 and suits + jokers > 3
    if twice or (real & EVEN and real & ODD) or size(values) != size(real):
        return False
    block = 15 * values
    low = values & -values
    gap = (block + low) & ~block
    if jokers == 0 or block == FULL_PACK:
        return jokers == 0 and gap & (gap - 1) == 0 and (gap > block)
    if gap > block:
        return True
    block |= 15 * (gap & -gap)
    gap = (block + low) & ~block
    return gap > block
