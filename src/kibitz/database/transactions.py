"""One database, used in short transactions that are retried.

    where       the address of the database: a path for SQLite, a ``postgresql://`` URL for PostgreSQL
    reading     a transaction with a consistent snapshot of the database
    writing     a transaction that changes the database; on SQLite it has the only write lock from its beginning
    retry_seconds  how long a transaction is retried after a lock or a lost connection

SQLite runs with ``synchronous=FULL``.  With NORMAL a power cut could lose the last transactions, and one of them may be
a submission that was confirmed to its owner.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import StaticPool

from kibitz.database.damage import first_damage
from kibitz.database.schema import Damage
from kibitz.errors import KibitzError, StoreError

# Database errors as sentences.
#
# SQLite's codes are in sqlite.org/rescode.html, PostgreSQL's in appendix A of its manual.


BUSY, LOCKED, READ_ONLY, IO, CORRUPT, FULL, CANNOT_OPEN, PROTOCOL, NOT_A_DATABASE = 5, 6, 8, 10, 11, 13, 14, 15, 26
"""SQLite's primary result codes: the low byte of the code of an error."""

SQLITE_ERRORS = {
    BUSY: ("locked", "is locked by another process; try again when that one is done."),
    LOCKED: ("locked", "is locked by another process; try again when that one is done."),
    PROTOCOL: ("locked", "is locked by another process; try again when that one is done."),
    READ_ONLY: ("refused", "can't be written; check the permissions of the file and its folder."),
    IO: ("full", "can't be written or read: the disk is full or failing."),
    FULL: ("full", "can't be written: the disk is full."),
    CANNOT_OPEN: ("missing", "can't be opened; check the path and its permissions."),
    CORRUPT: ("damaged", "is damaged; use an undamaged copy."),
    NOT_A_DATABASE: ("damaged", "isn't a store; give the path of one, or of a new file."),
}

POSTGRES_ERRORS = {
    "40001": ("locked", "was changed by another process at the same time."),
    "40P01": ("locked", "was changed by another process at the same time."),
    "55P03": ("locked", "is locked by another process; try again when that one is done."),
    "53100": ("full", "can't be written: the server's disk is full."),
    "53200": ("full", "can't be written: the server is out of memory."),
    "53300": ("lost", "accepts no more connections; close some, or allow more (max_connections)."),
    "25006": ("refused", "can't be written: the database is read-only."),
    "42501": ("refused", "can't be used by this user; check the user's rights in the database."),
    "28P01": ("refused", "refuses this user's password."),
    "28000": ("refused", "refuses this user."),
    "3D000": ("missing", "doesn't exist on the server; make it with createdb."),
}


def damaged_store(where: str, detail: str) -> StoreError:
    """The error for a damaged store: ``detail`` names the table and the row."""
    return StoreError("damaged", f"the store {where} is damaged {detail}; use an undamaged copy.")


def as_store_error(error: Exception, where: str) -> StoreError | None:
    """A database error as a StoreError about the store ``where``; None for any other error, which is a bug."""
    if isinstance(error, Damage):
        return damaged_store(where, str(error))
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    kind_and_words = from_sqlite(cause) or from_postgres(cause, lost=lost)
    if kind_and_words is None:
        return None
    kind, words = kind_and_words
    return StoreError(kind, f"the store {where} {words}")


