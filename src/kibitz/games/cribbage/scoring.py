"""Pegs and points: the show, the end of a game, and what it counts in the match.

Whoever reaches the target ends the game at once: ``peg`` tells, and whatever was to be counted next is not.
"""

from kibitz.games.cribbage.counting import show_points
from kibitz.games.cribbage.dealing import NONE, deal_hands
from kibitz.kernel import kernel

SKUNK = 30
"""Who is so many pegs or more from the target is not skunked; every further 30 that are missing count once more."""


@kernel
def peg(s, seat, points):
    """Score; whether that has ended the game."""
    s.pegs[seat] += points
    if s.pegs[seat] < s.target:
        return False
    s.pegs[seat] = s.target
    end_game(s, seat)
    return True


@kernel
def worth(s, loser):
    """What a game counts in the match: 1, and with ``skunks`` 2 for a skunk, 3 for a double skunk."""
    missing = s.target - s.pegs[loser]
    return 1 + (missing > SKUNK) + (missing > 2 * SKUNK) if s.skunks else 1


@kernel
def end_game(s, winner):
    """A seat has reached the target: the loser deals first in the next game, if there is one."""
    s.points[winner] += worth(s, 1 - winner)
    if s.game + 1 == s.games:
        s.over = 1
        s.player = NONE
        return
    s.game += 1
    s.deals = 0
    s.dealer = 1 - winner
    deal_hands(s)


@kernel
def kept(s, seat):
    """The cards that a seat has played in this deal: in the show, its hand."""
    cards = 0
    for i in range(s.plays):
        if s.by[i] == seat:
            cards |= 1 << s.trail[i]
    return cards


@kernel
def show(s):
    """Score both hands and the crib, in that order, and deal anew unless the game is over."""
    leader = 1 - s.dealer
    if peg(s, leader, show_points(kept(s, leader), s.starter, 0)):
        return
    if peg(s, s.dealer, show_points(kept(s, s.dealer), s.starter, 0)):
        return
    s.crib_shown = 1
    if peg(s, s.dealer, show_points(s.away[0] | s.away[1], s.starter, 1)):
        return
    s.dealer = leader
    deal_hands(s)
