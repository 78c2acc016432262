"""What the table asks of a player.

A player sees views and events of its own seat, never a state.
"""

from __future__ import annotations

from typing import Protocol

from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.game import Game


class Player(Protocol):
    """One seat's player for one game.  Any method may raise PlayerError: the seat then forfeits.

    A method ``explain() -> str`` is not asked for, but used where there is one: what led to the last action, for
    the owner of a player whose action is illegal.
    """

    name: str

    def start(self, game: Game, seat: int, seed: int) -> None:
        """The game begins; ``seed`` is for the player's own random choices and says nothing about the cards."""

    def observe(self, event: Event) -> None:
        """Something has happened that this seat can see, its own actions included."""

    def act(self, view: View, legal: list[int]) -> int:
        """Choose an action; ``legal`` is never empty."""
        ...

    def end(self, outcome: Outcome | None) -> str:
        """The game is over, or has been broken off (None).  Returns what the player printed, for its owner."""
        ...
