"""Checks of submitted players: each in a process of its own, a few at a time, and the progress of each.

    job         one line of JSON on the process's standard input
    news        lines of JSON on its standard output: how many games have been played, and at last the result

The server's own process plays no games, which would slow down its tables.
"""

from __future__ import annotations

import asyncio
import base64
import io
import logging
import os
import secrets
import sys
import time
import zipfile
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from kibitz.arena.api import open as open_arena
from kibitz.errors import KibitzError, StoreError
from kibitz.executors.worker import cores, die_with, stay_within
from kibitz.players.findings import Finding
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import Problem
from kibitz.web.processes import told_by
from kibitz.web.season import INVITED_ONLY, may_submit

# ---------------------------------------------------------------- the check, in a process of its own

BOUNDS = 4 << 30, 10 * 60, 30 * 60
"""Limits: bytes, seconds of CPU time and seconds on the wall; players have their own."""


class Job(msgspec.Struct, frozen=True):
    """A submission: its files by name, in base 64."""

    store: str
    tournament: str
    player: str
    person: Person
    files: tuple[tuple[str, str], ...]
    parent: int


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """Progress: ``done`` of ``of`` games; in the end whether it is accepted, the reason and all findings."""

    done: int = 0
    of: int = 0
    ended: bool = False
    accepted: bool = False
    version: int = 0
    sentence: str = ""
    findings: tuple[Finding, ...] = ()


def content_of(job: Job) -> tuple[str, bytes]:
    """The submitted file; several as one archive, which is read with the same care as a stranger's."""
    files = [(name, base64.b64decode(content)) for name, content in job.files]
    if len(files) == 1:
        return files[0]
    with io.BytesIO() as out:
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in files:
                archive.writestr(name, content)
        return f"{job.player}.zip", out.getvalue()


def checked(job: Job) -> News:
    """Submit the files as the next version of their player; the arena checks them."""

    def progress(done: int, of: int) -> None:
        tell(News(done, of))

    name, content = content_of(job)
    with open_arena(job.store or None) as arena:
        if not may_submit(arena, job.person):  # again: this may have changed while it waited
            raise StoreError("refused", INVITED_ONLY)
        found = arena.submit(
            job.tournament,
            name,
            job.player,
            owner=job.person.name,
            account=job.person.id,
            content=content,
            progress=progress,
        )
    version = found.submission.version
    said = f"{job.player} plays from the next round, as version {version}." if found.accepted else found.report.reason
    sentence = " ".join(filter(None, (said, found.note)))
    return News(0, 0, True, found.accepted, version, sentence, found.report.findings)


def tell(news: News) -> None:
    """Write a line."""
    sys.stdout.buffer.write(msgspec.json.encode(news) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """One job."""
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    die_with(job.parent)
    stay_within(*BOUNDS)
    try:
        news = checked(job)
    except KibitzError as error:
        news = News(ended=True, sentence=str(error))
    tell(news)


# ---------------------------------------------------------------- checks, in the server

log = logging.getLogger("kibitz.web")

State = Literal["waiting", "trying", "accepted", "refused"]
MAX_WAITING, MAX_KEPT = 50, 500


@dataclass(eq=False)
class SubmissionCheck:
    """A submission that waits, is being checked or has its result; ``owner`` is the id of the account."""

    id: str
    owner: str
    tournament: str
    player: str
    state: State = "waiting"
    news: News = field(default_factory=News)
    at: float = field(default_factory=time.time)


class SubmissionChecks:
    """The submissions that this server has taken; results are kept in the season's store."""

    def __init__(self, store: str) -> None:
        self.store = store
        self.known: OrderedDict[str, SubmissionCheck] = OrderedDict()
        self.turn = asyncio.Semaphore(max(1, cores() - 1))
        self.tasks: set[asyncio.Task[None]] = set()

    def take(self, tournament: str, player: str, person: Person, files: Sequence[tuple[str, bytes]]) -> SubmissionCheck:
        """Take a submission; Problem 429 or 503 if too many wait."""
        under_way = [check for check in self.known.values() if check.state in ("waiting", "trying")]
        if any(check.owner == person.id for check in under_way):
            raise Problem(429, "One of your files is being checked: wait for its result.")
        if len(under_way) >= MAX_WAITING:
            raise Problem(503, "Too many submissions are waiting: try again in a few minutes.")
        check = SubmissionCheck(secrets.token_hex(8), person.id, tournament, player)
        packed = tuple((name, base64.b64encode(content).decode()) for name, content in files)
        job = Job(self.store, tournament, player, person, packed, os.getpid())
        self.known[check.id] = check
        while len(self.known) > MAX_KEPT:
            self.known.popitem(last=False)
        task = asyncio.create_task(self.run(check, job))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return check

    async def run(self, check: SubmissionCheck, job: Job) -> None:
        """Check it when its turn comes."""
        async with self.turn:
            check.state = "trying"
            try:
                await self.listen(check, job)
            except (OSError, ValueError, msgspec.MsgspecError) as error:
                log.error("the check of %s failed: %s", check.player, error)
            if not check.news.ended:
                sentence = "The check was interrupted, through no fault of the file: submit it again."
                check.news = News(ended=True, sentence=sentence)
            check.state = "accepted" if check.news.accepted else "refused"

    async def listen(self, check: SubmissionCheck, job: Job) -> None:
        """Start the process, and read its news."""
        async for line in told_by("kibitz.web.submission_checks", msgspec.json.encode(job)):
            check.news = msgspec.json.decode(line, type=News)

    async def close(self) -> None:
        """Stop all checks; their owners must submit again."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
