"""The lobby: all tables of this server, found, made, and let go of when nobody has looked at them for a while.

A table that nobody is connected to needs no host, because nothing happens at it: its journal is in the store, and
people who come back find it as it was.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from msgspec.structs import replace

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, MachineError, RecordError, RuleError, SeatError
from kibitz.remote.messages import AskedTable, Settings
from kibitz.table.player import moved_on
from kibitz.web.live_tables import session as seating
from kibitz.web.live_tables.bots import PlayerFiles
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.session import Session
from kibitz.web.live_tables.table_task import NO_LOOKING_ON, Services, TableTask
from kibitz.web.processes import SearchPool
from kibitz.web.store import tables
from kibitz.web.store.database import Keeper
from kibitz.web.store.tables import Chair, Kept

log = logging.getLogger("kibitz.web")

QUIET = 60.0
"""Seconds after which a table without lines is let go of."""
MOST_OPEN = 200
"""Unfinished tables that one person may have made."""
EXPELLED = "You have signed out here, or the token was deleted: sign in again."
GOING_DOWN = "The server is going down; connect again in a moment."


@dataclass(eq=False)
class Lobby:
    """All tables of a server."""

    keeper: Keeper
    search_pool: SearchPool
    files: PlayerFiles
    base: str = ""
    hosts: dict[str, TableTask] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    opening: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    closed: bool = False

    def __post_init__(self) -> None:
        self.services = Services(self.keeper, self.search_pool, self.base, self.rematch, self.files.choose)

    # ---------------------------------------------------------------- making

    async def make(self, asked: AskedTable, person: Person) -> TableTask:
        """A new table as somebody asks for it; KibitzError with the reason if it cannot be."""
        game = find_game(asked.game)
        if asked.options:
            game = find_game(asked.game).with_options(**asked.options)
        chairs = seating.asked_chairs(game, asked.chairs, person.id, asked.name or person.name)
        for chair in chairs:
            if chair.kind == "file":
                await self.files.find(game, chair)
        self.check_settings(asked.settings, chairs, game)
        if await self.keeper.read(lambda connection: tables.open_tables(connection, person.id)) >= MOST_OPEN:
            raise RuleError(f"You have {MOST_OPEN} games that are not over: finish some of them first.")
        return await self.open_new(game, chairs, asked.settings, person)

    def check_settings(self, settings: Settings, chairs: tuple[Chair, ...], game: Game) -> None:
        """RuleError for settings that these chairs or this game cannot have."""
        if settings.lesson and not game.lesson:
            raise RuleError(f"{game.title} has no guided first hand.")
        if settings.lesson and sorted(chair.kind for chair in chairs) != ["computer"] * (len(chairs) - 1) + ["person"]:
            raise RuleError("A guided first hand is for you and computer players: give them all other chairs.")
        if settings.open_hands and any(chair.kind in ("person", "open") for chair in chairs):
            raise RuleError("Hands can be open only where no person plays: let computer players have all seats.")

    async def open_new(self, game: Game, chairs: tuple[Chair, ...], settings: Settings, person: Person) -> TableTask:
        """A table that is kept, and its host."""
        kept = Kept(
            id=secrets.token_hex(8),
            game=game.name,
            rules=game.rules.VERSION,
            seed=game.lesson.seed if settings.lesson and game.lesson else fresh_seed(),
            maker=person.id,
            chairs=chairs,
            settings=settings,
            stands="gathering" if any(chair.kind == "open" for chair in chairs) else "playing",
            rematch="",
            made_at=time.time(),
        )
        await self.keeper.write(lambda connection: tables.keep_table(connection, kept))
        host = TableTask(kept, self.services)
        if kept.stands == "playing":
            host.begin()
        self.enter(host)
        return host

    async def rematch(self, host: TableTask, person: Person) -> str:
        """The id of the table where the people of one that is over sit down again; the deal rotates."""
        if host.kept.rematch:
            return host.kept.rematch
        settings = replace(host.kept.settings, lesson=False)
        new = await self.open_new(host.game, moved_on(host.kept.chairs), settings, person)
        kept = replace(host.kept, rematch=new.kept.id)
        await self.keeper.write(
            lambda connection: tables.change_table(
                connection, kept.id, stands=kept.stands, chairs=kept.chairs, rematch=kept.rematch
            )
        )
        host.kept = kept
        return kept.rematch

    # ---------------------------------------------------------------- finding

    async def find(self, id: str) -> TableTask | None:
        """The host of a table, made again from its journal if necessary; None if the table does not exist.

        RecordError if the table cannot be resumed, such as one with other rules.
        """
        if self.closed:
            raise MachineError(GOING_DOWN)
        lock = self.opening.setdefault(id, asyncio.Lock())  # kept for as long as somebody holds it or waits for it
        async with lock:
            if id in self.hosts and self.hosts[id].closing:
                await self.put_away(id, self.hosts[id], self.tasks[id])
            if id not in self.hosts:
                host = await self.made_again(id)
                if host is None or self.closed:
                    return None
                self.enter(host)
        return self.hosts.get(id)

    async def made_again(self, id: str) -> TableTask | None:
        """A host with all that its journal tells."""
        kept = await self.keeper.read(lambda connection: tables.table_of(connection, id))
        if kept is None:
            return None
        game = find_game(kept.game)
        if kept.rules != game.rules.VERSION:
            raise RecordError(
                f"this game was begun by rules {kept.rules} of {game.title}, and these are {game.rules.VERSION}."
            )
        entries = await self.keeper.read(lambda connection: tables.entries_of(connection, id))
        host = TableTask(kept, self.services)
        if kept.stands != "gathering":
            await asyncio.to_thread(host.begin, [entry for entry, _ in entries])
        return host

    def enter(self, host: TableTask) -> None:
        """Let a host begin its work."""
        id = host.kept.id
        self.hosts[id] = host
        self.tasks[id] = asyncio.create_task(host.run(), name=f"table {id}")

    def seat_of(self, host: TableTask, person: Person) -> int:
        """Where somebody sits at a table; SeatError if they may not even look on."""
        for seat, chair in enumerate(host.kept.chairs):
            if chair.person == person.id:
                return seat
        if not host.may_look_on(person):
            raise SeatError(NO_LOOKING_ON)
        return -1

    # ---------------------------------------------------------------- letting go

    async def sweep(self) -> None:
        """Let go of tables that nobody is connected to, for as long as the server runs."""
        while True:
            await asyncio.sleep(QUIET / 4)
            now = self.services.clock()
            for id, host in list(self.hosts.items()):
                if not host.lines and host.inbox.empty() and now - host.quiet_since > QUIET:
                    await self.let_go(id)

    async def let_go(self, id: str) -> None:
        """End a host; what is in its inbox is still done, and then the table can be opened again."""
        self.hosts[id].close(GOING_DOWN)
        await self.put_away(id, self.hosts[id], self.tasks[id])

    async def put_away(self, id: str, host: TableTask, task: asyncio.Task[None]) -> None:
        """Wait for the end of a host that is closing, and know it no more."""
        await asyncio.wait([task])
        if self.hosts.get(id) is host:
            del self.hosts[id], self.tasks[id]
            if host.session is not None:
                self.files.let_go(host.session)

    async def close(self) -> None:
        """Let go of all tables; everything that was acknowledged is in the store already."""
        self.closed = True
        for id in list(self.hosts):
            await self.let_go(id)

    def expel(self, key: str) -> None:
        """Cut the connections that were opened with a session or token that has ended."""
        for host in self.hosts.values():
            for line in host.lines:
                if key and line.key == key:
                    line.expel(EXPELLED)

    @property
    def connected(self) -> int:
        """How many lines are open."""
        return sum(len(host.lines) for host in self.hosts.values())


async def joined(lobby: Lobby, host: TableTask, line: Connection) -> None:
    """Connect a line to a table."""
    await host.done(lambda: host.join(line))


def refusal(error: Exception) -> str:
    """What to say about an error to the person who asked."""
    return str(error) if isinstance(error, KibitzError) else "This is a fault in Kibitz: please report it."


def session_of(host: TableTask) -> Session:
    """The game of a table; RuleError before it has begun."""
    if host.session is None:
        raise RuleError("The game has not begun: somebody is still to sit down.")
    return host.session
