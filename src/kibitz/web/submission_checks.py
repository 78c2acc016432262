"""Checks of submitted players, a few at a time, and the progress of each.

The server's own process plays no games, which would slow down its tables.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.executors.worker import cores
from kibitz.web.jobs import CheckWork, Job, Order, Queue
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import Problem

MAX_WAITING, MAX_KEPT = 50, 500


@dataclass(eq=False)
class SubmissionCheck(Job):
    """A submission that waits, is being checked or has its result: whether it is good."""

    tournament: str = ""
    player: str = ""


class SubmissionChecks(Queue[SubmissionCheck]):
    """The submissions that this server has taken; results are kept in the season's store."""

    def __init__(self, store: str) -> None:
        super().__init__(max(1, cores() - 1), MAX_KEPT)
        self.store = store

    def take(self, tournament: str, player: str, person: Person, files: Sequence[tuple[str, bytes]]) -> SubmissionCheck:
        """Take a submission; Problem 429 or 503 if too many wait."""
        owners = self.owners()
        if person.id in owners:
            raise Problem(429, "One of your files is being checked: wait for its result.")
        if len(owners) >= MAX_WAITING:
            raise Problem(503, "Too many submissions are waiting: try again in a few minutes.")
        id, title = secrets.token_hex(8), f"The check of {player}"
        check = SubmissionCheck(id, person.id, title, id, tournament=tournament, player=player)
        work = CheckWork(self.store, tournament, player, person, tuple(files))
        return self.start(check, Order(work, os.getpid(), ""))
