"""The store's interface: every method is one short transaction, retried where that helps.

    tournament      an argument with this name is the name of a tournament
    StoreError      raised for every operation that isn't possible; its ``kind`` says why

All methods may be called from any thread.  Methods that change something may safely be called again.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from sqlalchemy import Connection

from kibitz.arena.model import (
    Disqualification,
    EndCondition,
    Entrant,
    Extent,
    Failure,
    GameCounts,
    Kind,
    Lease,
    Lineup,
    MatchInPlay,
    MatchResult,
    Phase,
    PlayedMatch,
    Qualification,
    Refusal,
    RosterEntry,
    Round,
    Stage,
    State,
    Submission,
    Threshold,
    Tournament,
    Void,
    Withdrawal,
)
from kibitz.arena.store import log, participants, playing, queries, scheduling
from kibitz.arena.store.log import LoggedEntry
from kibitz.database.opening import must_open_read_only, open_database, open_read_only, temporary_database
from kibitz.database.transactions import Database
from kibitz.engine.game import fresh_seed, seed_words
from kibitz.errors import StoreError
from kibitz.players.limits import STANDARD, Limits

__all__ = ["Store", "open_store", "temporary_store"]

SubmissionCheck = Callable[[Sequence[Submission], Sequence[Submission], float], None]


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

    def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, by name."""
        return self.database.reading(participants.all_tournaments)

    def tournament(self, name: str) -> Tournament:
        """The tournament called ``name``. Raises StoreError (missing), with all names, if there is none."""
        return self.database.reading(lambda c: participants.read_tournament(c, name))

    def seed(self, tournament: str, stage: Stage) -> int:
        """The secret seed of a stage, for callers that may see it.

        Raises StoreError (missing) before the stage has one.
        """
        return self.database.reading(lambda c: participants.seed(c, tournament, stage))

    def enter_phase(self, tournament: str, phase: Phase, *, seed: int | None = None) -> Tournament:
        """Move a tournament to a phase; the final gets the secret seed ``seed`` (default: random).

        It can only move forward, except from frozen back to open; entering the current phase changes nothing.  A
        deadline that has passed is removed when submissions are reopened.
        """
        fresh = fresh_seed() if seed is None else seed
        seed_words(fresh)
        return self.database.writing(lambda c: participants.enter_phase(c, tournament, phase, fresh, self.now()))

    def set_deadline(self, tournament: str, closes_at: float | None) -> Tournament:
        """Close submissions at a future time, in UTC seconds since 1970; None removes the deadline.

        Raises StoreError (refused) for a time that has passed, and unless the tournament's phase is open.
        """
        return self.database.writing(lambda c: participants.set_deadline(c, tournament, closes_at, self.now()))

    def log(self, tournament: str) -> tuple[LoggedEntry, ...]:
        """The decisions, oldest first, each with the head after it (see ``kibitz.arena.store.log``)."""
        return self.database.reading(lambda c: log.logged_entries(c, participants.tournament_id(c, tournament)))

    # submissions

    def submit(
        self,
        tournament: str,
        player: str,
        owner: str,
        file: str,
        content: bytes,
        *,
        account: str | None = None,
        key: str | None = None,
        check: SubmissionCheck | None = None,
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

        def check_versions(c: Connection, stored: Tournament, versions: Sequence[Submission], now: float) -> None:
            if check is not None:
                check(versions, participants.owner_submissions(c, stored, player, owner), now)

        arguments = tournament, player, owner, file, content, account, key, check_versions, arrived_at
        return self.database.writing(lambda c: participants.submit(c, *arguments, self.now()))

    def record_check(self, submission: int, *, passed: bool, reason: str, report: str) -> Submission:
        """Record a qualification; a waiting submission becomes accepted, or refused with the reason.

        For a submission that was accepted or refused before, only the report is stored.
        """
        qualification = Qualification(submission, passed, report, self.now())
        return self.database.writing(lambda c: participants.record_check(c, submission, qualification, reason))

    def submission(self, submission: int) -> Submission:
        """One submission by its id. Raises StoreError (missing) if there is none."""
        return self.database.reading(lambda c: participants.submission(c, submission))

    def submissions(
        self, tournament: str, *, player: str | None = None, owner: str | None = None, state: State | None = None
    ) -> tuple[Submission, ...]:
        """Submissions in order of arrival."""
        return self.database.reading(
            lambda c: participants.all_submissions(c, tournament, player=player, owner=owner, state=state)
        )

    def latest_accepted(self, tournament: str) -> tuple[Submission, ...]:
        """The newest accepted version of every player, even if it is excluded, sorted by the players' names."""
        return self.database.reading(lambda c: participants.latest_accepted(c, tournament))

    def entrants(self, tournament: str) -> tuple[Entrant, ...]:
        """The entrants of a round scheduled now: the latest accepted versions, except excluded ones."""
        return self.database.reading(lambda c: participants.entrants(c, tournament))

    def fill_seats(self, tournament: str) -> tuple[Entrant, ...]:
        """Enter a built-in player for the seats that the players can't fill, if any; returns the entrants.

        Nothing changes if nobody plays, if the seats are already filled, or in a custom tournament.
        """
        return self.database.writing(lambda c: participants.fill_seats(c, tournament, self.now()))

    def content(self, submission: int) -> bytes:
        """The bytes of a submission's file."""
        return self.database.reading(lambda c: participants.content(c, submission))

    def qualifications(self, submission: int) -> tuple[Qualification, ...]:
        """Every check of a submission, oldest first."""
        return self.database.reading(lambda c: participants.all_qualifications(c, submission))

    def withdraw(self, tournament: str, player: str) -> Withdrawal:
        """Withdraw a player: none of its versions so far plays in rounds that are scheduled from now on.

        Raises StoreError (refused) if it has already left or the tournament is closed, (missing) for an unknown player.
        """
        return self.database.writing(lambda c: participants.withdraw(c, tournament, player, self.now()))

    def withdrawals(self, tournament: str) -> tuple[Withdrawal, ...]:
        """The withdrawals, in order of the versions that were newest when players withdrew.

        A player may have come back since, with a new submission.
        """
        return self.database.reading(lambda c: participants.all_withdrawals(c, tournament))

    def refuse(self, tournament: str, player: str, owner: str, file: str, reason: str) -> None:
        """Store the name of a file that was refused before it became a version, and why; repeats are stored once."""
        self.database.writing(lambda c: playing.refuse(c, tournament, player, owner, file, reason, self.now()))

    def refusals(self, tournament: str) -> tuple[Refusal, ...]:
        """The files that were refused before they became versions, oldest first."""
        return self.database.reading(lambda c: playing.all_refusals(c, tournament))

    def roster(self) -> tuple[RosterEntry, ...]:
        """The owners of players' names, in all tournaments."""
        return self.database.reading(participants.read_roster)

    def replace_roster(self, people: Sequence[RosterEntry]) -> None:
        """Replace the whole roster."""
        self.database.writing(lambda c: participants.replace_roster(c, people, self.now()))

    # rounds

    def rounds(self, tournament: str, *, newest: int | None = None) -> tuple[Round, ...]:
        """The rounds in order, or only the latest ``newest`` rounds.

        Without an end condition, all rounds but the last are closed.
        """
        return self.database.reading(lambda c: scheduling.all_rounds(c, tournament, newest))

    def extent(self, tournament: str, stage: Stage, *, closed: bool = True) -> Extent:
        """How many rounds of a stage, and blocks and matches that count: in closed rounds, or in all."""
        return self.database.reading(lambda c: scheduling.extent(c, tournament, stage, closed))

    def counts(self, tournament: str, number: int) -> dict[int, GameCounts]:
        """The games that each submission in a round has played, forfeited and still to play, by its id."""
        return self.database.reading(lambda c: scheduling.counts(c, tournament, number))

    def lineups(self, tournament: str, number: int) -> list[Lineup]:
        """The lineups of a round, in order of blocks."""
        return self.database.reading(lambda c: scheduling.lineups(c, tournament, number))

    def schedule_round(
        self,
        tournament: str,
        number: int,
        entrants: Sequence[Entrant],
        lineups: Sequence[Lineup],
        *,
        phase: Phase | None = None,
    ) -> Round | None:
        """Insert round ``number`` with its blocks in one transaction, with deals from the stage's seed.

        Returns None and changes nothing unless ``number`` is the next round, the round before is closed, and
        ``entrants`` (and ``phase``, if given) are still the tournament's; the caller must then compute the round again.
        In a tournament with an end condition, earlier rounds may be open if none of their games can change who is
        excluded.
        """
        return self.database.writing(
            lambda c: scheduling.schedule_round(c, tournament, number, phase, entrants, lineups, self.now())
        )

    def close_round(self, tournament: str, number: int) -> tuple[Disqualification, ...] | None:
        """Close a round and decide who is excluded; returns these decisions, even if it was closed before.

        None while a block of this round or of an earlier one has not been played.
        """
        return self.database.writing(lambda c: scheduling.close_round(c, tournament, number, self.now()))

    # leases

    def claim(self, tournament: str, holder: str, n: int = 1, lease_s: float = 60.0) -> tuple[Lease, ...]:
        """Lease up to ``n`` free blocks of open rounds for ``lease_s`` seconds, lowest number first.

        ``holder`` should be unique to one runner: it doesn't get blocks that it already holds.
        """
        return self.database.writing(lambda c: playing.claim(c, tournament, holder, n, lease_s, self.now()))

    def heartbeat(self, leases: Sequence[Lease], lease_s: float = 60.0) -> int:
        """Renew leases whose blocks nobody else has claimed in the meantime; returns their number."""
        return self.database.writing(lambda c: playing.heartbeat(c, leases, self.now() + lease_s))

    def save_memory(self, lease: Lease) -> bool:
        """Store a lease's memory of earlier attempts, for the next holder of the block; False if the lease is over."""
        return self.database.writing(lambda c: playing.save_memory(c, lease))

    def release(self, holder: str, leases: Sequence[Lease] | None = None) -> int:
        """Give a holder's blocks back, either all or those of ``leases``; returns their number."""
        numbers = None if leases is None else [lease.id for lease in leases]
        return self.database.writing(lambda c: playing.release(c, holder, numbers))

    def complete(self, lease: Lease, played: Sequence[PlayedMatch]) -> bool:
        """Record all matches of a block in one transaction; False if the block was played or given up before.

        Results count even if their lease has run out: the first to arrive are kept, since every runner gets the same.
        """
        return self.complete_all([(lease, played)])[0]

    def complete_all(self, finished: Sequence[tuple[Lease, Sequence[PlayedMatch]]]) -> tuple[bool, ...]:
        """``complete`` for several blocks in one transaction."""
        return self.database.writing(lambda c: playing.complete(c, finished, self.now()))

    def void(self, lease: Lease, rotation: int, cause: str) -> Void | None:
        """Report that the machine failed in a match: the cause is stored, and the block is queued again after a delay.

        After ``MAX_VOIDS`` voids the block is given up, and none of its matches counts.  None if the holder doesn't
        have the lease any more.
        """
        return self.database.writing(lambda c: playing.void(c, lease, rotation, cause, self.now()))

    # results

    def results(
        self,
        tournament: str,
        *,
        stage: Stage | None = None,
        player: str | None = None,
        rounds: range | None = None,
        closed: bool = False,
    ) -> tuple[MatchResult, ...]:
        """Results in order of match number.

        The arguments restrict them to a stage, to matches of a player, to a range of rounds, or to closed rounds.
        """
        return self.database.reading(
            lambda c: queries.results(c, tournament, stage=stage, player=player, round_numbers=rounds, closed=closed)
        )

    def record(self, tournament: str, match: int) -> str:
        """The whole record of a match as text. Raises StoreError (missing) if it has not been played."""
        return self.database.reading(lambda c: queries.record(c, tournament, match))

    def failures(self, tournament: str, *, player: str | None = None, newest: int | None = None) -> tuple[Failure, ...]:
        """Games lost by failures, in order of match number; if ``newest`` is given, only the latest ``newest``."""
        return self.database.reading(lambda c: queries.failures(c, tournament, player=player, newest=newest))

    def voids(self, tournament: str) -> tuple[Void, ...]:
        """Matches that a machine failed to play, in order of match and attempt."""
        return self.database.reading(lambda c: playing.all_voids(c, tournament))

    def disqualifications(self, tournament: str) -> tuple[Disqualification, ...]:
        """The excluded submissions, in the order of the decisions."""
        return self.database.reading(lambda c: scheduling.all_disqualifications(c, tournament))

    # runners

    def register_runner(self, tournament: str, holder: str, lease_s: float = 60.0, *, join: bool = False) -> int:
        """Register the runner ``holder``; returns how many blocks of dead runners were queued again.

        Raises StoreError (running) if another runner is playing the tournament, unless this one may ``join`` it.
        """
        return self.database.writing(
            lambda c: playing.register_runner(c, tournament, holder, self.now() + lease_s, self.now(), join=join)
        )

    def renew_runner(self, holder: str, lease_s: float = 60.0) -> bool:
        """Show that a runner is alive; False if it is no longer registered."""
        return self.database.writing(lambda c: playing.renew_runner(c, holder, self.now() + lease_s))

    def save_matches_in_play(self, holder: str, shown: Sequence[MatchInPlay]) -> None:
        """Store the state of the matches that a runner is playing, in place of its last report."""
        self.database.writing(lambda c: playing.save_matches_in_play(c, holder, shown))

    def matches_in_play(self, tournament: str) -> tuple[MatchInPlay, ...]:
        """The matches in play that runners have reported, in order of their numbers; short matches aren't reported."""
        return self.database.reading(lambda c: playing.matches_in_play(c, tournament, self.now()))

    def remove_runner(self, holder: str) -> None:
        """Remove a runner from the registered runners."""
        self.database.writing(lambda c: playing.remove_runner(c, holder))


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
