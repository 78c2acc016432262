"""Random games of Huxxy in which every turn can be ended; with uniformly random plays, a seat would soon concede.

There are two kinds of them.  The first draws whole turns:

    draft       a turn drawn play by play; if it doesn't reach a valid end, it is undone completely
    wild        a play drawn uniformly from all legal ones; the other plays lay cards that fit, or repair a group

With probability 1 in PICK_UP_ODDS a turn picks up; otherwise up to MAX_DRAFTS drafts are made, and the turn picks up if
all were undone.  In a draft, one play in WILD_ODDS is wild; if the turn can end, it does with probability 1/2.  So
every turn that can be ended has a positive probability.  What a group can take and spare is noted from turn to turn,
and only groups that change are examined again.

The second draws single plays, uniformly from all sound ones:

    sound       an action after which the turn can still be ended; picking up and ending are always sound

Legal actions are drawn until a sound one comes up.  This takes a search at every play, and a thousand times as long.
"""

from kibitz.cards.chance import below
from kibitz.cards.drawing import one_of
from kibitz.cards.sets import lowest, nth, size
from kibitz.games.huxxy.actions import (
    CONCEDE,
    END,
    MAX_GROUPS,
    MOVE,
    PICK_UP,
    PLAY,
    log_card,
    make_play,
    table_card,
    undo_play,
)
from kibitz.games.huxxy.groups import JOKER_BIT, NONE, addable, is_valid, partners, removable
from kibitz.games.huxxy.rules import apply, deal, end_refusal, legal
from kibitz.games.huxxy.search_state import ANY, GROUPS, HAND_ONCE, HAND_TWICE, ONCE, TWICE
from kibitz.games.huxxy.turn_search import solve
from kibitz.kernel import kernel

# Whole turns


PICK_UP_ODDS = 16
MAX_DRAFTS = 2
WILD_ODDS = 16
ADDABLE, REMOVABLE = 0, MAX_GROUPS
"""By group: the faces that make or keep it valid when added, and when removed."""
INVALID = 2 * MAX_GROUPS
"""The groups that aren't valid, as bits."""
PLAYS = INVALID + 1
"""The plays of the draft, the last of which may still have to be made: card, source, target, and how many groups there
were before it."""
SCRATCH = PLAYS + 4 * 6


@kernel
def examine_group(s, w, g):
    """Note what one play could do for a group, and whether it is valid."""
    once = s.group_once[g]
    twice = s.group_twice[g]
    w[ADDABLE + g] = addable(once, twice)
    w[REMOVABLE + g] = removable(once, twice)
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
    """Note the next play of the draft; always true."""
    at = PLAYS + 4 * s.plays
    w[at] = card
    w[at + 1] = source
    w[at + 2] = target
    w[at + 3] = s.groups
    return True


@kernel
def random_group(s, w, places, card, excluded):
    """A random group other than ``excluded`` whose set in ``w[places:]`` has a card; there must be one."""
    first = below(s, s.groups)
    for i in range(s.groups):
        g = first + i if first + i < s.groups else first + i - s.groups
        if g != excluded and w[places + g] >> card & 1:
            return g
    return NONE


@kernel
def union(s, w, places, excluded):
    """The faces in any of the sets in ``w[places:]``, except that of the group ``excluded``."""
    result = 0
    for g in range(s.groups):
        if g != excluded:
            result |= w[places + g]
    return result


@kernel
def choose_wild(s, w):
    """Choose a play uniformly among all legal ones; false if there are none."""
    held = size(s.hand_once[s.player])
    laid = 0
    if s.placed:
        for g in range(s.groups):
            laid += size(s.group_once[g])
    if held + laid == 0 or (held == 0 and s.groups == 0):
        return False
    while True:
        k = below(s, (held + laid) * (s.groups + 1))
        target = k % (s.groups + 1)
        k //= s.groups + 1
        source = NONE
        if k < held:
            card = nth(s.hand_once[s.player], k)
        else:
            source_and_face = table_card(s, k - held)
            source = source_and_face >> 6
            card = source_and_face & 63
        if source != target and not s.group_once[target] & 1 << card & JOKER_BIT:
            return note_play(s, w, card, source, target)


@kernel
def choose_first(s, w, left):
    """Choose a hand card for a group it fits, or for a new group that can be completed; false if there is none."""
    hand = s.hand_once[s.player]
    fits = hand & union(s, w, ADDABLE, NONE)
    if fits and (left < 3 or below(s, 4)):
        card = one_of(s, fits)
        return note_play(s, w, card, NONE, random_group(s, w, ADDABLE, card, NONE))
    if left > 2 and hand:
        card = one_of(s, hand)
        above = hand >> card << card
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
    tries = partners(card) & offered
    if tries == 0:
        return NONE
    first = one_of(s, tries)
    above = tries >> first << first
    for cards in (above, tries ^ above):
        while cards:
            bit = cards & -cards
            cards ^= bit
            if addable(1 << card | bit, 0) & offered & ~bit:
                return lowest(bit)
    return NONE


