"""What a seat cannot know in Huxxy, drawn anew exactly.

    pool        the hidden cards: the stock and the other hands
    place       a card of a hidden hand, with the moment in which it was picked up
    moment      how long the log was

Apart from one thing every way to deal the pool is equally likely.  That one thing: who puts down one copy of a face
might have held both, and then there were two cards to choose from, yet only one play.  Every such play halves the
weight of the deals in which both were held.  So where a hidden card has a copy that its holder has played, it has to
be drawn too whether it was in hand already: places are filled by pick-ups and emptied by plays, each play from a
uniformly random place.
"""

from kibitz.cards.chance import below
from kibitz.cards.sets import lowest, nth, size
from kibitz.games.huxxy.groups import add
from kibitz.kernel import kernel

PICKED = 63


@kernel
def resample(s, seat):
    """Deal the hidden cards anew; seat -1 is a spectator, to whom all hands are hidden.  False: rejected."""
    if s.over:
        return True
    for p in range(s.players):
        if p != seat:
            give_back(s, p)
    accepted = True
    for p in range(s.players):
        if p != seat and not redealt(s, p):
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
def pick_up(s, seat):
    """A uniformly random card of the stock, which must not be empty, goes into a hand."""
    singles = size(s.stock_once)
    i = below(s, singles + size(s.stock_twice))
    card = nth(s.stock_once, i) if i < singles else nth(s.stock_twice, i - singles)
    s.stock_once &= s.stock_twice | ~(1 << card)
    s.stock_twice &= ~(1 << card)
    add(s.hand_once, s.hand_twice, seat, card)


@kernel
def redealt(s, p):
    """Deal a hidden hand anew; false if it is rejected.  ``s.drawn[p]`` has its size, and is used no more."""
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
    return weighed(s, p, doubtful)


@kernel
def weighed(s, p, doubtful):
    """Accept a hand with one half for every play of a face whose copy was in hand then.

    ``s.drawn[8:]`` has the moments of the places; the faces in ``doubtful`` are in places drawn anew.
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
        moment = emptied(s, places)
        places -= 1
        first = moment_of(s, p, face)
        if first < i and moment <= first and below(s, 2):
            return False
    while doubtful:
        moment = emptied(s, places)
        places -= 1
        if moment <= moment_of(s, p, lowest(doubtful)) and below(s, 2):
            return False
        doubtful &= doubtful - 1
    return True


@kernel
def emptied(s, places):
    """Empty one of the places at random; return the moment in which its card was picked up."""
    k = below(s, places)
    moment = s.drawn[8 + k]
    s.drawn[8 + k] = s.drawn[7 + places]
    return moment


@kernel
def moment_of(s, p, face):
    """When a seat first played a face."""
    i = 0
    while s.log[i] != 64 * p + face:
        i += 1
    return i
