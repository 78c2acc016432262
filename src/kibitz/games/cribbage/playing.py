"""The play: cards one by one up to 31, go, and a point for the last card.

    count       the sum of the cards since ``first``; ``went`` the seats that have said go in it, as bits
    in          a seat takes part in the present count: it holds cards and has not said go
    floor       by seat, the least value that its remaining cards can have, since none of them fitted when it was shown

A seat that alone is left in a count is only asked if it can play, so being asked shows that it holds a card that fits
(docs/decisions, 10).
"""

from kibitz.games.cribbage.counting import MOST, play_points, up_to, value_of
from kibitz.games.cribbage.dealing import COUNT_OVER, NON_DEALER, PLAYING, start_count
from kibitz.games.cribbage.scoring import peg
from kibitz.kernel import kernel


@kernel
def fitting(s, seat):
    """The cards of a seat that do not bring the count above 31."""
    return s.hand[seat] & up_to(MOST - s.count)


@kernel
def is_in(s, seat):
    """Whether a seat still takes part in this count: it holds cards and has not said go."""
    return s.hand[seat] != 0 and not s.went >> seat & 1


@kernel
def raise_floor(s, seat):
    """All see that no card of a seat fits the count."""
    if s.hand[seat] and s.floor[seat] <= MOST - s.count:
        s.floor[seat] = MOST - s.count + 1


@kernel
def play(s, card):
    """Play a card."""
    p = s.player
    s.hand[p] ^= 1 << card
    s.trail[s.plays] = card
    s.by[s.plays] = p
    s.plays += 1
    s.count += value_of(card)
    points = play_points(s.trail, s.first, s.plays, s.count)
    if points and peg(s, p, points):
        return
    if s.count == MOST:
        s.phase = COUNT_OVER
    else:
        next_turn(s)


@kernel
def say_go(s):
    """The seat to act can play no card, and all see what that means."""
    s.went |= 1 << s.player
    raise_floor(s, s.player)
    next_turn(s)


@kernel
def next_turn(s):
    """The other seat's turn, or the same one's once the other has said go; where neither can play, the count ends.

    A seat is asked although it cannot play, to say go, only while the other is in the count too.
    """
    p = s.player
    if is_in(s, 1 - p) and (is_in(s, p) or fitting(s, 1 - p)):
        s.player = 1 - p
    elif not is_in(s, p) or not fitting(s, p):
        s.phase = COUNT_OVER


@kernel
def end_count(s):
    """One for the last card unless it made 31; the seat that did not play it leads, if it has cards."""
    last = s.by[s.plays - 1]
    s.phase = PLAYING if s.hand[0] | s.hand[1] else NON_DEALER
    if s.count < MOST:
        raise_floor(s, 0)
        raise_floor(s, 1)
        if peg(s, last, 1):
            return
    start_count(s)
    s.player = 1 - last if s.hand[1 - last] else last
