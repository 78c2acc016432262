"""The lobby: makes and finds the tables of this server, and closes a table that has no connections for a while.

A table without connections needs no task, because nothing happens at it: its journal is in the store, and people who
come back find it as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakValueDictionary

from msgspec.structs import replace
from sqlalchemy import Connection as DatabaseConnection

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.errors import MachineError, NotationError, RecordError, RuleError, SeatError
from kibitz.remote.messages import SeatRequest, Settings, TableRequest
from kibitz.table import Table
from kibitz.table.session import rotated_by_one
from kibitz.web.access import Identity
from kibitz.web.live_tables import requests
from kibitz.web.live_tables.bots import PlayerFiles
from kibitz.web.live_tables.connection import Connection, Person
from kibitz.web.live_tables.live_session import player_at, rematch_seat, requested_seats, with_distinct_names
from kibitz.web.live_tables.table_task import NOT_WATCHABLE, Services, TableTask
from kibitz.web.processes import SearchPool
from kibitz.web.store import tables
from kibitz.web.store.server_store import ServerStore
from kibitz.web.store.tables import AnyEntry, Chose, Noted, Seat, StoredTable

log = logging.getLogger("kibitz.web")

QUIET_SECONDS = 60.0
"""Seconds after which a table without connections is closed."""
MAX_OPEN = 200
"""The maximum number of unfinished tables that one person may have made."""
ARRIVAL_SECONDS = 10.0
"""Seconds in which the maker of a table should connect to it; until then, the maker counts as waiting there."""
EXPELLED = "You have signed out, or your token was deleted: sign in again."
GOING_DOWN = "The server is going down; connect again in a moment."
JOINED_ANOTHER_TABLE = "You have joined another table."


@dataclass(eq=False)
class Lobby:
    """All tables of a server.

    table_tasks     the open tables, by id; ``tasks`` are their asyncio tasks
    opening         by id, a lock that is held while a table is opened
    matching        a lock that is held during a quick match
    """

    server_store: ServerStore
    search_pool: SearchPool
    files: PlayerFiles
    base: str = ""
    table_tasks: dict[str, TableTask] = field(default_factory=dict)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    opening: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    matching: asyncio.Lock = field(default_factory=asyncio.Lock)
    closed: bool = False

    def __post_init__(self) -> None:
        self.services = Services(self.server_store, self.search_pool, self.base, self.rematch, self.files.choose)

    # ---------------------------------------------------------------- making

    async def make(self, request: TableRequest, person: Person) -> TableTask:
        """Make the requested table, and return its task. Raises KibitzError with the reason if it can't be made."""
        game = requested_game(request)
        seats = requested_seats(game, request.seats, person.id, request.name or person.name)
        for seat in seats:
            if seat.kind == "file":
                await self.files.find(game, seat)
        self.check_settings(request.settings, seats, game)
        await self.check_open_tables(person)
        return await self.open_new(game, seats, request.settings, person)

    async def check_open_tables(self, person: Person) -> None:
        """Raise RuleError if a person can make no more tables before some games are over."""
        if await self.server_store.read(lambda connection: tables.count_open_tables(connection, person.id)) >= MAX_OPEN:
            raise RuleError(f"You have {MAX_OPEN} games that are not over: finish some of them first.")

    async def play_on(self, record: Record, step: int, seat: int, level: str, person: Person) -> TableTask:
        """Make a table at which ``person`` plays on from a position of a finished game; returns its task.

        The computer player of ``level`` gets all other seats. Raises RuleError if the game is over after ``step``
        actions, or if somebody had forfeited by then.
        """
        game = find_game(record.game)
        if seat not in range(game.seats):
            raise NotationError(f"{game.title} has the seats 0 to {game.seats - 1} here, not {seat}.")
        computer = SeatRequest("computer", player=player_at(game, level), name=level)
        requests = [SeatRequest("me") if p == seat else computer for p in range(game.seats)]
        seats = requested_seats(game, requests, person.id, person.name)
        await self.check_open_tables(person)
        entries = await asyncio.to_thread(entries_before, record, step)
        return await self.open_new(game, seats, Settings(), person, record.seed, (*entries, Noted("played_on", seat)))

    async def quick_match(self, request: TableRequest, person: Person) -> TableTask:
        """Seat a person at a table where somebody waits to play the same game, or else at a table of their own.

        Other tables at which ``person`` waited alone, such as after a lost connection, are deleted.
        """
        game = requested_game(request)
        async with self.matching:  # so that two people who ask at the same time meet
            stored = await self.server_store.read(lambda connection: tables.tables_for(connection, person.id, MAX_OPEN))
            own_ids = [table.id for table in stored if table.game == game.name and table.waits_alone(person.id)]
            for table_task in self.waiting(ARRIVAL_SECONDS):
                if table_task.stored.game == game.name and table_task.stored.id not in own_ids:
                    with contextlib.suppress(SeatError, MachineError):
                        name = request.name or person.name
                        await table_task.call(partial(requests.sit, table_task, person, "", name))
                        for id in own_ids:
                            await self.withdraw(id, person)
                        return table_task
            for id in own_ids[1:]:
                await self.withdraw(id, person)
            if own_ids and (own_table := await self.find(own_ids[0])) is not None:
                return own_table
            seats = request.seats or (SeatRequest("me"), *[SeatRequest("open")] * (game.seats - 1))
            settings = replace(request.settings, joining="listed")
            return await self.make(replace(request, seats=seats, settings=settings), person)

    def waiting(self, arrival_seconds: float = 0.0) -> list[TableTask]:
        """The listed tables at which somebody waits, or which were made in the last ``arrival_seconds``."""
        now = self.services.now()

        def somebody_waits(table_task: TableTask) -> bool:
            table = table_task.stored
            return any(
                connection.seat >= 0 or connection.person.id == table.maker for connection in table_task.connections
            )

        return [
            table_task
            for table_task in self.table_tasks.values()
            if free_seats(table_task.stored)
            and (now - table_task.stored.made_at < arrival_seconds or somebody_waits(table_task))
        ]

    def check_settings(self, settings: Settings, seats: tuple[Seat, ...], game: Game) -> None:
        """Raise RuleError for settings that these seats or this game cannot have."""
        if settings.lesson and not game.lesson:
            raise RuleError(f"{game.title} has no guided first hand.")
        if settings.lesson and sorted(seat.kind for seat in seats) != ["computer"] * (len(seats) - 1) + ["person"]:
            raise RuleError("In a guided first hand, all other seats must be computer players.")
        if settings.open_hands and any(seat.kind in ("person", "open") for seat in seats):
            raise RuleError("Open hands need computer players in all seats.")

    async def open_new(
        self,
        game: Game,
        seats: tuple[Seat, ...],
        settings: Settings,
        person: Person,
        seed: int | None = None,
        entries: Sequence[AnyEntry] = (),
    ) -> TableTask:
        """Store a new table with the first ``entries`` of its journal, and start and return its task."""
        if seed is None:
            seed = game.lesson.seed if settings.lesson and game.lesson else fresh_seed()
        stored = StoredTable(
            id=secrets.token_hex(8),
            game=game.name,
            rules=game.rules.VERSION,
            seed=seed,
            maker=person.id,
            seats=seats,
            settings=settings,
            phase="gathering" if any(seat.kind == "open" for seat in seats) else "playing",
            rematch="",
            made_at=time.time(),
        )

        def keep(connection: DatabaseConnection) -> None:
            tables.add_table(connection, stored)
            if entries:
                tables.append_entries(connection, stored.id, 0, entries, stored.made_at)

        await self.server_store.write(keep)
        table_task = TableTask(stored, self.services)
        if stored.phase == "playing":
            await asyncio.to_thread(table_task.begin, entries)
        self.start_task(table_task)
        return table_task

    async def rematch(self, table_task: TableTask, person: Person, accepts: bool) -> str:
        """Record that a person of a finished table asks for, accepts or declines a rematch; returns its table's id.

        The first request makes the table, with the seats rotated by one. Each other person's seat is reserved until
        they accept or decline.
        """
        if table_task.stored.rematch:
            if (rematch_task := await self.find(table_task.stored.rematch)) is not None:
                name = next(seat.name for seat in table_task.stored.seats if seat.person == person.id)
                open_seats = [seat for seat in rematch_task.stored.seats if seat.kind == "open" and seat.name == name]
                invite = open_seats[0].invite if open_seats else ""  # lets somebody who declined sit down after all
                sit = partial(requests.sit, rematch_task, person, invite, name)
                await rematch_task.call(sit if accepts else partial(requests.decline, rematch_task, person))
            return table_task.stored.rematch
        settings = replace(table_task.stored.settings, lesson=False, joining="link")
        game, rotated = table_task.game, rotated_by_one(table_task.stored.seats)
        seats = with_distinct_names([rematch_seat(game, seat, person.id) for seat in rotated])
        rematch_task = await self.open_new(game, seats, settings, person)
        changed = replace(table_task.stored, rematch=rematch_task.stored.id)
        await self.server_store.write(
            lambda connection: tables.change_table(
                connection, changed.id, phase=changed.phase, seats=changed.seats, rematch=changed.rematch
            )
        )
        table_task.stored = changed
        return changed.rematch

    # ---------------------------------------------------------------- finding

    async def find(self, id: str) -> TableTask | None:
        """The task of a table, rebuilt from its journal if necessary; None if the table does not exist.

        Raises RecordError if the table cannot be resumed, such as after a change of the rules.
        """
        if self.closed:
            raise MachineError(GOING_DOWN)
        lock = self.opening.setdefault(id, asyncio.Lock())  # kept for as long as somebody holds it or waits for it
        async with lock:
            if id in self.table_tasks and self.table_tasks[id].closing:
                await self.remove(id, self.table_tasks[id], self.tasks[id])
            if id not in self.table_tasks:
                table_task = await self.rebuild(id)
                if table_task is None or self.closed:
                    return None
                self.start_task(table_task)
        return self.table_tasks.get(id)

    async def rebuild(self, id: str) -> TableTask | None:
        """Rebuild the task of a table from its journal; None if there is no such table.

        Raises RecordError as for ``find``.
        """
        stored = await self.server_store.read(lambda connection: tables.table_of(connection, id))
        if stored is None:
            return None
        game = find_game(stored.game)
        if stored.rules != game.rules.VERSION:
            raise RecordError(
                f"this game was begun with version {stored.rules} of the rules of {game.title}; this server has version"
                f" {game.rules.VERSION}."
            )
        entries = await self.server_store.read(lambda connection: tables.entries_of(connection, id))
        table_task = TableTask(stored, self.services)
        if stored.phase != "gathering":
            await asyncio.to_thread(table_task.begin, [entry for entry, _ in entries])
        return table_task

    def start_task(self, table_task: TableTask) -> None:
        """Start a table's task."""
        id = table_task.stored.id
        self.table_tasks[id] = table_task
        self.tasks[id] = asyncio.create_task(table_task.run(), name=f"table {id}")

    def seat_of(self, table_task: TableTask, person: Person) -> int:
        """The seat of a person at a table, -1 for a spectator. Raises SeatError if the person may not even watch."""
        for p, seat in enumerate(table_task.stored.seats):
            if seat.person == person.id:
                return p
        if not table_task.may_watch(person):
            raise SeatError(NOT_WATCHABLE)
        return -1

    async def hand_over(self, old: str, identity: Identity) -> None:
        """Give the tables, games and favourites of the guest ``old`` to the account that they have signed in to."""
        ids = await self.server_store.read(tables.tables_to_hand_over, old)
        idle_ids = [id for id in ids if id not in self.table_tasks]
        await self.server_store.write(tables.hand_over, idle_ids, old, identity.person.id)
        for id in ids:
            async with self.opening.setdefault(id, asyncio.Lock()):  # one may have been opened in the meantime
                if id in self.table_tasks:
                    table_task = self.table_tasks[id]
                    await table_task.call(partial(requests.hand_over, table_task, old, identity))

    # ---------------------------------------------------------------- closing

    async def sweep(self) -> None:
        """Close tables without connections, for as long as the server runs."""
        while True:
            await asyncio.sleep(QUIET_SECONDS / 4)
            now = self.services.clock()
            for id, table_task in list(self.table_tasks.items()):
                is_quiet = not table_task.connections and table_task.inbox.empty()
                if is_quiet and now - table_task.quiet_since > QUIET_SECONDS:
                    await self.close_table(id)

    async def withdraw(self, id: str, person: Person) -> None:
        """Delete a table at which a person waited alone, because that person waits elsewhere now."""
        table_task = await self.find(id)
        if table_task is not None and await table_task.call(partial(requests.withdraw, table_task, person)):
            await self.close_table(id, JOINED_ANOTHER_TABLE)

    async def close_table(self, id: str, why: str = GOING_DOWN) -> None:
        """End a table's task once its inbox is empty; then the table can be opened again."""
        self.table_tasks[id].close(why)
        await self.remove(id, self.table_tasks[id], self.tasks[id])

    async def remove(self, id: str, table_task: TableTask, task: asyncio.Task[None]) -> None:
        """Wait for the end of a closing table's ``task``, and remove the table."""
        await asyncio.wait([task])
        if self.table_tasks.get(id) is table_task:
            del self.table_tasks[id], self.tasks[id]
            if table_task.session is not None:
                self.files.end_players(table_task.session)

    async def close(self) -> None:
        """Close all tables; everything that was acknowledged is already in the store."""
        self.closed = True
        for id in list(self.table_tasks):
            await self.close_table(id)

    def expel(self, key: str) -> None:
        """Cut the connections that were opened with a session or token that has ended."""
        for table_task in self.table_tasks.values():
            for connection in table_task.connections:
                if key and connection.key == key:
                    connection.expel(EXPELLED)

    @property
    def connected(self) -> int:
        """The number of open connections."""
        return sum(len(table_task.connections) for table_task in self.table_tasks.values())


def requested_game(request: TableRequest) -> Game:
    """The requested game, with its options."""
    game = find_game(request.game)
    return game.with_options(**request.options) if request.options else game


def entries_before(record: Record, step: int) -> list[AnyEntry]:
    """The journal of a finished game up to a position. Raises RuleError if nobody can play on from there."""
    if step >= len(record.actions):
        raise RuleError("The game is over there: choose an earlier step.")
    if any(forfeit.moves <= step for forfeit in record.forfeits):
        raise RuleError("A player had forfeited by then: choose an earlier step.")
    table, entries = Table.resume(record).at(0), list[AnyEntry]()
    for action in record.actions[:step]:
        entries.append(Chose(table.player, action))
        table.act(table.player, action)
    return entries


def free_seats(stored: StoredTable) -> int:
    """How many people may still sit down at a table without an invitation."""
    if stored.phase != "gathering" or stored.settings.joining != "listed":
        return 0
    return sum(seat.kind == "open" for seat in stored.seats)


async def join_table(lobby: Lobby, table_task: TableTask, connection: Connection) -> None:
    """Add a connection to a table."""
    await table_task.call(lambda: table_task.join(connection))
