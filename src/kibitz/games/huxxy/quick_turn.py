"""A whole turn of Huxxy found quickly, as a kernel: how imagined seats play, in about a microsecond.

    turn        the table and the hand while the turn is built: groups as pairs of sets, what each takes and spares
    fit         a hand card goes into a group
    triple      three hand cards make a new group
    bridge      a card that one group spares goes into another, which then takes a hand card
    steal       one or two hand cards make a new group with cards that groups spare
    split       a hand card splits a run into two

Steps that lay the most cards per play come first, and nothing is undone, so the turn isn't always the best one.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy import plans, work
from kibitz.games.huxxy.fitting import few, fitting, highest_card, highest_triple, one_class, spare
from kibitz.games.huxxy.groups import ACES, EVEN, JOKER_BIT, NONE, ODD, points, values_of, worth
from kibitz.kernel import kernel

ONCE = plans.SCRATCH
TWICE = ONCE + work.SLOTS
TAKES = TWICE + work.SLOTS
SPARES = TAKES + work.SLOTS
GROUPS, HAND_ONCE, HAND_TWICE, LEFT, LAID, POINTS = range(SPARES + work.SLOTS, SPARES + work.SLOTS + 6)
"""How many groups there are; the rest of the hand and how many plays are left; how many cards have been laid, and their
points."""
NEW, LAYS = range(POINTS + 1, POINTS + 3)
"""The three cards of a new group, and how many of them come from the hand."""
SCRATCH = LAYS + 1


@kernel
def find_turn(s, w):
    """Find a turn of the mover, in ``w``; return how many cards it lays, 0 if there is none."""
    return find_turn_of(s, w, s.player, 0)


@kernel
def find_turn_of(s, w, p, new):
    """The same for any seat, as if groups with any of the ``new`` cards were not there."""
    w[GROUPS] = s.groups
    for g in range(s.groups):
        there = s.group_once[g] & new == 0
        w[ONCE + g] = s.group_once[g] if there else 0
        w[TWICE + g] = s.group_twice[g] if there else 0
        look(w, g)
    w[HAND_ONCE] = s.hand_once[p]
    w[HAND_TWICE] = s.hand_twice[p]
    w[LEFT] = s.plays_a_turn
    w[LAID] = 0
    w[POINTS] = 0
    need = 0 if s.opened[p] else s.opening
    while w[LEFT] and w[HAND_ONCE]:
        if w[POINTS] < need and laid_triple(w):
            continue
        if laid_fit(w) or laid_triple(w) or bridged(w) or stolen(w) or was_split(w):
            continue
        break
    return w[LAID] if w[POINTS] >= need else 0


@kernel
def play_turn(s, w):
    """Carry out the mover's turn except for its end, from its beginning; false if none is found."""
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
def look(w, g):
    """Note which cards a group takes and which it can spare."""
    once = w[ONCE + g]
    twice = w[TWICE + g]
    w[TAKES + g] = fitting(once, twice)
    w[SPARES + g] = spare(once, twice) if size(once) + size(twice) > 3 else 0


@kernel
def lay(w, card, g):
    """Put a hand card to a group."""
    bit = 1 << card
    w[HAND_ONCE] &= w[HAND_TWICE] | ~bit
    w[HAND_TWICE] &= ~bit
    w[LAID] += 1
    w[POINTS] += points(card)
    join(w, card, g)


@kernel
def shift(w, card, source, g):
    """Move a card from one group to another."""
    bit = 1 << card
    w[ONCE + source] &= w[TWICE + source] | ~bit
    w[TWICE + source] &= ~bit
    look(w, source)
    join(w, card, g)


@kernel
def join(w, card, g):
    """Add a card to a group, which may be the next new one."""
    if g == w[GROUPS]:
        w[ONCE + g] = 0
        w[TWICE + g] = 0
        w[GROUPS] += 1
    w[LEFT] -= 1
    w[TWICE + g] |= w[ONCE + g] & 1 << card
    w[ONCE + g] |= 1 << card
    look(w, g)


@kernel
def laid_fit(w):
    """Lay the hand card worth most that some group takes, if there is one."""
    found = NONE
    best = 0
    for g in range(w[GROUPS]):
        cards = w[HAND_ONCE] & w[TAKES + g]
        if cards:
            card = highest_card(cards)
            if found == NONE or worth(card) > worth(found):
                found = card
                best = g
    if found == NONE:
        return False
    lay(w, found, best)
    return True


