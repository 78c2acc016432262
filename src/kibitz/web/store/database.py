"""The server's database: its schema, opening it, bringing it up to date, and the one thread that writes.

    moment      a time, as UTC seconds since 1970
    person      the id of an account (``p_...``) or of a guest (``g_...``)

It is a file (SQLite) or a ``postgresql://`` URL.  One thread writes, so that the event loop never waits for a disk:
what is asked for during a transaction is written together in the next one, so a disk that takes ten milliseconds for a
transaction keeps up with hundreds of tables.

To change the schema, change it here, add a revision in ``migrations``, and name it in ``REVISIONS``; a test compares
the three.  A database may hold a season of the arena as well, which has revisions of its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    text,
)
from sqlalchemy.exc import DBAPIError

from kibitz.arena.store.database import Database, url_of
from kibitz.arena.store.migrations import check_known, lock, seen, stepped
from kibitz.arena.store.opening import is_path, make_private
from kibitz.errors import StoreError, cause
from kibitz.table.saved import Lock

FILE = "server.sqlite"
CLAIM = 0x6B6962776562
"""PostgreSQL's advisory lock of the one server of a database."""
BUSY = "belongs to a server that is running: use that one, stop it, or give this one another --store."


def default_store() -> Path:
    """Where a server keeps what it keeps, unless one says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / FILE


def mark_of(where: str | Path) -> str:
    """What tells one store from another without telling where it is."""
    place = os.path.realpath(where) if is_path(where) else str(where)
    return hashlib.sha256(f"kibitz store {place}".encode()).hexdigest()[:16]


def open_store(where: str | Path, wait_times: float = 10.0) -> Keeper:
    """The store at a path or a URL; StoreError with one sentence where it cannot be had."""
    if is_path(where):
        try:
            Path(where).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError("refused", f"{Path(where).parent} cannot be made: {cause(error)}.") from error
    database = Database(url_of(where), wait_times, None)
    lock: Lock | Claim | None = None
    try:
        lock = None if database.postgres else Lock(Path(where), BUSY)
        if lock:
            make_private(Path(where))
        database.connect()
        if database.postgres:
            lock = Claim(database)
        bring_up_to_date(database)
    except BaseException:
        database.close()
        if lock:
            lock.release()
        raise
    return Keeper(database, lock)


class Claim:
    """A PostgreSQL database that is one server's while its connection lasts; StoreError if it is another's."""

    def __init__(self, database: Database) -> None:
        self.connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self.connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": CLAIM}):
            self.connection.close()
            raise StoreError("refused", f"{database.where} {BUSY}")

    def release(self) -> None:
        """Let others have it from now on: PostgreSQL sees only some time later that a connection was closed."""
        try:
            self.connection.scalar(text("SELECT pg_advisory_unlock(:key)"), {"key": CLAIM})
        except DBAPIError:  # the connection is lost, and the claim with it
            pass
        finally:
            self.connection.close()


# ---------------------------------------------------------------- schema

metadata = MetaData()
WHERE = ("gathering", "playing", "finished")
"""How far a table is: seats are open, it is being played, it is over."""

facts = Table(
    "web_facts",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single facts of this server, such as the key that signs cookies."""

tables = Table(
    "web_tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("seed", String(32), nullable=False),
    Column("maker", String(80), nullable=False),
    Column("chairs", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("stands", String(10), nullable=False),
    Column("rematch", String(32), nullable=False, server_default=""),
    Column("made_at", Double, nullable=False),
    CheckConstraint("stands IN ('gathering', 'playing', 'finished')", name="ck_web_tables_stands"),
)

journal = Table(
    "web_journal",
    metadata,
    Column("table_id", String(32), ForeignKey(tables.c.id), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("entry", Text, nullable=False),
    Column("at", Double, nullable=False),
)

games = Table(
    "web_games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("names", Text, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("notes", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Column("at", Double, nullable=False),
)
"""``record``: the record's text, compressed by zlib."""

seatings = Table(
    "web_seatings",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(80), nullable=False),
)
"""Who sat where, at tables and in finished games; seat -1 is the person who submitted a record."""
Index("ix_web_seatings_person", seatings.c.person)
Index("ix_web_tables_stands", tables.c.stands)

people = Table(
    "web_people",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("looks", String(400), nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("made_at", Double, nullable=False),
)
"""``looks``: what the name looks like, so that no two accounts can be taken for one another."""

sessions = Table(
    "web_sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person", String(80), ForeignKey(people.c.id), nullable=False),
    Column("ends_at", Double, nullable=False),
)

tokens = Table(
    "web_tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person", String(80), nullable=False),
    Column("name", String(40), nullable=False),
    Column("label", String(80), nullable=False),
    Column("made_at", Double, nullable=False),
    Column("ends_at", Double, nullable=False),
)


