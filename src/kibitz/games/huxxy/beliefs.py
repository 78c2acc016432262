"""Exact redraws of what a seat can't know in Huxxy.

    pool        the hidden cards: the stock and the other hands
    place       where a hidden hand holds one card
    moment      when a place was filled, as the length of the log at that time

Every way to deal the pool is equally likely, with one exception.  A seat that played one copy of a face may have held
both copies at the time.  Then either copy could have been played, but the log shows only one play of that face.  So
each such play halves the weight of the deals in which both copies were held.  Whether both were held depends on when
the second copy was picked up, so that is drawn, too: pick-ups fill places, and each play empties a random one.
"""

from kibitz.cards.chance import below
from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy.actions import PICKED, pick_up
from kibitz.kernel import kernel


@kernel
def resample(s, seat):
    """Redeal the hidden cards; to a spectator (seat -1) all hands are hidden. False: rejected, to be tried again."""
    if s.over:
        return True
    for p in range(s.players):
        if p != seat:
            give_back(s, p)
    accepted = True
    for p in range(s.players):
        if p != seat and not redeal_hand(s, p):
            accepted = False
    return accepted


@kernel
def give_back(s, p):
    """Put a hand into the stock; ``s.drawn[p]`` keeps its size."""
    s.drawn[p] = size(s.hand_once[p]) + size(s.hand_twice[p])
    for cards in (s.hand_twice[p], s.hand_once[p]):
        s.stock_twice |= s.stock_once & cards
        s.stock_once |= cards
    s.hand_once[p] = 0
    s.hand_twice[p] = 0


@kernel
def redeal_hand(s, p):
    """Redeal a hidden hand of ``s.drawn[p]`` cards; false if it is rejected."""
    cards = s.drawn[p]
    played = 0
    again = 0
    for i in range(s.logged):
        if s.log[i] >> 6 == p and s.log[i] & 63 != PICKED:
            bit = 1 << (s.log[i] & 63)
            again |= played & bit
            played |= bit
    for _ in range(cards):
        pick_up(s, p)
    doubtful = s.hand_once[p] & played
    if doubtful == 0 and again == 0:
        return True
    return accept_hand(s, p, doubtful)


@kernel
def accept_hand(s, p, doubtful):
    """Accept a hand with probability one half for each play of a face whose other copy was in hand at that moment.

    ``s.drawn[8:]`` has the moments of the places, 0 for cards that were dealt.  ``doubtful`` are the faces in the new
    hand of which the seat has played a copy: each of them is in a random one of the places that are left.
    """
    places = s.hand_size
    for i in range(places):
        s.drawn[8 + i] = 0
    for i in range(s.logged):
        if s.log[i] >> 6 != p:
            continue
        face = s.log[i] & 63
        if face == PICKED:
            s.drawn[8 + places] = i
            places += 1
            continue
        moment = empty_place(s, places)
        places -= 1
        first = first_played(s, p, face)
        if first < i and moment <= first and below(s, 2):
            return False
    while doubtful:
        moment = empty_place(s, places)
        places -= 1
        if moment <= first_played(s, p, lowest(doubtful)) and below(s, 2):
            return False
        doubtful &= doubtful - 1
    return True


@kernel
def empty_place(s, places):
    """Empty a random one of ``places`` places; return the moment at which it was filled."""
    k = below(s, places)
    moment = s.drawn[8 + k]
    s.drawn[8 + k] = s.drawn[7 + places]
    return moment


@kernel
def first_played(s, p, face):
    """Where the log has a seat's first play of a face, which must be there."""
    i = 0
    while s.log[i] != 64 * p + face:
        i += 1
    return i
