"""Random games of Huxxy in which every turn can be ended; uniformly random plays would soon have to concede.

    draft       a turn drawn play by play; if it doesn't reach a valid end, it is undone completely
    wild        a play drawn uniformly from all legal ones; the other plays repair the table
    bad         a group that isn't valid; the first one is repaired next

A turn picks up with chance 1 in IDLE; otherwise it makes up to DRAFTS drafts, and picks up if all were undone.  In a
draft, one play in WILD is wild, and if the turn can end it does with chance 1/2.  So every turn that can be ended has a
positive probability.  ``sound`` draws every single play uniformly from all that lead to an end, which takes a search at
every play and a thousand times as long.

What a group needs is kept from turn to turn (``fitting``), and only groups that change are examined again.

    sound       a play after which the turn can still be ended; picking up and ending are always sound

An action is drawn uniformly from all sound ones by rejection: from the legal ones, until a sound one comes up.
If the chances need not be equal, ``drawing`` is a thousand times as fast.
"""

from kibitz.cards.chance import below
from kibitz.cards.drawing import one_of
from kibitz.cards.sets import lowest, nth, size
from kibitz.games.huxxy.fitting import fitting, partners, spare
from kibitz.games.huxxy.groups import (
    CONCEDE,
    END,
    JOKER_BIT,
    MOVE,
    NONE,
    PICK_UP,
    PLAY,
    SLOTS,
    carry,
    is_valid,
    put_back,
    source_of,
    write,
)
from kibitz.games.huxxy.rules import apply, deal, legal, refused_end
from kibitz.games.huxxy.turns import solve
from kibitz.games.huxxy.work import ANY, GROUPS, HAND_ONCE, HAND_TWICE, ONCE, TWICE
from kibitz.kernel import kernel

# Whole turns


IDLE = 16
DRAFTS = 2
WILD = 16
FITS, SPARES = 0, SLOTS
"""By group: the faces that make it valid when one is added, and when one is taken off."""
BAD = 2 * SLOTS
PLAYED = BAD + 1
"""The plays of the draft (the last one may only be chosen): card, source, goal and how many groups were there."""
DRAFT = PLAYED + 4 * 6


@kernel
def judge(s, w, g):
    """Note what one play could do for a group, and whether it is bad."""
    once = s.group_once[g]
    twice = s.group_twice[g]
    w[FITS + g] = fitting(once, twice)
    w[SPARES + g] = spare(once, twice)
    w[BAD] &= ~(1 << g)
    if not is_valid(once, twice):
        w[BAD] |= 1 << g


@kernel
def survey(s, w):
    """Judge every group."""
    w[BAD] = 0
    for g in range(s.groups):
        judge(s, w, g)


@kernel
def choose(s, w, card, source, goal):
    """Note a play."""
    at = PLAYED + 4 * s.plays
    w[at] = card
    w[at + 1] = source
    w[at + 2] = goal
    w[at + 3] = s.groups
    return True


@kernel
def any_place(s, w, places, card, but):
    """A random group other than ``but`` whose set at ``places`` has a card; there must be one."""
    first = below(s, s.groups)
    for i in range(s.groups):
        g = first + i if first + i < s.groups else first + i - s.groups
        if g != but and w[places + g] >> card & 1:
            return g
    return NONE


@kernel
def together(s, w, places, but):
    """All faces in the sets at ``places`` of all groups other than ``but``."""
    found = 0
    for g in range(s.groups):
        if g != but:
            found |= w[places + g]
    return found


@kernel
def find_wild(s, w):
    """Choose uniformly among all legal plays."""
    held = size(s.hand_once[s.player])
    laid = 0
    if s.placed:
        for g in range(s.groups):
            laid += size(s.group_once[g])
    if held + laid == 0 or (held == 0 and s.groups == 0):
        return False
    while True:
        k = below(s, (held + laid) * (s.groups + 1))
        goal = k % (s.groups + 1)
        k //= s.groups + 1
        source = NONE
        if k < held:
            card = nth(s.hand_once[s.player], k)
        else:
            found = source_of(s, k - held)
            source = found >> 6
            card = found & 63
        if source != goal and not s.group_once[goal] & 1 << card & JOKER_BIT:
            return choose(s, w, card, source, goal)


@kernel
def find_first(s, w, left):
    """Choose a play while no group is bad: a hand card to a group it fits, or to a new one that can be filled."""
    hand = s.hand_once[s.player]
    fits = hand & together(s, w, FITS, NONE)
    if fits and (left < 3 or below(s, 4)):
        card = one_of(s, fits)
        return choose(s, w, card, NONE, any_place(s, w, FITS, card, NONE))
    if left > 2 and hand:
        card = one_of(s, hand)
        above = hand >> card << card
        offered = together(s, w, SPARES, NONE)
        for cards in (above, hand ^ above):
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                rest = hand ^ 1 << card | s.hand_twice[s.player] | offered
                if mate(s, card, rest) != NONE:
                    return choose(s, w, card, NONE, s.groups)
    return False


@kernel
def mate(s, card, offered):
    """A random face that together with a third of those offered makes a group with a card, or NONE."""
    tries = partners(card) & offered
    if tries == 0:
        return NONE
    first = one_of(s, tries)
    above = tries >> first << first
    for cards in (above, tries ^ above):
        while cards:
            bit = cards & -cards
            cards ^= bit
            if fitting(1 << card | bit, 0) & offered & ~bit:
                return lowest(bit)
    return NONE


