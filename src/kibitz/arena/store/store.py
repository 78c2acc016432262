"""The store's interface: every method is one short transaction, retried where that helps.

    name            the name of a tournament, where an argument is called so
    StoreError      raised for every operation that isn't possible; its ``kind`` says why

Most methods are functions of the modules of this package, called in a transaction (``reading``, ``writing``). All
methods may be called from any thread.  Methods that change something may safely be called again.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection

from kibitz.arena.model import (
    EndCondition,
    Kind,
    Lease,
    MatchInPlay,
    Phase,
    PlayedMatch,
    Qualification,
    Submission,
    Threshold,
    Tournament,
)
from kibitz.arena.store import participants, playing, queries, scheduling
from kibitz.database.opening import must_open_read_only, open_database, open_read_only, temporary_database
from kibitz.database.transactions import Database
from kibitz.engine.game import fresh_seed, seed_words
from kibitz.errors import StoreError
from kibitz.players.limits import STANDARD, Limits

__all__ = ["Store", "open_store", "temporary_store"]

P = ParamSpec("P")
T = TypeVar("T")


def reading(query: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Store, P], T]:
    """A method of the store that calls ``query`` in a transaction that only reads."""

    @wraps(query)
    def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return store.database.reading(lambda connection: query(connection, *args, **kwargs))

    return method


def writing(change: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Store, P], T]:
    """A method of the store that calls ``change`` in a transaction that may write."""

    @wraps(change)
    def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return store.database.writing(lambda connection: change(connection, *args, **kwargs))

    return method


def writing_at(change: Callable[Concatenate[Connection, float, P], T]) -> Callable[Concatenate[Store, P], T]:
    """Like ``writing``, for a change that also needs the time."""

    @wraps(change)
    def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return store.database.writing(lambda connection: change(connection, store.now(), *args, **kwargs))

    return method


class Store:
    """An open store; a ``with`` statement closes it."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def retrying_for(self, seconds: float) -> Iterator[None]:
        """A ``with`` block in which operations on a locked store or a lost connection are retried for this long."""
        usual, self.database.retry_seconds = self.database.retry_seconds, seconds
        try:
            yield
        finally:
            self.database.retry_seconds = usual

    @property
    def where(self) -> str:
        """The address of the store, without a password."""
        return self.database.where

    @property
    def temporary(self) -> bool:
        """Whether the store disappears when it is closed."""
        return self.database.temporary

    def now(self) -> float:
        """The time in UTC seconds since 1970, on PostgreSQL from the database server's clock."""
        return self.database.clock()

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    # tournaments

    def add_tournament(
        self,
        name: str,
        game: str,
        kind: Kind = "standard",
        *,
        seed: int | None = None,
        threshold: Threshold | None = None,
        limits: Limits = STANDARD,
        goal: EndCondition | None = None,
    ) -> Tournament:
        """Add an open tournament; by default its seed is random and secret. ``goal`` is its end condition, if any.

        Raises StoreError if there is a tournament of that name, NotationError if there is no such game.
        """
        fresh = fresh_seed() if seed is None else seed
        seed_words(fresh)
        exclusion = threshold or Threshold()
        return self.database.writing(
            lambda c: participants.add_tournament(c, name, game, kind, fresh, exclusion, limits, goal, self.now())
        )

    tournaments = reading(participants.all_tournaments)
    tournament = reading(participants.read_tournament)
    seed = reading(participants.seed)

    def enter_phase(self, name: str, phase: Phase, *, seed: int | None = None) -> Tournament:
        """Move a tournament to a phase; the final gets the secret seed ``seed`` (default: random).

        It can only move forward, except from frozen back to open; entering the current phase changes nothing.  A
        deadline that has passed is removed when submissions are reopened.
        """
        fresh = fresh_seed() if seed is None else seed
        seed_words(fresh)
        return self.database.writing(lambda c: participants.enter_phase(c, name, phase, fresh, self.now()))

    set_deadline = writing_at(participants.set_deadline)
    log = reading(participants.logged_entries)

    # submissions

    def submit(
        self,
        name: str,
        player: str,
        owner: str,
        file: str,
        content: bytes,
        *,
        account: str | None = None,
        key: str | None = None,
        check: participants.SubmissionCheck | None = None,
        arrived_at: float | None = None,
    ) -> Submission:
        """Add a waiting version of a player; an empty ``content`` enters the built-in strategy called ``file``.

        ``check(versions, owner_submissions, now)`` is called inside the transaction with all versions of the player so
        far, all submissions of its owner (none if the player is its own owner), oldest first, and the time.  If it
        raises, nothing changes.  No other version can be added between the check and the insertion, since the cool-down
        depends on it. Raises StoreError (refused) unless the tournament is open and the player's name belongs to the
        owner. A repeated call with the same ``key`` returns the same submission. ``arrived_at``: when the file arrived,
        if it had to wait since then; it must be before the tournament's deadline.
        """
        key = key or uuid.uuid4().hex
        arguments = name, player, owner, file, content, account, key, check, arrived_at
        return self.database.writing(lambda c: participants.submit(c, *arguments, self.now()))

    def record_check(self, submission: int, *, passed: bool, reason: str, report: str) -> Submission:
        """Record a qualification; a waiting submission becomes accepted, or refused with the reason.

        For a submission that was accepted or refused before, only the report is stored.
        """
        qualification = Qualification(submission, passed, report, self.now())
        return self.database.writing(lambda c: participants.record_check(c, submission, qualification, reason))

    submission = reading(participants.submission)
    submissions = reading(participants.all_submissions)
    latest_accepted = reading(participants.latest_accepted)
    entrants = reading(participants.entrants)
    fill_seats = writing_at(participants.fill_seats)
    content = reading(participants.content)
    qualifications = reading(participants.all_qualifications)
    withdraw = writing_at(participants.withdraw)
    withdrawals = reading(participants.all_withdrawals)
    refuse = writing_at(playing.refuse)
    refusals = reading(playing.all_refusals)
    roster = reading(participants.read_roster)
    replace_roster = writing_at(participants.replace_roster)

    # rounds

    rounds = reading(scheduling.all_rounds)
    extent = reading(scheduling.extent)
    counts = reading(scheduling.counts)
    lineups = reading(scheduling.lineups)
    schedule_round = writing_at(scheduling.schedule_round)
    close_round = writing_at(scheduling.close_round)

    # leases

    claim = writing_at(playing.claim)
    heartbeat = writing_at(playing.heartbeat)
    save_memory = writing(playing.save_memory)
    release = writing(playing.release)
    complete_all = writing_at(playing.complete_all)
    void = writing_at(playing.void)

    def complete(self, lease: Lease, played: Sequence[PlayedMatch]) -> bool:
        """``complete_all`` for one block."""
        return self.complete_all([(lease, played)])[0]

    # results

    results = reading(queries.results)
    record = reading(queries.record)
    failures = reading(queries.failures)
    voids = reading(playing.all_voids)
    disqualifications = reading(scheduling.all_disqualifications)

    # runners

    register_runner = writing_at(playing.register_runner)
    renew_runner = writing_at(playing.renew_runner)
    save_matches_in_play = writing(playing.save_matches_in_play)
    remove_runner = writing(playing.remove_runner)

    def matches_in_play(self, name: str) -> tuple[MatchInPlay, ...]:
        """The matches in play that runners have reported, in order of their numbers; short matches aren't reported."""
        return self.database.reading(lambda connection: playing.matches_in_play(connection, self.now(), name))


def open_store(
    where: str | Path, *, create: bool = True, retry_seconds: float = 30.0, clock: Callable[[], float] | None = None
) -> Store:
    """The store at a path (SQLite) or a ``postgresql://`` URL; a copy for reading if it can't be written.

    A locked database or a lost connection is retried for ``retry_seconds``. Raises StoreError if the store doesn't
    exist and may not be created, belongs to another version of Kibitz, isn't a store, or can't be reached.
    """
    try:
        return Store(open_database(where, create=create, retry_seconds=retry_seconds, clock=clock))
    except StoreError as error:
        if error.kind not in ("missing", "refused") or not must_open_read_only(where):
            raise
        return Store(open_read_only(where, retry_seconds, clock))


def temporary_store() -> Store:
    """A store that disappears when it is closed; for one process and one thread."""
    return Store(temporary_database())
