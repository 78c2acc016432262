"""Seats that nobody takes: which built-in player fills them, and when.

    filler      a built-in player that the arena enters by itself, under its own name, in as many seats of a block as
                there are players too few; it is rated as whoever else plays, and is ranked as itself
    house       the owner of all fillers; no file is ever theirs
    seated      who takes part in a round: the players, and the fillers only while the players are fewer than the seats
                or where seats of the last deals may be left over

The scheduler and the proof of a season go by the same functions, so neither can seat whom the other would not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kibitz.arena.model import Entrant, Goal
from kibitz.engine.game import Game
from kibitz.players.built_in import everywhere_alike

HOUSE = "Kibitz"


def is_filler(owner: str, sha256: str) -> bool:
    """Whether a submission with this owner, and a file of this SHA-256 or none, fills seats."""
    return owner == HOUSE and not sha256


def filler_of(game: Game, taken: Collection[str] = ()) -> str | None:
    """The built-in player that fills the seats of a game; None if the names of all are taken.

    It is the best whose name nobody has, of those that play alike on every machine.
    """
    names = reversed(everywhere_alike(game))
    return next((name for name in names if name not in taken), None)


def filler_among(game: Game, names: Collection[str]) -> str:
    """Which of the built-in players of a tournament fills its seats, where none was entered for that.

    It is the strongest of those that play alike everywhere.  A stronger one may have come since the tournament began,
    so this need not be ``filler_of``.
    """
    return next(name for name in reversed(everywhere_alike(game)) if name in names)


def seated(entrants: Sequence[Entrant], seats: int, goal: Goal | None = None) -> tuple[Entrant, ...]:
    """Who of all who may play takes part in a game of so many seats, or in a tournament's round.

    >>> ann, bob, planner = Entrant(1, "ann"), Entrant(2, "bob"), Entrant(3, "planner", fills=True)
    >>> [one.player for one in seated([ann, planner], 2)], [one.player for one in seated([ann, bob, planner], 2)]
    (['ann', 'planner'], ['ann', 'bob'])
    """
    players = tuple(one for one in entrants if not one.fills)
    filled = len(players) < seats or (goal is not None and goal.filled)
    return tuple(entrants) if players and filled else players


def is_short(entrants: Sequence[Entrant], seats: int) -> bool:
    """Whether those who are seated are too few, and nobody fills the seats that are left."""
    return len(entrants) < seats and not any(one.fills for one in entrants)
