"""Jobs: long work that people ask for; a few run at a time, each in a process of its own (``job_process``).

job         the work, who asked for it, and its latest status
key         identifies the work: a second request for the same work gets the first request's job

The server's own process plays no games, which would slow down its tables.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import secrets
import tempfile
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, TypeVar

import msgspec

from kibitz.executors.worker import cores
from kibitz.marking.assignments import TITLES
from kibitz.web import marking
from kibitz.web.job_process import AnyWork, CheckWork, JobStatus, MarkWork, Order
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import ApiError
from kibitz.web.processes import answer_lines

log = logging.getLogger("kibitz.web")

State = Literal["waiting", "running", "done", "failed"]
MAX_RUNNING, MAX_WAITING, MAX_KEPT = 2, 30, 200


@dataclass(eq=False)
class Job:
    """One piece of work and its state; ``owner`` is a person's id, and everybody may see the job if ``is_public``."""

    id: str
    owner: str
    title: str
    key: str
    is_public: bool = False
    state: State = "waiting"
    status: JobStatus = field(default_factory=JobStatus)
    at: float = field(default_factory=time.time)
    task: asyncio.Task[None] | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether the job is waiting or running."""
        return self.state in ("waiting", "running") and not self.status.ended


AnyJob = TypeVar("AnyJob", bound=Job)


class Queue(Generic[AnyJob]):
    """A queue of jobs, of which ``max_running`` run at a time; ``by_id`` has the latest ``max_kept`` jobs."""

    def __init__(self, max_running: int, max_kept: int) -> None:
        self.slots, self.max_kept = asyncio.Semaphore(max_running), max_kept
        self.by_id: OrderedDict[str, AnyJob] = OrderedDict()

    def owners(self) -> list[str]:
        """The owners of all jobs that are waiting or running, once for each job."""
        return [job.owner for job in self.by_id.values() if job.is_under_way]

    def before(self, job: AnyJob) -> int:
        """How many earlier jobs are waiting or running."""
        earlier = itertools.takewhile(lambda other: other is not job, self.by_id.values())
        return sum(other.is_under_way for other in earlier)

    def start(self, job: AnyJob, order: Order) -> AnyJob:
        """Queue a job."""
        self.by_id[job.id] = job
        self.by_id.move_to_end(job.id)
        while len(self.by_id) > self.max_kept:
            self.by_id.popitem(last=False)
        job.task = asyncio.create_task(self.run(job, order), name=f"job {job.id}")
        return job

    async def run(self, job: AnyJob, order: Order) -> None:
        """Wait for a slot, and have a process do it."""
        try:
            async with self.slots:
                job.state = "running"
                async for line in answer_lines("kibitz.web.job_process", msgspec.json.encode(order)):
                    job.status = msgspec.json.decode(line, type=JobStatus)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            log.error("%s broke off: %s", job.title, error)
        finally:
            if not job.status.ended:
                job.status = JobStatus(ended=True, sentence=order.work.interrupted)
            job.state = "done" if job.status.good else "failed"

    def stop(self, job: AnyJob) -> None:
        """Stop a job; what it has saved so far stays."""
        if job.task is not None and job.is_under_way:
            job.task.cancel()

    async def close(self) -> None:
        """Stop all jobs that are waiting or running."""
        tasks = [job.task for job in self.by_id.values() if job.task is not None and not job.task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Jobs(Queue[Job]):
    """All jobs of this server.

    Rounds that jobs play are saved in the season's store, and lecturers' markings in the folder ``marks``. All other
    results are lost when the server stops.
    """

    def __init__(self, marks: Path) -> None:
        super().__init__(MAX_RUNNING, MAX_KEPT)
        self.marks = marks
        self.reserved_markings: set[str] = set()
        self.folder: tempfile.TemporaryDirectory[str] | None = None
        self.owners_preparing: list[str] = []
        """The owners of jobs that are still being prepared, once for each job."""

    def job_folder(self, id: str) -> Path:
        """A folder for the files of a job, deleted with the server."""
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="kibitz-jobs-")
        folder = Path(self.folder.name) / id
        folder.mkdir(exist_ok=True)
        return folder

    def stored_marking(self, id: str) -> marking.StoredMarking | None:
        """The lecturer's marking with an id; None if there is none."""
        return marking.read_marking(self.marks / id) if marking.is_id(id) else None

    def stored_markings(self) -> list[marking.StoredMarking]:
        """All lecturers' markings, the latest first."""
        ids = [path.name for path in self.marks.iterdir()] if self.marks.exists() else []
        markings = [stored for id in ids if (stored := self.stored_marking(id)) is not None]
        return sorted(markings, key=lambda stored: -stored.begun_at)

    def find(self, id: str) -> Job | None:
        """The job with an id, or None; for a marking from before a restart, a job with the results of its last run."""
        stored = None if id in self.by_id else self.stored_marking(id)
        if stored is None:
            return self.by_id.get(id)
        status = self.last_status(id)
        if not stored.ended_at:
            status = msgspec.structs.replace(status, ended=True, good=False, sentence=MarkWork.interrupted)
        title = f"Marks for {TITLES[stored.work.assignment]}"
        return Job(id, stored.owner, title, f"mark {id}", state="done" if stored.ended_at else "failed", status=status)

    def last_status(self, id: str) -> JobStatus:
        """The results of the last completed run of a marking; empty if there is none."""
        status, folder = JobStatus(), self.marks / id
        with suppress(OSError, msgspec.DecodeError):
            status = msgspec.json.decode((folder / marking.RESULTS).read_bytes(), type=JobStatus)
            status = msgspec.structs.replace(status, file=str(folder / Path(status.file).name))
        return status

    def is_busy(self, id: str) -> bool:
        """Whether files of a marking are being uploaded, marked or compared."""
        keys = (f"mark {id}", f"similar {id}")
        return id in self.reserved_markings or any(job.is_under_way for job in self.by_id.values() if job.key in keys)

    @contextmanager
    def reserve(self, id: str) -> Iterator[None]:
        """Reserve a marking for one request while the block runs; ApiError 409 if it is busy."""
        if self.is_busy(id):
            raise ApiError(409, "These files are being marked: wait until that is done, or cancel it.")
        self.reserved_markings.add(id)
        try:
            yield
        finally:
            self.reserved_markings.remove(id)

    def submit(
        self, work: AnyWork, person: Person, title: str, key: str, *, is_public: bool = False, id: str | None = None
    ) -> Job:
        """Queue work as a job; if a job with the same key is under way, or done and public, return that job instead.

        ``id`` is the id of a marking that is marked again. ApiError 429 or 503 if there is too much work.
        """
        for job in reversed(self.by_id.values()):
            if job.key == key and (job.is_under_way or (job.is_public and job.status.good)):
                return job
        self.check_limits(person)
        job = Job(id or secrets.token_hex(8), person.id, title, key, is_public)
        return self.start(job, Order(work, os.getpid(), str(self.job_folder(job.id))))

    def check_limits(self, person: Person) -> None:
        """Raise ApiError 429 or 503 if a person can't have another job now."""
        owners = [*self.owners_preparing, *self.owners()]
        if owners.count(person.id) >= MAX_RUNNING:
            raise ApiError(429, "You have too many jobs at once: wait until one is done.")
        if len(owners) >= MAX_WAITING:
            raise ApiError(503, "The server is busy: try again in a few minutes.")

    @contextmanager
    def admission(self, person: Person) -> Iterator[None]:
        """Count a job that the block prepares, such as by saving uploads. Raises ApiError as for ``submit``."""
        self.check_limits(person)
        self.owners_preparing.append(person.id)
        try:
            yield
        finally:
            self.owners_preparing.remove(person.id)

    async def close(self) -> None:
        """Stop all jobs that are waiting or running, and delete the jobs' files."""
        await super().close()
        if self.folder is not None:
            self.folder.cleanup()


