"""Positions drawn from all that a seat of cribbage can believe.

What the play has shown of hidden cards is their seat's floor, and that a seat asked to play alone can (``playing``).
"""

from kibitz.cards.drawing import handful
from kibitz.cards.sets import size
from kibitz.games.cribbage.counting import up_to
from kibitz.games.cribbage.playing import fitting, is_in
from kibitz.kernel import kernel


@kernel
def unseen(s, seat):
    """The cards whose place a seat does not know; what it holds and laid away itself it knows."""
    cards = s.pack
    for i in range(s.plays):
        cards &= ~(1 << s.trail[i])
    if s.starter >= 0:
        cards &= ~(1 << s.starter)
    if s.crib_shown:
        cards &= ~(s.away[0] | s.away[1])
    if seat >= 0:
        cards &= ~(s.hand[seat] | s.away[seat])
    return cards


@kernel
def resample(s, seat):
    """Deal the unseen cards anew; False if a seat that alone is left in a count could not have been asked.

    The seat that has shown more by saying go draws first: what it can hold, the other can hold too, so every deal
    that is possible comes up equally often.
    """
    rest = unseen(s, seat)
    p = 0 if s.floor[0] > s.floor[1] else 1
    for _ in range(2):
        if p != seat:
            s.hand[p] = handful(s, rest & ~up_to(s.floor[p] - 1), size(s.hand[p]))
            rest &= ~s.hand[p]
        p = 1 - p
    if s.crib_shown:
        rest = (s.away[0] | s.away[1]) & ~(s.away[seat] if seat >= 0 else 0)
    for p in range(2):
        if p != seat:
            s.away[p] = handful(s, rest, size(s.away[p]))
            rest &= ~s.away[p]
    return s.starter < 0 or s.over != 0 or is_in(s, 1 - s.player) or fitting(s, s.player) != 0
