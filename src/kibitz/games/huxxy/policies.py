"""Strategies for Huxxy: those that are asked with a view, and those that are kernels.

first       the first legal action: it picks up every turn
hand        the best turn among those that leave all cards on the table where they are
greedy      the best turn: the most cards, then the highest, with the fewest plays

    triple      three hand cards that make a group, the ones with the most points
    enough      a first turn is only begun where one or two triples bring the points that it must

It never moves what lies on the table, so that every turn that it begins can be ended.
"""

from random import Random

from kibitz.cards.sets import lowest
from kibitz.games.huxxy.best import best_turn, play_action
from kibitz.games.huxxy.fitting import fitting
from kibitz.games.huxxy.glance import SCRATCH as SCRATCH
from kibitz.games.huxxy.groups import is_valid, worth
from kibitz.games.huxxy.plays import END, PICK_UP, PLAY, SLOTS
from kibitz.games.huxxy.rollouts import ahead as ahead
from kibitz.games.huxxy.rollouts import chance_of as chance_of
from kibitz.games.huxxy.rollouts import every_plan as every_plan
from kibitz.games.huxxy.rollouts import plan_of as plan_of
from kibitz.games.huxxy.rollouts import plans_of as plans_of
from kibitz.games.huxxy.rollouts import plays_of as plays_of
from kibitz.games.huxxy.rules import refused_end, substitute
from kibitz.games.huxxy.spent import imagined as imagined
from kibitz.games.huxxy.triples import highest_card, total, triple
from kibitz.games.huxxy.view import HuxxyView
from kibitz.kernel import kernel

# Strategies that are asked with a view


def first(view: HuxxyView, legal: list[int], random: Random) -> int:
    """The first legal action."""
    return min(legal)


def greedy(view: HuxxyView, legal: list[int], random: Random) -> int:
    """The next play of a best turn; pick up if there is none."""
    return next_play(view, legal, rearrange=True)


def hand(view: HuxxyView, legal: list[int], random: Random) -> int:
    """The next play of a best turn with hand cards only; pick up if there is none."""
    return next_play(view, legal, rearrange=False)


def next_play(view: HuxxyView, legal: list[int], *, rearrange: bool) -> int:
    """The first play of a best turn from here, or the end of the turn."""
    if len(legal) == 1:
        return legal[0]
    left, owed, need = view.plays_left, int(view.placed == 0), view.points_needed
    turn = best_turn(view.hand, view.table, left=left, owed=owed, need=need, rearrange=rearrange)
    if turn is None:
        return PICK_UP if view.plays == 0 else legal[0]
    return play_action(view.table, turn.plays[0]) if turn.plays else END


# Strategies that are kernels


POLICIES = {"quick": "Lays groups of three and whatever fits the table, and leaves what lies there where it is."}
SEARCH_PLAYERS = {
    "best": (1000, "Tries out in imagined games what others can make of the table that its turn leaves them.")
}
NONE = -1


@kernel
def choose(s, policy, rng, scratch):
    """Complete the group begun; lay what fits, then a triple; end the turn, or pick up where nothing can be laid."""
    hand = s.hand_once[s.player]
    left = s.plays_a_turn - s.plays
    if left == 0:
        return substitute(s)
    for g in range(s.groups):
        if not is_valid(s.group_once[g], s.group_twice[g]):
            card = completing(hand, s.group_once[g])
            return substitute(s) if card == NONE else PLAY + SLOTS * card + g
    need = 0 if s.opened[s.player] else s.opening - s.points
    if need <= 0:
        a = laying_off(s, hand)
        if a != NONE:
            return a
    if left > 2 and enough(hand, need, left):
        return PLAY + SLOTS * lowest(triple(hand, 0)) + s.groups
    if s.plays == 0:
        return PICK_UP
    return END if refused_end(s) == 0 else substitute(s)


@kernel
def enough(hand, need, left):
    """Whether a triple brings the points needed, or two triples where there are plays for both."""
    first = triple(hand, 0)
    if first == 0 or total(first) >= need:
        return first != 0
    return left > 5 and total(first) + total(triple(hand & ~first, 0)) >= need


@kernel
def completing(hand, group):
    """The next card for a group of one or two cards, or NONE."""
    if group & (group - 1) == 0:
        rest = triple(hand | group, group) & ~group
        return lowest(rest) if rest else NONE
    return highest_card(hand & fitting(group, 0))


@kernel
def laying_off(s, hand):
    """The play of the dearest hand card that fits a group, or NONE."""
    found = NONE
    most = 0
    for g in range(s.groups):
        card = highest_card(hand & fitting(s.group_once[g], s.group_twice[g])) if s.group_once[g] else NONE
        if card != NONE and worth(card) > most:
            most = worth(card)
            found = PLAY + SLOTS * card + g
    return found