# ---------------------------------------------------------------- checks of submitted players

MAX_CHECKS_WAITING, MAX_CHECKS_KEPT = 50, 500


@dataclass(eq=False)
class SubmissionCheck(Job):
    """The check of one submission."""

    tournament: str = ""
    player: str = ""


class SubmissionChecks(Queue[SubmissionCheck]):
    """The checks of submissions to this server; their results are stored in the season's store."""

    def __init__(self, store: str) -> None:
        super().__init__(max(1, cores() - 1), MAX_CHECKS_KEPT)
        self.store = store

    def submit(
        self, tournament: str, player: str, person: Person, files: Sequence[tuple[str, bytes]]
    ) -> SubmissionCheck:
        """Queue the check of a submission; ApiError 429 or 503 if too many are waiting."""
        owners = self.owners()
        if person.id in owners:
            raise ApiError(429, "One of your files is being checked: wait for its result.")
        if len(owners) >= MAX_CHECKS_WAITING:
            raise ApiError(503, "Too many submissions are waiting: try again in a few minutes.")
        id, title = secrets.token_hex(8), f"The check of {player}"
        check = SubmissionCheck(id, person.id, title, id, tournament=tournament, player=player)
        work = CheckWork(self.store, tournament, player, person, tuple(files), time.time())
        return self.start(check, Order(work, os.getpid(), ""))
