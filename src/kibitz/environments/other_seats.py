"""The players of an environment's other seats: built-in players, functions and player files.

A player file that fails forfeits its seat, and the computer plays on for it, as in a tournament. If a function raises
an error or returns an illegal action, the game ends with PlayerError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from kibitz.arena.chunks import function_error
from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.sentences import counted
from kibitz.errors import NotationError, PlayerError
from kibitz.players.built_in import default_player
from kibitz.players.opponents import OpponentsReferee
from kibitz.players.specs import AnySpec, FunctionSpec, specs_of
from kibitz.table import Table


def opponents_of(game: Game, own_seats: Sequence[int], players: Any) -> dict[int, AnySpec]:
    """The players, by seat, of all seats except ``own_seats``.

    ``players`` is one player for all of them, a list with one for each in order, or a dictionary by seat; None is the
    strongest built-in player that makes the same choices on every machine. NotationError names an invalid one.
    """
    seats = [seat for seat in range(game.seats) if seat not in own_seats]
    if players is None:
        players = default_player(game)
    if isinstance(players, Mapping):
        missing = [seat for seat in seats if seat not in players]
        if missing or len(players) != len(seats):
            raise NotationError(
                f"players must have one for each of the seats {seats}, not {short_repr(dict(players))}."
            )
        players = [players[seat] for seat in seats]
    if not isinstance(players, list | tuple):
        players = [players] * len(seats)
    if len(players) != len(seats):
        raise NotationError(
            f"players must list {counted(len(seats), 'player')}, one for each other seat, not {len(players)}."
        )
    return dict(zip(seats, specs_of(game, players) if seats else [], strict=True))


class Opponents(OpponentsReferee):
    """The players of some seats of one table."""

    def __init__(self, table: Table, specs: Mapping[int, AnySpec]) -> None:
        super().__init__(table, {seat: spec.make for seat, spec in specs.items()}, nullcontext)
        self.specs = specs
        self.begin()
        table.run_automatic_steps()

    def play_on(self) -> None:
        """Let these players play until a seat without one has to choose, or the game is over."""
        while (waiting := self.table.waiting) and all(seat in self.specs for seat in waiting):
            self.ask(waiting[0])
        if self.table.over:
            self.end(self.table.outcome)

    def forfeit(self, seat: int, error: PlayerError) -> None:
        """Forfeit for a player file; raise the error of a caller's function."""
        spec = self.specs[seat]
        if isinstance(spec, FunctionSpec):
            sentence = f"the player of seat {seat} ({spec.name}) failed (deal seed {self.table.seed}): {error.sentence}"
            raise function_error(error.kind, sentence, error.detail)
        super().forfeit(seat, error)
