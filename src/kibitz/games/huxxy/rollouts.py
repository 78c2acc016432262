"""Rollouts of Huxxy (``kibitz.search.rollout_kernels``): turns, how seats go on, and what promises.

    plan        a turn, one of those that ``plans`` finds, or picking up
    world       the others hold nothing that they could have laid (``spent``)
    weight      what a seat has of the chances to win, by how many turns until it moves, whether it has opened, its
                cards, and how many of them it could lay now; the first is of who moves and can lay them all
                (``python -m benchmarks.huxxy_weights`` finds them)

Everybody plays whole turns as they are found at a ``glance``; a plan is followed up until it is the own turn.
"""

from kibitz.cards.sets import size
from kibitz.games.huxxy.glance import made_up, turn_made
from kibitz.games.huxxy.groups import JOKER, total_worth
from kibitz.games.huxxy.plans import GROUPS, ONCE, TURNS, TWICE, WIDTH, find_turn, list_turns, plays_to
from kibitz.games.huxxy.plays import END, NONE, PICK_UP
from kibitz.games.huxxy.rules import substitute
from kibitz.games.huxxy.turns import solve
from kibitz.games.huxxy.weights import JOKERS, LAYS, SIZES, WEIGHTS
from kibitz.games.huxxy.work import ANY, BEST_GROUPS, BEST_ONCE, BEST_TWICE
from kibitz.kernel import kernel

LOOKED = 300
"""Steps of the search for a turn that is not the best, and for the rest of the own turn."""
KEPT = 12
"""So many turns are tried, and picking up."""


@kernel
def plans_of(s, scratch, most):
    """Note turns and picking up, the best first; how many."""
    n = list_turns(s, scratch, min(most - 1, KEPT), LOOKED)
    if n and is_last(s, scratch):
        return 1
    if n and s.plays:
        return n
    scratch[TURNS + WIDTH * n + GROUPS] = NONE
    return n + 1


@kernel
def is_last(s, scratch):
    """Whether the first turn leaves nothing in hand."""
    more = size(s.hand_once[s.player]) + size(s.hand_twice[s.player])
    for g in range(scratch[TURNS + GROUPS]):
        more -= size(scratch[TURNS + ONCE + g]) + size(scratch[TURNS + TWICE + g])
    for g in range(s.groups):
        more += size(s.group_once[g]) + size(s.group_twice[g])
    return more == 0


@kernel
def every_plan(s, scratch):
    """Note all plans that are looked for; how many."""
    return plans_of(s, scratch, KEPT + 1)


@kernel
def plan_of(s, scratch, j, out, at):
    """Write the plays of a plan that was noted; how many."""
    turn = TURNS + WIDTH * j
    if scratch[turn + GROUPS] == NONE:
        out[at] = substitute(s)
        return 1
    return plays_to(s, scratch, turn + ONCE, turn + TWICE, scratch[turn + GROUPS], out, at)


@kernel
def plays_of(s, seat, scratch, out):
    """Write what the seat to move plays next, after what it has carried out of its turn at a glance; how many plays."""
    if s.plays == 0:
        out[0] = END if turn_made(s, scratch) else PICK_UP
        return 1
    found = find_turn(s, scratch, 0, 0, LOOKED)
    if not found:
        found = solve(scratch, ANY, s.plays_a_turn - s.plays, 0, max(0, s.opening - s.points), 1, LOOKED)
    if found:
        return plays_to(s, scratch, BEST_ONCE, BEST_TWICE, scratch[BEST_GROUPS], out, 0)
    out[0] = substitute(s)
    return 1


@kernel
def ahead(s):
    """How many turns a plan is followed up."""
    return s.players - 1


@kernel
def chance_of(s, seat, scratch, one):
    """A seat's chance to win, of ``one``, where a turn begins or the game is over."""
    if s.over:
        return share(s, seat, one)
    first = JOKERS if s.pack >> JOKER & 1 else 0
    mine = 0
    every = 0
    for k in range(s.players):
        weight = WEIGHTS[first + weight_of(s, scratch, k)]
        every += weight
        if (s.player + k) % s.players == seat:
            mine = weight
    return one * mine // every


@kernel
def weight_of(s, scratch, k):
    """Which weight the seat has that moves after so many turns, where a turn begins."""
    p = (s.player + k) % s.players
    cards = min(size(s.hand_once[p]) + size(s.hand_twice[p]), SIZES - 1)
    lays = made_up(s, scratch, p, 0)
    if k == 0 and lays >= cards:
        return 0
    return 1 + LAYS * (SIZES * (2 * k + s.opened[p]) + cards) + lays


@kernel
def share(s, seat, one):
    """What a seat has of the first place, of ``one``, where the game is over."""
    if s.loser != NONE:
        return 0 if seat == s.loser else one // (s.players - 1)
    own = total_worth(s.hand_once[seat], s.hand_twice[seat])
    first = 0
    for p in range(s.players):
        left = total_worth(s.hand_once[p], s.hand_twice[p])
        if left < own:
            return 0
        first += left == own
    return one // first
