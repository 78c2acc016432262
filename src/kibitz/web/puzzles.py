"""Puzzles: positions from games between computer players in which one choice is clearly best.

``python -m tools.puzzles`` finds them. A puzzle holds the actions up to its position, which a table replays; nobody
who solves one is sent more than the view of the seat to move.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

import msgspec

from kibitz.engine.record import Unfinished
from kibitz.engine.registry import game as find_game
from kibitz.table import Table

FILE = Path(__file__).with_name("puzzles.json")


class Cost(msgspec.Struct, frozen=True):
    """What another choice costs: a share of the chances to win, with half of its 95 % interval."""

    action: int
    chance: float
    error: float


class Puzzle(msgspec.Struct, frozen=True):
    """A position and its best choice; ``costs`` are those of all other choices, the least first.

    ``rules`` is the version of the game's rules with which it was found.
    """

    game: str
    rules: int
    seed: int
    actions: tuple[int, ...]
    best: int
    costs: tuple[Cost, ...]

    def table(self) -> Table:
        """The table at the position; RecordError if it is not one of the game's."""
        names = tuple(f"Player {seat + 1}" for seat in range(find_game(self.game).seats))
        return Table.resume(Unfinished(self.game, self.rules, names, self.seed, self.actions, ()))


@cache
def puzzles() -> dict[str, tuple[Puzzle, ...]]:
    """All puzzles by game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[Puzzle, ...]])


def number_on(day: date, game: str) -> int:
    """The number of a game's puzzle on a day: each in turn."""
    return day.toordinal() % len(puzzles()[game])
