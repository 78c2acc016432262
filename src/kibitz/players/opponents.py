"""Computer players at a table with people.

An opponent gets events only when it has to choose.  So the latest decision can be undone until another player has to
choose: no opponent has seen it, and none has to think again.  In a resumed game a computer player is called again for
all its earlier decisions, and plays them as before, so that its random numbers continue where they were.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from kibitz.engine.game import Game
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.errors import ConfinementError, KibitzError, MachineError, PlayerError
from kibitz.players.isolation.process import STRANGERS, unconfined
from kibitz.players.specs import PlayerSpec
from kibitz.table import Player, Table
from kibitz.table.match import ForfeitWatcher, Referee, player_seed

Waiting = Callable[[str], AbstractContextManager[object]]
"""Says what takes long, while it does."""
Maker = Callable[[], Player]


class Opponent:
    """A computer player at a table with people."""

    def __init__(self, player: Player, table: Table, seat: int, waiting: Waiting) -> None:
        self.player, self.table, self.seat, self.waiting = player, table, seat, waiting
        self.name = table.names[seat]
        self.heard = 0

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Begin, and live through what has been played already."""
        self.player.start(game, seat, seed)
        if not self.table.step:
            return
        with self.waiting(f"{self.name} is thinking about its earlier moves again ..."):
            for past in self.table.again():
                if past.step < self.table.step and past.player == seat and seat not in past.out:
                    self.listen(past)
                    self.decide_again(past)

    def decide_again(self, past: Table) -> None:
        """Choose as in an earlier position; whatever comes of it, what was played stands."""
        try:
            self.player.act(past.view(self.seat), past.legal(self.seat))
        except MachineError:
            raise
        except Exception:
            return

    def listen(self, table: Table) -> None:
        """Hear what is new."""
        for event in table.events(self.seat, self.heard):
            self.heard += 1
            self.player.observe(event)

    def observe(self, event: Event) -> None:
        """There is time for that later."""

    def act(self, view: View, legal: list[int]) -> int:
        """What the player chooses."""
        self.listen(self.table)
        with self.waiting(f"{self.name} is thinking ..."):
            return self.player.act(view, legal)

    def explain(self) -> str:
        """What led to the last action."""
        return str(getattr(self.player, "explain", str)())

    def end(self, outcome: Outcome | None) -> str:
        """Hear the end, and be let go."""
        if outcome is not None and self.seat not in self.table.out:
            self.listen(self.table)
        return self.player.end(outcome)


class Seated(NamedTuple):
    """Who sits where: the seats of people, by seat what makes the other players, and the chairs as they are kept."""

    people: tuple[int, ...]
    makers: Mapping[int, Maker]
    chairs: tuple[str | None, ...]


def seated(words: Sequence[str | None], find: Callable[[list[str]], list[PlayerSpec]], *, own: bool = True) -> Seated:
    """Who sits where by the words of each seat, None for a person; ``find`` finds the players that words name.

    The files of players are one's ``own`` unless they were named by a file that somebody else may have written;
    ConfinementError where such files cannot be confined.
    """
    others = {seat: word for seat, word in enumerate(words) if word is not None}
    specs = dict(zip(others, find(list(others.values())), strict=True))
    if not own and any(spec.is_file for spec in specs.values()) and unconfined():
        raise ConfinementError(f"the game names player files, perhaps somebody else's. {STRANGERS}")
    places = {seat: os.path.abspath(spec.words) for seat, spec in specs.items() if not spec.built_in}
    return Seated(
        tuple(seat for seat, word in enumerate(words) if word is None),
        {seat: spec.make for seat, spec in specs.items()},
        tuple(places.get(seat, word) for seat, word in enumerate(words)),
    )


class Company(Referee):
    """Asks the computer players of a table at which people play as well.

    makers      by seat, what makes a player
    waiting     says what takes long
    """

    def __init__(
        self,
        table: Table,
        makers: Mapping[int, Maker],
        waiting: Waiting,
        on_forfeit: ForfeitWatcher | None = None,
    ) -> None:
        players = {seat: Opponent(make(), table, seat, waiting) for seat, make in sorted(makers.items())}
        super().__init__(table, players, on_forfeit=on_forfeit)

    def begin(self) -> None:
        """Let them sit down; KibitzError where a player cannot continue a game that was left."""
        if not self.table.step:
            super().begin()
            return
        for seat in sorted(self.standing):
            try:
                self.players[seat].start(self.game, seat, player_seed(self.table.seed, seat))
            except PlayerError as error:
                raise KibitzError(f"{self.table.names[seat]} can't continue: {error}") from error

    def ask(self, seat: int) -> None:
        """Have a player choose, and carry out all that then needs nobody's answer."""
        super().ask(seat)
        self.table.settle()
