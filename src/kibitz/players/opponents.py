"""Computer players at a table with people.

An opponent gets events only when it has to choose. Until then it hasn't seen a person's latest decision, which can
therefore be undone. In a resumed game, a computer player is asked for all its earlier decisions again, so that its
random numbers continue where they were.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from kibitz.engine.game import Game
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.errors import ConfinementError, KibitzError, MachineError, PlayerError
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, why_no_sandbox
from kibitz.players.specs import PlayerSpec
from kibitz.table import Player, Table
from kibitz.table.match import ForfeitWatcher, Referee, decision_seed, player_seed
from kibitz.table.session import is_guided

Waiting = Callable[[str], AbstractContextManager[object]]
"""Makes a context that announces a slow operation while it runs."""
PlayerFactory = Callable[[], Player]


class Opponent:
    """A computer player at a table with people."""

    def __init__(self, player: Player, table: Table, seat: int, waiting: Waiting) -> None:
        self.player, self.table, self.seat, self.waiting = player, table, seat, waiting
        self.name = table.names[seat]
        self.events_seen = 0

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Start the player, and repeat its earlier decisions of the game."""
        self.player.start(game, seat, seed)
        if not self.table.step:
            return
        with self.waiting(f"{self.name} is thinking about its earlier moves again ..."):
            for earlier in self.table.replay():
                if earlier.step < self.table.step and earlier.player == seat and seat not in earlier.forfeited:
                    self.pass_on_events(earlier)
                    self.decide_again(earlier)

    def decide_again(self, earlier: Table) -> None:
        """Have the player choose in an earlier position; its choice is ignored, because the recorded action stands."""
        try:
            self.player.act(earlier.view(self.seat), earlier.legal(self.seat))
        except MachineError:
            raise
        except Exception:
            return

    def pass_on_events(self, table: Table) -> None:
        """Pass on the events that the player hasn't got yet."""
        for event in table.events(self.seat, self.events_seen):
            self.events_seen += 1
            self.player.observe(event)

    def observe(self, event: Event) -> None:
        """Do nothing: events are passed on later."""

    def act(self, view: View, legal: list[int]) -> int:
        """The player's choice. In a guided first hand, each decision has its own seed, so that captions stay true."""
        if is_guided(self.table):
            seed = decision_seed(self.table.seed, self.seat, self.table.step)
            self.player.start(self.table.game, self.seat, seed)
        self.pass_on_events(self.table)
        with self.waiting(f"{self.name} is thinking ..."):
            return self.player.act(view, legal)

    def explain(self) -> str:
        """The player's explanation of its last action; empty if it has none."""
        return str(getattr(self.player, "explain", str)())

    def end(self, outcome: Outcome | None) -> str:
        """Pass on the end, and end the player."""
        if outcome is not None and self.seat not in self.table.forfeited:
            self.pass_on_events(self.table)
        return self.player.end(outcome)


class Seating(NamedTuple):
    """Who sits where: people's seats, by seat what makes the other players, and the chairs for the record."""

    people: tuple[int, ...]
    factories: Mapping[int, PlayerFactory]
    chairs: tuple[str | None, ...]


def seat_players(
    names_or_paths: Sequence[str | None], find: Callable[[list[str]], list[PlayerSpec]], *, own_files: bool = True
) -> Seating:
    """Who sits where, from each seat's player's name or path (None for a person); ``find`` finds these players.

    Player files are the user's own (``own_files``), unless a file that somebody else may have written names them; then
    raises ConfinementError if nothing can confine them.
    """
    named = {seat: word for seat, word in enumerate(names_or_paths) if word is not None}
    specs = dict(zip(named, find(list(named.values())), strict=True))
    if not own_files and any(spec.is_file for spec in specs.values()) and why_no_sandbox():
        raise ConfinementError(f"the game names player files, perhaps somebody else's. {SANDBOX_NEEDS_LINUX}")
    file_paths = {seat: os.path.abspath(spec.name_or_path) for seat, spec in specs.items() if not spec.built_in}
    return Seating(
        tuple(seat for seat, word in enumerate(names_or_paths) if word is None),
        {seat: spec.make for seat, spec in specs.items()},
        tuple(file_paths.get(seat, word) for seat, word in enumerate(names_or_paths)),
    )


class OpponentsReferee(Referee):
    """Asks the computer players of a table at which people play as well.

    factories   by seat, what makes a player
    waiting     announces operations that take long
    """

    def __init__(
        self,
        table: Table,
        factories: Mapping[int, PlayerFactory],
        waiting: Waiting,
        on_forfeit: ForfeitWatcher | None = None,
    ) -> None:
        players = {seat: Opponent(make(), table, seat, waiting) for seat, make in sorted(factories.items())}
        super().__init__(table, players, on_forfeit=on_forfeit)

    def begin(self) -> None:
        """Start the players. Raises KibitzError if one of them can't continue a resumed game."""
        if not self.table.step:
            super().begin()
            return
        for seat in sorted(self.playing):
            try:
                self.players[seat].start(self.game, seat, player_seed(self.table.seed, seat))
            except PlayerError as error:
                raise KibitzError(f"{self.table.names[seat]} can't continue: {error}") from error

    def ask(self, seat: int) -> None:
        """Have a player choose, and carry out all automatic steps after it."""
        super().ask(seat)
        self.table.run_automatic_steps()
