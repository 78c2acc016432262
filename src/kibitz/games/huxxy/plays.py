"""Single plays of Huxxy: their numbers, and what they do to the cards (rule sheet "huxxy", A turn is one of).

    action      PICK_UP, END and CONCEDE; ``PLAY + 41 * face + group`` puts a hand card to a group, ``MOVE + 41 * card
                + group`` moves one that lies on the table
    card        a table card's number: the table's faces are counted group by group, the lowest first, copies once
    group       its number on the table; the one after the last is a new group
    log         every card played from a hand, ``64 * seat + face``

The surprising rule: a group that loses its last card keeps its number until the turn ends, and only then is removed.
"""

from kibitz.cards.sets import nth, size
from kibitz.games.huxxy.groups import JOKER_BIT, points
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
def list_goals(s, out, n, card, source, action):
    """Add every group that a card may go to; return the new number of actions."""
    joker = 1 << card & JOKER_BIT
    for group in range(s.groups + 1):
        if group == source or (joker and group < s.groups and s.group_once[group] & joker):
            continue
        out[n] = action + group
        n += 1
    return n


@kernel
def carry(s, card, source, group):
    """Put a card from a group, or from the mover's hand (NONE), to a group."""
    p = s.player
    bit = 1 << card
    if source == NONE:
        if s.hand_twice[p] & bit:
            s.hand_twice[p] ^= bit
        else:
            s.hand_once[p] ^= bit
        s.placed += 1
        s.points += points(card)
    elif s.group_twice[source] & bit:
        s.group_twice[source] ^= bit
    else:
        s.group_once[source] ^= bit
    if group == s.groups:
        s.groups += 1
    if s.group_once[group] & bit:
        s.group_twice[group] |= bit
    else:
        s.group_once[group] |= bit
    s.plays += 1


@kernel
def write(s, face):
    """Add a hand card played, or a pick-up, to the log."""
    s.log[s.logged] = 64 * s.player + face
    s.logged += 1


@kernel
def tidy(s):
    """Remove the empty groups."""
    kept = 0
    for g in range(s.groups):
        if s.group_once[g]:
            s.group_once[kept] = s.group_once[g]
            s.group_twice[kept] = s.group_twice[g]
            kept += 1
    for g in range(kept, s.groups):
        s.group_once[g] = 0
        s.group_twice[g] = 0
    s.groups = kept