def from_sqlite(error: BaseException) -> tuple[str, str] | None:
    """The kind of StoreError and the words for an error of SQLite; None for any other error."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else SQLITE_ERRORS.get(code & 0xFF)


def from_postgres(error: BaseException, *, lost: bool) -> tuple[str, str] | None:
    """The kind of StoreError and the words for an error of PostgreSQL; None for any other error.

    An error without a code comes from the connection itself.
    """
    code = getattr(error, "sqlstate", None)
    if code in POSTGRES_ERRORS:
        return POSTGRES_ERRORS[code]
    detail = " ".join(str(error).split())[:200]
    for refused_code, server_words in POSTGRES_WORDS.items():
        if server_words in detail:
            return POSTGRES_ERRORS[refused_code]
    if (
        lost
        or (code or "").startswith(("57P", "08"))
        or (
            code is None and type(error).__module__.startswith("psycopg") and type(error).__name__ == "OperationalError"
        )
    ):
        return "lost", f"cannot be reached: {detail.rstrip('.?')}."
    return None


POSTGRES_WORDS = {"53300": "too many clients", "28P01": "password authentication failed", "3D000": "does not exist"}
"""When a connection is refused, psycopg passes on the server's words but not its code."""


# The connection.


T = TypeVar("T")
WRITING = "kibitz_writing"
"""The execution option that says whether a transaction writes."""
BUSY_SECONDS = 5.0
"""How long SQLite itself waits for a lock."""
FIRST_WAIT, LONGEST_WAIT = 0.02, 2.0
"""Seconds before a transaction is retried; the wait doubles each time."""
POSTGRES = "postgresql"
MEMORY = ":memory:"
"""SQLite's name for a database in memory, whose content would be lost."""
TEMPORARY = URL.create("sqlite")
"""An SQLite URL without a file name, for which SQLite makes a private temporary file."""


def url_of(where: str | Path) -> URL:
    """The address of a database as SQLAlchemy's URL, with our driver. Raises StoreError if it can't be used."""
    address = str(where)
    if address == MEMORY:
        raise StoreError("refused", f"a store is a file or a postgresql:// URL; for a file write ./{MEMORY}.")
    if "://" not in address:
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError("refused", "this isn't a URL: write postgresql://user:password@host/database.") from None
    if url.drivername in (POSTGRES, "postgres", "postgresql+psycopg"):
        if not url.database:
            raise StoreError("refused", "the URL has no database: write postgresql://user:password@host/database.")
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(
        "refused", f"a store is a file or a postgresql:// URL, not {url.drivername}://; for a file give its path."
    )


