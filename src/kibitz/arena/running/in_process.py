"""A pool that is this process: for players that are to be debugged, or may not leave it.

It plays a block when it is listened to.  What a terminal or another process sends meanwhile breaks the match off at
once, since it may be one that would never end; between matches it is left to whoever else listens for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from kibitz.arena.model import Lease, Showing
from kibitz.arena.running.blocks import PlayerFile, Unplayable, play
from kibitz.arena.running.pool import Finished, Told, Voided
from kibitz.arena.signals import interrupted_by_signals
from kibitz.engine.game import Game
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier

NOTHING_TO_DO = 0.01
"""Seconds for which it rests at most where there is nothing to play."""


class InProcess:
    """Plays in this process, block after block; ``players`` are those of all submissions."""

    size, here = 1, True

    def __init__(self, game: Game, players: Mapping[int, PlayerSpec], *, recorded: bool = True) -> None:
        self.game, self.players, self.recorded = game, players, recorded
        self.lease: Lease | None = None

    def fill(self) -> None:
        """There is nobody to start."""

    def room(self) -> int:
        """How many more blocks it takes now: one, if it has none."""
        return int(self.lease is None)

    def leases(self) -> list[Lease]:
        """What is being played."""
        return [self.lease] if self.lease else []

    def shown(self) -> tuple[Showing, ...]:
        """Nobody looks on here."""
        return ()

    def send(self, lease: Lease, files: Mapping[int, PlayerFile], tier: Tier | None) -> None:
        """Take a block, to play it when it is listened for."""
        self.lease = lease

    def listen(self, seconds: float) -> Iterator[Told]:
        """Play the block, if there is one; KeyboardInterrupt when this process is told to stop meanwhile."""
        lease = self.lease
        if lease is None:
            time.sleep(min(seconds, NOTHING_TO_DO))
            return
        played = []
        try:
            with interrupted_by_signals():
                for match in play(self.game, lease.block, self.players, recorded=self.recorded):
                    played.append(match)
        except Unplayable as error:
            yield Voided(lease, len(played), str(error))
        else:
            yield Finished(lease, tuple(played))
        finally:
            self.lease = None

    def end(self) -> None:
        """Play nothing more."""
        self.lease = None
