"""Random games of Huxxy in which every turn can be ended; with uniformly random plays, a seat would soon concede.

    draft       a turn drawn play by play; if it doesn't reach a valid end, it is undone completely
    wild        a play drawn uniformly from all legal plays; other plays lay a card that fits, or repair a group

With probability 1 in PICK_UP_ODDS a turn picks up a card.  Otherwise up to MAX_DRAFTS drafts are made, and the turn
picks up a card if all were undone.  In a draft, one play in WILD_ODDS is wild, and if the turn can end, it does with
probability 1/2.  So every turn that can be ended has a positive probability.  The scratch array ``w`` has the plays of
the draft, and what each group can take and spare; only groups that change are examined again.
"""

from kibitz.cards.chance import randbelow
from kibitz.cards.drawing import random_card
from kibitz.cards.sets import lowest, nth, size
from kibitz.games.huxxy.actions import (
    END,
    MAX_GROUPS,
    PICK_UP,
    log_card,
    make_play,
    table_card,
    undo_play,
)
from kibitz.games.huxxy.groups import JOKER_BIT, NONE, addable_faces, is_valid, partner_faces, removable_faces
from kibitz.games.huxxy.rules import apply, deal, end_refusal
from kibitz.kernel import kernel

PICK_UP_ODDS = 16
MAX_DRAFTS = 2
WILD_ODDS = 16
ADDABLE, REMOVABLE = 0, MAX_GROUPS
"""In ``w``, by group, the faces that make or keep it valid when added, and when removed (see ``groups``)."""
INVALID = 2 * MAX_GROUPS
"""In ``w``, the groups that aren't valid, as bits."""
PLAYS = INVALID + 1
"""In ``w``, the plays of the draft, the last of which may still have to be made: card, source, target, and how many
groups there were before it."""
SCRATCH = PLAYS + 4 * 6


@kernel
def examine_group(s, w, g):
    """Note which faces a group can take and spare, and whether it is valid."""
    once = s.group_once[g]
    twice = s.group_twice[g]
    w[ADDABLE + g] = addable_faces(once, twice)
    w[REMOVABLE + g] = removable_faces(once, twice)
    w[INVALID] &= ~(1 << g)
    if not is_valid(once, twice):
        w[INVALID] |= 1 << g


@kernel
def examine_groups(s, w):
    """Examine every group."""
    w[INVALID] = 0
    for g in range(s.groups):
        examine_group(s, w, g)


@kernel
def note_play(s, w, card, source, target):
    """Note the next play of the draft; return True, for the functions that choose a play."""
    at = PLAYS + 4 * s.plays
    w[at] = card
    w[at + 1] = source
    w[at + 2] = target
    w[at + 3] = s.groups
    return True


@kernel
def random_group(s, w, sets, card, excluded):
    """A random group other than ``excluded`` whose set in ``w[sets:]`` has a card; there must be one."""
    first = randbelow(s, s.groups)
    for i in range(s.groups):
        g = first + i if first + i < s.groups else first + i - s.groups
        if g != excluded and w[sets + g] >> card & 1:
            return g
    return NONE


@kernel
def union(s, w, sets, excluded):
    """The faces that any group other than ``excluded`` has in its set in ``w[sets:]``."""
    result = 0
    for g in range(s.groups):
        if g != excluded:
            result |= w[sets + g]
    return result


@kernel
def choose_wild(s, w):
    """Choose a play uniformly from all legal plays; False if there are none.

    Pairs of a card and a target are drawn until one of them is legal.
    """
    n_hand = size(s.hand_once[s.player])
    n_table = 0
    if s.placed:
        for g in range(s.groups):
            n_table += size(s.group_once[g])
    if n_hand + n_table == 0 or (n_hand == 0 and s.groups == 0):
        return False
    while True:
        k = randbelow(s, (n_hand + n_table) * (s.groups + 1))
        target = k % (s.groups + 1)
        k //= s.groups + 1
        source = NONE
        if k < n_hand:
            card = nth(s.hand_once[s.player], k)
        else:
            source_and_face = table_card(s, k - n_hand)
            source = source_and_face >> 6
            card = source_and_face & 63
        if source != target and not s.group_once[target] & 1 << card & JOKER_BIT:
            return note_play(s, w, card, source, target)


@kernel
def choose_hand_card(s, w, left):
    """Choose a hand card for a group that it fits, or for a new group that can be completed; False if there is none."""
    hand = s.hand_once[s.player]
    fitting = hand & union(s, w, ADDABLE, NONE)
    if fitting and (left < 3 or randbelow(s, 4)):
        card = random_card(s, fitting)
        return note_play(s, w, card, NONE, random_group(s, w, ADDABLE, card, NONE))
    if left > 2 and hand:
        card = random_card(s, hand)
        above = hand >> card << card  # all hand cards are tried, from a random one on
        offered = union(s, w, REMOVABLE, NONE)
        for cards in (above, hand ^ above):
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                rest = hand ^ 1 << card | s.hand_twice[s.player] | offered
                if random_partner(s, card, rest) != NONE:
                    return note_play(s, w, card, NONE, s.groups)
    return False


