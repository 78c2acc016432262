"""Redraws the cards that a seat can't see in Huxxy; each arrangement has its exact probability.

    pool        the hidden cards: the stock and the other hands
    place       where a hidden hand holds one card
    moment      when a place was filled, as the length of the log at that time

Every way to deal the pool is equally likely, with one exception.  A seat that played one copy of a face may have held
both copies at the time.  Either copy could have been played then, but in the log both plays look the same.  So each
such play halves the weight of the deals in which both copies were held.  Whether both were held depends on when the
second copy was picked up, so the time is drawn, too: each pick-up fills a place, and each play empties a random one.
"""

from kibitz.cards.chance import randbelow
from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy.actions import PICK_UP_FACE, pick_up
from kibitz.kernel import kernel


@kernel
def resample(s, seat):
    """Redeal the cards that ``seat`` doesn't see (-1: a spectator); False if the deal is rejected: call it again."""
    if s.over:
        return True
    for p in range(s.players):
        if p != seat:
            return_to_stock(s, p)
    accepted = True
    for p in range(s.players):
        if p != seat and not redeal_hand(s, p):
            accepted = False
    return accepted


@kernel
def return_to_stock(s, p):
    """Return a hand to the stock; ``s.hand_sizes[p]`` becomes its size."""
    s.hand_sizes[p] = size(s.hand_once[p]) + size(s.hand_twice[p])
    for cards in (s.hand_twice[p], s.hand_once[p]):
        s.stock_twice |= s.stock_once & cards  # the second copies of what the stock has already
        s.stock_once |= cards
    s.hand_once[p] = 0
    s.hand_twice[p] = 0


@kernel
def redeal_hand(s, p):
    """Redeal a hidden hand of ``s.hand_sizes[p]`` cards; False if it is rejected."""
    played = 0
    played_twice = 0
    for i in range(s.log_length):
        if s.log[i] >> 6 == p and s.log[i] & 63 != PICK_UP_FACE:
            bit = 1 << (s.log[i] & 63)
            played_twice |= played & bit
            played |= bit
    for _ in range(s.hand_sizes[p]):
        pick_up(s, p)
    other_copies = s.hand_once[p] & played
    if other_copies == 0 and played_twice == 0:
        return True
    return accept_hand(s, p, other_copies)


@kernel
def accept_hand(s, p, other_copies):
    """Accept a hand with probability (1/2)^n, where n counts the plays of a face whose other copy was then in hand.

    The log is replayed: ``s.moments`` has the moments of the places, 0 for cards that were dealt.  A face that was
    played twice counts if the place of its second copy was filled before the first play.  ``other_copies`` are the
    faces in the new hand of which the seat has played one copy: each is in a random one of the places that are left.
    """
    places = s.hand_size
    for i in range(places):
        s.moments[i] = 0
    for i in range(s.log_length):
        if s.log[i] >> 6 != p:
            continue
        face = s.log[i] & 63
        if face == PICK_UP_FACE:
            s.moments[places] = i
            places += 1
            continue
        moment = vacate_place(s, places)
        places -= 1
        first_play = first_play_index(s, p, face)
        if first_play < i and moment <= first_play and randbelow(s, 2):
            return False
    while other_copies:
        moment = vacate_place(s, places)
        places -= 1
        if moment <= first_play_index(s, p, lowest(other_copies)) and randbelow(s, 2):
            return False
        other_copies &= other_copies - 1
    return True


@kernel
def vacate_place(s, places):
    """Empty a random one of ``places`` places; return the moment at which it was filled."""
    k = randbelow(s, places)
    moment = s.moments[k]
    s.moments[k] = s.moments[places - 1]
    return moment


@kernel
def first_play_index(s, p, face):
    """The index in the log of a seat's first play of a face, which must be there."""
    i = 0
    while s.log[i] != 64 * p + face:
        i += 1
    return i
