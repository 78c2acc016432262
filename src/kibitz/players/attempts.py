"""What is remembered of a match through all attempts at it: how long each seat has idled, and who has failed where.

    attempt     a match is begun again when the machine has failed; its players are made afresh from the same seeds
    idled       seconds of idleness by seat: what one attempt has used up, the next one lacks
    lapse       a failure: it stands in every attempt in which the same actions have led up to it
    sign        what a worker tells its runner, so that all this outlives the worker, the runner and the machine

Nothing else is carried over.  Who is asked anew answers anew: no answer of an earlier attempt is ever played into
another position, and no file meets questions that do not follow from its own answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from kibitz.errors import MachineError
from kibitz.players.limits import Limits
from kibitz.table.match import PastFailure, PastFailures

SIGN = 5.0
"""Seconds on the wall between two signs of life while a player is at work."""
BUSY = 2.0
"""So many times the longest that files can take may an attempt wait for them before the machine is blamed."""


class Memory(msgspec.Struct, frozen=True):
    """What is remembered of one match, as it is sent and stored."""

    idled: tuple[float, ...] = ()
    lapses: tuple[PastFailure, ...] = ()


NOTHING = Memory()
Sign = Callable[[Memory], object]


class Attempts(PastFailures):
    """The memory of one match while it is played; ``sign`` is told it every ``SIGN`` seconds and after every failure.

    ``limits`` are those of the seats that have any; ``clock`` gives seconds.
    """

    def __init__(
        self,
        seats: int,
        limits: Sequence[Limits],
        memory: Memory = NOTHING,
        sign: Sign = lambda memory: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(memory.lapses)
        self.since: float | None = None
        self.idled = list(memory.idled) or [0.0] * seats
        self.longest = sum(one.longest(1) for one in limits)
        self.sign, self.clock = sign, clock
        self.begin()

    def begin(self) -> None:
        """Another attempt begins now."""
        self.lasted, self.since = 0.0, None
        self.next_sign = self.clock() + SIGN

    def starts(self) -> None:
        """A file is asked something."""
        self.since = self.clock()

    def stops(self) -> None:
        """It has answered, or has ended: what players without limits take from here on is not its time."""
        if self.since is not None:
            self.lasted, self.since = self.lasted + self.clock() - self.since, None

    def add(self, lapse: PastFailure) -> None:
        """Keep a failure, at once."""
        super().add(lapse)
        self.tell()

    def tell(self) -> None:
        """Give a sign, which the other end may take for what stands."""
        self.next_sign = self.clock() + SIGN
        self.sign(Memory(tuple(self.idled), tuple(self.known)))

    def look(self) -> None:
        """Called every now and then while a file is at work; MachineError once files have taken too long."""
        now = self.clock()
        if now >= self.next_sign:
            self.tell()
        running = 0.0 if self.since is None else now - self.since
        if self.lasted + running > BUSY * self.longest + SIGN:
            raise MachineError("The machine is so busy that a match has come to no end.")


class Account:
    """The idleness of one seat, which its player's process adds to; kept for one game where there are no attempts."""

    def __init__(self, attempts: Attempts | None = None, seat: int = 0) -> None:
        self.attempts, self.seat = attempts, seat
        self.patient = attempts is not None
        self.own = 0.0

    @property
    def idled(self) -> float:
        """Seconds so far, in all attempts."""
        return self.own if self.attempts is None else self.attempts.idled[self.seat]

    @idled.setter
    def idled(self, seconds: float) -> None:
        if self.attempts is None:
            self.own = seconds
        else:
            self.attempts.idled[self.seat] = seconds

    def starts(self) -> None:
        """The seat's file is asked something."""
        if self.attempts is not None:
            self.attempts.starts()

    def stops(self) -> None:
        """The file is not at work any more."""
        if self.attempts is not None:
            self.attempts.stops()

    def due(self) -> bool:
        """Whether it is time to bring ``idled`` up to date and to ``look``."""
        return self.attempts is not None and self.attempts.clock() >= self.attempts.next_sign

    def look(self) -> None:
        """Let the attempts look at their clock."""
        if self.attempts is not None:
            self.attempts.look()
