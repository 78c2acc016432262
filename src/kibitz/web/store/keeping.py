"""One thread that writes, so that the event loop never waits for a disk.

What is asked for while a transaction is being written waits for the next one, and all of that is written together: a
disk that takes ten milliseconds for a transaction still keeps up with hundreds of tables.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection

from kibitz.arena.store.connection import Database

T = TypeVar("T")
Writing = Callable[[Connection], Any]
MOST_TOGETHER = 500


class Held(Protocol):
    """What keeps other servers out."""

    def release(self) -> None:
        """Let others have it."""


class Job(NamedTuple):
    """Something to be written, and who waits for it."""

    act: Writing
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]

    def settle(self, result: Any, error: Exception | None = None) -> None:
        """Let whoever waits know, if anybody still does."""

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
