"""The best turn, exactly: which cards to play and what to rearrange, so that the table is valid at the end.

    play        ``(card, source, goal)``: a face, the group it leaves (HAND: the hand) and the group it goes to
    goal        "cards" the most cards, "points" the most points, "worth" the least worth left in hand

The search is ``turns``, in machine code where Numba is installed.  It ends with a table; here the table becomes
plays again, those from the hand first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from kibitz.engine import twins
from kibitz.games.huxxy import turns
from kibitz.games.huxxy.groups import points, worth
from kibitz.games.huxxy.view import faces, pair

HAND = -1
GOALS = {"cards": turns.CARDS, "points": turns.POINTS_PLAYED, "worth": turns.WORTH_LEFT}


class Play(NamedTuple):
    """One play of a turn: the group ``goal`` is a new one if there are only ``goal`` groups so far."""

    card: int
    source: int
    goal: int


class Turn(NamedTuple):
    """The plays of a turn, and what its hand cards count."""

    plays: tuple[Play, ...]

    @property
    def cards(self) -> int:
        """How many cards leave the hand."""
        return sum(play.source == HAND for play in self.plays)

    @property
    def points(self) -> int:
        """What they count towards an opening turn."""
        return sum(int(points(play.card)) for play in self.plays if play.source == HAND)

    @property
    def worth(self) -> int:
        """What they would cost at the end of the game."""
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
) -> Turn | None:
    """The turn that does most for ``goal`` with at most ``left`` plays, or None if none ends on a valid table.

    At least ``owed`` hand cards worth ``need`` points must be played; cards are faces, the Joker is 52.
    ``rearrange=False`` leaves all cards on the table where they are.
    """
    w = load(hand, table)
    solver().solve(w, GOALS[goal], left, owed, need, rearrange, 0)
    if not w[turns.FOUND]:
        return None
    return Turn(tuple(plays_to(table, [best_group(w, g) for g in range(int(w[turns.BEST_GROUPS]))])))


@cache
def solver() -> Any:
    """The search in machine code, or plain where Numba is missing."""
    try:
        return twins.compiled(turns)
    except ImportError:
        return twins.plain(turns)


def load(hand: Sequence[int], table: Sequence[Sequence[int]]) -> Any:
    """The work array with a hand and a table in it."""
    try:
        import numpy as np
    except ImportError:
        w: Any = [0] * turns.WORK
    else:
        w = np.zeros(turns.WORK, np.int64)
    for g, cards in enumerate(table):
        w[turns.ONCE + g], w[turns.TWICE + g] = pair(cards)
    w[turns.GROUPS] = len(table)
    w[turns.HAND_ONCE], w[turns.HAND_TWICE] = pair(hand)
    return w


def best_group(w: Any, g: int) -> tuple[int, ...]:
    """A group of the best table found."""
    return faces(int(w[turns.BEST_ONCE + g]), int(w[turns.BEST_TWICE + g]))


def plays_to(table: Sequence[Sequence[int]], goals: Sequence[Sequence[int]]) -> list[Play]:
    """The plays that lead from one table to another, those from the hand first.

    What a group gains comes from a group that loses it, and from the hand where none does.
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
