"""The referee where people play: it begins a game or goes on with one, and keeps it after every step.

Only the latest decision can be taken back, and only before anybody else had to choose: so no opponent has heard of it,
and none has to think again.  In a game that is gone on with they do (``kibitz.players.opponent``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from kibitz.errors import KibitzError, PlayerError
from kibitz.players.opponent import Maker, Opponent, Waiting
from kibitz.table import Player, Table
from kibitz.table.match import ForfeitWatcher, Referee, Watcher, player_seed
from kibitz.table.table import note_hint
from kibitz.table.undo import Decision

Keep = Callable[[Table], bool]
"""Writes a game down; whether it is written."""
Someone = TypeVar("Someone", bound=Player)


class Company(Referee):
    """Referee of a game in which ``people``, by seat, play with the computer players that ``makers`` make."""

    def __init__(
        self,
        table: Table,
        makers: Mapping[int, Maker],
        people: Mapping[int, Someone],
        waiting: Waiting,
        keep: Keep,
        watch: Watcher,
        on_forfeit: ForfeitWatcher,
    ) -> None:
        self.keep = keep
        players: list[Player] = [
            people[seat] if seat in people else Opponent(makers[seat](), table, seat, waiting)
            for seat in range(table.game.seats)
        ]
        super().__init__(table, players, watch, on_forfeit)

    def begin(self) -> None:
        """Let everybody sit down; KibitzError where a player cannot go on with a game."""
        self.save()
        if not self.table.step:
            super().begin()
            return
        for seat in sorted(self.standing):
            try:
                self.players[seat].start(self.game, seat, player_seed(self.table.seed, seat))
            except PlayerError as error:
                raise KibitzError(f"{self.table.names[seat]} cannot go on: {error}") from error

    def save(self) -> bool:
        """Keep the game as it is; whether that went well."""
        return self.keep(self.table)

    def hinted(self, seat: int) -> None:
        """The person of a seat asks for a hint, which the record is to say."""
        note_hint(self.table, seat)
        self.save()


def decisions_of(table: Table, seat: int) -> list[Decision]:
    """What a seat has decided in a game, from the game itself; where there was one choice nothing was decided."""
    return [
        Decision(past.step, past.view(seat), table.actions[past.step], len(past.events(seat)))
        for past in table.again()
        if past.step < table.step and past.player == seat and seat not in past.out and len(past.legal(seat)) > 1
    ]
