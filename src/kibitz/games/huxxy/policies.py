"""Strategies for Huxxy, as functions of a view and as kernels.

first       the first legal action: it picks up a card every turn
greedy      the best turn: the most cards, of these the most valuable, with the fewest plays

The policy ``quick`` lays groups of three (triples) and cards that fit.  It opens only if one or two triples are worth
the required points.  It never moves cards on the table, so every turn that it begins can be ended.

``best`` tries turns in simulated games (``kibitz.search.rollout_kernels``).  A plan is a turn of ``plans``, or picking
up a card.  In a simulated game all seats play whole turns, found by ``quick_turn``, until it is the searching seat's
turn again.  Then each seat has a weight, and its chance to win is its share of all weights.

    weight      a seat's relative chance to win, by the turns until it moves, whether it has opened, how many cards it
                holds, and how many of them it could lay now; the first weight is for a mover that can lay all its cards
                (``python -m tools.huxxy_weights`` fits them)

In simulated games the other seats hold no card that they could have laid in their last turn, except a card that they
picked up then.  ``quick_turn`` finds the cards that a seat could have laid, using only groups without cards laid since
its last turn.  Cards that the seat would have laid are redrawn, up to MAX_REDRAWS times.
"""

from importlib.resources import files
from random import Random

from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy.actions import END, MAX_GROUPS, PICK_UP, PICK_UP_FACE, PLAY, pick_up
from kibitz.games.huxxy.beliefs import return_to_stock
from kibitz.games.huxxy.best import best_turn, play_action
from kibitz.games.huxxy.groups import (
    JOKER,
    NONE,
    addable_faces,
    best_triple,
    costliest_card,
    is_valid,
    total_points,
    total_worth,
    worth,
)
from kibitz.games.huxxy.plans import GROUPS, ONCE, TURN_SIZE, TURNS, TWICE, list_turns, search_turn, write_plays
from kibitz.games.huxxy.quick_turn import HAND_ONCE, HAND_TWICE, find_turn_of, play_turn
from kibitz.games.huxxy.quick_turn import SCRATCH as SCRATCH
from kibitz.games.huxxy.rules import end_refusal, substitute
from kibitz.games.huxxy.search_state import ANY, BEST_GROUPS, BEST_ONCE, BEST_TWICE
from kibitz.games.huxxy.turn_search import solve
from kibitz.games.huxxy.view import HuxxyView
from kibitz.kernel import kernel

# Strategies as functions of a view


def first(view: HuxxyView, legal: list[int], random: Random) -> int:
    """Picks up a card in every turn, while it can."""
    return min(legal)


def greedy(view: HuxxyView, legal: list[int], random: Random) -> int:
    """Plays a best turn, card by card; picks up a card if there is none."""
    if len(legal) == 1:
        return legal[0]
    turn = best_turn(
        view.hand,
        view.table,
        plays_left=view.plays_left,
        min_cards=int(view.placed == 0),
        min_points=view.points_needed,
    )
    if turn is None:
        return PICK_UP if view.plays == 0 else legal[0]
    return play_action(view.table, turn.plays[0]) if turn.plays else END


# Strategies as kernels


POLICIES = {"quick": "Lays groups of three and cards that fit, and never rearranges the table."}
SEARCH_PLAYERS = {"best": (1000, "Tries turns in simulated games, where the others use the table that it leaves.")}


@kernel
def choose(s, policy, rng, scratch):
    """The policy ``quick``: complete a group begun, else lay a card that fits, else a triple, else end or pick up."""
    hand = s.hand_once[s.player]
    plays_left = s.plays_a_turn - s.plays
    if plays_left == 0:
        return substitute(s)
    for g in range(s.groups):
        if not is_valid(s.group_once[g], s.group_twice[g]):
            card = completing_card(hand, s.group_once[g])
            return substitute(s) if card == NONE else PLAY + MAX_GROUPS * card + g
    needed = 0 if s.opened[s.player] else s.opening - s.points
    if needed <= 0:
        a = best_lay_off(s, hand)
        if a != NONE:
            return a
    if plays_left > 2 and triples_suffice(hand, needed, plays_left):
        return PLAY + MAX_GROUPS * lowest(best_triple(hand, 0)) + s.groups
    if s.plays == 0:
        return PICK_UP
    return END if end_refusal(s) == 0 else substitute(s)


