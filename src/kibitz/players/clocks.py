"""How long a player's process has really been at work.

spent       its CPU time, read from outside, exact to microseconds however busy the machine is
line        the time in which it could have run, but others had the processor, and how often it was given one; who
            gives the processor back after a moment, by naps or by yielding, waits in line by its own choice
ours        the time in which we worked or stood in line ourselves: a player that prints may have waited for us
stood       the time by which we came too late to look, though we did nothing else: the machine stood still
idle        the rest of the time on the wall: it slept, was stopped or waited for something
"""

from __future__ import annotations

import time

from kibitz.errors import MachineError

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
LONGEST_NAP = 100
FIRST_LOOK = 5
"""Milliseconds within which nearly every answer comes, without a look at any clock."""
LATE = 1000
"""Milliseconds by which a look may be late before we say that the machine stood still."""
TURN, TURNS = MILLISECOND, 400
"""How long a turn on the processor is that nobody gave back, or nearly; so many of any length a call has besides."""
STARVED = 10
"""How many times the limit on the wall a process may wait for a processor before we blame the machine."""


def cpu_time(pid: int) -> int:
    """Nanoseconds of CPU time that a process has used, all its threads together; OSError if it has ended."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def line(process: int | str) -> tuple[int, int]:
    """Nanoseconds that a process has stood in line for a processor, and how often it got one; 0 if nobody tells."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as found:
            _, waited, turns = map(int, found.read().split())
    except (OSError, ValueError):
        return 0, 0
    return waited, turns


class Figures:
    """What the kernel says of us and of a process, all in nanoseconds; tests give figures of their own."""

    def now(self) -> int:
        """The time on the wall, from any start."""
        return time.monotonic_ns()

    def spent(self, pid: int) -> int:
        """``cpu_time``."""
        return cpu_time(pid)

    def line(self, pid: int) -> tuple[int, int]:
        """``line``."""
        return line(pid)

    def ours(self) -> int:
        """The time that this thread has worked or stood in line."""
        return time.thread_time_ns() + line("thread-self")[0]


FIGURES = Figures()


class Stopwatch:
    """Times one call.

    All limits are seconds: ``allowed`` of CPU time, ``wall`` of idleness, ``timeout`` of time on the wall after which
    the machine is blamed.  ``broken`` must be asked once every ``LONGEST_NAP`` at least, or the machine stands still.
    """

    def __init__(self, pid: int, allowed: float, wall: float, timeout: float, figures: Figures = FIGURES) -> None:
        self.pid, self.allowed, self.wall, self.timeout = pid, allowed, wall, timeout
        self.figures = figures
        self.cpu = figures.spent(pid)
        self.started = 0
        self.used = self.before = self.turns = self.in_line = 0
        self.ours = self.looked = self.worked = self.stood = 0

    def spent(self) -> float:
        """Seconds of CPU time since the start; of a process that has ended, those that were seen."""
        try:
            self.used = self.figures.spent(self.pid) - self.cpu
        except OSError:
            return self.used / SECOND
        return self.used / SECOND

    def queued(self) -> float:
        """Seconds in line for a processor since the first look, as far as it was not by the process's own choice.

        Of many turns those count that its work needs, and each with the mean of the waits.
        """
        waited, turns = self.figures.line(self.pid)
        waited, turns = waited - self.before, turns - self.turns
        needed = TURNS + round(self.spent() * SECOND) // TURN
        self.in_line = max(self.in_line, waited if turns <= needed else waited * needed // turns)
        return self.in_line / SECOND

    def gone(self) -> float:
        """Seconds on the wall since the first look, which this is if there was none, without those that stood still."""
        now, ours = self.figures.now(), self.figures.ours()
        if not self.started:
            self.started, self.ours = now - FIRST_LOOK * MILLISECOND, ours
            self.before, self.turns = self.figures.line(self.pid)
        else:
            late = now - self.looked - (ours - self.worked) - LONGEST_NAP * MILLISECOND
            if late > LATE * MILLISECOND:
                self.stood += late
        self.looked, self.worked = now, ours
        return (now - self.started - self.stood) / SECOND

    def idle(self) -> float:
        """Seconds of idleness since the first look, none where there was no need of one."""
        if not self.started:
            return 0.0
        gone = self.gone()
        busy = self.spent() + self.queued() + (self.worked - self.ours) / SECOND
        return max(0.0, gone - busy)

    def broken(self) -> str:
        """The limit that is broken: "cpu", "wall" or none; MachineError if the process could hardly run at all."""
        if self.spent() > self.allowed:
            return "cpu"
        gone = self.gone()
        if gone < self.wall:
            return ""
        if gone > self.timeout:
            raise MachineError("The machine is so busy that a player's process could not run.")
        return "wall" if self.idle() >= self.wall else ""

    def nap(self) -> float:
        """Milliseconds until it is worth looking again."""
        return min(LONGEST_NAP, 1 + 1000 * max(0.0, self.allowed - self.spent()))
