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

from kibitz.web.access import MAX_CONNECTIONS, Authenticator, ConcurrencyLimit, Identity, Rates
from kibitz.web.jobs import Jobs, SubmissionChecks
from kibitz.web.live_tables.bots import PlayerFiles
from kibitz.web.live_tables.lobby import Lobby
from kibitz.web.processes import SearchPool
from kibitz.web.season import ServerSeason
from kibitz.web.store.server_store import ServerStore, marks_folder, open_store
from kibitz.web.store.tables import FinishedGame

P = ParamSpec("P")
T = TypeVar("T")
MAX_THREADS = 2
"""Without limits, replays of long games or guesses at passwords could take every thread and every core."""


class ThreadLimit:
    """Runs work of one kind in threads: at most ``limit`` pieces at once, while the others wait."""

    def __init__(self, limit: int = MAX_THREADS) -> None:
        self.turn = asyncio.Semaphore(limit)

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread as soon as the limit allows; return its result, or raise its exception."""
        async with self.turn:
            return await asyncio.to_thread(work, *args, **kwargs)


log = logging.getLogger("kibitz.web")


@dataclass(frozen=True)
class Config:
    """How a server is set up.

    store       the path or URL of the server's own store
    arena       the path or URL of the season's store; if empty, ``$KIBITZ_STORE`` or the user's own
    base        the path at which it serves, such as ``/kibitz``; empty for the root
    workers     processes in which computer players think (None: one for each core)
    names       the host names under which browsers may address this server; None for any name
    """

    store: str
    arena: str = ""
    base: str = ""
    workers: int | None = None
    names: tuple[str, ...] | None = None


@dataclass(eq=False)
class AppState:
    """An open server.

    connection_limit    limits the connections to tables from one address
    read_threads        limits how many threads read finished games and the arena
    hash_threads        limits how many threads make and check hashes of passwords
    started_at          when the server was started, in seconds since the epoch
    tasks               tasks that run in the background until the server is closed
    """

    config: Config
    server_store: ServerStore
    authenticator: Authenticator
    lobby: Lobby
    season: ServerSeason
    submission_checks: SubmissionChecks
    jobs: Jobs
    rates: Rates = field(default_factory=Rates)
    connection_limit: ConcurrencyLimit = field(default_factory=lambda: ConcurrencyLimit(MAX_CONNECTIONS))
    read_threads: ThreadLimit = field(default_factory=ThreadLimit)
    hash_threads: ThreadLimit = field(default_factory=ThreadLimit)
    started_at: float = field(default_factory=time.time)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @classmethod
    async def open(cls, config: Config, search_pool: SearchPool | None = None) -> AppState:
        """Open the store and the lobby. Raises KibitzError if that fails."""
        server_store = await asyncio.to_thread(open_store, config.store)
        try:
            authenticator = await Authenticator.open(server_store)
        except BaseException:
            await asyncio.to_thread(server_store.close)
            raise
        season = ServerSeason(config.arena)
        lobby = Lobby(server_store, search_pool or SearchPool(config.workers), PlayerFiles(season.player), config.base)
        jobs = Jobs(marks_folder(config.store))
        app_state = cls(config, server_store, authenticator, lobby, season, SubmissionChecks(config.arena), jobs)
        app_state.tasks = [asyncio.create_task(lobby.sweep()), asyncio.create_task(app_state.start_search_pool())]
        return app_state

    @property
    def base(self) -> str:
        """The path of the server."""
        return self.config.base

    async def start_search_pool(self) -> None:
        """Start the processes of computer players before anybody plays against them."""
        try:
            await self.lobby.search_pool.start()
        except Exception as error:
            log.warning("computer players are not ready yet: %s", error)

    async def identify(self, connection: HTTPConnection) -> Identity:
        """Identify the sender of a request."""
        return await self.authenticator.identify(connection.cookies, connection.headers.get("authorization", ""))

    async def arena_match(self, id: str) -> FinishedGame | None:
        """An arena match as a finished game; None if the id is unknown."""
        return await self.read_threads.run(self.season.match, id) if "." in id else None

    async def close(self) -> None:
        """Close everything; whatever was acknowledged is already in the store."""
        for task in self.tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.submission_checks.close()
        await self.jobs.close()
        await self.lobby.close()
        await asyncio.to_thread(self.season.close)
        await self.lobby.search_pool.close()
        await asyncio.to_thread(self.server_store.close)


def clean_base(base: str) -> str:
    """A path as a prefix: with a leading slash and no trailing one; empty for the root.

    >>> clean_base("kibitz/"), clean_base("/")
    ('/kibitz', '')
    """
    path = base.strip("/ ")
    return f"/{path}" if path else ""
