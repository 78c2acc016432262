"""Players at a table: their interface, their names, and their seats in a rematch.

A player sees views and events of its own seat, never a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from kibitz.engine.game import Game
from kibitz.engine.player_names import LONGEST, alike, clean_name
from kibitz.engine.views.events import Event, Outcome, View


class Player(Protocol):
    """One seat's player for one game.  Any method may raise PlayerError: the seat then forfeits.

    A method ``explain() -> str`` is optional: it says what led to the last action, for the owner of a player whose
    action is illegal.
    """

    name: str

    def start(self, game: Game, seat: int, seed: int) -> None:
        """The game begins; ``seed`` is for the player's own random choices and says nothing about the cards."""

    def observe(self, event: Event) -> None:
        """Something has happened that this seat can see, which may be its own action."""

    def act(self, view: View, legal: list[int]) -> int:
        """Choose an action; ``legal`` is never empty."""
        ...

    def end(self, outcome: Outcome | None) -> str:
        """The game is over, or was abandoned (None). Returns what the player printed, for its owner."""
        ...


__all__ = ["clean_name", "distinct"]


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names that people can tell apart: those that look the same are numbered.

    >>> distinct(["rook", "Ann", "rook"])
    ('rook-1', 'Ann', 'rook-2')
    """
    found: list[str] = []
    for name in names:
        alone = sum(alike(name, other) for other in names) == 1
        number, given = 1, name if alone else with_number(name, 1)
        while any(alike(given, other) for other in found):
            number += 1
            given = with_number(name, number)
        found.append(given)
    return tuple(found)


def with_number(name: str, number: int) -> str:
    """A name with a number after it, within the length limit of names."""
    return f"{name[: LONGEST - len(str(number)) - 1]}-{number}"


T = TypeVar("T")


def moved_on(by_seat: Sequence[T]) -> tuple[T, ...]:
    """A tuple by seat, such as names or chairs, moved to the seats of the rematch.

    >>> moved_on(["Ann", "Ben", "Cem"])
    ('Cem', 'Ann', 'Ben')
    """
    return (*by_seat[-1:], *by_seat[:-1])
