"""How long a player's process has really been at work.

spent       its CPU time, read from outside, exact to microseconds however busy the machine is
waited      the time in which it could have run, but others had the processor
ours        the time in which we worked or stood in line ourselves: a player that prints may have waited for us
idle        the rest of the time on the wall: it slept, was stopped or waited for something
"""

from __future__ import annotations

import time

from kibitz.errors import MachineError

SECOND = 1_000_000_000
LONGEST_NAP = 100
FIRST_LOOK = 5
"""Milliseconds within which nearly every answer comes, without a look at any clock."""
STARVED = 10
"""How many times the limit on the wall a process may wait for a processor before we blame the machine."""


def cpu_time(pid: int) -> int:
    """Nanoseconds of CPU time that a process has used, all its threads together; OSError if it has ended."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def waited(process: int | str) -> int:
    """Nanoseconds that a process has stood in line for a processor; 0 where the kernel does not tell."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as found:
            return int(found.read().split()[1])
    except (OSError, IndexError, ValueError):
        return 0


def ours() -> int:
    """Nanoseconds that this thread has worked or stood in line."""
    return time.thread_time_ns() + waited("thread-self")


class Stopwatch:
    """Times one call; all limits are seconds, ``patience`` the time on the wall after which the machine is blamed."""

    def __init__(self, pid: int, allowed: float, wall: float, patience: float) -> None:
        self.pid, self.allowed, self.wall, self.patience = pid, allowed, wall, patience
        self.cpu = cpu_time(pid)
        self.started = 0
        self.queued, self.ours = 0, 0

    def spent(self) -> float:
        """Seconds of CPU time since the start."""
        try:
            return (cpu_time(self.pid) - self.cpu) / SECOND
        except OSError:
            return 0.0

    def gone(self) -> float:
        """Seconds on the wall since the first look, which this is if there was none."""
        if not self.started:
            self.started, self.queued = time.monotonic_ns() - FIRST_LOOK * 1_000_000, waited(self.pid)
            self.ours = ours()
        return (time.monotonic_ns() - self.started) / SECOND

    def idle(self) -> float:
        """Seconds of idleness since the first look, none where there was no need of one."""
        if not self.started:
            return 0.0
        busy = self.spent() + (waited(self.pid) - self.queued + ours() - self.ours) / SECOND
        return max(0.0, self.gone() - busy)

    def broken(self) -> str:
        """The limit that is broken: "cpu", "wall" or none; MachineError if the process could hardly run at all."""
        if self.spent() > self.allowed:
            return "cpu"
        gone = self.gone()
        if gone < self.wall:
            return ""
        if gone > self.patience:
            raise MachineError("The machine is so busy that a player's process could not run.")
        return "wall" if self.idle() >= self.wall else ""

    def nap(self) -> float:
        """Milliseconds until it is worth looking again."""
        return min(LONGEST_NAP, 1 + 1000 * max(0.0, self.allowed - self.spent()))
