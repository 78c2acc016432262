"""A strategy for Huxxy as a kernel: groups of three from the hand, and cards that fit what lies.

    triple      three hand cards that make a group, the ones with the most points
    enough      a first turn is only begun where one or two triples bring the points that it must

It never moves what lies on the table, so that every turn that it begins can be ended.
"""

from kibitz.cards.sets import lowest
from kibitz.games.huxxy.fitting import fitting
from kibitz.games.huxxy.groups import is_valid, points, worth
from kibitz.games.huxxy.plays import END, PICK_UP, PLAY, SLOTS
from kibitz.games.huxxy.rules import refused_end, substitute
from kibitz.kernel import kernel

POLICIES = {"quick": "Lays groups of three and whatever fits the table, and leaves what lies there where it is."}
NONE = -1


@kernel
def choose(s, policy, lots, room):
    """Complete the group begun; lay what fits, then a triple; end the turn, or pick up where nothing can be laid."""
    hand = s.hand_once[s.player]
    left = s.plays_a_turn - s.plays
    if left == 0:
        return substitute(s)
    for g in range(s.groups):
        if not is_valid(s.group_once[g], s.group_twice[g]):
            card = completing(hand, s.group_once[g])
            return substitute(s) if card == NONE else PLAY + SLOTS * card + g
    need = 0 if s.opened[s.player] else s.opening - s.points
    if need <= 0:
        a = laying_off(s, hand)
        if a != NONE:
            return a
    if left > 2 and enough(hand, need, left):
        return PLAY + SLOTS * lowest(triple(hand, 0)) + s.groups
    if s.plays == 0:
        return PICK_UP
    return END if refused_end(s) == 0 else substitute(s)


@kernel
def enough(hand, need, left):
    """Whether a triple brings the points needed, or two triples where there are plays for both."""
    first = triple(hand, 0)
    if first == 0 or total(first) >= need:
        return first != 0
    return left > 5 and total(first) + total(triple(hand & ~first, 0)) >= need


@kernel
def total(cards):
    """The points of some cards."""
    found = 0
    while cards:
        found += points(lowest(cards))
        cards &= cards - 1
    return found


@kernel
def triple(hand, must):
    """Three cards of a hand that make a group, with the most points; those in ``must`` among them; 0 if none do."""
    best = 0
    most = NONE
    a_left = hand
    while a_left:
        a = a_left & -a_left
        a_left ^= a
        b_left = a_left
        while b_left:
            b = b_left & -b_left
            b_left ^= b
            c_left = b_left & fitting(a | b, 0)
            while c_left:
                c = c_left & -c_left
                c_left ^= c
                if (a | b | c) & must == must and total(a | b | c) > most:
                    most = total(a | b | c)
                    best = a | b | c
    return best


@kernel
def completing(hand, group):
    """The next card for a group of one or two cards, or NONE."""
    if group & (group - 1) == 0:
        rest = triple(hand | group, group) & ~group
        return lowest(rest) if rest else NONE
    return dearest(hand & fitting(group, 0))


@kernel
def dearest(cards):
    """The card that would cost most at the end, the lowest of equals; NONE of no cards."""
    found = NONE
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if found == NONE or worth(card) > worth(found):
            found = card
    return found


@kernel
def laying_off(s, hand):
    """The play of the dearest hand card that fits a group, or NONE."""
    found = NONE
    most = 0
    for g in range(s.groups):
        card = dearest(hand & fitting(s.group_once[g], s.group_twice[g])) if s.group_once[g] else NONE
        if card != NONE and worth(card) > most:
            most = worth(card)
            found = PLAY + SLOTS * card + g
    return found
