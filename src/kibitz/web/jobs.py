"""Long work that people ask for, such as a review or a final: one process each, a few at a time, and how far it is.

job         what is to be done (``kibitz.web.job``), who has asked, and what is known of it so far
key         the same work is done once: who asks again is told how far it is
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import tempfile
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from kibitz.web.connection import Person
from kibitz.web.job import AnyWork, News, Order
from kibitz.web.problems import Problem
from kibitz.web.processes import told_by

log = logging.getLogger("kibitz.web")

State = Literal["waiting", "running", "done", "failed"]
MOST_RUNNING, MOST_WAITING, MOST_KEPT = 2, 30, 200
BROKE_OFF = "This broke off, and what was saved by then is kept: ask for it again."


@dataclass(eq=False)
class Job:
    """One piece of work; ``open`` says whether everybody may look at it."""

    id: str
    owner: str
    title: str
    key: str
    open: bool = False
    state: State = "waiting"
    news: News = field(default_factory=News)
    at: float = field(default_factory=time.time)
    task: asyncio.Task[None] | None = None

    @property
    def under_way(self) -> bool:
        """Whether it is still to be done, at least in part."""
        return self.state in ("waiting", "running")


class Jobs:
    """All work of this server; what was played or proved is in the season's store, the rest is kept for a while."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, Job] = OrderedDict()
        self.turn = asyncio.Semaphore(MOST_RUNNING)
        self.folder: tempfile.TemporaryDirectory[str] | None = None
        self.admitted: list[str] = []

    def place(self, id: str) -> Path:
        """A folder for the files of a job, gone with the server."""
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="kibitz-jobs-")
        found = Path(self.folder.name) / id
        found.mkdir(exist_ok=True)
        return found

    def take(self, work: AnyWork, person: Person, title: str, key: str, *, open: bool = False) -> Job:
        """Take work; that of the same key if it is under way, or is done and open.  Problem 429 or 503 for too much."""
        for job in reversed(self.known.values()):
            if job.key == key and (job.under_way or (job.open and job.state == "done")):
                return job
        self.refuse(person)
        job = Job(secrets.token_hex(8), person.id, title, key, open)
        self.known[job.id] = job
        while len(self.known) > MOST_KEPT:
            self.known.popitem(last=False)
        order = Order(work, os.getpid(), str(self.place(job.id)))
        job.task = asyncio.create_task(self.run(job, order), name=f"job {job.id}")
        return job

    def refuse(self, person: Person) -> None:
        """Problem 429 or 503 if somebody may not have more done now."""
        going = (job.owner for job in self.known.values() if job.under_way and not job.news.ended)
        owners = [*self.admitted, *going]
        if owners.count(person.id) >= MOST_RUNNING:
            raise Problem(429, "You have asked for as much as can be done at once: wait for what is under way.")
        if len(owners) >= MOST_WAITING:
            raise Problem(503, "Too much is to be done here already: come back in some minutes.")

    @contextmanager
    def admission(self, person: Person) -> Iterator[None]:
        """Keep a turn for work that is still being prepared: ``take`` it right after.  Problem 429 or 503 as there."""
        self.refuse(person)
        self.admitted.append(person.id)
        try:
            yield
        finally:
            self.admitted.remove(person.id)

    async def run(self, job: Job, order: Order) -> None:
        """Have it done when its turn comes."""
        async with self.turn:
            job.state = "running"
            try:
                async for line in told_by("kibitz.web.job", msgspec.json.encode(order)):
                    job.news = msgspec.json.decode(line, type=News)
            except (OSError, ValueError, msgspec.MsgspecError) as error:
                log.error("%s broke off: %s", job.title, error)
            finally:
                if not job.news.ended:
                    job.news = News(ended=True, sentence=BROKE_OFF)
                job.state = "done" if job.news.good else "failed"

    def stop(self, job: Job) -> None:
        """Break work off; what is saved by then stays."""
        if job.task is not None and job.under_way:
            job.task.cancel()

    async def close(self) -> None:
        """Break off what is under way."""
        tasks = [job.task for job in self.known.values() if job.task is not None and job.under_way]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.folder is not None:
            self.folder.cleanup()
