"""Whole games of cribbage in machine code: the study's numbers against ``greedy``, each at one seat.

pegged      the points in the play of the study's seat, then those of ``greedy``, then the number of deals
"""

from kibitz.cards.sets import FULL_PACK
from kibitz.games.cribbage.evaluation import best_card
from kibitz.games.cribbage.greedy_play import greedy_card
from kibitz.games.cribbage.rules import DISCARD, GO, act, advance_phase, deal
from kibitz.games.cribbage.stages import COUNT_OVER, DISCARDING, PLAYING, playable
from kibitz.kernel import kernel
from tools.cribbage_greedy import greedy_lay
from tools.cribbage_practice import best_discard


@kernel
def duel(s, scores, crib, pegs, weights, out, tally, pegged, key, first, last):
    """Play games ``first`` to ``last - 1``, every deal from both seats; return how many the study's numbers win."""
    won = 0
    for i in range(first, last):
        deal(s, i >> 1, 0, key, 0)
        while not s.over:
            p = s.player
            of_study = p == i & 1
            if s.phase == DISCARDING:
                dealer = 1 if p == s.dealer else 0
                if of_study:
                    discards = best_discard(scores, crib, pegs, s.hand[p], FULL_PACK & ~s.hand[p], dealer)
                else:
                    discards = greedy_lay(scores, s.hand[p], dealer)
                pegged[2] += dealer
                act(s, DISCARD + places_of(s.hand[p], discards))
            else:
                before = s.pegs[p]
                if not playable(s, p):
                    act(s, GO)
                else:
                    act(s, best_card(s, p, weights, out) if of_study else greedy_card(s, p, tally))
                pegged[0 if of_study else 1] += s.pegs[p] - before
            follow(s, pegged, i & 1)
        won += s.points[i & 1] > 0
    return won


@kernel
def follow(s, pegged, study_seat):
    """Advance to the next choice, and count the points for last cards."""
    while s.phase > PLAYING:
        in_play = s.phase == COUNT_OVER
        before = s.pegs[study_seat]
        other = s.pegs[1 - study_seat]
        advance_phase(s)
        if in_play:
            pegged[0] += s.pegs[study_seat] - before
            pegged[1] += s.pegs[1 - study_seat] - other


@kernel
def places_of(hand, cards):
    """The places of some cards in a hand, as bits."""
    places = 0
    place = 1
    while hand:
        if cards & hand & -hand:
            places |= place
        hand &= hand - 1
        place <<= 1
    return places