class Database:
    """An open database; all access is by ``reading`` and ``writing``.

    ``where`` is its address in messages (default: the URL without a password).
    """

    def __init__(
        self, url: URL, retry_seconds: float, clock: Callable[[], float] | None, where: str | None = None
    ) -> None:
        self.folder: TemporaryDirectory[str] | None = None
        """A folder with a copy of the database, which is removed on closing."""
        self.retry_seconds = retry_seconds
        self.clock = clock or time.time
        self.own_clock = clock is None
        self.where = str(url.database) if url.drivername == "sqlite" else url.set(password=None).render_as_string()
        self.where = where or self.where.replace("+psycopg", "")
        self.engine = engine_of(url)
        self.postgres = self.engine.dialect.name == POSTGRES
        self.temporary = url == TEMPORARY

    def connect(self) -> None:
        """Check that the database exists, and synchronise our clock with the PostgreSQL server's."""
        self.transact(self.probe, writing=False, retry_kinds=("locked",))

    def probe(self, connection: Connection) -> None:
        """Run a query that fails if the database can't be used; on PostgreSQL, also set our clock by the server's."""
        if not self.postgres:
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
        elif self.own_clock:
            server_time = float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0)
            offset = server_time - time.time()
            self.clock = lambda: time.time() + offset

    def reading(self, work: Callable[[Connection], T]) -> T:
        """Call ``work``, which only reads, in one transaction; returns its result. Retried for ``retry_seconds``."""
        return self.transact(work, writing=False)

    def writing(self, work: Callable[[Connection], T]) -> T:
        """Call ``work``, which may write, in one transaction; returns its result.

        It is retried for ``retry_seconds``, so it must be safe to repeat.
        """
        return self.transact(work, writing=True)

    def transact(
        self, work: Callable[[Connection], T], *, writing: bool, retry_kinds: tuple[str, ...] = ("locked", "lost")
    ) -> T:
        """Call ``work`` in a transaction, and retry it after errors of ``retry_kinds`` for ``retry_seconds``."""
        start, wait = time.monotonic(), FIRST_WAIT
        while True:
            try:
                return self.transact_once(work, writing=writing)
            except KibitzError:
                raise
            except Exception as error:
                store_error = as_store_error(error, self.where) or self.damage_error(error)
                if store_error is None:
                    raise
                remaining = start + self.retry_seconds - time.monotonic()
                if store_error.kind not in retry_kinds or remaining <= 0:
                    raise store_error from error
            time.sleep(min(remaining, wait * random.uniform(0.5, 1)))
            wait = min(LONGEST_WAIT, 2 * wait)

    def transact_once(self, work: Callable[[Connection], T], *, writing: bool) -> T:
        """Call ``work`` in a transaction, without retries."""
        with self.engine.connect() as connection:
            connection = connection.execution_options(**{WRITING: writing})
            with connection.begin():
                return work(connection)

    def damage_error(self, error: Exception) -> StoreError | None:
        """The error for a damaged store, if damage explains an unexpected error; None if the error is a bug."""
        if isinstance(error, ArgumentError):
            return None
        try:
            with self.engine.connect() as connection, connection.begin():
                damage = first_damage(connection)
        except UnicodeDecodeError:  # SQLite's error quotes a damaged schema, which Python can't decode
            return damaged_store(self.where, "in its schema")
        except Exception as second_error:
            return as_store_error(second_error, self.where)
        return damaged_store(self.where, damage) if damage else None

    def use_wal(self) -> None:
        """Switch SQLite to a write-ahead log (WAL), so that readers and the writer don't wait for each other.

        The file stays in that mode. Raises StoreError if its file system can't do that.
        """
        if not self.postgres:
            with self.engine.connect() as connection:
                driver = connection.connection.dbapi_connection
                mode = driver.execute("PRAGMA journal_mode=WAL").fetchone()[0] if driver else ""
            if mode != "wal":
                raise StoreError(
                    "refused", f"the store {self.where} needs a local disk (SQLite's WAL); on others use PostgreSQL."
                )

    def leave_wal(self) -> None:
        """Leave SQLite's write-ahead log mode: changes that are still in the log are written to the file."""
        with self.engine.connect() as connection:
            if driver := connection.connection.dbapi_connection:
                driver.execute("PRAGMA journal_mode=DELETE")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self.folder is not None:
            self.folder.cleanup()


def engine_of(url: URL) -> Engine:
    """SQLAlchemy's engine for a database, whose errors hide the values. Raises StoreError if its driver is missing."""
    if url == TEMPORARY:
        engine = create_engine(
            url,
            creator=lambda: sqlite3.connect("", isolation_level=None),
            poolclass=StaticPool,
            hide_parameters=True,
        )
        event.listen(engine, "connect", prepare_temporary)
    elif url.drivername == "sqlite":
        engine = create_engine(
            url, connect_args={"timeout": BUSY_SECONDS, "isolation_level": None}, hide_parameters=True
        )
        event.listen(engine, "connect", prepare_sqlite)
    else:
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise StoreError(
                "driver", "a PostgreSQL store needs one more package: install it with pip install 'kibitz[postgres]'."
            ) from error
        return create_engine(url, connect_args={"connect_timeout": 10}, hide_parameters=True)
    event.listen(engine, "begin", begin_sqlite)
    return engine


def prepare_sqlite(connection: Any, _: object) -> None:
    """Set up a new connection to an SQLite file."""
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def prepare_temporary(connection: Any, _: object) -> None:
    """Set up a connection to a temporary database, which needn't survive a crash."""
    for pragma in ("synchronous=OFF", "journal_mode=MEMORY", "locking_mode=EXCLUSIVE", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; one that writes takes the write lock at once, so it can't fail later for lack of it."""
    writing = connection.get_execution_options().get(WRITING, True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
