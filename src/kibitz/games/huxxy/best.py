"""The exact best turn: which cards to play and to move, so that the table is valid at the end.

    play        ``(card, source, target)``: a face, the group it leaves (HAND: the hand) and the group it goes to
    goal        what is best: "cards", the most cards; "points", the most points; "worth", the least worth left in hand

``turn_search`` does the search, in machine code if that is ready.  Its result is a table; this module finds the plays
that lead to it, those from the hand first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from kibitz.engine.kernels import compilation
from kibitz.games.huxxy import search_state, turn_search
from kibitz.games.huxxy.actions import CONCEDE, MAX_GROUPS, MOVE, PLAY
from kibitz.games.huxxy.groups import points, worth
from kibitz.games.huxxy.view import HuxxyView, bit_sets, faces

HAND = -1
STEP_LIMIT = 1000
"""A step limit for ``best_turn`` in plain Python: some milliseconds in most positions, and rarely more than 0.2 s."""
GOALS = {"cards": search_state.CARDS, "points": search_state.POINTS_PLAYED, "worth": search_state.WORTH_LEFT}


class Play(NamedTuple):
    """One play of a turn: the group ``target`` is a new one if there are only ``target`` groups so far."""

    card: int
    source: int
    target: int


class TurnPlays(NamedTuple):
    """The plays of a turn; the properties count the cards that leave the hand."""

    plays: tuple[Play, ...]

    @property
    def cards(self) -> int:
        """How many cards leave the hand."""
        return sum(play.source == HAND for play in self.plays)

    @property
    def points(self) -> int:
        """The points of the cards that leave the hand, as an opening turn counts them."""
        return sum(int(points(play.card)) for play in self.plays if play.source == HAND)

    @property
    def worth(self) -> int:
        """What the cards that leave the hand would cost at the end of the game."""
        return sum(int(worth(play.card)) for play in self.plays if play.source == HAND)


def best_turn(
    hand: Sequence[int],
    table: Sequence[Sequence[int]],
    *,
    goal: str = "cards",
    plays_left: int = 6,
    min_cards: int = 1,
    min_points: int = 0,
    rearrange: bool = True,
    step_limit: int = 0,
) -> TurnPlays | None:
    """The best turn for ``goal`` with at most ``plays_left`` plays, or None if no turn ends on a valid table.

    Cards are faces, the Joker is 52. The turn plays at least ``min_cards`` hand cards with at least ``min_points``
    points in all; ``rearrange=False`` leaves all cards on the table where they are. Among turns that are equally good,
    "cards" prefers the one whose hand cards are worth most, "points" and "worth" the one with the most cards; further
    ties go to the turn with the fewest plays, then to one that moves no table card, then to the one found first.

    Plain Python may take seconds. With a ``step_limit``, such as STEP_LIMIT, it returns the best turn found by then;
    machine code ignores the limit. If no turn is found by then and ``min_cards`` is 0 (the turn has begun), a search
    without limit finds a way to end it.
    """
    limit = step_limit if solver()[0] is turn_search else 0
    w = run_search(hand, table, (GOALS[goal], plays_left, min_cards, min_points, rearrange), limit)
    if limit and not w[search_state.FOUND] and not min_cards:
        w = run_search(hand, table, (search_state.ANY, plays_left, min_cards, min_points, rearrange))
    if not w[search_state.FOUND]:
        return None
    return TurnPlays(tuple(plays_between(table, [best_group(w, g) for g in range(int(w[search_state.BEST_GROUPS]))])))


def can_end(view: HuxxyView, limit: int = 0) -> bool | None:
    """Whether the mover, who sees ``view``, can still end the turn validly, including by picking up.

    None if the search doesn't know after ``limit`` steps (0: no limit). With a limit it runs in plain Python, so that
    nobody waits for machine code to be compiled.
    """
    if view.plays == 0:
        return True
    task = (search_state.ANY, view.plays_left, view.placed == 0, view.points_needed, True)
    w = run_search(view.hand, view.table, task, limit)
    if w[search_state.FOUND]:
        return True
    return None if limit and w[search_state.STEPS_TAKEN] > limit else False


def main_actions(view: HuxxyView, legal: Sequence[int]) -> list[int]:
    """The legal actions of the mover after which the turn can still be ended validly."""
    return [action for action in legal if can_end_after(view, action)]


def can_end_after(view: HuxxyView, action: int) -> bool:
    """Whether the turn can still be ended after a legal action."""
    if action < PLAY:
        return action != CONCEDE
    card, source, group = play_of(view, action)
    hand, table = list(view.hand), [list(cards) for cards in view.table]
    (hand if source == HAND else table[source]).remove(card)
    if group == len(table):
        table.append([])
    table[group].append(card)
    placed, gained = view.placed + (source == HAND), int(points(card)) if source == HAND else 0
    task = (search_state.ANY, view.plays_left - 1, placed == 0, max(0, view.points_needed - gained), True)
    return bool(run_search(hand, table, task)[search_state.FOUND])


def play_of(view: HuxxyView, action: int) -> Play:
    """The play that an action stands for."""
    group = (action - PLAY) % MAX_GROUPS
    if action < MOVE:
        return Play((action - PLAY) // MAX_GROUPS, HAND, group)
    card, source = table_cards(view.table)[(action - MOVE) // MAX_GROUPS]
    return Play(card, source, group)


def table_cards(table: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Every face on the table with its group, in the order of table card numbers (see ``actions``)."""
    return [(card, g) for g, cards in enumerate(table) for card in sorted(set(cards))]


