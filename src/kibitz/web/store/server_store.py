"""The server's database: opening it for one server alone, and the one thread that writes.

    moment      a time, as UTC seconds since 1970
    person      the id of an account (``p_...``) or of a guest (``g_...``)

It is a file (SQLite) or a ``postgresql://`` URL, possibly a season's. One thread writes, so that the event loop
never waits for a disk. Requests during a transaction are written together in the next one, so a disk that takes ten
milliseconds for a transaction keeps up with hundreds of tables.
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

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from kibitz.database.opening import is_path, make_folder, open_database
from kibitz.database.transactions import Database
from kibitz.errors import StoreError
from kibitz.table.saved import Lock

FILE = "server.sqlite"
CLAIM = 0x6B6962776562
"""PostgreSQL's advisory lock of the one server of a database."""
BUSY_SENTENCE = "belongs to a server that is running: use that server, stop it, or start this one with another --store."


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
    """A digest that distinguishes stores without revealing their places."""
    place = os.path.realpath(where) if is_path(where) else str(where)
    return hashlib.sha256(f"kibitz store {place}".encode()).hexdigest()[:16]


def open_store(where: str | Path, retry_seconds: float = 10.0) -> ServerStore:
    """The store at a path or a URL; StoreError, with one sentence, if it can't be opened."""
    if not is_path(where):
        database = open_database(where, retry_seconds=retry_seconds)
        try:
            return ServerStore(database, Claim(database))
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


class Claim:
    """One server's claim on a PostgreSQL database while its connection lasts; StoreError if another server has it."""

    def __init__(self, database: Database) -> None:
        self.connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self.connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": CLAIM}):
            self.connection.close()
            raise StoreError("refused", f"{database.where} {BUSY_SENTENCE}")

    def release(self) -> None:
        """Release the claim now: PostgreSQL notices a closed connection only some time later."""
        try:
            self.connection.scalar(text("SELECT pg_advisory_unlock(:key)"), {"key": CLAIM})
        except DBAPIError:  # the connection is lost, and the claim with it
            pass
        finally:
            self.connection.close()


# The one thread that writes.

T = TypeVar("T")
Writing = Callable[[Connection], Any]
MAX_WRITES = 500


class StoreLock(Protocol):
    """The lock that keeps other servers out."""

    def release(self) -> None:
        """Release the lock."""


class PendingWrite(NamedTuple):
    """A write, and the task that waits for it."""

    act: Writing
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]

    def resolve(self, result: Any, error: Exception | None = None) -> None:
        """Give the result to the waiting task, if it still waits."""

        def tell() -> None:
            if self.future.cancelled():
                return
            if error is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(error)

        self.loop.call_soon_threadsafe(tell)


class ServerStore:
    """Reads and writes a server's database; ``close`` writes what is left."""

    def __init__(self, database: Database, lock: StoreLock | None = None) -> None:
        self.database, self.lock = database, lock
        self.jobs: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self.thread = threading.Thread(target=self.work, name="kibitz-store", daemon=True)
        self.thread.start()

    async def write(self, act: Callable[[Connection], T]) -> T:
        """Call ``act`` in a transaction; when this returns, the changes are safe.

        ``act`` may be called again, which must do no harm.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self.jobs.put(PendingWrite(act, loop, future))
        return await future

    async def read(self, ask: Callable[[Connection], T]) -> T:
        """Read in a transaction with a consistent snapshot of the database."""
        return await asyncio.to_thread(self.database.reading, ask)

    def work(self) -> None:
        """Write waiting jobs, until the end is queued."""
        while (job := self.jobs.get()) is not None:
            jobs, more = self.next_batch(job)
            try:
                results = self.database.writing(lambda connection, jobs=jobs: [each.act(connection) for each in jobs])  # type: ignore[misc]
            except Exception:
                for each in jobs:
                    self.write_one(each)
            else:
                for each, result in zip(jobs, results, strict=True):
                    each.resolve(result)
            if not more:
                return

    def next_batch(self, first: PendingWrite) -> tuple[list[PendingWrite], bool]:
        """Write a job and all that wait behind it; False if this was the end."""
        found = [first]
        while len(found) < MAX_WRITES:
            try:
                job = self.jobs.get_nowait()
            except Empty:
                break
            if job is None:
                return found, False
            found.append(job)
        return found, True

    def write_one(self, job: PendingWrite) -> None:
        """Write one job by itself, so that one that fails stops no other."""
        try:
            result = self.database.writing(job.act)
        except Exception as error:
            job.resolve(None, error)
        else:
            job.resolve(result)

    def close(self) -> None:
        """Write what is left, and close the database."""
        self.jobs.put(None)
        self.thread.join()
        if self.lock:
            self.lock.release()
        self.database.close()