@kernel
def random_partner(s, card, offered):
    """A random one of the ``offered`` faces that makes a group with a card and another offered face, or NONE."""
    tries = partner_faces(card) & offered
    if tries == 0:
        return NONE
    first = random_card(s, tries)
    above = tries >> first << first  # all are tried, from a random one on
    for cards in (above, tries ^ above):
        while cards:
            bit = cards & -cards
            cards ^= bit
            if addable_faces(1 << card | bit, 0) & offered & ~bit:
                return lowest(bit)
    return NONE


@kernel
def choose_repair(s, w, left):
    """Choose a play that repairs the first invalid group, or helps to repair it; False if none is found.

    The group gets a card that makes it valid; or a single card gets a partner; or a card that makes the group valid by
    leaving goes to a group that takes it.
    """
    g = lowest(w[INVALID])
    hand = s.hand_once[s.player]
    offered = union(s, w, REMOVABLE, g)
    repairing = w[ADDABLE + g] & (hand | offered)
    if repairing:
        return choose_source(s, w, g, random_card(s, repairing))
    once = s.group_once[g]
    if once & (once - 1) == 0 and left > 1:
        card = random_partner(s, lowest(once), hand | offered)
        if card != NONE:
            return choose_source(s, w, g, card)
    leaving = w[REMOVABLE + g] & union(s, w, ADDABLE, g)
    if leaving == 0 or s.placed == 0:
        return False
    card = random_card(s, leaving)
    return note_play(s, w, card, g, random_group(s, w, ADDABLE, card, g))


@kernel
def choose_source(s, w, g, card):
    """Choose where a card for group ``g`` comes from: the hand, or a group that can spare it."""
    in_hand = s.hand_once[s.player] >> card & 1
    on_table = union(s, w, REMOVABLE, g) >> card & 1
    if in_hand and (not on_table or randbelow(s, 2)):
        return note_play(s, w, card, NONE, g)
    return note_play(s, w, card, random_group(s, w, REMOVABLE, card, g), g)


@kernel
def choose_play(s, w):
    """Choose the next play of the draft; False if none is found."""
    if randbelow(s, WILD_ODDS) == 0:
        return choose_wild(s, w)
    left = s.plays_a_turn - s.plays
    return choose_repair(s, w, left) if w[INVALID] else choose_hand_card(s, w, left)


@kernel
def make_noted_play(s, w):
    """Make the play that was noted last."""
    at = PLAYS + 4 * s.plays
    make_play(s, w[at], w[at + 1], w[at + 2])
    examine_group(s, w, w[at + 2])
    if w[at + 1] == NONE:
        log_card(s, w[at])
    else:
        examine_group(s, w, w[at + 1])


@kernel
def undo_plays(s, w):
    """Undo all plays of the turn, the last first."""
    while s.plays:
        at = PLAYS + 4 * s.plays - 4
        undo_play(s, w[at], w[at + 1], w[at + 2], w[at + 3])
        examine_group(s, w, w[at + 2])
        if w[at + 1] == NONE:
            s.log_length -= 1
            s.log[s.log_length] = 0
        else:
            examine_group(s, w, w[at + 1])


@kernel
def draft_turn(s, w):
    """Draw a turn and make its plays, but don't end it; False, with nothing changed, if it has no valid end."""
    while True:
        can_end_now = w[INVALID] == 0 and end_refusal(s) == 0
        if s.plays == s.plays_a_turn or (can_end_now and randbelow(s, 2)) or not choose_play(s, w):
            break
        make_noted_play(s, w)
    if not can_end_now:
        undo_plays(s, w)
    return can_end_now


@kernel
def end_turn(s, w):
    """End the turn; the notes on a group move with it when empty groups are removed."""
    number = 0
    for g in range(s.groups):
        if s.group_once[g]:
            w[ADDABLE + number] = w[ADDABLE + g]
            w[REMOVABLE + number] = w[REMOVABLE + g]
            number += 1
    apply(s, END)


@kernel
def play_turn(s, w):
    """Play one turn; return its number of actions.  All groups must have been examined."""
    drafts = 0 if randbelow(s, PICK_UP_ODDS) == 0 else MAX_DRAFTS
    while drafts:
        drafts -= 1
        if draft_turn(s, w):
            actions = s.plays + 1
            end_turn(s, w)
            return actions
    apply(s, PICK_UP)
    return 1


@kernel
def playout(s, w):
    """Play from the beginning of a turn to the end of the game with random turns; return the number of actions."""
    examine_groups(s, w)
    steps = 0
    while not s.over:
        steps += play_turn(s, w)
    return steps


@kernel
def playouts(states, w, steps, key, first, last):
    """Deal and play games ``first`` to ``last - 1`` in ``states[0]``; write their numbers of actions into ``steps``."""
    s = states[0]
    for i in range(first, last):
        deal(s, key, 0, i & 0xFFFFFFFF, i >> 32)
        steps[i] = playout(s, w)
