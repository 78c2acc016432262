"""Strategies for Huxxy, from the view alone.

first       the first legal action: it picks up every turn
hand        the best turn among those that leave all cards on the table where they are
greedy      the best turn: the most cards, then the highest, with the fewest plays
"""

from random import Random

from kibitz.games.huxxy.best import best_turn, play_action
from kibitz.games.huxxy.plays import END, PICK_UP
from kibitz.games.huxxy.view import HuxxyView


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
