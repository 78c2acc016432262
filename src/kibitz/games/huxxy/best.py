"""The best turn, exactly: which cards to play and what to rearrange, so that the table is valid at the end.

    play        ``(card, source, goal)``: a face, the group it leaves (HAND: the hand) and the group it goes to
    goal        "cards" the most cards, "points" the most points, "worth" the least worth left in hand

The search is ``turns``, in machine code where Numba is installed.  It ends with a table; here the table becomes
plays again, those from the hand first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from kibitz.engine.kernels import compilation
from kibitz.games.huxxy import turns, work
from kibitz.games.huxxy.groups import CONCEDE, MOVE, PLAY, SLOTS, points, worth
from kibitz.games.huxxy.view import HuxxyView, faces, pair

HAND = -1
STEPS = 1000
"""A limit of some milliseconds in most positions, and rarely more than 0.2 s."""
GOALS = {"cards": work.CARDS, "points": work.POINTS_PLAYED, "worth": work.WORTH_LEFT}


class Play(NamedTuple):
    """One play of a turn: the group ``goal`` is a new one if there are only ``goal`` groups so far."""

    card: int
    source: int
    goal: int


class Turn(NamedTuple):
    """The plays of a turn, and the value of its hand cards."""

    plays: tuple[Play, ...]

    @property
    def cards(self) -> int:
        """How many cards leave the hand."""
        return sum(play.source == HAND for play in self.plays)

    @property
    def points(self) -> int:
        """Their points towards an opening turn."""
        return sum(int(points(play.card)) for play in self.plays if play.source == HAND)

    @property
    def worth(self) -> int:
        """Their cost at the end of the game."""
        return sum(int(worth(play.card)) for play in self.plays if play.source == HAND)


def best_turn(
    hand: Sequence[int],
    table: Sequence[Sequence[int]],
    *,
    goal: str = "cards",
    left: int = 6,
    owed: int = 1,
    need: int = 0,
    rearrange: bool = True,
    step_limit: int = 0,
) -> Turn | None:
    """The turn that does most for ``goal`` with at most ``left`` plays, or None if none ends on a valid table.

    Ties for "cards" are decided by the most worth of the hand cards played, ties for "points" and "worth" by the most
    cards. Then come the fewest plays, then leaving all cards on the table where they are, and last the order of the
    search. At least ``owed`` hand cards worth ``need`` points must be played; cards are faces, the Joker is 52.
    ``rearrange=False`` leaves all cards on the table where they are.

    Plain Python may take seconds. With ``step_limit``, such as STEPS, it returns the best turn found by then; machine
    code always searches to the end. A turn that has begun is completed even if that takes longer.
    """
    limit = step_limit if solver()[0] is turns else 0
    w = searched(hand, table, (GOALS[goal], left, owed, need, rearrange), limit)
    if limit and not w[work.FOUND] and not owed:
        w = searched(hand, table, (work.ANY, left, owed, need, rearrange))
    if not w[work.FOUND]:
        return None
    return Turn(tuple(plays_to(table, [best_group(w, g) for g in range(int(w[work.BEST_GROUPS]))])))


def can_end(view: HuxxyView, limit: int = 0) -> bool | None:
    """Whether the mover, who sees ``view``, can still end the turn validly, including by picking up.

    None if that isn't known after ``limit`` steps (0: no limit). Steps are plain Python: a quick answer for a person,
    without waiting for machine code.
    """
    if view.plays == 0:
        return True
    asked = (work.ANY, view.plays_left, view.placed == 0, view.points_needed, True)
    w = searched(view.hand, view.table, asked, limit)
    if w[work.FOUND]:
        return True
    return None if limit and w[work.NODES] > limit else False


def leading(view: HuxxyView, legal: Sequence[int]) -> list[int]:
    """Those of the mover's legal actions after which the turn can still be ended validly."""
    return [action for action in legal if leads(view, action)]


def leads(view: HuxxyView, action: int) -> bool:
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
    asked = (work.ANY, view.plays_left - 1, placed == 0, max(0, view.points_needed - gained), True)
    return bool(searched(hand, table, asked)[work.FOUND])


