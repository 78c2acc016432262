"""The store's interface: every method is one short transaction, tried again where that helps.

    tournament      always given by its name
    StoreError      what is raised for everything that cannot be done; ``kind`` says which kind of trouble it is

All methods may be called from any thread.  What acts is safe to repeat: done twice it has the effect of once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.arena.model import (
    Disqualification,
    Entrant,
    Failure,
    Kind,
    Lease,
    Lineup,
    MatchResult,
    Phase,
    Played,
    Qualification,
    Round,
    Stage,
    State,
    Submission,
    Threshold,
    Tournament,
    Void,
)

__all__ = ["Store"]


class Store:
    """An open store; ``with`` closes it."""

    def now(self) -> float:
        """The store's clock, in UTC seconds since 1970: on PostgreSQL the server's."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of all connections."""
        raise NotImplementedError

    # tournaments

    def add_tournament(
        self,
        name: str,
        game: str,
        kind: Kind = "standard",
        *,
        seed: int | None = None,
        threshold: Threshold | None = None,
    ) -> Tournament:
        """A new tournament, open; without a ``seed`` one that nobody can guess.  StoreError if there is one of
        that name, NotationError if there is no such game.
        """
        raise NotImplementedError

    def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, by name."""
        raise NotImplementedError

    def tournament(self, name: str) -> Tournament:
        """The tournament called ``name``; StoreError (missing) with the names there are."""
        raise NotImplementedError

    def seed(self, tournament: str, stage: Stage) -> int:
        """The secret seed of a stage, whoever may see it; StoreError (missing) before the stage has one."""
        raise NotImplementedError

    def enter_phase(self, tournament: str, phase: Phase, *, seed: int | None = None) -> Tournament:
        """Move on to a phase; ``final`` draws a fresh secret seed (or takes ``seed``).

        Forward only, except from frozen back to open; entering the phase that it is in changes nothing.
        """
        raise NotImplementedError

    # submissions

    def submit(
        self,
        tournament: str,
        player: str,
        owner: str,
        file: str,
        content: bytes,
        *,
        key: str | None = None,
        check: Callable[[Sequence[Submission], float], None] | None = None,
    ) -> Submission:
        """A new version of a player, waiting; an empty ``content`` enters the built-in strategy called ``file``.

        ``check(versions, now)`` is called inside the transaction with all versions of the player so far, oldest
        first, and the store's clock: what it raises leaves everything as it was, and no other version can come in
        between (cool-down).  StoreError (refused) unless the tournament is open and the player's name is the
        owner's.  With the same ``key`` again the same submission is returned.
        """
        raise NotImplementedError

    def settle(self, submission: int, *, passed: bool, reason: str, report: str) -> Submission:
        """Record a qualification; a waiting submission becomes accepted, or refused with the reason.

        One that is settled already stays as it is (the report is kept too).
        """
        raise NotImplementedError

    def submission(self, submission: int) -> Submission:
        """One submission by its id; StoreError (missing) if there is none."""
        raise NotImplementedError

    def submissions(
        self, tournament: str, *, player: str | None = None, owner: str | None = None, state: State | None = None
    ) -> tuple[Submission, ...]:
        """Submissions in the order in which they came in."""
        raise NotImplementedError

    def latest_accepted(self, tournament: str) -> tuple[Submission, ...]:
        """Of every player the newest accepted version, disqualified or not, by player name."""
        raise NotImplementedError

    def entrants(self, tournament: str) -> tuple[Entrant, ...]:
        """Who would take part in a round scheduled now: the latest accepted, without the disqualified."""
        raise NotImplementedError

    def content(self, submission: int) -> bytes:
        """The bytes of a submission's file."""
        raise NotImplementedError

    def qualifications(self, submission: int) -> tuple[Qualification, ...]:
        """Every try of a submission, oldest first."""
        raise NotImplementedError

    # rounds

    def rounds(self, tournament: str) -> tuple[Round, ...]:
        """All rounds in order; at most the last one is not closed."""
        raise NotImplementedError

    def schedule_round(
        self, tournament: str, number: int, entrants: Sequence[Entrant], lineups: Sequence[Lineup]
    ) -> Round | None:
        """Insert round ``number`` with its blocks in one transaction, with deals from the stage's seed.

        None, and nothing changed, unless ``number`` is the next one, the round before is closed, and ``entrants``
        still are the tournament's: read again and compute it anew.
        """
        raise NotImplementedError

    def close_round(self, tournament: str, number: int) -> tuple[Disqualification, ...] | None:
        """Decide who is disqualified and close the round; the decisions, also if it is closed already.

        None while a block is still to be played.
        """
        raise NotImplementedError

    # leases

    def claim(self, tournament: str, holder: str, n: int = 1, lease_s: float = 60.0) -> tuple[Lease, ...]:
        """Up to ``n`` blocks of the running round that nobody holds, lowest number first, for ``lease_s`` seconds.

        ``holder`` should be unique to one runner: blocks that it holds already are not given again.
        """
        raise NotImplementedError

    def heartbeat(self, holder: str, lease_s: float = 60.0) -> int:
        """Prolong every lease of a holder; how many there are."""
        raise NotImplementedError

    def release(self, holder: str) -> int:
        """Give all of a holder's blocks back; how many there were."""
        raise NotImplementedError

    def complete(self, lease: Lease, played: Sequence[Played]) -> bool:
        """Record all matches of a block in one transaction; False if the block has counted already.

        A lease that has run out is no reason to throw good results away: the first that come count.  They are the
        same, whoever plays them.
        """
        raise NotImplementedError

    def complete_all(self, finished: Sequence[tuple[Lease, Sequence[Played]]]) -> tuple[bool, ...]:
        """``complete`` for several blocks in one transaction."""
        raise NotImplementedError

    def void(self, lease: Lease, rotation: int, cause: str) -> Void | None:
        """The machine failed in a match: keep the cause and give the block back, to rest a while.

        After ``MOST_VOIDS`` of them the block is given up and none of its matches counts.  None if the lease is no
        longer the holder's.
        """
        raise NotImplementedError

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
        """Results in order of match number; ``closed``: of closed rounds only; ``player``: matches that it was in."""
        raise NotImplementedError

    def record(self, tournament: str, match: int) -> str:
        """The whole record of a match as text; StoreError (missing) if it has not been played."""
        raise NotImplementedError

    def failures(self, tournament: str, *, player: str | None = None, newest: int | None = None) -> tuple[Failure, ...]:
        """Games lost by failures, in order of match number; the ``newest`` so many of them if asked."""
        raise NotImplementedError

    def voids(self, tournament: str) -> tuple[Void, ...]:
        """Matches that a machine failed, in order of match and attempt."""
        raise NotImplementedError

    def disqualifications(self, tournament: str) -> tuple[Disqualification, ...]:
        """Submissions that are out of the tournament, in the order of the decisions."""
        raise NotImplementedError
