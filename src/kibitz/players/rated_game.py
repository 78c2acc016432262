"""A rated game: if a failure of the machine spoils it, it is void and is played again.

    void        nobody forfeits, and the game counts in no table
    attempt     one try to play the game; players are created again with the same seeds, so that they play as before
    idled       seconds of idle time by seat, carried over from one attempt to the next
    lapses      players' failures so far; each is repeated when the same actions lead to it again
    report      a worker's message to its runner with ``idled`` and ``lapses``, so that a dead worker's are not lost

Nothing else is carried over: an answer is never used in another position, and each file gets only calls that follow
from its own answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from kibitz.engine.game import Game
from kibitz.errors import MachineError
from kibitz.players.limits import Limits
from kibitz.table import Match, Player, Table
from kibitz.table.match import PastFailure, PastFailures, Referee, seated_table

if TYPE_CHECKING:
    from kibitz.players.specs import AnySpec

REPORT_SECONDS = 5.0
"""Seconds between two reports while a player is at work; they also show that the worker is alive."""
MAX_TIME_FACTOR = 2.0
"""An attempt may take this multiple of the files' total time limit; longer ones are the machine's fault."""


class Memory(msgspec.Struct, frozen=True):
    """What is carried over from one attempt at a match to the next, as it is sent and stored."""

    idled: tuple[float, ...] = ()
    lapses: tuple[PastFailure, ...] = ()


EMPTY_MEMORY = Memory()
ReportMemory = Callable[[Memory], object]


class Attempts(PastFailures):
    """The attempts at one match; ``report`` gets their ``Memory`` at intervals and after every failure.

    ``limits`` has the limits of each player file; ``clock`` returns seconds.
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
        """Note that a file starts to work on a call."""
        self.call_started = self.clock()

    def end_call(self) -> None:
        """Note that a file has answered or ended; the time between calls doesn't count."""
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
        """Report if that is due.

        Raises MachineError once files have taken too long. Call it often while a file works.
        """
        now = self.clock()
        if now >= self.next_report:
            self.report_memory()
        running = 0.0 if self.call_started is None else now - self.call_started
        if self.seconds_in_calls + running > MAX_TIME_FACTOR * self.longest + REPORT_SECONDS:
            raise MachineError("This machine is too busy to finish a match.")


class IdleTime:
    """The idle time of one seat, which its player's process updates; without ``attempts``, in this game only."""

    def __init__(self, attempts: Attempts | None = None, seat: int = 0) -> None:
        self.attempts, self.seat = attempts, seat
        self.rated = attempts is not None
        self.own_seconds = 0.0

    @property
    def seconds(self) -> float:
        """Seconds so far, in all attempts."""
        return self.own_seconds if self.attempts is None else self.attempts.idled[self.seat]

    @seconds.setter
    def seconds(self, seconds: float) -> None:
        if self.attempts is None:
            self.own_seconds = seconds
        else:
            self.attempts.idled[self.seat] = seconds

    def start_call(self) -> None:
        """Note that the seat's file starts to work on a call."""
        if self.attempts is not None:
            self.attempts.start_call()

    def end_call(self) -> None:
        """Note that the file no longer works on a call."""
        if self.attempts is not None:
            self.attempts.end_call()

    def report_due(self) -> bool:
        """Whether it is time to update ``seconds`` and to call ``check_time``."""
        return self.attempts is not None and self.attempts.clock() >= self.attempts.next_report

    def check_time(self) -> None:
        """Have the attempts check the time."""
        if self.attempts is not None:
            self.attempts.check_time()


OnStep = Callable[[Table], None]
"""Called with the table after the deal and after every step; it must not change the table."""

MAX_STARTS = 3
"""The maximum number of attempts at a game that the machine spoils."""


def play_rated(
    game: Game,
    specs: Sequence[AnySpec],
    seed: int,
    memory: Memory = EMPTY_MEMORY,
    report: ReportMemory = lambda memory: None,
    on_step: OnStep | None = None,
) -> Match:
    """Play a game, and play it again if it is void. Raises MachineError if the machine keeps failing.

    ``memory`` is from other workers' attempts at the game. ``report`` gets the memory after every failure and at
    intervals; ``on_step`` is called with the table at every step of every attempt.
    """
    attempts = Attempts(len(specs), [spec.limits for spec in specs if spec.is_file], memory, report)
    failures = 0
    while True:
        attempts.begin()
        players = [spec.make(IdleTime(attempts, seat)) for seat, spec in enumerate(specs)]
        try:
            return attempt(seated_table(game, players, seed), players, attempts, on_step)
        except MachineError:
            failures += 1
            if failures == MAX_STARTS:
                attempts.report_memory()
                raise


def attempt(table: Table, players: Sequence[Player], attempts: Attempts, on_step: OnStep | None) -> Match:
    """Play a game to its end."""
    watch = None if on_step is None else lambda notices: on_step(table)
    return Referee(table, dict(enumerate(players)), watch, past_failures=attempts).play()
