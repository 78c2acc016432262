"""Submissions that are being tried: one process each, a few at a time, and what is known of them so far."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from kibitz.executors.worker import cores
from kibitz.web.connection import Person
from kibitz.web.problems import Problem
from kibitz.web.processes import told_by
from kibitz.web.trial import Job, News

log = logging.getLogger("kibitz.web")

State = Literal["waiting", "trying", "accepted", "refused"]
MOST_WAITING, MOST_KEPT = 50, 500


@dataclass(eq=False)
class SubmissionTrial:
    """One submission on its way; ``owner`` is the id of the account that has handed it in."""

    id: str
    owner: str
    tournament: str
    player: str
    state: State = "waiting"
    news: News = field(default_factory=News)
    at: float = field(default_factory=time.time)


class SubmissionTrials:
    """All submissions that this server has taken; the season's store keeps what came of them."""

    def __init__(self, store: str) -> None:
        self.store = store
        self.known: OrderedDict[str, SubmissionTrial] = OrderedDict()
        self.turn = asyncio.Semaphore(max(1, cores() - 1))
        self.tasks: set[asyncio.Task[None]] = set()

    def take(self, tournament: str, player: str, person: Person, files: Sequence[tuple[str, bytes]]) -> SubmissionTrial:
        """Take a submission; Problem 429 or 503 where too many wait."""
        under_way = [trial for trial in self.known.values() if trial.state in ("waiting", "trying")]
        if any(trial.owner == person.id for trial in under_way):
            raise Problem(429, "A file of yours is being tried: wait for its result.")
        if len(under_way) >= MOST_WAITING:
            raise Problem(503, "Too many files wait to be tried: come back in some minutes.")
        trial = SubmissionTrial(secrets.token_hex(8), person.id, tournament, player)
        packed = tuple((name, base64.b64encode(content).decode()) for name, content in files)
        job = Job(self.store, tournament, player, person, packed, os.getpid())
        self.known[trial.id] = trial
        while len(self.known) > MOST_KEPT:
            self.known.popitem(last=False)
        task = asyncio.create_task(self.run(trial, job))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return trial

    async def run(self, trial: SubmissionTrial, job: Job) -> None:
        """Have it tried when its turn comes."""
        async with self.turn:
            trial.state = "trying"
            try:
                await self.listen(trial, job)
            except (OSError, ValueError, msgspec.MsgspecError) as error:
                log.error("the trial of %s broke off: %s", trial.player, error)
            if not trial.news.ended:
                sentence = "The trial broke off, for no fault of the file: hand it in again."
                trial.news = News(ended=True, sentence=sentence)
            trial.state = "accepted" if trial.news.accepted else "refused"

    async def listen(self, trial: SubmissionTrial, job: Job) -> None:
        """Start the process, and take its news."""
        async for line in told_by("kibitz.web.trial", msgspec.json.encode(job)):
            trial.news = msgspec.json.decode(line, type=News)

    async def close(self) -> None:
        """Break off what is under way; its owners hand it in again."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
