"""The actions of Huxxy, which are single plays, and how plays are made and undone (``rules.md``).

    action      PICK_UP, END and CONCEDE; ``PLAY + MAX_GROUPS * face + group`` adds a hand card to a group, and
                ``MOVE + MAX_GROUPS * card + group`` moves a table card to a group
    card        a table card's number: the faces on the table are counted group by group, the lowest first; two copies
                in one group count as one
    group       a group's number on the table; the next number after the last group makes a new one

A group that loses its last card keeps its number, and is removed when the turn ends.
"""

from kibitz.cards.chance import randbelow
from kibitz.cards.sets import nth, size
from kibitz.games.huxxy.groups import NONE, add, points, remove
from kibitz.kernel import kernel

MAX_GROUPS = 41
"""More groups than a table can have: 106 cards make at most 35 of three or more, and a turn adds at most six."""
PICK_UP, END, CONCEDE, PLAY = range(4)
MOVE = PLAY + 53 * MAX_GROUPS
ACTIONS = MOVE + 106 * MAX_GROUPS
PICK_UP_FACE = 63
"""In the log, the face that stands for a pick-up."""


@kernel
def table_card(s, card):
    """The table card with a number in an action, as ``64 * group + face``; NONE if there is none."""
    for g in range(s.groups):
        n_faces = size(s.group_once[g])
        if card < n_faces:
            return 64 * g + nth(s.group_once[g], card)
        card -= n_faces
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
    """Undo the last play, given as in ``make_play``; ``groups`` is how many groups there were before it."""
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
    """Add a card played from the mover's hand to the log, or a pick-up (PICK_UP_FACE)."""
    s.log[s.log_length] = 64 * s.player + face
    s.log_length += 1


@kernel
def pick_up(s, seat):
    """Move a uniformly random card of the stock, which must not be empty, into a hand."""
    singles = size(s.stock_once)
    i = randbelow(s, singles + size(s.stock_twice))
    card = nth(s.stock_once, i) if i < singles else nth(s.stock_twice, i - singles)
    s.stock_once &= s.stock_twice | ~(1 << card)
    s.stock_twice &= ~(1 << card)
    add(s.hand_once, s.hand_twice, seat, card)
