"""Rollouts of Bo (``kibitz.search.rollout_kernels``): plans, how seats go on, and what then promises.

    plan        the plays on the way to a prospect, one of those that are worth most
    near        how near a seat is to playing from its stockpile: who moves, 0 if it cannot in this turn, else by which
                play of it; the others, how many piles take the card
    weight      what a seat has of the chances to win, by turns until it moves, cards in its stockpile and ``near``:
                counted in games among ``greedy`` (``python -m benchmarks.bo_weights``)

The others are taken for ``greedy``, the own seat goes on as ``marshal``, and neither looks far.  A plan is followed up
until it is the own turn again.
"""

from kibitz.cards.sets import size
from kibitz.games.bo.piles import NONE, own_bare
from kibitz.games.bo.planning import (
    BEFORE,
    HASTE,
    LENGTH,
    LONGER,
    NOTHING,
    OTHERS,
    PLAYED,
    SPENT,
    TRIED,
    TRIES,
    look_ahead,
    plays_to,
)
from kibitz.games.bo.plays import SOURCE, STOCK
from kibitz.games.bo.prospects import GREEDY, KEPT, MOST, NOTES, WORTHS, kind, lay_out_worths
from kibitz.games.bo.rules import BUILD
from kibitz.games.bo.weights import NEAR, SIZES, WEIGHTS
from kibitz.kernel import kernel

LOOKED = 40
"""So many plays are tried by who plays on in a world."""
SOUGHT = 100
"""So many are tried to find out by which play of a turn a stockpile card goes, which takes less."""
USUAL = 140
"""What an imagined game adds to ``SPENT`` in the mean."""
FITS = 3
"""From so many piles on more make no difference."""


@kernel
def plans_of(s, scratch, most):
    """Note the plans that promise most, the best first; how many there are."""
    n = every_plan(s, scratch)
    kept = 0
    for j in range(n):
        if kept < most and (j == 0 or not is_repeated(s, scratch, j)):
            for k in range(3):
                scratch[NOTES + 3 * kept + k] = scratch[NOTES + 3 * j + k]
            kept += 1
    return kept


@kernel
def every_plan(s, scratch):
    """Note all plans that were met, the best first, those as well that only use another empty pile; how many."""
    prepare(s, scratch, True, MOST, TRIED, NOTHING)
    scratch[SPENT] = 0
    return look_ahead(s, scratch)


@kernel
def is_repeated(s, scratch, j):
    """Whether a plan lays a card on an empty pile, and a like one is left empty that comes before it."""
    i = scratch[NOTES + 3 * j + 1]
    play = scratch[NOTES + 3 * j + 2]
    filled = 0
    while i or play != NONE:
        if play != NONE:
            filled |= 1 << play % SOURCE
        play = scratch[PLAYED + i] if i else NONE
        i = scratch[BEFORE + i] if i else 0
    used = filled & s.bare
    left = s.bare & ~filled
    return spare(used & BUILD, left & BUILD) or spare(used & ~BUILD, left & own_bare(s))


@kernel
def spare(used, left):
    """Whether one of some piles comes before the last that is used."""
    return left != 0 and left & -left < used


@kernel
def plan_of(s, scratch, j, out, at):
    """Write the plays of a plan that was noted; how many."""
    return plays_to(scratch, j, out, at)


@kernel
def plays_of(s, seat, scratch, out):
    """Write what the seat to move plays next, as ``seat`` takes it for; how many plays."""
    prepare(s, scratch, s.player == seat, 1, LOOKED, LONGER)
    look_ahead(s, scratch)
    return plays_to(scratch, 0, out, 0)


@kernel
def prepare(s, scratch, own, most, tries, haste):
    """Lay out worths, of marshal or of greedy, how many prospects are kept and plays tried, and what is left out."""
    if own:
        lay_out_worths(s, scratch)
    else:
        for k in range(WORTHS):
            scratch[k] = GREEDY[k]
    scratch[KEPT] = most
    scratch[TRIES] = tries
    scratch[HASTE] = haste


@kernel
def effort(scratch):
    """How many imagined games of the usual length the work is since plans were noted."""
    return scratch[SPENT] // USUAL


@kernel
def ahead(s):
    """How many turns a plan is followed up."""
    return s.players - 1


@kernel
def chance_of(s, seat, scratch, one):
    """A seat's chance to win, of ``one``, where a turn begins or the game is over."""
    if s.over:
        return one if s.winner == seat else 0
    mine = 0
    total = 0
    for k in range(s.players):
        p = (s.player + k) % s.players
        near = fitting(s, p) if k else soon(s, seat, scratch)
        weight = WEIGHTS[NEAR * (SIZES * k + s.stocked[p] - 1) + near]
        total += weight
        if p == seat:
            mine = weight
    return one * mine // total


@kernel
def fitting(s, p):
    """How many piles take the stockpile card of a seat."""
    return min(FITS, size(s.accepts[kind(s.stock[8 * p + s.stocked[p] - 1])]))


@kernel
def soon(s, seat, scratch):
    """By which play of its turn the seat to move plays from its stockpile, 0 if it does not."""
    prepare(s, scratch, s.player == seat, 1, SOUGHT, OTHERS)
    look_ahead(s, scratch)
    return by_which(scratch)


@kernel
def by_which(scratch):
    """By which play the best prospect is a stockpile card, 0 if it is none."""
    last = scratch[NOTES + 2]
    return 1 + scratch[LENGTH + scratch[NOTES + 1]] if last != NONE and last // SOURCE == STOCK else 0
