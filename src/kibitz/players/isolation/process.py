"""The process that a player file runs in: a confined one where the kernel can do that, else a plain one.

    plain process   a separate process with time limits, which can do whatever its user can do. It runs only the user's
                    own files, and the caller must say that a file is one (``own_file``)
    channel         the process's standard input and output; what the file prints comes through standard error
    limits          a watchdog in the process limits CPU time, and the referee's clock limits idle time; no memory limit

A plain process needs nothing that Python lacks on some system.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import IO, NoReturn, cast

import kibitz
from kibitz.errors import ConfinementError, MachineError, PlayerError
from kibitz.players.isolation.conversation import CHANNEL_CLOSED, CHUNK, SECOND, Conversation
from kibitz.players.isolation.plain_child import OUT_OF_TIME, STACK_HEADING
from kibitz.players.isolation.wire import LOST_CHANNEL
from kibitz.players.limits import IDLE_FACTOR, Limits
from kibitz.players.rated_game import IdleTime

SANDBOX_NEEDS_LINUX = (
    "Other people's player files run only in the sandbox, which needs Linux; here you can try your own with"
    " 'kibitz check-player', 'kibitz match' and 'kibitz play'."
)
PLAIN_PROCESSES = (
    "the sandbox needs Linux: here player files run in plain processes and can do whatever you can do, so run"
    " only what you have written yourself."
)


def can_confine() -> bool:
    """Whether this system has what confined processes need; only Linux has it."""
    return hasattr(os, "fork") and hasattr(os, "pidfd_open")


def why_no_sandbox() -> str:
    """The warning that player files are not confined here; empty if they are."""
    if not can_confine():
        return PLAIN_PROCESSES
    from kibitz.sandbox import tier

    sandbox_tier = tier()
    if sandbox_tier.confines:
        return ""
    return f"the sandbox doesn't work here: {sandbox_tier.reason} Play only with files of your own."


def process_for(limits: Limits, idle_time: IdleTime | None, *, own_file: bool) -> Conversation:
    """A new process for a player file.

    Raises ConfinementError if nothing confines it and it isn't the user's ``own_file``.
    """
    if can_confine():
        from kibitz.players.isolation.confined_process import PlayerProcess

        return PlayerProcess(limits, idle_time)
    if not own_file:
        raise ConfinementError(SANDBOX_NEEDS_LINUX)

    return PlainProcess(limits, idle_time)


START_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from kibitz.players.isolation.plain_child import main; main()"
)
IMPORT_PATH = str(Path(kibitz.__file__).parent.parent)
START_SECONDS = 5.0
"""Extra wall-clock seconds for each call, because a process must start and may wait for a processor."""


class WallClock:
    """Times one call with the wall clock; the process itself reports its CPU time with its reply."""

    def __init__(self, process: PlainProcess, allowed: float, idle: float) -> None:
        self.process, self.before = process, process.used
        self.allowed, self.limit = allowed, allowed + idle + START_SECONDS
        self.started = time.monotonic()

    def cpu_seconds(self) -> float:
        """Seconds of CPU time in this call, at most ``allowed``."""
        return min(self.allowed, self.process.used - self.before)

    def idle(self) -> float:
        """Seconds of wall-clock time so far: how much of it was idle is unknown."""
        return time.monotonic() - self.started

    def seconds_left(self) -> float:
        """Seconds of wall-clock time until the call takes too long."""
        return max(0.0, self.limit - self.idle())


class PlainProcess(Conversation):
    """A running player file that isn't confined."""

    def __init__(self, limits: Limits, idle_time: IdleTime | None = None) -> None:
        super().__init__(limits, idle_time)
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.used = 0.0
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START_CODE, IMPORT_PATH],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
            )
        except OSError as error:
            raise MachineError(f"No process for a player can be started: {error.strerror}.") from error
        pipes = self.process.stdin, self.process.stdout, self.process.stderr
        self.requests, self.replies, self.output = (cast("IO[bytes]", pipe) for pipe in pipes)
        self.readers = [threading.Thread(target=read, daemon=True) for read in (self.queue_lines, self.collect_output)]
        for reader in self.readers:
            reader.start()

    def queue_lines(self) -> None:
        """Queue the process's lines; an empty line marks the end."""
        with suppress(OSError, ValueError):
            while line := self.replies.readline(2 * CHUNK * CHUNK):
                self.lines.put(line)
        self.lines.put(b"")

    def collect_output(self) -> None:
        """Keep what the process prints."""
        with suppress(OSError, ValueError):
            while chunk := os.read(self.output.fileno(), CHUNK):
                self.prints.add(chunk)

    def ask(self, body: str, allowed: float, used: float = 0.0, max_seconds: float = inf) -> WallClock:
        """Send a request with its limit of CPU time, which the watchdog in the process enforces."""
        if self.status is not None:
            raise PlayerError("exit", "The player's process has ended.")
        self.idled_before = 0.0
        wall, rated = self.limits.wall(allowed), self.idle_time.rated
        self.watch = watch = WallClock(self, allowed, min(wall * (1 + IDLE_FACTOR * rated), max_seconds))
        self.seq += 1
        try:
            self.requests.write(f"{allowed:.6f} [{self.seq},{body}]\n".encode())
            self.requests.flush()
        except (OSError, ValueError):
            self.raise_end(watch)
        return watch

    def wait(self, watch: WallClock, max_bytes: int) -> bytes:
        """The next line of the process."""
        try:
            line = self.lines.get(timeout=watch.seconds_left())
        except queue.Empty:
            self.out_of_time(watch, "wall")
        if not line.endswith(b"\n"):
            self.raise_end(watch)
        if len(line) > max_bytes:
            self.fail("invalid", f"{self.subject} returned more than {max_bytes >> 10} kB.")
        seconds, _, reply = line[:-1].partition(b" ")
        try:
            self.used = float(seconds)
        except ValueError:
            self.fail("protocol", "The player's process sent an invalid reply.")
        return reply

    def update_idle_time(self) -> None:
        """Set ``idle_time`` to the wall-clock time of the current call; used only if the call runs out of time."""
        if self.watch is not None:
            self.idle_time.seconds = self.watch.idle()

    def cpu(self) -> int:
        """CPU time so far, in nanoseconds, as the process reported it."""
        return int(self.used * SECOND)

    def drain(self) -> int:
        """Do nothing: a thread reads the output."""
        return 0

    def stack(self) -> str:
        """The stack that the watchdog printed when it ended the process."""
        return self.printed_stack()

    def raise_end(self, watch: WallClock) -> NoReturn:
        """Fail the player, saying how its process ended."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        for reader in self.readers:
            reader.join(1)
        if (position := self.prints.tail().encode().rfind(STACK_HEADING.encode())) >= 0:
            self.stack_start = self.prints.total - len(self.prints.tail().encode()) + position
        ended_by_itself = self.process.poll() is not None
        self.end()
        code = self.process.returncode
        if code == OUT_OF_TIME:
            self.out_of_time(watch, "cpu")
        if not ended_by_itself or code == LOST_CHANNEL:
            self.fail("protocol", CHANNEL_CLOSED)
        ending = f"was stopped by signal {-code}" if code < 0 else f"ended itself with exit status {code}"
        self.fail("exit", f"The player's process {ending}.", self.prints.tail())

    def end(self) -> str:
        """Kill the process; returns what was printed."""
        if self.status is None:
            self.status = 1
            self.process.kill()
            self.process.wait()
            for reader in self.readers:
                reader.join(1)
            for pipe in (self.requests, self.replies, self.output):
                with suppress(OSError, ValueError):
                    pipe.close()
        return self.prints.text()
