"""A player file in a confined process of its own, for one seat in one game, and the clocks that time it.

    bank        the CPU time left for the whole game
    idle_time   the seconds for which the process has slept or waited so far; ``Limits.idleness`` is the limit
    neighbours  the processes of one thread of Kibitz: the players of its game
    halted      stopped by Kibitz until its next call: while a process works for long, its neighbours are halted,
                because their timers and naps would interrupt it and use up its CPU time

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
from kibitz.players.isolation.wire import LOST_CHANNEL
from kibitz.players.limits import IDLE_FACTOR, Limits
from kibitz.players.rated_game import IdleTime

# Where the time of a call went.
#
# spent           the process's CPU time, read from outside, exact to microseconds however busy the machine is
# processor wait  the time for which it waited for a processor that others had; waits that it brings on itself, by naps
#                 or by yielding, don't count
# referee         the time in which this thread worked or waited for a processor: a player that prints may have waited
#                 for it
# stalled         how late this thread looked at the clock although it had nothing else to do: the whole machine stalled
# idle            the rest of the elapsed time: the process slept, was stopped or waited for something


SECOND = 1_000_000_000
MILLISECOND = 1_000_000
MAX_LOOK_INTERVAL = 100
"""The maximum number of milliseconds between two looks at the clock."""
FIRST_LOOK = 5
"""Milliseconds until the first look at a clock; nearly every answer comes earlier."""
STALL_MILLISECONDS = 1000
"""If a look is late by more milliseconds than this, the machine stalled."""
TURN, EXTRA_TURNS = MILLISECOND, 400
"""Nanoseconds of CPU time per turn on the processor, and how many more turns than that any call may need."""
MAX_CPU_WAIT = 10
"""If a call takes this many times its wall-clock limit because it waits for a processor, the machine is to blame."""


def cpu_time(pid: int) -> int:
    """Nanoseconds of CPU time that all threads of a process have used. Raises OSError if it has ended."""
    # Linux numbers the CPU clock of a process this way (``MAKE_PROCESS_CPUCLOCK``); 2 is ``CPUCLOCK_SCHED``.
    return time.clock_gettime_ns((~pid << 3) | 2)


def processor_wait(process: int | str) -> tuple[int, int]:
    """Nanoseconds that a process has waited for a processor, and the number of times it got one; zeros if unknown."""
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

    All limits are in seconds: ``allowed`` of CPU time, ``wall`` of idle time, and ``timeout`` of wall-clock time, after
    which the machine is to blame. Call ``exceeded_limit`` at least every ``MAX_LOOK_INTERVAL`` milliseconds: a longer
    gap counts as a stalled machine.
    """

    def __init__(
        self, pid: int, allowed: float, wall: float, timeout: float, clocks: KernelClocks = KERNEL_CLOCKS
    ) -> None:
        self.pid, self.allowed, self.wall, self.timeout = pid, allowed, wall, timeout
        self.clocks = clocks
        self.cpu_before = clocks.spent(pid)
        self.started = 0
        self.used = self.wait_before = self.turns_before = self.waited = 0
        self.referee_start = self.last_look = self.referee_time = self.stalled = 0

    def cpu_seconds(self) -> float:
        """Seconds of CPU time since the start; once the process has ended, those at the last look."""
        try:
            self.used = self.clocks.spent(self.pid) - self.cpu_before
        except OSError:
            return self.used / SECOND
        return self.used / SECOND

    def seconds_waited(self) -> float:
        """Seconds of waiting for a processor since the first look, without waits that the process caused itself.

        If it took more turns on the processor than its work needs, only the needed number of turns counts, each with
        the mean wait.
        """
        waited, turns = self.clocks.processor_wait(self.pid)
        waited, turns = waited - self.wait_before, turns - self.turns_before
        needed = EXTRA_TURNS + round(self.cpu_seconds() * SECOND) // TURN
        self.waited = max(self.waited, waited if turns <= needed else waited * needed // turns)
        return self.waited / SECOND

    def seconds_passed(self) -> float:
        """Seconds of wall-clock time since the first look, which the first call is, without stalls of the machine."""
        now, referee_time = self.clocks.now(), self.clocks.referee()
        if not self.started:
            self.started, self.referee_start = now - FIRST_LOOK * MILLISECOND, referee_time
            self.wait_before, self.turns_before = self.clocks.processor_wait(self.pid)
        else:
            late = now - self.last_look - (referee_time - self.referee_time) - MAX_LOOK_INTERVAL * MILLISECOND
            if late > STALL_MILLISECONDS * MILLISECOND:
                self.stalled += late
        self.last_look, self.referee_time = now, referee_time
        return (now - self.started - self.stalled) / SECOND

    def idle(self) -> float:
        """Seconds of idle time since the first look; 0 if there was none."""
        if not self.started:
            return 0.0
        passed = self.seconds_passed()
        busy = self.cpu_seconds() + self.seconds_waited() + (self.referee_time - self.referee_start) / SECOND
        return max(0.0, passed - busy)

    def exceeded_limit(self) -> str:
        """The exceeded limit, "cpu" or "wall"; empty if there is none.

        Raises MachineError if the process could hardly run.
        """
        if self.cpu_seconds() > self.allowed:
            return "cpu"
        passed = self.seconds_passed()
        if passed < self.wall:
            return ""
        if passed > self.timeout:
            raise MachineError("This machine is too busy to run a player's process.")
        return "wall" if self.idle() >= self.wall else ""

    def look_interval(self) -> float:
        """Milliseconds to wait until the next look."""
        return min(MAX_LOOK_INTERVAL, 1 + 1000 * max(0.0, self.allowed - self.cpu_seconds()))


# The process.


TRICKLE, PAUSE = 1 << 12, 0.001
"""After reading fewer bytes than this, wait for this many seconds before the next read."""


class Neighbours(threading.local):
    """The processes of this thread: the players of one game."""

    def __init__(self) -> None:
        self.processes: WeakSet[PlayerProcess] = WeakSet()


NEIGHBOURS = Neighbours()


class PlayerProcess(Conversation):
    """A running player file; its owner must call ``end``, and may call it again.

    ``idle_time`` is the seat's idle time, if the match may be played again.
    """

    def __init__(self, limits: Limits, idle_time: IdleTime | None = None) -> None:
        super().__init__(limits, idle_time)
        self.unsent, self.request_pending = b"", False
        self.server_lost, self.halted, self.ended = False, False, False
        self.server = client()
        (self.server_pid, self.pid, self.pidfd), self.requests, self.replies, self.output = self.fork()
        os.set_blocking(self.requests, False)
        os.set_blocking(self.output, False)
        # For a reply or the end; for these and output, with ``send`` also room in the pipe; and for the end alone.
        self.reply_poll, self.full_poll, self.exit_poll = select.poll(), select.poll(), select.poll()
        for fd, polls in (
            (self.replies, (self.reply_poll, self.full_poll)),
            (self.pidfd, (self.reply_poll, self.full_poll, self.exit_poll)),
            (self.output, (self.full_poll,)),
        ):
            for poll in polls:
                poll.register(fd, select.POLLIN)
        NEIGHBOURS.processes.add(self)

    def fork(self) -> tuple[ForkedPlayer, int, int, int]:
        """Start a process; return it with this side's ends of its three pipes.

        Raises MachineError if it can't be started.
        """
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

    def ask(self, body: str, allowed: float, used: float = 0.0, max_seconds: float = inf) -> Stopwatch:
        """Send a request, and start to time it.

        It may use ``allowed`` seconds of CPU time, after earlier calls have used ``used``, and may be idle for
        ``max_seconds`` (default: as the limits say).
        """
        if self.status is not None:
            raise PlayerError("exit", "The player's process has ended.")
        if self.reply_poll.poll(0):
            self.fail_unasked_reply()
        self.halt(halted=False)
        self.idled_before = self.idle_time.seconds
        wall, rated = self.limits.wall(allowed), self.idle_time.rated
        left = self.limits.idleness(used, rated=rated) - self.idled_before
        idle = min(left, wall * (1 + IDLE_FACTOR * rated), max_seconds)
        try:
            self.watch = watch = Stopwatch(self.pid, allowed, idle, MAX_CPU_WAIT * wall)
        except OSError:  # ended since the poll, and already reaped
            self.raise_end()
        self.seq += 1
        self.unsent = f"[{self.seq},{body}]\n".encode()
        self.send()
        return watch

    def cpu(self) -> int:
        """CPU time so far, in nanoseconds."""
        try:
            return cpu_time(self.pid)
        except OSError:
            return self.load_cpu

    def halt(self, *, halted: bool = True) -> None:
        """Halt the process until its next call, or let it continue."""
        if self.halted != halted and self.status is None:
            with suppress(OSError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGSTOP if halted else signal.SIGCONT)
            self.halted = halted

    def send(self) -> None:
        """Send as much of the request as the pipe takes."""
        try:
            self.unsent = self.unsent[os.write(self.requests, self.unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.raise_end()
        if bool(self.unsent) is not self.request_pending:
            self.request_pending = not self.request_pending
            if self.request_pending:
                self.full_poll.register(self.requests, select.POLLOUT)
            else:
                self.full_poll.unregister(self.requests)

    def wait(self, watch: Stopwatch, max_bytes: int) -> bytes:
        """The next line that the process sends; most lines come before the first look at a clock."""
        received, self.unread = self.unread, b""
        poll, timeout = (self.full_poll if self.unsent else self.reply_poll), float(FIRST_LOOK)
        while b"\n" not in received:
            fds = [fd for fd, _ in poll.poll(timeout)]
            if self.replies in fds:
                chunk = os.read(self.replies, CHUNK) or self.raise_end()
                received += chunk
                if b"\n" in chunk:
                    break
                if len(received) > max_bytes:
                    self.fail("invalid", f"{self.subject} returned more than {max_bytes >> 10} kB.")
                pause_after_trickle(len(chunk))
            elif self.pidfd in fds:
                self.raise_end()
            for neighbour in NEIGHBOURS.processes - {self}:
                neighbour.halt()
            self.check_on_process(watch, fds)
            poll, timeout = self.full_poll, watch.look_interval()
        line, _, self.unread = received.partition(b"\n")
        return line

    def check_on_process(self, watch: Stopwatch, fds: Sequence[int]) -> None:
        """While the process works: read what it prints, send the rest of the request, check the clocks."""
        if self.output in fds:
            pause_after_trickle(self.drain())
        if self.unsent:
            self.send()
        if exceeded := watch.exceeded_limit():
            self.out_of_time(watch, exceeded)
        if self.idle_time.report_due():
            self.update_idle_time()
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
                    self.full_poll.unregister(self.output)
                break
            self.prints.add(chunk)
            byte_count += len(chunk)
        return byte_count

    def fail_unasked_reply(self) -> NoReturn:
        """Fail the player, because its process sent something before it was called, or has ended."""
        if [fd for fd, _ in self.reply_poll.poll(0) if fd == self.replies] and os.read(self.replies, CHUNK):
            self.fail("protocol", "The player's process answered before it was asked.")
        self.raise_end()

    def raise_end(self) -> NoReturn:
        """Fail the player, saying how its process ended.

        Raises MachineError if the fork server ended with all its players.
        """
        ended_by_itself = self.exit_poll.poll(1000)
        self.end()
        if self.server_lost:
            raise MachineError("The server for players' processes has ended, with its players.")
        code = os.waitstatus_to_exitcode(self.status or 0)
        if not ended_by_itself or code == LOST_CHANNEL:
            self.fail("protocol", CHANNEL_CLOSED)
        ending = f"was stopped by {signal_name(-code)}" if code < 0 else f"ended itself with exit status {code}"
        if code == -signal.SIGSYS:
            ending = "made a forbidden system call and was stopped (SIGSYS)"
        self.fail("exit", f"The player's process {ending}.", without_kibitz_frames(self.prints.tail()))

    def stack(self) -> str:
        """The process's current stack, which a signal handler of the fork server prints; empty if it doesn't answer."""
        self.drain()
        self.stack_start = self.prints.total
        with suppress(OSError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGUSR1)
            for _ in range(10):  # a busy machine may take its time
                if self.exit_poll.poll(20):
                    return ""
                if self.drain():
                    break
        self.drain()
        return self.printed_stack()

    def end(self) -> str:
        """Kill the process with everything that it has started; returns what was printed."""
        if self.status is None:
            self.status = signal.SIGKILL
            self.update_idle_time()
            try:
                self.status = self.server.kill(self.server_pid)
            except MachineError:
                self.server_lost = True
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
