"""Single plays of Huxxy: their numbers, and what they do to the cards (rule sheet "huxxy", A turn is one of).

    action      PICK_UP, END and CONCEDE; ``PLAY + 41 * face + group`` puts a hand card to a group, ``MOVE + 41 * card
                + group`` moves one that lies on the table
    card        a table card's number: the table's faces are counted group by group, the lowest first, copies once
    group       its number on the table; the one after the last is a new group

A group that loses its last card keeps its number until the turn ends, and only then is removed.
"""

from kibitz.cards.sets import nth, size
from kibitz.games.huxxy.groups import add, points, remove
from kibitz.kernel import kernel

NONE = -1
SLOTS = 41
"""Groups of three or more make at most 35 of 106 cards; a turn adds six at most."""
PICK_UP, END, CONCEDE, PLAY = range(4)
MOVE = PLAY + 53 * SLOTS
ACTIONS = MOVE + 106 * SLOTS


@kernel
def source_of(s, card):
    """The group of a table card by its number in an action, as ``64 * group + face``, or NONE."""
    for g in range(s.groups):
        here = size(s.group_once[g])
        if card < here:
            return 64 * g + nth(s.group_once[g], card)
        card -= here
    return NONE


@kernel
def carry(s, card, source, group):
    """Put a card from a group, or from the mover's hand (NONE), to a group."""
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
def put_back(s, card, source, group, groups):
    """Take back the last play; ``groups`` is how many there were before it."""
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
def write(s, face):
    """Add a hand card played, or a pick-up, to the log."""
    s.log[s.logged] = 64 * s.player + face
    s.logged += 1
