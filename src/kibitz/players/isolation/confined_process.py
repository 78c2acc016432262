"""A player file in a confined process of its own, for one game and seat, and the clocks that time it.

    bank        the CPU time left for the whole game
    idle_time   the seconds for which the process has slept or waited so far, with the limit ``Limits.idleness``
    neighbours  the processes of one thread of Kibitz: the players of its game
    crowded     the pipe has not yet taken the whole request
    stopped     halted by Kibitz: while a process works for long, its neighbours are halted, because their timers and
                naps would interrupt it and use up its CPU time

Every failure ends the process and is a PlayerError.  If the machine cannot start a process, that is a MachineError, for
which nobody forfeits.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import NoReturn
from weakref import WeakSet

from kibitz.errors import MachineError, PlayerError
from kibitz.players.isolation.conversation import CHANNEL_CLOSED, CHUNK, Conversation, without_kibitz_frames
from kibitz.players.isolation.fork_server_client import ForkedPlayer, client
from kibitz.players.isolation.wire import LOST_CHANNEL, STACK
from kibitz.players.limits import IDLE_FACTOR, Limits
from kibitz.players.rated_game import IdleTime

# Where the time of a call went.
#
# spent           the process's CPU time, read from outside, exact to microseconds however busy the machine is
# processor wait  the time for which it waited for a processor that others had; waits that it brings on itself, by naps
#                 or by yielding, don't count
# referee         the time in which this thread worked or waited for a processor: a player that prints may have waited
#                 for it
# stalled         how late the looks at the clock came while this thread did nothing else: the whole machine stood still
# idle            the rest of the elapsed time: the process slept, was stopped or waited for something


SECOND = 1_000_000_000
MILLISECOND = 1_000_000
LONGEST_NAP = 100
"""The maximum number of milliseconds between two looks at the clock."""
FIRST_LOOK = 5
"""Milliseconds until the first look at a clock; nearly every answer comes before."""
STALLED_MILLISECONDS = 1000
"""A look that is late by more milliseconds than this means that the machine stood still."""
TURN, TURNS = MILLISECOND, 400
"""CPU time per turn on the processor, and how many additional turns any call may need."""
MAX_CPU_WAIT = 10
"""A call may take this many times its wall-clock limit by waiting for a processor; then the machine is to blame."""


def cpu_time(pid: int) -> int:
    """Nanoseconds of CPU time that all threads of a process have used; OSError if it has ended."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def processor_wait(process: int | str) -> tuple[int, int]:
    """Nanoseconds that a process has waited for a processor, and how often it got one; 0 if the kernel doesn't tell."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as found:
            _, waited, turns = map(int, found.read().split())
    except (OSError, ValueError):
        return 0, 0
    return waited, turns


class KernelClocks:
    """The kernel's clocks of this thread and of a process, in nanoseconds; tests replace them."""

    def now(self) -> int:
        """The wall clock, from an arbitrary start."""
        return time.monotonic_ns()

    def spent(self, pid: int) -> int:
        """``cpu_time``."""
        return cpu_time(pid)

    def processor_wait(self, pid: int) -> tuple[int, int]:
        """``processor_wait``."""
        return processor_wait(pid)

    def referee(self) -> int:
        """The time for which this thread has worked or waited for a processor."""
        return time.thread_time_ns() + processor_wait("thread-self")[0]


KERNEL_CLOCKS = KernelClocks()


