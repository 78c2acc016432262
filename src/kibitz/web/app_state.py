"""The state of the application, from the store to the tables, opened and closed as a whole."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from starlette.requests import HTTPConnection

from kibitz.web.access import MAX_CONNECTIONS, Doorkeeper, Held, Identity, Rates
from kibitz.web.jobs import Jobs, SubmissionChecks
from kibitz.web.live_tables.bots import PlayerFiles
from kibitz.web.live_tables.lobby import Lobby
from kibitz.web.processes import SearchPool
from kibitz.web.season import Season
from kibitz.web.store.keeper import Keeper, marks_folder, open_store
from kibitz.web.store.tables import Finished

# Without limits, replays of long games or guesses at passwords could take every thread and every core.

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = 2


class Turns:
    """Limits work of one kind: ``most`` at once, the rest waits."""

    def __init__(self, most: int = AT_ONCE) -> None:
        self.turn = asyncio.Semaphore(most)

    async def done(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> T:
        """Call a function in a thread when it is its turn; return or raise what it does."""
        async with self.turn:
            return await asyncio.to_thread(work, *given, **named)


log = logging.getLogger("kibitz.web")


@dataclass(frozen=True)
class Config:
    """How a server is set up.

    store       the path or URL of its own store
    arena       that of the season's store; empty: the one that the environment names, or the user's own
    base        its path, such as ``/kibitz``; empty for the root
    workers     processes in which computer players think (None: one for each core)
    names       the names of this machine that browsers may use; any if None
    """

    store: str
    arena: str = ""
    base: str = ""
    workers: int | None = None
    names: tuple[str, ...] | None = None


@dataclass(eq=False)
class AppState:
    """An open server.

    lines       connections to tables by address
    reading     turns for looking at finished games and at the arena
    hashing     turns for making and checking hashes of passwords
    """

    config: Config
    keeper: Keeper
    door: Doorkeeper
    lobby: Lobby
    season: Season
    submission_checks: SubmissionChecks
    jobs: Jobs
    rates: Rates = field(default_factory=Rates)
    lines: Held = field(default_factory=lambda: Held(MAX_CONNECTIONS))
    reading: Turns = field(default_factory=Turns)
    hashing: Turns = field(default_factory=Turns)
    since: float = field(default_factory=time.time)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @classmethod
    async def open(cls, config: Config, search_pool: SearchPool | None = None) -> AppState:
        """Open the store and the lobby; KibitzError, with one sentence, if that fails."""
        keeper = await asyncio.to_thread(open_store, config.store)
        try:
            door = await Doorkeeper.at(keeper)
        except BaseException:
            await asyncio.to_thread(keeper.close)
            raise
        season = Season(config.arena)
        lobby = Lobby(keeper, search_pool or SearchPool(config.workers), PlayerFiles(season.player), config.base)
        jobs = Jobs(marks_folder(config.store))
        app_state = cls(config, keeper, door, lobby, season, SubmissionChecks(config.arena), jobs)
        app_state.tasks = [asyncio.create_task(lobby.sweep()), asyncio.create_task(app_state.warm())]
        return app_state

    @property
    def base(self) -> str:
        """The path of the server."""
        return self.config.base

    async def warm(self) -> None:
        """Prepare computer players before anybody plays against them."""
        try:
            await self.lobby.search_pool.warm()
        except Exception as error:
            log.warning("computer players are not ready yet: %s", error)

    async def identify(self, connection: HTTPConnection) -> Identity:
        """Identify the sender of a request."""
        return await self.door.identify(connection.cookies, connection.headers.get("authorization", ""))

    async def arena_match(self, id: str) -> Finished | None:
        """A match of the arena as a finished game; None if the id is unknown."""
        return await self.reading.done(self.season.match, id) if "." in id else None

    async def close(self) -> None:
        """Close everything; what was acknowledged is in the store."""
        for task in self.tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.submission_checks.close()
        await self.jobs.close()
        await self.lobby.close()
        await asyncio.to_thread(self.season.close)
        await self.lobby.search_pool.close()
        await asyncio.to_thread(self.keeper.close)


def clean_base(base: str) -> str:
    """A path as a prefix: with a leading slash and no trailing one; empty for the root.

    >>> clean_base("kibitz/"), clean_base("/")
    ('/kibitz', '')
    """
    inside = base.strip("/ ")
    return f"/{inside}" if inside else ""