def play_of(view: HuxxyView, action: int) -> Play:
    """The play that an action stands for."""
    group = (action - PLAY) % SLOTS
    if action < MOVE:
        return Play((action - PLAY) // SLOTS, HAND, group)
    card, source = table_cards(view.table)[(action - MOVE) // SLOTS]
    return Play(card, source, group)


def table_cards(table: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Every face on the table with its group, in the order in which actions number them."""
    return [(card, g) for g, cards in enumerate(table) for card in sorted(set(cards))]


def play_action(table: Sequence[Sequence[int]], play: Play) -> int:
    """The action for a play; a card that does not come from the hand must be in its group."""
    if play.source == HAND:
        return PLAY + SLOTS * play.card + play.goal
    return MOVE + SLOTS * table_cards(table).index((play.card, play.source)) + play.goal


def searched(
    hand: Sequence[int], table: Sequence[Sequence[int]], asked: tuple[int, int, int, int, bool], limit: int = 0
) -> Any:
    """The work array after a search; ``asked`` is the goal, plays left, cards owed, points needed, ``rearrange``.

    With a ``limit`` it runs in plain Python.
    """
    kernels, fresh = plain_solver() if limit else solver()
    w = fresh()
    for g, cards in enumerate(table):
        w[work.ONCE + g], w[work.TWICE + g] = pair(cards)
    w[work.GROUPS] = len(table)
    w[work.HAND_ONCE], w[work.HAND_TWICE] = pair(hand)
    kernels.solve(w, *map(int, asked), limit)
    return w


def solver() -> tuple[Any, Callable[[], Any]]:
    """The search and a maker of work arrays for it: in machine code if that is ready (``kibitz warm``), else plain.

    Compiling takes longer than hundreds of searches in plain Python, so nobody has to wait for it. If it isn't ready,
    this looks again now and then, since another process may have compiled it.
    """
    if not _looked.ready and monotonic() >= _looked.again:
        _looked.ready, _looked.again = compilation.is_ready("solve", turns), monotonic() + 5
    try:
        return fast_solver() if _looked.ready else plain_solver()
    except ImportError:
        return plain_solver()


class _Looked:
    """Whether machine code was found to be ready, and when to look again."""

    ready = False
    again = 0.0


_looked = _Looked()


def warm() -> None:
    """Compile the search."""
    kernels, fresh = fast_solver()
    kernels.solve(fresh(), work.ANY, 0, 0, 0, 1, 0)
    _looked.ready = True


@cache
def fast_solver() -> tuple[Any, Callable[[], Any]]:
    """The search in machine code, compiled if necessary; ImportError without Numba."""
    kernels = compilation.compiled(turns)
    import numpy as np

    return kernels, lambda: np.zeros(work.WORK, np.int64)


def plain_solver() -> tuple[Any, Callable[[], Any]]:
    """The search in plain Python."""
    return turns, lambda: [0] * work.WORK


def best_group(w: Any, g: int) -> tuple[int, ...]:
    """A group of the best table found."""
    return faces(int(w[work.BEST_ONCE + g]), int(w[work.BEST_TWICE + g]))


def plays_to(table: Sequence[Sequence[int]], goals: Sequence[Sequence[int]]) -> list[Play]:
    """The plays that lead from one table to another, those from the hand first.

    A card that a group gains comes from a group that loses it, or else from the hand.
    """
    before = [Counter(cards) for cards in table] + [Counter[int]()] * (len(goals) - len(table))
    wanted = [(card, g) for g, cards in enumerate(goals) for card in (Counter(cards) - before[g]).elements()]
    offered = [(card, g) for g, cards in enumerate(goals) for card in (before[g] - Counter(cards)).elements()]
    found = []
    for card, g in wanted:
        source = next((other for face, other in offered if face == card), HAND)
        if source != HAND:
            offered.remove((card, source))
        found.append(Play(card, source, g))
    found.sort(key=lambda play: play.source != HAND)
    number = {g: g for g in range(len(table))}
    for play in found:
        number.setdefault(play.goal, len(number))
    return [Play(play.card, play.source, number[play.goal]) for play in found]
