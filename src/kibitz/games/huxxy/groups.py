"""Groups of Huxxy as sets of cards, and single plays (``rules.md``).

    face            a number: 0..51 for a card, 52 (JOKER) for the Joker; the two copies of a card have one face
    pair of sets    a hand, a group or the stock holds every face at most twice, so it is two bit sets: ``once`` has
                    the faces that are there, ``twice`` those that are there twice; ``twice`` is a part of ``once``
    parity          whether a card's value and colour add up to an even or an odd number (the sets EVEN and ODD): from
                    one card of a run to the next, value and colour both change, so all its cards have one parity
    points          what a card counts towards the opening turn: a Joker 0
    worth           what a card counts in hand at the end: a Joker 48

The empty group is valid.

    action      PICK_UP, END and CONCEDE; ``PLAY + 41 * face + group`` puts a hand card to a group, ``MOVE + 41 * card
                + group`` moves one that lies on the table
    card        a table card's number: the table's faces are counted group by group, the lowest first, and two copies
                in one group count as one
    group       its number on the table; the one after the last is a new group

A group that loses its last card keeps its number until the turn ends, and only then is removed.
"""

from kibitz.cards.sets import FULL_PACK, lowest, nth, size
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
    """A card's points towards the opening turn."""
    return 0 if card == JOKER else (card >> 2) + 1


@kernel
def worth(card):
    """A card's cost to the seat that is left with it."""
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
    """Whether a group is empty, a run or N of a kind; a Joker in it may stand for any card not there twice.

    A run is checked by addition: each value fills its four bits of ``block``, and adding the lowest bit carries through
    successive values into the first missing one.  For 3-4-5 (``1111 1111 1111``, eight bits up) the carry ends at the
    6, above the block: there is no gap.  For 3-4-6 it ends at the 5, below the 6: that is the gap to fill.
    """
    if once == 0:
        return True
    real = once & FULL_PACK
    jokers = once >> JOKER
    cards = size(once) + size(twice)
    if cards < 3 or twice >> JOKER:
        return False
    values = values_of(real)
    if values & (values - 1) == 0:  # one value: N of a kind
        suits = size(real)
        if cards < 5:
            return twice == 0
        return cards < 9 and suits + jokers > 3
    if twice or (real & EVEN and real & ODD) or size(values) != size(real):  # a value twice, or colours don't alternate
        return False
    block = 15 * values
    low = values & -values
    gap = (block + low) & ~block
    if jokers == 0 or block == FULL_PACK:  # no Joker, or no value left for it
        return jokers == 0 and gap & (gap - 1) == 0 and (gap > block)
    if gap > block:  # no gap: the Joker goes to an end
        return True
    block |= 15 * (gap & -gap)  # it fills the first gap, and there must not be another
    gap = (block + low) & ~block
    return gap > block


# Single plays


NONE = -1
MAX_GROUPS = 41
"""More groups than a table can have: 106 cards make at most 35 of three or more, and a turn adds at most six."""
PICK_UP, END, CONCEDE, PLAY = range(4)
MOVE = PLAY + 53 * MAX_GROUPS
ACTIONS = MOVE + 106 * MAX_GROUPS


@kernel
def table_card(s, card):
    """The table card with a number in an action, as ``64 * group + face``; NONE if there is none."""
    for g in range(s.groups):
        here = size(s.group_once[g])
        if card < here:
            return 64 * g + nth(s.group_once[g], card)
        card -= here
    return NONE


@kernel
def make_play(s, card, source, group):
    """Move a card from the group ``source``, or from the mover's hand (NONE), to ``group``, as a play."""
    if source == NONE:
        remove(s.hand_once, s.hand_twice, s.player, card)
        s.placed += 1
        s.points += points(card)
    else:
        remove(s.group_once, s.group_twice, source, card)
    if group == s.groups:
        s.groups += 1
    add(s.group_once, s.group_twice, group, card)
    s.plays += 1


@kernel
def undo_play(s, card, source, group, groups):
    """Undo the last play, given by the same numbers; ``groups`` is how many groups there were before it."""
    s.plays -= 1
    remove(s.group_once, s.group_twice, group, card)
    s.groups = groups
    if source == NONE:
        add(s.hand_once, s.hand_twice, s.player, card)
        s.placed -= 1
        s.points -= points(card)
    else:
        add(s.group_once, s.group_twice, source, card)


@kernel
def log_card(s, face):
    """Add a card played from the mover's hand to the log, or a pick-up (the face PICKED of ``rules``)."""
    s.log[s.logged] = 64 * s.player + face
    s.logged += 1
