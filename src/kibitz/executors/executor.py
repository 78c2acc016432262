"""Executors by name, and the one that uses this machine's cores.

local                   worker processes on the cores of this machine, replaced when they die
dask://HOST:PORT        a Dask cluster, by the address of its scheduler
dask+tls://HOST:PORT    the same, encrypted, with the certificates of Dask's own configuration
"""

from __future__ import annotations

import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Protocol

import msgspec

from kibitz.cards import shown
from kibitz.engine.kernels.gpu import CUDA
from kibitz.errors import MachineError, NotationError
from kibitz.executors import worker
from kibitz.executors.worker import (
    Done,
    ExecutorReport,
    Failed,
    Lost,
    Ready,
    Refused,
    Report,
    Signed,
    Work,
    cores,
    part_name,
)

# One worker process as the process that started it sees it: it sends blocks, listens and ends it.


START_CODE = "from kibitz.executors.worker import main; main()"
TAIL = 400
ENDING, TIMEOUT = 0.5, 10
"""Seconds until a worker that closed its channel must be gone, and until one that takes no orders is given up."""


def can_start() -> bool:
    """Whether this system can pass a channel to a worker process, which Windows cannot."""
    return hasattr(os, "fork")


class WorkerProcess:
    """One worker process, with at most one block at a time; without a ``core`` it isn't pinned."""

    def __init__(self, core: int | None) -> None:
        self.core, self.ready = core, False
        self.known: dict[str, int] = {}
        """Bytes of the parts that the worker knows, by name, the oldest first."""
        self.ticket: int | None = None
        self.patience = 0.0
        self.since = time.monotonic()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self.channel, far = Pipe()
        with far, socket.socket(fileno=os.dup(self.channel.fileno())) as near:
            near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", TIMEOUT, 0))
            self.popen = self.boot(far)
        with suppress(OSError):
            self.channel.send_bytes(worker.encode(worker.Begin(core, os.getpid(), sys.path)))

    def boot(self, far: Connection) -> subprocess.Popen[bytes]:
        """Start the process, without PostgreSQL's environment variables; MachineError if it can't be started."""
        command = [sys.executable, "-c", START_CODE, str(far.fileno())]
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                pass_fds=[far.fileno()],
                env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
                start_new_session=True,
            )
        except OSError as error:
            raise MachineError(f"No worker process can be started: {error.strerror}.") from error

    def carry(self, ticket: int, work: Work, contents: Mapping[str, bytes]) -> None:
        """Send a block, and before it the parts that the worker does not know yet; OSError if it has died."""
        self.ticket, self.patience, self.since = ticket, work.patience, time.monotonic()
        for name in work.parts:
            if name not in self.known:
                self.known[name] = len(contents[name])
                self.channel.send_bytes(worker.encode(worker.Know(name, contents[name])))
        self.channel.send_bytes(worker.encode(worker.Carry(ticket, work)))

    def forget(self, name: str) -> None:
        """Have the worker forget a part."""
        if name in self.known:
            del self.known[name]
            with suppress(OSError):
                self.channel.send_bytes(worker.encode(worker.Forget(name)))

    def receive(self) -> Signed | Done | Failed | Refused | None:
        """Receive one report, None if it has no content; EOFError or OSError if the worker has died."""
        report: Report = worker.report(self.channel.recv_bytes())
        self.since, self.ready = time.monotonic(), True
        if isinstance(report, Ready):
            return None
        if isinstance(report, Signed):
            return report if report.data else None
        self.ticket = None
        return report

    def is_silent(self) -> bool:
        """Whether it has given no sign of life for too long during a block."""
        return bool(self.ticket is not None and self.patience and time.monotonic() - self.since > self.patience)

    def end_sentence(self) -> str:
        """How the process has ended, in a sentence; it gets a moment to end by itself."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(ENDING)
        return self.end()

    def end(self) -> str:
        """Make sure that the process is gone; returns how it ended, in a sentence."""
        self.channel.close()
        if self.popen.poll() is None:
            self.popen.kill()
        status = self.popen.wait()
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - TAIL))
        tail = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        if status < 0:
            return f"the worker process was ended by {signal.Signals(-status).name}."
        return f"the worker process ended with status {status}" + (f": {tail[-1]}" if tail else ".")


LOCAL = "local"
SCHEMES = {"dask": "tcp", "dask+tls": "tls"}
ADDRESS = re.compile(r"(?P<scheme>[a-z+]+)://(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})/?")


class Executor(Protocol):
    """Where blocks are done: its workers take them and report.

    Only one thread may call it. A ticket is free again after any report on it except a sign.
    """

    @property
    def here(self) -> bool:
        """Whether its workers run on this machine."""

    @property
    def size(self) -> int:
        """The most blocks it has at a time; on a cluster that changes."""

    def begin(self) -> None:
        """Start workers, and replace those that have died; MachineError if none can be started."""

    def prepare(self, work: Work) -> None:
        """Have every worker do this before its first block; no report follows.

        Ignored where workers outlive the executor. MachineError if no worker can be started.
        """

    def free_slots(self) -> int:
        """How many more blocks it can take now."""

    def share(self, content: bytes) -> str:
        """Keep a part for later blocks; returns its name, which is the same for the same content."""

    def forget_part(self, name: str) -> None:
        """Forget a part that no block needs any more."""

    def send(self, ticket: int, work: Work) -> None:
        """Have a block done; only while there is room."""

    def listen(self, seconds: float) -> Iterator[ExecutorReport]:
        """Reports that arrive within a time, at once if there are any; MachineError if the executor fails."""

    def end(self) -> None:
        """Release all workers; their current blocks are lost."""


def address_of(on: str) -> str | None:
    """The address that the name of a cluster means, in Dask's words; None for this machine.

    NotationError for anything else.

    >>> address_of("dask://10.0.0.7:8786"), address_of("local")
    ('tcp://10.0.0.7:8786', None)
    """
    if on == LOCAL:
        return None
    if on == CUDA:
        raise NotationError(
            "'cuda' works for batches only: kibitz.random_games, and kibitz.play_games between strategies that"
            " are kernels."
        )
    match = ADDRESS.fullmatch(on) if isinstance(on, str) else None
    if match is None or match["scheme"] not in SCHEMES or not 0 < int(match["port"]) < 65536:
        raise NotationError(
            f"{shown(on)} isn't an executor: write 'local' or 'dask://HOST:PORT' with the host and port of a cluster's"
            " scheduler."
        )
    return f"{SCHEMES[match['scheme']]}://{match['host']}:{match['port']}"


def executor_of(on: str, workers: int | None = None) -> Executor:
    """The executor of that name; on this machine with this many ``workers``, or one for each core.

    NotationError for anything else, and for a number of workers where the cluster has its own; MachineError if this
    system can have no worker processes. It isn't started yet.
    """
    address = address_of(on)
    if address is None:
        if not can_start():
            raise MachineError("This system can't start worker processes: leave 'on' out, or use Linux or macOS.")
        return Local(workers or cores())
    if workers is not None:
        raise NotationError(f"a cluster has its own workers: leave out the number {workers}.")
    from kibitz.executors.cluster import Cluster

    return Cluster(address)


@contextmanager
def open_executor(on: str | None, workers: int | None = None) -> Iterator[Executor | None]:
    """An executor that ends with the block; None, for this process itself, if none is named."""
    if on is None:
        yield None
        return
    executor = executor_of(on, workers)
    try:
        yield executor
    finally:
        executor.end()


# This machine's cores.


STARTS, KILLS = 3, 20
"""After this many workers in a row that die before they are ready, an executor gives up."""

PREPARING = -1
"""The ticket of messages that aren't blocks."""