@kernel
def triples_suffice(hand, needed, plays_left):
    """Whether a triple is worth the points needed, or two triples are and there are plays for both."""
    first = best_triple(hand, 0)
    if first == 0 or total_points(first) >= needed:
        return first != 0
    return plays_left > 5 and total_points(first) + total_points(best_triple(hand & ~first, 0)) >= needed


@kernel
def completing_card(hand, group):
    """The next hand card for a new group of one or two cards, or NONE."""
    if group & (group - 1) == 0:
        rest = best_triple(hand | group, group) & ~group
        return lowest(rest) if rest else NONE
    return costliest_card(hand & addable_faces(group, 0))


@kernel
def best_lay_off(s, hand):
    """The play of the hand card worth most that fits a group, or NONE."""
    result = NONE
    most = 0
    for g in range(s.groups):
        card = costliest_card(hand & addable_faces(s.group_once[g], s.group_twice[g])) if s.group_once[g] else NONE
        if card != NONE and worth(card) > most:
            most = worth(card)
            result = PLAY + MAX_GROUPS * card + g
    return result


# Rollouts: the hooks of ``kibitz.search.rollout_kernels``


HAND_SIZES, LAY_COUNTS, SEATS = 24, 7, 4
"""How many numbers of cards in hand the weights distinguish, how many numbers of cards that can be laid, and how many
seats."""
JOKER_WEIGHTS = 1 + SEATS * 2 * HAND_SIZES * LAY_COUNTS
"""Where the weights of the game with Jokers begin."""
WEIGHTS = tuple(map(int, files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").split()))
"""A game's first weight is for a mover that can lay all its cards. Then, by the turns until a seat moves and by whether
it has opened, there is a row for each number of its cards, with a weight for each number that it could lay now."""
STEP_LIMIT = 300
"""The maximum number of steps of a search: for a turn other than the best, or for the rest of the searching seat's
turn."""
MAX_PLANS = 12
"""The maximum number of turns that are tried, besides picking up a card."""


@kernel
def find_plans(s, scratch, most):
    """Note up to ``most`` plans, the best first; return how many."""
    n = list_turns(s, scratch, min(most - 1, MAX_PLANS), STEP_LIMIT)
    if n and empties_hand(s, scratch):
        return 1
    if n and s.plays:  # too late to pick up a card
        return n
    scratch[TURNS + TURN_SIZE * n + GROUPS] = NONE
    return n + 1


@kernel
def empties_hand(s, scratch):
    """Whether the first turn noted lays the whole hand: the table then has as many cards as hand and table have now."""
    n_left = size(s.hand_once[s.player]) + size(s.hand_twice[s.player])
    for g in range(scratch[TURNS + GROUPS]):
        n_left -= size(scratch[TURNS + ONCE + g]) + size(scratch[TURNS + TWICE + g])
    for g in range(s.groups):
        n_left += size(s.group_once[g]) + size(s.group_twice[g])
    return n_left == 0


@kernel
def find_all_plans(s, scratch):
    """Note all plans, the best first; return how many."""
    return find_plans(s, scratch, MAX_PLANS + 1)


@kernel
def write_plan(s, scratch, j, out, at):
    """Write the actions of a noted plan into ``out[at:]``; return how many."""
    turn = TURNS + TURN_SIZE * j
    if scratch[turn + GROUPS] == NONE:
        out[at] = substitute(s)
        return 1
    return write_plays(s, scratch, turn + ONCE, turn + TWICE, scratch[turn + GROUPS], out, at)


@kernel
def rollout_plays(s, seat, scratch, out):
    """Write the rest of the turn of the seat to move into ``out``; return how many actions that is.

    At the beginning of a turn, a quick turn is carried out on the state at once, and only its end is written.
    """
    if s.plays == 0:
        out[0] = END if play_turn(s, scratch) else PICK_UP
        return 1
    has_turn = search_turn(s, scratch, 0, 0, STEP_LIMIT)
    if not has_turn:
        has_turn = solve(scratch, ANY, s.plays_a_turn - s.plays, 0, max(0, s.opening - s.points), 1, STEP_LIMIT)
    if has_turn:
        return write_plays(s, scratch, BEST_ONCE, BEST_TWICE, scratch[BEST_GROUPS], out, 0)
    out[0] = substitute(s)
    return 1


@kernel
def turns_ahead(s):
    """How many turns are played after a plan's own: until it is the same seat's turn again."""
    return s.players - 1


@kernel
def winning_chance(s, seat, scratch, one):
    """A seat's chance to win, times ``one``, at the beginning of a turn or the end of the game."""
    if s.over:
        return win_share(s, seat, one)
    first = JOKER_WEIGHTS if s.pack >> JOKER & 1 else 0
    own_weight = 0
    total = 0
    for k in range(s.players):
        weight = WEIGHTS[first + weight_index(s, scratch, k)]
        total += weight
        if (s.player + k) % s.players == seat:
            own_weight = weight
    return one * own_weight // total


@kernel
def weight_index(s, scratch, k):
    """The index of the weight of the seat that moves after ``k`` turns, at the beginning of a turn."""
    p = (s.player + k) % s.players
    cards = min(size(s.hand_once[p]) + size(s.hand_twice[p]), HAND_SIZES - 1)
    lays = find_turn_of(s, scratch, p, 0)
    if k == 0 and lays >= cards:
        return 0
    return 1 + LAY_COUNTS * (HAND_SIZES * (2 * k + s.opened[p]) + cards) + lays


@kernel
def win_share(s, seat, one):
    """A seat's share of the win, times ``one``, at the end of the game."""
    if s.loser != NONE:
        return 0 if seat == s.loser else one // (s.players - 1)
    own_total = total_worth(s.hand_once[seat], s.hand_twice[seat])
    winners = 0
    for p in range(s.players):
        total = total_worth(s.hand_once[p], s.hand_twice[p])
        if total < own_total:
            return 0
        winners += total == own_total
    return one // winners


# What the other seats reveal by not laying cards


MAX_REDRAWS = 20
"""The maximum number of times that a hand is redrawn; then it is accepted as it is."""


@kernel
def last_logged(s, p):
    """The index of a seat's last entry in the log, or NONE."""
    i = s.log_length - 1
    while i >= 0 and s.log[i] >> 6 != p:
        i -= 1
    return i


@kernel
def faces_laid_since(s, p):
    """The faces that other seats have laid since a seat's last turn."""
    faces = 0
    for i in range(last_logged(s, p) + 1, s.log_length):
        if s.log[i] & 63 != PICK_UP_FACE:
            faces |= 1 << (s.log[i] & 63)
    return faces


@kernel
def reveals_nothing(s, p, last):
    """Whether a seat's last turn reveals nothing of its hand: it has had none yet, or laid as many cards as a turn can.

    ``last`` is the index of the seat's last entry in the log.
    """
    n_laid = 0
    while last >= 0 and s.log[last] >> 6 == p and s.log[last] & 63 != PICK_UP_FACE:
        n_laid += 1
        last -= 1
    return n_laid >= s.plays_a_turn or last_logged(s, p) == NONE


@kernel
def draw_hidden(s, seat, scratch):
    """Redraw the hidden cards; other seats get no card that they could have laid, except one just picked up."""
    for p in range(s.players):
        if p != seat:
            return_to_stock(s, p)
    for k in range(1, s.players):
        p = (seat + k) % s.players
        last = last_logged(s, p)
        picked_up = int(last != NONE and s.log[last] & 63 == PICK_UP_FACE)
        for _ in range(s.hand_sizes[p] - picked_up):
            pick_up(s, p)
        if not reveals_nothing(s, p, last):
            redraw(s, p, faces_laid_since(s, p), scratch)
        if picked_up:
            pick_up(s, p)
    return True


@kernel
def redraw(s, p, new_faces, scratch):
    """Replace the cards that a seat would have laid by random ones, until it would have laid nothing.

    ``new_faces`` are the faces that were laid after its last turn, so the seat couldn't use their groups.
    """
    for _ in range(MAX_REDRAWS):
        lays = find_turn_of(s, scratch, p, new_faces)
        if lays == 0:
            return
        for cards in (s.hand_twice[p] & ~scratch[HAND_TWICE], s.hand_once[p] & ~scratch[HAND_ONCE]):
            s.stock_twice |= s.stock_once & cards
            s.stock_once |= cards
        s.hand_once[p] = scratch[HAND_ONCE]
        s.hand_twice[p] = scratch[HAND_TWICE]
        for _ in range(lays):
            pick_up(s, p)
