"""Player files at tables with people: each plays in a confined process of its own, asked from a thread.

A file that returns to a game, because the server was restarted, lives through what has been played
(``kibitz.players.opponent``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

from kibitz.engine.game import Game
from kibitz.errors import ConfinementError, KibitzError, MachineError
from kibitz.players.opponent import Opponent
from kibitz.players.processes import STRANGERS, unconfined
from kibitz.players.specs import PlayerSpec
from kibitz.table.match import player_seed
from kibitz.web.session import Session
from kibitz.web.store.entries import Chair

MOST_SEATED = 24
"""So many files play at once: each is a process, and those who play without files need the machine as well."""
FULL = "As many player files play here as this machine can bear: wait until some games are over."
Lookup = Callable[[Game, Chair], Awaitable[PlayerSpec]]


async def no_files(game: Game, chair: Chair) -> PlayerSpec:
    """There is no arena here, and so no player files."""
    raise KibitzError("There are no player files here: this server has no arena.")


@dataclass(eq=False)
class Files:
    """All player files that sit at tables of this server; ``lookup`` finds the file of a chair."""

    lookup: Lookup = no_files
    seated: dict[tuple[int, int], tuple[Session, Opponent, ThreadPoolExecutor]] = field(default_factory=dict)

    async def find(self, game: Game, chair: Chair) -> PlayerSpec:
        """The player of a chair; KibitzError if it is not to be had, or cannot be confined here or not now."""
        if unconfined():
            raise ConfinementError(STRANGERS)
        self.check_capacity()
        return await self.lookup(game, chair)

    def check_capacity(self) -> None:
        """MachineError where as many files play as there may; those whose games are over get up first."""
        if len(self.seated) >= MOST_SEATED:
            for session, _, _ in list(self.seated.values()):
                if session.table.over:
                    self.let_go(session)
        if len(self.seated) >= MOST_SEATED:
            raise MachineError(FULL)

    async def choose(self, session: Session, seat: int) -> int:
        """What a file chooses; PlayerError if it fails."""
        opponent, thread = await self.at_table(session, seat)
        table = session.table
        view, legal = table.view(seat), table.legal(seat)
        return await asyncio.get_running_loop().run_in_executor(thread, opponent.act, view, legal)

    async def at_table(self, session: Session, seat: int) -> tuple[Opponent, ThreadPoolExecutor]:
        """A file's player, seated now if it has not sat down yet."""
        key = id(session), seat
        if key not in self.seated:
            spec = await self.find(session.game, session.chairs[seat])
            self.check_capacity()
            opponent = Opponent(spec.make(), session.table, seat, lambda _: nullcontext())
            thread = ThreadPoolExecutor(1, thread_name_prefix="kibitz-file")
            self.seated[key] = session, opponent, thread
            begin = partial(opponent.start, session.game, seat, player_seed(session.seed, seat))
            await asyncio.get_running_loop().run_in_executor(thread, begin)
        return self.seated[key][1:]

    def let_go(self, session: Session) -> None:
        """End the processes of a table's files."""
        for key in [key for key in self.seated if key[0] == id(session)]:
            _, opponent, thread = self.seated.pop(key)
            thread.submit(opponent.end, None)
            thread.shutdown(wait=False)
