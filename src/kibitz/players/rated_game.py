"""A rated game, which is void and played again if a failure of the machine spoils it.

    void        without a forfeit, and not counted in any table
    attempt     one try to play the game; players are created again with the same seeds, so that they play as before
    idled       seconds of idleness by seat, carried over from one attempt to the next
    lapse       a recorded failure, which is repeated when the same actions lead to it again
    sign        a worker's message to its runner with all this, so that it outlives the worker and the machine

Nothing else is carried over: an answer is never used in another position, and each file gets only calls that follow
from its own answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from kibitz.engine.game import Game
from kibitz.errors import MachineError
from kibitz.players.limits import Limits
from kibitz.table import Match, Player, Table
from kibitz.table.match import PastFailure, PastFailures, Referee, seated_table

REPORT_SECONDS = 5.0
"""Seconds between two signs of life while a player is at work."""
MAX_TIME_FACTOR = 2.0
"""An attempt may take this multiple of the files' total time limit; longer ones are the machine's fault."""


class Memory(msgspec.Struct, frozen=True):
    """What is carried over from one attempt at a match to the next, as it is sent and stored."""

    idled: tuple[float, ...] = ()
    lapses: tuple[PastFailure, ...] = ()


EMPTY_MEMORY = Memory()
ReportMemory = Callable[[Memory], object]


class Attempts(PastFailures):
    """The memory of one match while it is played; ``report`` gets it at intervals and after every failure.

    ``limits`` are the limits of the seats that have any; ``clock`` returns seconds.
    """

    def __init__(
        self,
        seats: int,
        limits: Sequence[Limits],
        memory: Memory = EMPTY_MEMORY,
        report: ReportMemory = lambda memory: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(memory.lapses)
        self.call_started: float | None = None
        self.idled = list(memory.idled) or [0.0] * seats
        self.longest = sum(seat_limits.longest(1) for seat_limits in limits)
        self.report, self.clock = report, clock
        self.begin()

    def begin(self) -> None:
        """Start another attempt."""
        self.seconds_in_calls, self.call_started = 0.0, None
        self.next_report = self.clock() + REPORT_SECONDS

    def start_call(self) -> None:
        """A file starts to work on a call."""
        self.call_started = self.clock()

    def end_call(self) -> None:
        """A file has answered or ended; time that other players use from now on doesn't count."""
        if self.call_started is not None:
            self.seconds_in_calls, self.call_started = self.seconds_in_calls + self.clock() - self.call_started, None

    def add(self, failure: PastFailure) -> None:
        """Add a failure, and report it at once."""
        super().add(failure)
        self.report_memory()

    def report_memory(self) -> None:
        """Send the memory to the runner."""
        self.next_report = self.clock() + REPORT_SECONDS
        self.report(Memory(tuple(self.idled), tuple(self.failures)))

    def check_time(self) -> None:
        """Called at intervals while a file works; MachineError once files have taken too long."""
        now = self.clock()
        if now >= self.next_report:
            self.report_memory()
        running = 0.0 if self.call_started is None else now - self.call_started
        if self.seconds_in_calls + running > MAX_TIME_FACTOR * self.longest + REPORT_SECONDS:
            raise MachineError("This machine is too busy to finish a match.")


class IdleTime:
    """The idleness of one seat, to which its player's process adds; without ``attempts``, of this game only."""

    def __init__(self, attempts: Attempts | None = None, seat: int = 0) -> None:
        self.attempts, self.seat = attempts, seat
        self.rated = attempts is not None
        self.own_seconds = 0.0

    @property
    def idled(self) -> float:
        """Seconds so far, in all attempts."""
        return self.own_seconds if self.attempts is None else self.attempts.idled[self.seat]

    @idled.setter
    def idled(self, seconds: float) -> None:
        if self.attempts is None:
            self.own_seconds = seconds
        else:
            self.attempts.idled[self.seat] = seconds

    def start_call(self) -> None:
        """The seat's file starts to work on a call."""
        if self.attempts is not None:
            self.attempts.start_call()

    def end_call(self) -> None:
        """The file no longer works on a call."""
        if self.attempts is not None:
            self.attempts.end_call()

    def report_due(self) -> bool:
        """Whether it is time to update ``idled`` and to call ``check_time``."""
        return self.attempts is not None and self.attempts.clock() >= self.attempts.next_report

    def check_time(self) -> None:
        """Let the attempts check their clock."""
        if self.attempts is not None:
            self.attempts.check_time()


Follow = Callable[[Table], None]
"""Called with the table after the deal and after every step; it must not change the table."""

MAX_STARTS = 3
"""How often a game is started if only the machine fails."""


class PlayerMaker(Protocol):
    """Makes a player afresh for every attempt, such as a ``PlayerSpec``."""

    @property
    def limits(self) -> Limits:
        """The limits of the player."""

    @property
    def is_file(self) -> bool:
        """Whether it is a player file, to which limits apply."""

    def make(self, idle_time: IdleTime | None = None) -> Player:
        """A fresh player for one match."""


def play_rated(
    game: Game,
    specs: Sequence[PlayerMaker],
    seed: int,
    memory: Memory = EMPTY_MEMORY,
    report: ReportMemory = lambda memory: None,
    follow: Follow | None = None,
) -> Match:
    """Play a game, repeating it if it is void; MachineError if the machine keeps failing.

    ``memory`` is from other workers' attempts at the game. ``report`` is called with what this worker adds, and at
    intervals as a sign of life; ``follow`` is called with the table at every step of every attempt.
    """
    attempts = Attempts(len(specs), [spec.limits for spec in specs if spec.is_file], memory, report)
    failures = 0
    while True:
        attempts.begin()
        players = [spec.make(IdleTime(attempts, seat)) for seat, spec in enumerate(specs)]
        try:
            return attempt(seated_table(game, players, seed), players, attempts, follow)
        except MachineError:
            failures += 1
            if failures == MAX_STARTS:
                attempts.report_memory()
                raise


def attempt(table: Table, players: Sequence[Player], attempts: Attempts, follow: Follow | None) -> Match:
    """Play a game to its end."""
    watch = None if follow is None else lambda notices: follow(table)
    return Referee(table, dict(enumerate(players)), watch, past_failures=attempts).play()