@kernel
def laid_triple(w):
    """Lay three hand cards that make a group, the most points first, if there are any."""
    if w[LEFT] < 3:
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
def bridged(w):
    """Move a card that one group spares to another that then takes a hand card, if any does, and lay that."""
    if w[LEFT] < 2:
        return False
    for source in range(w[GROUPS]):
        cards = w[SPARES + source]
        while cards:
            card = lowest(cards)
            bit = cards & -cards
            cards ^= bit
            for g in range(w[GROUPS]):
                if g != source and w[TAKES + g] & bit:
                    once = w[ONCE + g]
                    more = w[HAND_ONCE] & fitting(once | bit, w[TWICE + g] | once & bit)
                    if more:
                        shift(w, card, source, g)
                        lay(w, highest_card(more), g)
                        return True
    return False


@kernel
def stolen(w):
    """Make a new group of one or two hand cards and of cards that groups spare, if possible."""
    if w[LEFT] < 3:
        return False
    spared = 0
    for g in range(w[GROUPS]):
        spared |= w[SPARES + g]
    if spared == 0:
        return False
    hand = w[HAND_ONCE]
    w[NEW] = 0
    w[LAYS] = 0
    left = hand & ~JOKER_BIT
    while left:
        bit = left & -left
        left ^= bit
        value = values_of(bit)
        consider(w, bit | preferred(15 * value & ~bit, hand, spared, 2), hand, spared)  # three of a kind
        side = EVEN if EVEN & bit else ODD
        for first in range(-2, 1):  # a run with the card last, in the middle, first; four bits are one value
            found = bit
            for k in range(first, first + 3):
                there = value << 4 * k if k > 0 else value >> -4 * k
                if k:
                    found |= preferred(15 * (there & ACES) & side, hand, spared, 1)
            consider(w, found, hand, spared)
    if w[NEW] == 0:
        return False
    g = w[GROUPS]
    mine = w[NEW] & hand
    theirs = w[NEW] & ~hand
    while mine:
        lay(w, lowest(mine), g)
        mine &= mine - 1
    while theirs:
        card = lowest(theirs)
        shift(w, card, source_of(w, card, NONE), g)
        theirs &= theirs - 1
    return True


@kernel
def preferred(cards, hand, spared, most):
    """Up to ``most`` of some cards: those in the hand first, then those that groups spare."""
    mine = few(cards & hand, most)
    return mine | few(cards & spared & ~hand, most - size(mine))


@kernel
def consider(w, cards, hand, spared):
    """Note the cards of a new group (a Joker may be the third), if it lays more than the one noted."""
    if size(cards) == 2:
        cards |= (hand | spared) & JOKER_BIT
    lays = size(cards & hand)
    if size(cards) == 3 and lays > w[LAYS] and can_take(w, cards & ~hand):
        w[NEW] = cards
        w[LAYS] = lays


@kernel
def can_take(w, cards):
    """Whether one or two cards, each of which a group spares, can be taken at the same time."""
    if cards & cards - 1 == 0:
        return True
    first = lowest(cards)
    cards &= cards - 1
    source = source_of(w, first, NONE)
    second = lowest(cards)
    if source_of(w, second, source) != NONE:
        return True
    bit = 1 << first
    once = w[ONCE + source] & (w[TWICE + source] | ~bit)
    twice = w[TWICE + source] & ~bit
    return size(once) + size(twice) > 3 and spare(once, twice) >> second & 1 == 1


@kernel
def source_of(w, card, but):
    """The first group other than ``but`` that spares a card; NONE if none does."""
    for g in range(w[GROUPS]):
        if g != but and w[SPARES + g] >> card & 1:
            return g
    return NONE


@kernel
def was_split(w):
    """Split a run into two with a hand card of its middle, if there is one.

    From 3-4-5-6-7, a second 5 makes 3-4-5 and 5-6-7. ``inner`` are the values with two more on either side (a value is
    four bits, so eight bits are two values). The shorter part moves to the new group.
    """
    if w[LEFT] < 3:
        return False
    for g in range(w[GROUPS]):
        once = w[ONCE + g]
        side = one_class(once)
        if w[TWICE + g] or side == 0 or once & JOKER_BIT or size(once) < 5:
            continue
        values = values_of(once)
        inner = values & values >> 8 & values << 8
        cards = w[HAND_ONCE] & 15 * inner & side
        while cards:
            bit = cards & -cards
            cards ^= bit
            value = lowest(values_of(bit))
            above = once >> value + 4 << value + 4
            below = once & (1 << value) - 1
            moved = above if size(above) <= size(below) else below
            if w[LEFT] > size(moved):
                new = w[GROUPS]
                lay(w, lowest(bit), new)
                while moved:
                    shift(w, lowest(moved), g, new)
                    moved &= moved - 1
                return True
    return False
