"""A game that counts: one that a failure of the machine has spoilt is void and played again.

void        nobody forfeits it, and it leaves no trace in any table
attempt     players are made afresh with the same seeds, so whoever answers the same plays the same game again
attempts    what holds through all attempts: failures, and how long each seat has idled
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kibitz.engine.game import Game
from kibitz.errors import MachineError
from kibitz.players.attempts import NOTHING, Account, Attempts, Memory, Sign
from kibitz.players.limits import Limits
from kibitz.table import Match, Player, Table
from kibitz.table.match import Referee, seated

Follow = Callable[[Table], None]
"""Is shown the table after the deal and after every step; it changes nothing there."""

TRIES = 3
"""How often a game is begun when the machine, and certainly no player, fails."""


class Maker(Protocol):
    """What makes a player afresh for every attempt, such as a ``PlayerSpec``."""

    @property
    def limits(self) -> Limits:
        """What the player may use up."""

    @property
    def is_file(self) -> bool:
        """Whether it is a player file, to which limits apply."""

    def make(self, account: Account | None = None) -> Player:
        """A fresh player for one match."""


def play_counted(
    game: Game,
    specs: Sequence[Maker],
    seed: int,
    memory: Memory = NOTHING,
    sign: Sign = lambda memory: None,
    follow: Follow | None = None,
) -> Match:
    """Play a game, again where it is void; MachineError if the machine keeps failing.

    ``memory`` is what other workers have told of their attempts at it; ``sign`` is told what this one adds, and that
    it is still at work; ``follow`` sees every attempt as it goes.
    """
    attempts = Attempts(len(specs), [spec.limits for spec in specs if spec.is_file], memory, sign)
    failures = 0
    while True:
        attempts.begin()
        players = [spec.make(Account(attempts, seat)) for seat, spec in enumerate(specs)]
        try:
            return attempt(seated(game, players, seed), players, attempts, follow)
        except MachineError:
            failures += 1
            if failures == TRIES:
                attempts.tell()
                raise


def attempt(table: Table, players: Sequence[Player], attempts: Attempts, follow: Follow | None) -> Match:
    """Play a game to its end."""
    watch = None if follow is None else lambda notices: follow(table)
    return Referee(table, players, watch, lapses=attempts).play()
