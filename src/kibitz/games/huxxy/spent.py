"""Worlds in which the others hold nothing that they could have laid in their last turns: what they show by not laying.

    free        a seat whose last turn tells nothing of its hand: there was none, or all its plays were made
    new         the faces laid since a seat's last turn
    picked      a card just picked up, which may be any

What a seat could have laid is found at a ``glance`` at the groups in which nothing new lies, and drawn again, TRIES
times at most.
"""

from kibitz.games.huxxy.beliefs import PICKED, give_back, pick_up
from kibitz.games.huxxy.glance import HAND_ONCE, HAND_TWICE, made_up
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
def new_since(s, p):
    """The faces laid after a seat's last turn."""
    new = 0
    for i in range(last_of(s, p) + 1, s.logged):
        if s.log[i] & 63 != PICKED:
            new |= 1 << (s.log[i] & 63)
    return new


@kernel
def is_free(s, p, last):
    """Whether the last turn tells nothing of the hand: there was none, or all its plays were made."""
    laid = 0
    while last >= 0 and s.log[last] >> 6 == p and s.log[last] & 63 != PICKED:
        laid += 1
        last -= 1
    return laid >= s.plays_a_turn or last_of(s, p) == NONE


@kernel
def imagined(s, seat, scratch):
    """Draw the hidden cards anew such that the others could not lay what they hold; a card just picked up is free."""
    for p in range(s.players):
        if p != seat:
            give_back(s, p)
    for k in range(1, s.players):
        p = (seat + k) % s.players
        last = last_of(s, p)
        picked = int(last != NONE and s.log[last] & 63 == PICKED)
        for _ in range(s.drawn[p] - picked):
            pick_up(s, p)
        if not is_free(s, p, last):
            redraw(s, p, new_since(s, p), scratch)
        if picked:
            pick_up(s, p)
    return True


@kernel
def redraw(s, p, new, scratch):
    """Draw what a seat would have laid anew, until it would have laid nothing."""
    for _ in range(TRIES):
        lays = made_up(s, scratch, p, new)
        if lays == 0:
            return
        for cards in (s.hand_twice[p] & ~scratch[HAND_TWICE], s.hand_once[p] & ~scratch[HAND_ONCE]):
            s.stock_twice |= s.stock_once & cards
            s.stock_once |= cards
        s.hand_once[p] = scratch[HAND_ONCE]
        s.hand_twice[p] = scratch[HAND_TWICE]
        for _ in range(lays):
            pick_up(s, p)