def play_action(table: Sequence[Sequence[int]], play: Play) -> int:
    """The action for a play; a card that doesn't come from the hand must be in the group ``source``."""
    if play.source == HAND:
        return PLAY + MAX_GROUPS * play.card + play.target
    return MOVE + MAX_GROUPS * table_cards(table).index((play.card, play.source)) + play.target


def run_search(
    hand: Sequence[int], table: Sequence[Sequence[int]], task: tuple[int, int, int, int, bool], limit: int = 0
) -> Any:
    """Search, and return the state of the search, an array (see ``search_state``).

    ``task`` has the goal, the plays left, the minimums of cards and points, and ``rearrange``. With a ``limit`` on its
    steps, the search runs in plain Python.
    """
    kernels, new_array = plain_solver() if limit else solver()
    w = new_array()
    for g, cards in enumerate(table):
        w[search_state.ONCE + g], w[search_state.TWICE + g] = bit_sets(cards)
    w[search_state.GROUPS] = len(table)
    w[search_state.HAND_ONCE], w[search_state.HAND_TWICE] = bit_sets(hand)
    kernels.solve(w, *map(int, task), limit)
    return w


def solver() -> tuple[Any, Callable[[], Any]]:
    """The search, and a function that makes its array: in machine code if that is ready (``kibitz compile``).

    It is never compiled here, since that takes longer than hundreds of searches in plain Python. If machine code isn't
    ready, the next check is five seconds later, since another process may have compiled it by then.
    """
    if not _readiness.ready and monotonic() >= _readiness.next_check:
        _readiness.ready, _readiness.next_check = compilation.is_compiled("solve", turn_search), monotonic() + 5
    try:
        return fast_solver() if _readiness.ready else plain_solver()
    except ImportError:
        return plain_solver()


class _Readiness:
    """Whether machine code is known to be ready, and when to check next."""

    ready = False
    next_check = 0.0


_readiness = _Readiness()


def compile_search() -> None:
    """Compile the search."""
    kernels, new_array = fast_solver()
    kernels.solve(new_array(), search_state.ANY, 0, 0, 0, 1, 0)
    _readiness.ready = True


@cache
def fast_solver() -> tuple[Any, Callable[[], Any]]:
    """``solver`` in machine code, compiled if necessary. Raises ImportError without Numba."""
    kernels = compilation.compiled(turn_search)
    import numpy as np

    return kernels, lambda: np.zeros(search_state.SEARCH_SIZE, np.int64)


def plain_solver() -> tuple[Any, Callable[[], Any]]:
    """``solver`` in plain Python."""
    return turn_search, lambda: [0] * search_state.SEARCH_SIZE


def best_group(w: Any, g: int) -> tuple[int, ...]:
    """Group ``g`` of the best table that a search has found."""
    return faces(int(w[search_state.BEST_ONCE + g]), int(w[search_state.BEST_TWICE + g]))


def plays_between(table: Sequence[Sequence[int]], final_table: Sequence[Sequence[int]]) -> list[Play]:
    """The plays that lead from ``table`` to ``final_table``, those from the hand first.

    A card that a group gains comes from a group that loses it, or else from the hand.
    """
    before = [Counter(cards) for cards in table] + [Counter[int]()] * (len(final_table) - len(table))
    gained = [(card, g) for g, cards in enumerate(final_table) for card in (Counter(cards) - before[g]).elements()]
    lost = [(card, g) for g, cards in enumerate(final_table) for card in (before[g] - Counter(cards)).elements()]
    plays = []
    for card, g in gained:
        source = next((group for face, group in lost if face == card), HAND)
        if source != HAND:
            lost.remove((card, source))
        plays.append(Play(card, source, g))
    plays.sort(key=lambda play: play.source != HAND)
    numbers = {g: g for g in range(len(table))}  # new groups are numbered in the order of their first plays
    for play in plays:
        numbers.setdefault(play.target, len(numbers))
    return [Play(play.card, play.source, numbers[play.target]) for play in plays]
