"""Worlds in which the others hold nothing that they could have laid in their last turns: what they show by not laying.

    free        a seat whose last turn tells nothing of its hand: there was none, or all its plays were made
    fits        the faces that fit groups in which nothing lies that was laid after a seat's last turn
    picked      a card just picked up, which may be any

Only single cards, triples and what opens are looked at, and a hand is drawn TRIES times at most.
"""

from kibitz.games.huxxy.beliefs import PICKED, give_back, pick_up
from kibitz.games.huxxy.choosing import total, triple
from kibitz.games.huxxy.fitting import fitting
from kibitz.games.huxxy.plays import NONE
from kibitz.kernel import kernel

TRIES = 20


@kernel
def last_of(s, p):
    """Where the log has what a seat did last, or NONE."""
    i = s.logged - 1
    while i >= 0 and s.log[i] >> 6 != p:
        i -= 1
    return i


@kernel
def fitted_then(s, p):
    """The faces that fit groups in which nothing lies that was laid after a seat's last turn."""
    new = 0
    for i in range(last_of(s, p) + 1, s.logged):
        if s.log[i] & 63 != PICKED:
            new |= 1 << (s.log[i] & 63)
    found = 0
    for g in range(s.groups):
        if not s.group_once[g] & new:
            found |= fitting(s.group_once[g], s.group_twice[g])
    return found


@kernel
def is_free(s, p, last):
    """Whether the last turn tells nothing of the hand: there was none, or all its plays were made."""
    laid = 0
    while last >= 0 and s.log[last] >> 6 == p and s.log[last] & 63 != PICKED:
        laid += 1
        last -= 1
    return laid >= s.plays_a_turn or last_of(s, p) == NONE


@kernel
def is_spent(s, p, fits):
    """Whether a seat could have laid nothing of its hand in its last turn, as far as single cards and triples tell."""
    hand = s.hand_once[p]
    first = triple(hand, 0)
    if s.opened[p]:
        return hand & fits == 0 and first == 0
    return first == 0 or total(first) + total(triple(hand & ~first, 0)) < s.opening


@kernel
def imagine(s, seat):
    """Draw the hidden cards anew such that the others could not lay what they hold; a card just picked up is free."""
    for p in range(s.players):
        if p != seat:
            give_back(s, p)
    for k in range(1, s.players):
        p = (seat + k) % s.players
        last = last_of(s, p)
        picked = int(last != NONE and s.log[last] & 63 == PICKED)
        cards = s.drawn[p] - picked
        fits = fitted_then(s, p)
        tries = 1 if is_free(s, p, last) else TRIES
        while True:
            for _ in range(cards):
                pick_up(s, p)
            tries -= 1
            if tries == 0 or is_spent(s, p, fits):
                break
            give_back(s, p)
        if picked:
            pick_up(s, p)
