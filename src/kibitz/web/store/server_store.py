"""The server's database: opens it for one server only, and runs the one thread that writes to it.

    person      the id of an account (``p_...``) or of a guest (``g_...``)

The database is a file (SQLite) or a ``postgresql://`` URL, and may also hold a season. One thread writes, so that the
event loop never waits for a disk. All writes that are requested during a transaction are carried out in the next
transaction, so even a disk that takes ten milliseconds for each keeps up with hundreds of tables. Times are UTC seconds
since 1970.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from kibitz.database.opening import is_path, make_folder, open_database
from kibitz.database.transactions import Database
from kibitz.errors import StoreError
from kibitz.table.saved import Lock

FILE = "server.sqlite"
LOCK_KEY = 0x6B6962776562
"""The key of PostgreSQL's advisory lock that the one server of a database holds."""
BUSY_SENTENCE = (
    "belongs to a server that is running: use that server, stop it, or start this one with another --database."
)


def default_store() -> Path:
    """The default store of a server."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / FILE


def marks_folder(where: str | Path) -> Path:
    """The folder of lecturers' markings: beside the store's file, or else the server's data folder."""
    if is_path(where):
        return Path(f"{where}-marks")
    return default_store().with_name(f"{store_id(where)}-marks")


def store_id(where: str | Path) -> str:
    """A digest that distinguishes stores without revealing their paths or URLs."""
    path = os.path.realpath(where) if is_path(where) else str(where)
    return hashlib.sha256(f"kibitz store {path}".encode()).hexdigest()[:16]


def open_store(where: str | Path, retry_seconds: float = 10.0) -> ServerStore:
    """The store at a path or a URL. Raises StoreError if it can't be opened, or if another server has it."""
    if not is_path(where):
        database = open_database(where, retry_seconds=retry_seconds)
        try:
            return ServerStore(database, AdvisoryLock(database))
        except BaseException:
            database.close()
            raise
    make_folder(Path(where))
    lock = Lock(Path(where), BUSY_SENTENCE)
    try:
        return ServerStore(open_database(where, retry_seconds=retry_seconds), lock)
    except BaseException:
        lock.release()
        raise


class AdvisoryLock:
    """Reserves a PostgreSQL database for one server while a connection lasts.

    Raises StoreError if another server has it.
    """

    def __init__(self, database: Database) -> None:
        self.connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self.connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": LOCK_KEY}):
            self.connection.close()
            raise StoreError("refused", f"{database.where} {BUSY_SENTENCE}")

    def release(self) -> None:
        """Release the lock at once: PostgreSQL takes a while to notice a closed connection."""
        try:
            self.connection.scalar(text("SELECT pg_advisory_unlock(:key)"), {"key": LOCK_KEY})
        except DBAPIError:  # the connection is lost, and the lock with it
            pass
        finally:
            self.connection.close()


# The thread that writes.

P = ParamSpec("P")
T = TypeVar("T")
Write = Callable[[Connection], Any]
MAX_WRITES = 500
"""The maximum number of writes in one transaction."""


class StoreLock(Protocol):
    """The lock that keeps other servers out."""

    def release(self) -> None:
        """Release the lock."""


class PendingWrite(NamedTuple):
    """A write, and the task that waits for it."""

    act: Write
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]

    def resolve(self, result: Any, error: Exception | None = None) -> None:
        """Give the result or the error to the waiting task, if it still waits."""

        def set_result() -> None:
            if self.future.cancelled():
                return
            if error is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(error)

        self.loop.call_soon_threadsafe(set_result)


class ServerStore:
    """Reads and writes a server's database."""

    def __init__(self, database: Database, lock: StoreLock | None = None) -> None:
        self.database, self.lock = database, lock
        self.queue: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self.thread = threading.Thread(target=self.work, name="kibitz-store", daemon=True)
        self.thread.start()

    async def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call ``act`` in a transaction and return its result; when this returns, the changes are on disk.

        ``act`` may be called more than once, so a second call must do no harm.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self.queue.put(PendingWrite(lambda connection: act(connection, *args, **kwargs), loop, future))
        return await future

    async def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call ``ask`` in a transaction with a consistent snapshot of the database, and return its result."""
        return await asyncio.to_thread(self.database.reading, lambda connection: ask(connection, *args, **kwargs))

    def work(self) -> None:
        """Carry out queued writes, until a None in the queue marks its end."""
        while (first := self.queue.get()) is not None:
            batch, has_more = self.next_batch(first)
            try:
                results = self.database.writing(lambda connection, batch=batch: [w.act(connection) for w in batch])  # type: ignore[misc]
            except Exception:
                for write in batch:
                    self.write_one(write)
            else:
                for write, result in zip(batch, results, strict=True):
                    write.resolve(result)
            if not has_more:
                return

    def next_batch(self, first: PendingWrite) -> tuple[list[PendingWrite], bool]:
        """The writes for one transaction, ``first`` and those queued after it; and whether the queue goes on."""
        batch = [first]
        while len(batch) < MAX_WRITES:
            try:
                write = self.queue.get_nowait()
            except Empty:
                break
            if write is None:
                return batch, False
            batch.append(write)
        return batch, True

    def write_one(self, write: PendingWrite) -> None:
        """Carry out one write in a transaction of its own, so that its failure doesn't stop the others."""
        try:
            result = self.database.writing(write.act)
        except Exception as error:
            write.resolve(None, error)
        else:
            write.resolve(result)

    def close(self) -> None:
        """Carry out all queued writes, and close the database."""
        self.queue.put(None)
        self.thread.join()
        if self.lock:
            self.lock.release()
        self.database.close()
