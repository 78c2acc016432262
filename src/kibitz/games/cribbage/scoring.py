"""Pegs and points: the show, the end of a game, and what it counts in the match.

    pegs        the score of this game, never above ``target``; ``points`` what the games so far count in the match

Whoever reaches the target ends the game at once: ``peg`` tells, and whatever was to be counted next is not.
"""

from kibitz.games.cribbage.counting import show_points
from kibitz.games.cribbage.dealing import CRIB, DEALING, NON_DEALER, NONE, PLAYING, WON
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
    s.phase = WON
    return True


@kernel
def worth(s, loser):
    """What a game counts in the match: 1, and with ``skunks`` 2 for a skunk, 3 for a double skunk."""
    missing = s.target - s.pegs[loser]
    return 1 + (missing > SKUNK) + (missing > 2 * SKUNK) if s.skunks else 1


@kernel
def end_game(s):
    """A seat has reached the target; if another game follows, the loser deals first."""
    winner = 0 if s.pegs[0] == s.target else 1
    s.points[winner] += worth(s, 1 - winner)
    if s.game + 1 == s.games:
        s.over = 1
        s.phase = PLAYING
        s.player = NONE
        return
    s.game += 1
    s.deals = 0
    s.phase = DEALING
    s.dealer = winner  # so that the deal passes to the loser


@kernel
def shower(s, phase):
    """Whose cards are counted in a phase of the show."""
    return 1 - s.dealer if phase == NON_DEALER else s.dealer


@kernel
def shown(s, phase):
    """The cards that are counted in a phase of the show: the crib, or those that a seat has played."""
    if phase == CRIB:
        return s.away[0] | s.away[1]
    seat = shower(s, phase)
    cards = 0
    for i in range(s.plays):
        if s.by[i] == seat:
            cards |= 1 << s.trail[i]
    return cards


@kernel
def show_next(s):
    """Score the hand or crib whose turn it is."""
    phase = s.phase
    crib = 1 if phase == CRIB else 0
    s.crib_shown = crib
    s.phase += 1
    peg(s, shower(s, phase), show_points(shown(s, phase), s.starter, crib))
