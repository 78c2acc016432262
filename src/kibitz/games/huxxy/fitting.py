"""What one play makes of a group of Huxxy (rule sheet "huxxy", Groups on the table and Bonus game).

    fitting     the faces that make a group valid, or leave it so, when one of them is added
    spare       the faces that make a group valid, or leave it so, when one of them is taken off
    partners    the faces that can stand in one group of three with a face, a third face allowing

Each answer is a set of faces, found by a few operations on the group's sets in place of a try of every face.  A card
that is the whole of its group is spare, for the empty group is valid.
"""

from kibitz.cards.sets import FULL_PACK, size
from kibitz.games.huxxy.groups import EVEN, JOKER, JOKER_BIT, ODD, is_valid, values_of
from kibitz.kernel import kernel


@kernel
def fitting(once, twice):
    """The faces one of which, added to a group, makes or leaves it valid; one card alone is never a group."""
    cards = size(once) + size(twice)
    if cards < 2 or twice >> JOKER:
        return 0
    if once >> JOKER:
        return fitting_joker(once, twice)
    values = values_of(once)
    joker = JOKER_BIT if is_valid(once | JOKER_BIT, twice) else 0
    if values & (values - 1) == 0:
        suits = size(once)
        if cards < 4:
            return joker | (0 if twice else 15 * values ^ once)
        if suits == 4:
            return joker | 15 * values & ~twice
        return joker | (15 * values ^ once if suits == 3 else 0)
    side = one_class(once)
    if twice or side == 0 or size(values) != cards:
        return joker
    low = values & -values
    block = 15 * values
    gap = (block + low) & ~block
    rest = block | 15 * (gap & -gap)
    if gap & (gap - 1) == 0 and gap > block:
        return joker | (gap * 15 | (low >> 4) * 15) & side
    return joker | (15 * (gap & -gap) & side if (rest + low) & ~rest > rest else 0)


@kernel
def fitting_joker(once, twice):
    """The same for a group that has its Joker: by a try of every face that might."""
    values = values_of(once & FULL_PACK)
    side = one_class(once & FULL_PACK)
    tries = side if twice == 0 else 0
    if values & (values - 1) == 0:
        tries |= 15 * values & ~twice
    found = 0
    while tries:
        bit = tries & -tries
        tries ^= bit
        if is_valid(once | bit, twice | once & bit):
            found |= bit
    return found


@kernel
def one_class(cards):
    """The class that all these cards are in, as a set, or 0."""
    if cards & ODD == 0:
        return EVEN
    return 0 if cards & EVEN else ODD


@kernel
def spare(once, twice):
    """The faces one of which, taken off a group, makes or leaves it valid."""
    found = 0
    tries = once
    while tries:
        bit = tries & -tries
        tries ^= bit
        if is_valid(once ^ bit & ~twice, twice & ~bit):
            found |= bit
    return found


@kernel
def partners(card):
    """The faces that can stand in one group of three with a face: those of its value, and near it in its class."""
    if card == JOKER:
        return FULL_PACK
    bit = 1 << card
    side = EVEN if EVEN & bit else ODD
    value = card & 60
    window = (1 << value + 12) - 1 & ~((1 << (value - 8 if value > 8 else 0)) - 1)
    return (window & FULL_PACK & side & ~(15 << value) | 15 << value) & ~bit | JOKER_BIT
