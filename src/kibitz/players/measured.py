"""How strong the players that come with a game are, as measured: the ladders that ``benchmarks.ladders`` has written.

points      1500 on average, 400 for ten times the odds; ``margin`` is half of their 95 % interval

Figures are of a game as it stands and of the rules that they were played by.  Players that need machine code to be what
they are have none.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from kibitz.engine.game import Game

FILE = Path(__file__).with_name("ladders.json")


class Ladder(msgspec.Struct, frozen=True):
    """One game's players by name, each with its points and their margin; ``rules`` is the version of the game's."""

    rules: int
    deals: int
    seed: int
    players: dict[str, tuple[int, int]]


class Strength(NamedTuple):
    """A measured strength."""

    points: int
    margin: int

    def __str__(self) -> str:
        return f"{self.points} ± {self.margin}"


@cache
def ladders() -> dict[str, Ladder]:
    """All ladders that there are, by game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Ladder])


def strength(game: Game, player: str) -> Strength | None:
    """How strong a player of a game is; None where nobody has measured it.

    >>> from kibitz.engine.registry import game
    >>> strength(game("go"), "greedy").points > strength(game("go"), "random").points
    True
    """
    found = ladders().get(game.name)
    if found is None or found.rules != game.rules.VERSION or player not in found.players:
        return None
    return Strength(*found.players[player])
