"""Finds a whole turn of Huxxy in about a microsecond, as a kernel: seats in simulated games play such turns.

A turn is built from five steps:

    lay_off     a hand card goes into a group
    lay_triple  three hand cards make a new group
    bridge      a card that one group can spare goes into another, which then takes a hand card
    steal       one or two hand cards make a new group with cards that groups can spare
    split_run   a hand card splits a run into two

The steps that lay the most cards per play are tried first, and nothing is undone, so the turn isn't always the best.
While the turn is built, the scratch array ``w`` has the table and the hand, after the scratch of ``plans``.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy import plans
from kibitz.games.huxxy.groups import (
    DIAMONDS,
    EVEN_CARDS,
    JOKER_BIT,
    NONE,
    ODD_CARDS,
    addable_faces,
    common_parity,
    costliest_card,
    highest_triple,
    lowest_cards,
    points,
    removable_faces,
    values_of,
    worth,
)
from kibitz.games.huxxy.search_state import SLOTS
from kibitz.kernel import kernel

ONCE = plans.SCRATCH
TWICE = ONCE + SLOTS
"""In ``w``, the two bit sets of each group (see ``groups``)."""
ADDABLE = TWICE + SLOTS
REMOVABLE = ADDABLE + SLOTS
"""In ``w``, the faces that each group can take, and those that it can spare."""
GROUPS, HAND_ONCE, HAND_TWICE, PLAYS_LEFT, LAID, POINTS = range(REMOVABLE + SLOTS, REMOVABLE + SLOTS + 6)
"""In ``w``, how many groups there are; the rest of the hand as two bit sets; how many plays are left; how many cards
have been laid, and their points."""
NEW_GROUP, FROM_HAND = range(POINTS + 1, POINTS + 3)
"""In ``w``, the three cards of the new group that ``steal`` considers best, and how many of them come from the hand."""
SCRATCH = FROM_HAND + 1


@kernel
def find_turn(s, w):
    """Build a turn of the seat to move in ``w``; return how many cards it lays, 0 if no turn is found."""
    return find_turn_of(s, w, s.player, 0)


@kernel
def find_turn_of(s, w, p, new_faces):
    """``find_turn`` for any seat, leaving out the groups that contain any of ``new_faces``."""
    w[GROUPS] = s.groups
    for g in range(s.groups):
        usable = s.group_once[g] & new_faces == 0
        w[ONCE + g] = s.group_once[g] if usable else 0
        w[TWICE + g] = s.group_twice[g] if usable else 0
        examine_group(w, g)
    w[HAND_ONCE] = s.hand_once[p]
    w[HAND_TWICE] = s.hand_twice[p]
    w[PLAYS_LEFT] = s.plays_a_turn
    w[LAID] = 0
    w[POINTS] = 0
    needed = 0 if s.opened[p] else s.opening
    while w[PLAYS_LEFT] and w[HAND_ONCE]:
        if w[POINTS] < needed and lay_triple(w):  # triples bring the most points for opening
            continue
        if lay_off(w) or lay_triple(w) or bridge(w) or steal(w) or split_run(w):
            continue
        break
    return w[LAID] if w[POINTS] >= needed else 0


@kernel
def play_turn(s, w):
    """Carry out a turn of the seat to move, which has not played yet; False if no turn is found.

    The turn isn't ended, and its plays are neither counted nor logged.
    """
    if find_turn(s, w) == 0:
        return False
    p = s.player
    s.hand_once[p] = w[HAND_ONCE]
    s.hand_twice[p] = w[HAND_TWICE]
    for g in range(w[GROUPS]):
        s.group_once[g] = w[ONCE + g]
        s.group_twice[g] = w[TWICE + g]
    s.groups = w[GROUPS]
    return True


@kernel
def examine_group(w, g):
    """Note which faces a group can take and which it can spare."""
    once = w[ONCE + g]
    twice = w[TWICE + g]
    w[ADDABLE + g] = addable_faces(once, twice)
    w[REMOVABLE + g] = removable_faces(once, twice) if size(once) + size(twice) > 3 else 0


@kernel
def lay(w, card, g):
    """Add a hand card to a group."""
    bit = 1 << card
    w[HAND_ONCE] &= w[HAND_TWICE] | ~bit  # a second copy stays
    w[HAND_TWICE] &= ~bit
    w[LAID] += 1
    w[POINTS] += points(card)
    add_to_group(w, card, g)


@kernel
def move_card(w, card, source, g):
    """Move a card from one group to another."""
    bit = 1 << card
    w[ONCE + source] &= w[TWICE + source] | ~bit  # a second copy stays
    w[TWICE + source] &= ~bit
    examine_group(w, source)
    add_to_group(w, card, g)


@kernel
def add_to_group(w, card, g):
    """Add a card to a group, which may be the next new one."""
    if g == w[GROUPS]:
        w[ONCE + g] = 0
        w[TWICE + g] = 0
        w[GROUPS] += 1
    w[PLAYS_LEFT] -= 1
    w[TWICE + g] |= w[ONCE + g] & 1 << card
    w[ONCE + g] |= 1 << card
    examine_group(w, g)


@kernel
def lay_off(w):
    """Lay the most valuable hand card that fits a group; False if none fits."""
    best_card = NONE
    target = 0
    for g in range(w[GROUPS]):
        cards = w[HAND_ONCE] & w[ADDABLE + g]
        if cards:
            card = costliest_card(cards)
            if best_card == NONE or worth(card) > worth(best_card):
                best_card = card
                target = g
    if best_card == NONE:
        return False
    lay(w, best_card, target)
    return True


@kernel
def lay_triple(w):
    """Lay the three hand cards that make the group with the most points; False if none do."""
    if w[PLAYS_LEFT] < 3:
        return False
    cards = highest_triple(w[HAND_ONCE])
    if cards == 0:
        return False
    g = w[GROUPS]
    while cards:
        lay(w, lowest(cards), g)
        cards &= cards - 1
    return True


@kernel
def bridge(w):
    """Move a card that a group can spare into another that then takes a hand card, and lay it; False if none does."""
    if w[PLAYS_LEFT] < 2:
        return False
    for source in range(w[GROUPS]):
        cards = w[REMOVABLE + source]
        while cards:
            card = lowest(cards)
            bit = cards & -cards
            cards ^= bit
            for g in range(w[GROUPS]):
                if g != source and w[ADDABLE + g] & bit:
                    once = w[ONCE + g]
                    fitting = w[HAND_ONCE] & addable_faces(once | bit, w[TWICE + g] | once & bit)
                    if fitting:
                        move_card(w, card, source, g)
                        lay(w, costliest_card(fitting), g)
                        return True
    return False


@kernel
def steal(w):
    """Make a new group of one or two hand cards and of cards that groups can spare; False if there is none."""
    if w[PLAYS_LEFT] < 3:
        return False
    available = 0
    for g in range(w[GROUPS]):
        available |= w[REMOVABLE + g]
    if available == 0:
        return False
    hand = w[HAND_ONCE]
    w[NEW_GROUP] = 0
    w[FROM_HAND] = 0
    left = hand & ~JOKER_BIT
    while left:
        bit = left & -left
        left ^= bit
        value = values_of(bit)
        note_group(w, bit | hand_first(15 * value & ~bit, hand, available, 2), hand, available)  # three of a kind
        parity = EVEN_CARDS if EVEN_CARDS & bit else ODD_CARDS
        for first in range(-2, 1):  # a run with the card last, in the middle, first; four bits are one value
            cards = bit
            for k in range(first, first + 3):
                shifted = value << 4 * k if k > 0 else value >> -4 * k
                if k:  # ``& DIAMONDS`` drops a value below the Ace or above the king
                    cards |= hand_first(15 * (shifted & DIAMONDS) & parity, hand, available, 1)
            note_group(w, cards, hand, available)
    if w[NEW_GROUP] == 0:
        return False
    g = w[GROUPS]
    from_hand = w[NEW_GROUP] & hand
    from_table = w[NEW_GROUP] & ~hand
    while from_hand:
        lay(w, lowest(from_hand), g)
        from_hand &= from_hand - 1
    while from_table:
        card = lowest(from_table)
        move_card(w, card, group_to_take_from(w, card, NONE), g)
        from_table &= from_table - 1
    return True


@kernel
def hand_first(cards, hand, available, most):
    """Up to ``most`` of some cards: first those in the hand, then those that are ``available`` on the table."""
    from_hand = lowest_cards(cards & hand, most)
    return from_hand | lowest_cards(cards & available & ~hand, most - size(from_hand))


@kernel
def note_group(w, cards, hand, available):
    """Note a new group if it lays more hand cards than the noted one; two cards get a Joker as third, if possible."""
    if size(cards) == 2:
        cards |= (hand | available) & JOKER_BIT
    lays = size(cards & hand)
    if size(cards) == 3 and lays > w[FROM_HAND] and can_take_together(w, cards & ~hand):
        w[NEW_GROUP] = cards
        w[FROM_HAND] = lays


@kernel
def can_take_together(w, cards):
    """Whether one or two cards, each of which some group can spare, can both be taken."""
    if cards & cards - 1 == 0:
        return True
    first = lowest(cards)
    cards &= cards - 1
    source = group_to_take_from(w, first, NONE)
    second = lowest(cards)
    if group_to_take_from(w, second, source) != NONE:
        return True
    bit = 1 << first
    once = w[ONCE + source] & (w[TWICE + source] | ~bit)
    twice = w[TWICE + source] & ~bit
    return size(once) + size(twice) > 3 and removable_faces(once, twice) >> second & 1 == 1


@kernel
def group_to_take_from(w, card, excluded):
    """The first group other than ``excluded`` that can spare a card; NONE if none can."""
    for g in range(w[GROUPS]):
        if g != excluded and w[REMOVABLE + g] >> card & 1:
            return g
    return NONE


@kernel
def split_run(w):
    """Split a run into two with a hand card whose value is in its middle; False if there is none.

    From 3-4-5-6-7, a second 5 makes 3-4-5 and 5-6-7. ``inner`` are the values with two more on either side (a value is
    four bits, so eight bits are two values). The shorter part moves to the new group.
    """
    if w[PLAYS_LEFT] < 3:
        return False
    for g in range(w[GROUPS]):
        once = w[ONCE + g]
        parity = common_parity(once)
        if w[TWICE + g] or parity == 0 or once & JOKER_BIT or size(once) < 5:
            continue
        values = values_of(once)
        inner = values & values >> 8 & values << 8
        cards = w[HAND_ONCE] & 15 * inner & parity
        while cards:
            bit = cards & -cards
            cards ^= bit
            first_bit = lowest(values_of(bit))  # of the four bits of the card's value
            above = once >> first_bit + 4 << first_bit + 4
            below = once & (1 << first_bit) - 1
            moved = above if size(above) <= size(below) else below
            if w[PLAYS_LEFT] > size(moved):
                new_group = w[GROUPS]
                lay(w, lowest(bit), new_group)
                while moved:
                    move_card(w, lowest(moved), g, new_group)
                    moved &= moved - 1
                return True
    return False