@kernel
def choose_repair(s, w, left):
    """Choose a play that repairs the first invalid group, or helps to; false if none is found."""
    b = lowest(w[INVALID])
    hand = s.hand_once[s.player]
    offered = union(s, w, REMOVABLE, b)
    wanted = w[ADDABLE + b]
    if wanted & (hand | offered):
        return choose_bringing(s, w, b, one_of(s, wanted & (hand | offered)))
    once = s.group_once[b]
    if once & (once - 1) == 0 and left > 1:
        card = random_partner(s, lowest(once), hand | offered)
        if card != NONE:
            return choose_bringing(s, w, b, card)
    out = w[REMOVABLE + b] & union(s, w, ADDABLE, b)
    if out == 0 or s.placed == 0:
        return False
    card = one_of(s, out)
    return note_play(s, w, card, b, random_group(s, w, ADDABLE, card, b))


@kernel
def choose_bringing(s, w, b, card):
    """Choose the play that brings a card to group ``b``, from the hand or from a group that can spare it."""
    held = s.hand_once[s.player] >> card & 1
    laid = union(s, w, REMOVABLE, b) >> card & 1
    if held and (not laid or below(s, 2)):
        return note_play(s, w, card, NONE, b)
    return note_play(s, w, card, random_group(s, w, REMOVABLE, card, b), b)


@kernel
def choose_play(s, w):
    """Choose the next play of the draft; false if none is found."""
    if below(s, WILD_ODDS) == 0:
        return choose_wild(s, w)
    left = s.plays_a_turn - s.plays
    return choose_repair(s, w, left) if w[INVALID] else choose_first(s, w, left)


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
            s.logged -= 1
            s.log[s.logged] = 0
        else:
            examine_group(s, w, w[at + 1])


@kernel
def draft_turn(s, w):
    """Draw a turn and make its plays, all but the end; false, with nothing changed, if it has no valid end."""
    while True:
        ends = w[INVALID] == 0 and end_refusal(s) == 0
        if s.plays == s.plays_a_turn or (ends and below(s, 2)) or not choose_play(s, w):
            break
        make_noted_play(s, w)
    if not ends:
        undo_plays(s, w)
    return ends


@kernel
def end_turn(s, w):
    """End the turn; the notes on the groups move with them."""
    kept = 0
    for g in range(s.groups):
        if s.group_once[g]:
            w[ADDABLE + kept] = w[ADDABLE + g]
            w[REMOVABLE + kept] = w[REMOVABLE + g]
            kept += 1
    apply(s, END)


@kernel
def play_turn(s, w):
    """Play one turn; return how many actions it had.  The groups must have been examined."""
    drafts = 0 if below(s, PICK_UP_ODDS) == 0 else MAX_DRAFTS
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
    """Play ``s`` from the beginning of a turn to the end of the game with random turns; return how many actions."""
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


# Single plays


@kernel
def load_search(s, w):
    """Write the table and the mover's hand into a state of ``turn_search``."""
    for g in range(s.groups):
        w[ONCE + g] = s.group_once[g]
        w[TWICE + g] = s.group_twice[g]
    w[GROUPS] = s.groups
    w[HAND_ONCE] = s.hand_once[s.player]
    w[HAND_TWICE] = s.hand_twice[s.player]


@kernel
def can_end(s, w):
    """Whether the seat to move can end a turn with plays from here."""
    load_search(s, w)
    min_points = 0 if s.opened[s.player] else s.opening - s.points
    return solve(w, ANY, s.plays_a_turn - s.plays, 1 - (s.placed > 0), min_points, 1, 0)


@kernel
def is_sound(s, a, w):
    """Whether a legal action leaves the turn one that can be ended, or ends it."""
    if a < PLAY:
        return a != CONCEDE
    target = (a - PLAY) % MAX_GROUPS
    groups = s.groups
    if a < MOVE:
        source = NONE
        card = (a - PLAY) // MAX_GROUPS
    else:
        source_and_face = table_card(s, (a - MOVE) // MAX_GROUPS)
        source = source_and_face >> 6
        card = source_and_face & 63
    make_play(s, card, source, target)
    sound = can_end(s, w) != 0
    undo_play(s, card, source, target, groups)
    return sound


@kernel
def choose_sound(s, out, w):
    """A uniformly random sound action."""
    n = legal(s, out)
    if s.plays == 0 and not can_end(s, w):
        return PICK_UP
    while True:
        a = out[below(s, n)]
        if is_sound(s, a, w):
            return a


@kernel
def sound_playout(s, out, w):
    """Play ``s`` to its end with random sound actions; return how many."""
    steps = 0
    while not s.over:
        apply(s, choose_sound(s, out, w))
        steps += 1
    return steps


@kernel
def sound_playouts(states, out, w, steps, key, first, last):
    """Deal and play games ``first`` to ``last - 1`` in ``states[0]``; write their numbers of actions into ``steps``."""
    s = states[0]
    for i in range(first, last):
        deal(s, key, 0, i & 0xFFFFFFFF, i >> 32)
        steps[i] = sound_playout(s, out, w)