class Stopwatch:
    """Times one call.

    All limits are in seconds: ``allowed`` of CPU time, ``wall`` of idleness, and ``timeout`` of wall-clock time, after
    which the machine is to blame. ``broken`` must be called at least every ``LONGEST_NAP`` milliseconds; otherwise the
    machine seems to stand still.
    """

    def __init__(
        self, pid: int, allowed: float, wall: float, timeout: float, figures: KernelClocks = KERNEL_CLOCKS
    ) -> None:
        self.pid, self.allowed, self.wall, self.timeout = pid, allowed, wall, timeout
        self.figures = figures
        self.cpu_before = figures.spent(pid)
        self.started = 0
        self.used = self.wait_before = self.turns_before = self.waited = 0
        self.referee_start = self.last_look = self.referee_time = self.stalled = 0

    def cpu_seconds(self) -> float:
        """Seconds of CPU time since the start; for a process that has ended, as last seen."""
        try:
            self.used = self.figures.spent(self.pid) - self.cpu_before
        except OSError:
            return self.used / SECOND
        return self.used / SECOND

    def queued(self) -> float:
        """Seconds of waiting for a processor since the first look, without waits that the process brought on itself.

        If it took more turns on the processor than its work needs, only the needed turns count, at the mean wait.
        """
        waited, turns = self.figures.processor_wait(self.pid)
        waited, turns = waited - self.wait_before, turns - self.turns_before
        needed = TURNS + round(self.cpu_seconds() * SECOND) // TURN
        self.waited = max(self.waited, waited if turns <= needed else waited * needed // turns)
        return self.waited / SECOND

    def seconds_passed(self) -> float:
        """Seconds of wall-clock time since the first look (maybe this one), without those of a stalled machine."""
        now, referee_time = self.figures.now(), self.figures.referee()
        if not self.started:
            self.started, self.referee_start = now - FIRST_LOOK * MILLISECOND, referee_time
            self.wait_before, self.turns_before = self.figures.processor_wait(self.pid)
        else:
            late = now - self.last_look - (referee_time - self.referee_time) - LONGEST_NAP * MILLISECOND
            if late > STALLED_MILLISECONDS * MILLISECOND:
                self.stalled += late
        self.last_look, self.referee_time = now, referee_time
        return (now - self.started - self.stalled) / SECOND

    def idle(self) -> float:
        """Seconds of idleness since the first look; 0 if no look was needed."""
        if not self.started:
            return 0.0
        passed = self.seconds_passed()
        busy = self.cpu_seconds() + self.queued() + (self.referee_time - self.referee_start) / SECOND
        return max(0.0, passed - busy)

    def broken(self) -> str:
        """The exceeded limit, "cpu" or "wall", or nothing; MachineError if the process could hardly run."""
        if self.cpu_seconds() > self.allowed:
            return "cpu"
        passed = self.seconds_passed()
        if passed < self.wall:
            return ""
        if passed > self.timeout:
            raise MachineError("This machine is too busy to run a player's process.")
        return "wall" if self.idle() >= self.wall else ""

    def nap(self) -> float:
        """Milliseconds until the next look."""
        return min(LONGEST_NAP, 1 + 1000 * max(0.0, self.allowed - self.cpu_seconds()))


# The process.


TRICKLE, PAUSE = 1 << 12, 0.001
"""After reading fewer bytes than this, wait for this many seconds before the next read."""


class Neighbours(threading.local):
    """The processes of this thread: the players of one game."""

    def __init__(self) -> None:
        self.processes: WeakSet[PlayerProcess] = WeakSet()


NEIGHBOURS = Neighbours()


class PlayerProcess(Conversation):
    """A running player file; ``end`` must be called in the end, and may be called again.

    ``idle_time`` is the seat's idleness, if the match may be played again.
    """

    def __init__(self, limits: Limits, idle_time: IdleTime | None = None) -> None:
        super().__init__(limits, idle_time)
        self.unsent, self.crowded = b"", False
        self.orphaned, self.stopped, self.ended = False, False, False
        self.server = client()
        (self.name, self.pid, self.pidfd), self.requests, self.replies, self.output = self.fork()
        os.set_blocking(self.requests, False)
        os.set_blocking(self.output, False)
        self.quick, self.slow, self.exit = select.poll(), select.poll(), select.poll()
        for fd, polls in (
            (self.replies, (self.quick, self.slow)),
            (self.pidfd, (self.quick, self.slow, self.exit)),
            (self.output, (self.slow,)),
        ):
            for poll in polls:
                poll.register(fd, select.POLLIN)
        NEIGHBOURS.processes.add(self)

    def fork(self) -> tuple[ForkedPlayer, int, int, int]:
        """Start a process; returns it with this side's ends of its three pipes. MachineError if it can't be started."""
        fds: list[int] = []
        try:
            for _ in range(3):
                fds += os.pipe()
            forked = self.server.fork((fds[0], fds[3], fds[5]), self.limits.memory)
        except BaseException as error:
            for fd in fds:
                os.close(fd)
            if isinstance(error, OSError):
                raise MachineError(f"No process for a player can be started: {error.strerror}.") from error
            raise
        for fd in (fds[0], fds[3], fds[5]):
            os.close(fd)
        return forked, fds[1], fds[2], fds[4]

    def ask(self, rest: str, allowed: float, used: float = 0.0, most: float = inf) -> Stopwatch:
        """Send a request that may cost ``allowed`` seconds of CPU time, where calls before it have ``used`` some.

        It may be idle for ``most`` seconds (default: as the limits say).
        """
        if self.status is not None:
            raise PlayerError("exit", "The player's process has ended.")
        if self.quick.poll(0):
            self.fail_unasked_reply()
        self.stop(stopped=False)
        self.idled = self.idle_time.idled
        wall, rated = self.limits.wall(allowed), self.idle_time.rated
        left = self.limits.idleness(used, rated=rated) - self.idled
        idle = min(left, wall * (1 + IDLE_FACTOR * rated), most)
        try:
            self.watch = watch = Stopwatch(self.pid, allowed, idle, MAX_CPU_WAIT * wall)
        except OSError:  # ended since the poll, and already reaped
            self.raise_end()
        self.seq += 1
        self.unsent = f"[{self.seq},{rest}]\n".encode()
        self.send()
        return watch

    def cpu(self) -> int:
        """CPU time so far, in nanoseconds."""
        try:
            return cpu_time(self.pid)
        except OSError:
            return self.loaded

    def stop(self, *, stopped: bool = True) -> None:
        """Halt the process until its next call, or let it continue."""
        if self.stopped != stopped and self.status is None:
            with suppress(OSError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGSTOP if stopped else signal.SIGCONT)
            self.stopped = stopped

    def send(self) -> None:
        """Send what the pipe takes of the request."""
        try:
            self.unsent = self.unsent[os.write(self.requests, self.unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.raise_end()
        if bool(self.unsent) is not self.crowded:
            self.crowded = not self.crowded
            if self.crowded:
                self.slow.register(self.requests, select.POLLOUT)
            else:
                self.slow.unregister(self.requests)

    def wait(self, watch: Stopwatch, cap: int) -> bytes:
        """The next line that the process sends; most lines come before the first look at a clock."""
        received, self.rest = self.rest, b""
        poll, timeout = (self.slow if self.unsent else self.quick), float(FIRST_LOOK)
        while b"\n" not in received:
            fds = [fd for fd, _ in poll.poll(timeout)]
            if self.replies in fds:
                chunk = os.read(self.replies, CHUNK) or self.raise_end()
                received += chunk
                if b"\n" in chunk:
                    break
                if len(received) > cap:
                    self.fail("invalid", f"{self.doing} returned more than {cap >> 10} kB.")
                pause_after_trickle(len(chunk))
            elif self.pidfd in fds:
                self.raise_end()
            for neighbour in NEIGHBOURS.processes - {self}:
                neighbour.stop()
            self.attend_to(watch, fds)
            poll, timeout = self.slow, watch.nap()
        line, _, self.rest = received.partition(b"\n")
        return line

    def attend_to(self, watch: Stopwatch, fds: Sequence[int]) -> None:
        """While the process works: read what it prints, send what is unsent, check the clocks."""
        if self.output in fds:
            pause_after_trickle(self.drain())
        if self.unsent:
            self.send()
        if broken := watch.broken():
            self.out_of_time(watch, broken)
        if self.idle_time.report_due():
            self.charge()
            self.idle_time.check_time()

    def drain(self) -> int:
        """Read what has been printed; returns the number of bytes."""
        if self.ended:
            return 0
        byte_count = 0
        for _ in range(64):
            try:
                chunk = os.read(self.output, CHUNK)
            except BlockingIOError:
                break
            if not chunk:
                with suppress(KeyError):
                    self.slow.unregister(self.output)
                break
            self.prints.add(chunk)
            byte_count += len(chunk)
        return byte_count

    def fail_unasked_reply(self) -> NoReturn:
        """Fail the player, because its process sent something before it was called, or has ended."""
        if [fd for fd, _ in self.quick.poll(0) if fd == self.replies] and os.read(self.replies, CHUNK):
            self.fail("protocol", "The player's process answered before it was asked.")
        self.raise_end()

    def raise_end(self) -> NoReturn:
        """Fail the player, saying how its process ended; MachineError if the fork server ended with all its players."""
        ended_by_itself = self.exit.poll(1000)
        self.end()
        if self.orphaned:
            raise MachineError("The server for players' processes has ended, with its players.")
        code = os.waitstatus_to_exitcode(self.status or 0)
        if not ended_by_itself or code == LOST_CHANNEL:
            self.fail("protocol", CHANNEL_CLOSED)
        ending = f"was stopped by {signal_name(-code)}" if code < 0 else f"ended itself with exit status {code}"
        if code == -signal.SIGSYS:
            ending = "made a forbidden system call and was stopped (SIGSYS)"
        self.fail("exit", f"The player's process {ending}.", without_kibitz_frames(self.prints.end()))

    def stack(self) -> str:
        """The process's current stack, which a signal handler of the fork server prints; empty if it doesn't answer."""
        self.drain()
        self.stopped_at = self.prints.total
        with suppress(OSError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGUSR1)
            for _ in range(10):  # a busy machine may take its time
                if self.exit.poll(20):
                    return ""
                if self.drain():
                    break
        self.drain()
        shown = self.prints.end().rpartition(STACK)[2]
        return without_kibitz_frames("\n".join(line for line in shown.splitlines() if line.startswith('  File "')))

    def end(self) -> str:
        """Kill the process with everything that it has started; returns what was printed."""
        if self.status is None:
            self.status = signal.SIGKILL
            self.charge()
            try:
                self.status = self.server.kill(self.name)
            except MachineError:
                self.orphaned = True
                self.server.close()
            finally:
                self.drain()
                NEIGHBOURS.processes.discard(self)
                self.ended = True
                for fd in (self.requests, self.replies, self.output, self.pidfd):
                    os.close(fd)
        return self.prints.text()


def pause_after_trickle(byte_count: int) -> None:
    """Pause after few bytes: reading a file's output byte by byte would take a hundred times as long as writing it."""
    if byte_count < TRICKLE:
        time.sleep(PAUSE)


def signal_name(number: int) -> str:
    """The name of a signal for people."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