@kernel
def find_repair(s, w, left):
    """Choose a play that repairs the first bad group, or helps to; false if none is found."""
    b = lowest(w[BAD])
    hand = s.hand_once[s.player]
    offered = together(s, w, SPARES, b)
    wanted = w[FITS + b]
    if wanted & (hand | offered):
        return bring(s, w, b, one_of(s, wanted & (hand | offered)))
    once = s.group_once[b]
    if once & (once - 1) == 0 and left > 1:
        card = mate(s, lowest(once), hand | offered)
        if card != NONE:
            return bring(s, w, b, card)
    out = w[SPARES + b] & together(s, w, FITS, b)
    if out == 0 or s.placed == 0:
        return False
    card = one_of(s, out)
    return choose(s, w, card, b, any_place(s, w, FITS, card, b))


@kernel
def bring(s, w, b, card):
    """Choose to bring a card to group ``b``, from the hand or from a group that can spare it."""
    held = s.hand_once[s.player] >> card & 1
    laid = together(s, w, SPARES, b) >> card & 1
    if held and (not laid or below(s, 2)):
        return choose(s, w, card, NONE, b)
    return choose(s, w, card, any_place(s, w, SPARES, card, b), b)


@kernel
def find(s, w):
    """Choose the next play of the draft; false if none is found."""
    if below(s, WILD) == 0:
        return find_wild(s, w)
    left = s.plays_a_turn - s.plays
    return find_repair(s, w, left) if w[BAD] else find_first(s, w, left)


@kernel
def carry_out(s, w):
    """Make the chosen play."""
    at = PLAYED + 4 * s.plays
    carry(s, w[at], w[at + 1], w[at + 2])
    judge(s, w, w[at + 2])
    if w[at + 1] == NONE:
        write(s, w[at])
    else:
        judge(s, w, w[at + 1])


@kernel
def take_back(s, w):
    """Undo all plays of the turn, the last first."""
    while s.plays:
        at = PLAYED + 4 * s.plays - 4
        put_back(s, w[at], w[at + 1], w[at + 2], w[at + 3])
        judge(s, w, w[at + 2])
        if w[at + 1] == NONE:
            s.logged -= 1
            s.log[s.logged] = 0
        else:
            judge(s, w, w[at + 1])


@kernel
def draft(s, w):
    """Draw a turn and make its plays, all but the end; false, with nothing changed, if it has no valid end."""
    while True:
        ends = w[BAD] == 0 and refused_end(s) == 0
        if s.plays == s.plays_a_turn or (ends and below(s, 2)) or not find(s, w):
            break
        carry_out(s, w)
    if not ends:
        take_back(s, w)
    return ends


@kernel
def end(s, w):
    """End the turn; the notes on the groups move with them."""
    kept = 0
    for g in range(s.groups):
        if s.group_once[g]:
            w[FITS + kept] = w[FITS + g]
            w[SPARES + kept] = w[SPARES + g]
            kept += 1
    apply(s, END)


@kernel
def turn(s, w):
    """Play one turn; return how many actions it had.  The groups must have been judged."""
    drafts = 0 if below(s, IDLE) == 0 else DRAFTS
    while drafts:
        drafts -= 1
        if draft(s, w):
            actions = s.plays + 1
            end(s, w)
            return actions
    apply(s, PICK_UP)
    return 1


@kernel
def playout(s, w):
    """Play ``s``, which is at the beginning of a turn, to its end with random whole turns; return its actions."""
    survey(s, w)
    steps = 0
    while not s.over:
        steps += turn(s, w)
    return steps


@kernel
def playouts(states, w, steps, key, first, last):
    """Deal and play games ``first`` to ``last - 1`` in ``states[0]``; their lengths go to ``steps``."""
    s = states[0]
    for i in range(first, last):
        deal(s, key, 0, i & 0xFFFFFFFF, i >> 32)
        steps[i] = playout(s, w)


# Single plays


@kernel
def load(s, w):
    """Write the table and the mover's hand into a work array."""
    for g in range(s.groups):
        w[ONCE + g] = s.group_once[g]
        w[TWICE + g] = s.group_twice[g]
    w[GROUPS] = s.groups
    w[HAND_ONCE] = s.hand_once[s.player]
    w[HAND_TWICE] = s.hand_twice[s.player]


@kernel
def can_end(s, w):
    """Whether the mover can end a turn on the table from here."""
    load(s, w)
    need = 0 if s.opened[s.player] else s.opening - s.points
    return solve(w, ANY, s.plays_a_turn - s.plays, 1 - (s.placed > 0), need, 1, 0)


@kernel
def is_sound(s, a, w):
    """Whether a legal action leaves the turn one that can be ended, or ends it."""
    if a < PLAY:
        return a != CONCEDE
    goal = (a - PLAY) % SLOTS
    groups = s.groups
    if a < MOVE:
        source = NONE
        card = (a - PLAY) // SLOTS
    else:
        found = source_of(s, (a - MOVE) // SLOTS)
        source = found >> 6
        card = found & 63
    carry(s, card, source, goal)
    sound = can_end(s, w) != 0
    put_back(s, card, source, goal, groups)
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
    """Deal and play games ``first`` to ``last - 1`` in ``states[0]``; their lengths go to ``steps``."""
    s = states[0]
    for i in range(first, last):
        deal(s, key, 0, i & 0xFFFFFFFF, i >> 32)
        steps[i] = sound_playout(s, out, w)