# ---------------------------------------------------------------- migrations

REVISIONS = ("0001",)
NEWEST = REVISIONS[-1]
VERSION_TABLE = "kibitz_web_version"


def bring_up_to_date(database: Database) -> None:
    """Apply the revisions that the database lacks; StoreError if it is newer, or another program's."""
    if database.reading(lambda connection: seen(connection, VERSION_TABLE)) != NEWEST:
        database.writing(lambda connection: upgrade(connection, database))
    database.let_readers_be()


def upgrade(connection: Connection, database: Database) -> None:
    """Apply what is missing, inside the transaction of ``connection``."""
    lock(connection, database)
    found = seen(connection, VERSION_TABLE)
    if found is None:
        if clash := sorted(set(inspect(connection).get_table_names()) & set(metadata.tables)):
            raise StoreError("damaged", f"{database.where} has a table {clash[0]!r} that isn't Kibitz's.")
    else:
        check_known(found, REVISIONS, database)
    if found != NEWEST:
        stepped(connection, Path(__file__).parent / "migrations", VERSION_TABLE, metadata, NEWEST)


# ---------------------------------------------------------------- the one thread that writes

T = TypeVar("T")
Writing = Callable[[Connection], Any]
MOST_TOGETHER = 500


class Held(Protocol):
    """What keeps other servers out."""

    def release(self) -> None:
        """Let others have it."""


class Job(NamedTuple):
    """Something to write, and the task that waits for it."""

    act: Writing
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]

    def settle(self, result: Any, error: Exception | None = None) -> None:
        """Let the waiting task know, if it still waits."""

        def tell() -> None:
            if self.future.cancelled():
                return
            if error is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(error)

        self.loop.call_soon_threadsafe(tell)


class Keeper:
    """Reads and writes a database for a server; ``close`` writes what is left."""

    def __init__(self, database: Database, lock: Held | None = None) -> None:
        self.database, self.lock = database, lock
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.thread = threading.Thread(target=self.work, name="kibitz-keeper", daemon=True)
        self.thread.start()

    async def write(self, act: Callable[[Connection], T]) -> T:
        """Act in a transaction; when this returns it is safe.  ``act`` may be called again: it must do no harm."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self.jobs.put(Job(act, loop, future))
        return await future

    async def read(self, ask: Callable[[Connection], T]) -> T:
        """Ask in a transaction that sees one moment of the database."""
        return await asyncio.to_thread(self.database.reading, ask)

    def work(self) -> None:
        """Write what there is, until told to stop."""
        while (job := self.jobs.get()) is not None:
            jobs, more = self.together(job)
            try:
                results = self.database.writing(lambda connection, jobs=jobs: [each.act(connection) for each in jobs])  # type: ignore[misc]
            except Exception:
                for each in jobs:
                    self.alone(each)
            else:
                for each, result in zip(jobs, results, strict=True):
                    each.settle(result)
            if not more:
                return

    def together(self, first: Job) -> tuple[list[Job], bool]:
        """A job and all that wait behind it; False if this was the end."""
        found = [first]
        while len(found) < MOST_TOGETHER:
            try:
                job = self.jobs.get_nowait()
            except Empty:
                break
            if job is None:
                return found, False
            found.append(job)
        return found, True

    def alone(self, job: Job) -> None:
        """Write one thing by itself, so that what cannot be written stops nothing else."""
        try:
            result = self.database.writing(job.act)
        except Exception as error:
            job.settle(None, error)
        else:
            job.settle(result)

    def close(self) -> None:
        """Write what is left, and let go of the database."""
        self.jobs.put(None)
        self.thread.join()
        if self.lock:
            self.lock.release()
        self.database.close()