class Local:
    """Worker processes of this machine, each on a core of its own, with a block each."""

    here = True

    def __init__(self, size: int) -> None:
        self.size = size
        self.processes: list[WorkerProcess] = []
        self.contents: dict[str, bytes] = {}
        self.pending: deque[ExecutorReport] = deque()
        self.starts = self.kills = 0

    def begin(self) -> None:
        """Start workers for all cores that have none; MachineError if they keep dying at once."""
        taken = {process.core for process in self.processes}
        for core in range(self.size):
            if core not in taken:
                self.processes.append(WorkerProcess(core))

    def prepare(self, work: Work) -> None:
        """Have every idle worker do this first; there is no report, and no room meanwhile."""
        self.begin()
        for process in [process for process in self.processes if process.ticket is None]:
            self.give(process, PREPARING, work)

    def free_slots(self) -> int:
        """How many workers are idle."""
        return sum(process.ticket is None for process in self.processes)

    def share(self, content: bytes) -> str:
        """Keep a part for blocks to come; its name."""
        name = part_name(content)
        self.contents[name] = content
        return name

    def forget_part(self, name: str) -> None:
        """Forget a part that no block needs any more."""
        self.contents.pop(name, None)
        for process in self.processes:
            process.forget(name)

    def send(self, ticket: int, work: Work) -> None:
        """Give a block to an idle worker."""
        self.give(next(process for process in self.processes if process.ticket is None), ticket, work)

    def give(self, process: WorkerProcess, ticket: int, work: Work) -> None:
        """Give a worker something to do."""
        try:
            process.carry(ticket, work, self.contents)
        except OSError:
            self.remove_dead(process)

    def listen(self, seconds: float) -> Iterator[ExecutorReport]:
        """Reports that arrive within a time, at once if there are any."""
        while self.pending:
            yield self.pending.popleft()
        by_channel = {process.channel: process for process in self.processes}
        for channel in wait(list(by_channel), seconds) if by_channel else ():
            assert isinstance(channel, Connection)
            process = by_channel[channel]
            if process not in self.processes:
                continue
            try:
                report = process.receive()
                self.starts = self.kills = 0
            except (EOFError, OSError, msgspec.DecodeError):
                self.remove_dead(process)
                continue
            if isinstance(report, Refused):
                raise MachineError(report.sentence)
            if report and report.ticket != PREPARING:
                yield report
        while self.pending:
            yield self.pending.popleft()
        for process in self.processes:
            if process.is_silent():
                process.popen.kill()

    def remove_dead(self, process: WorkerProcess) -> None:
        """Remove a worker that has died."""
        self.processes.remove(process)
        cause = process.end_sentence()
        if not process.ready:
            self.kills += process.popen.returncode < 0
            self.starts += process.popen.returncode >= 0
        if self.starts >= STARTS or self.kills >= KILLS:
            raise MachineError(f"This machine cannot run workers: {cause}")
        if process.ticket not in (None, PREPARING):
            self.pending.append(Lost(process.ticket, cause))

    def end(self) -> None:
        """End all workers, with all that they have started."""
        for process in self.processes:
            process.end()
        self.processes.clear()
