"""This machine's cores as an executor: worker processes, which are replaced when they die."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait

import msgspec

from kibitz.errors import MachineError
from kibitz.executors import worker
from kibitz.executors.worker import (
    Done,
    ExecutorReport,
    Failed,
    Heartbeat,
    Lost,
    Ready,
    Refused,
    Report,
    Work,
    blob_name,
)

START_CODE = "from kibitz.executors.worker import main; main()"
ERROR_TAIL = 400
"""Bytes of a dead worker's error output that are read, from the end."""
END_SECONDS, SEND_SECONDS = 0.5, 10
"""Seconds for a worker that closed its channel to end, and for sending an order to a worker."""


def can_start() -> bool:
    """Whether this system can pass a channel to a worker process, which Windows cannot."""
    return hasattr(os, "fork")


class WorkerProcess:
    """One worker process, with at most one block at a time; without a ``core`` it isn't pinned."""

    def __init__(self, core: int | None) -> None:
        self.core, self.ready = core, False
        self.blob_sizes: dict[str, int] = {}
        """The blobs that the worker has, by name, with their sizes in bytes, the oldest first."""
        self.ticket: int | None = None
        self.silence_limit = 0.0
        self.last_report = time.monotonic()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self.channel, workers_end = Pipe()
        with workers_end, socket.socket(fileno=os.dup(self.channel.fileno())) as our_end:
            our_end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_SECONDS, 0))
            self.popen = self.boot(workers_end)
        with suppress(OSError):
            self.channel.send_bytes(worker.encode(worker.Start(core, os.getpid(), sys.path)))

    def boot(self, workers_end: Connection) -> subprocess.Popen[bytes]:
        """Start the process, without PostgreSQL's environment variables. Raises MachineError if it can't be started."""
        command = [sys.executable, "-c", START_CODE, str(workers_end.fileno())]
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                pass_fds=[workers_end.fileno()],
                env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
                start_new_session=True,
            )
        except OSError as error:
            raise MachineError(f"No worker process can be started: {error.strerror}.") from error

    def send_block(self, ticket: int, work: Work, contents: Mapping[str, bytes]) -> None:
        """Send a block, and before it the blobs that the worker does not have yet. Raises OSError if it has died.

        ``contents`` has the blobs by name.
        """
        self.ticket, self.silence_limit, self.last_report = ticket, work.silence_limit, time.monotonic()
        for name in work.blobs:
            if name not in self.blob_sizes:
                self.blob_sizes[name] = len(contents[name])
                self.channel.send_bytes(worker.encode(worker.KeepBlob(name, contents[name])))
        self.channel.send_bytes(worker.encode(worker.DoBlock(ticket, work)))

    def forget_blob(self, name: str) -> None:
        """Have the worker forget a blob."""
        if name in self.blob_sizes:
            del self.blob_sizes[name]
            with suppress(OSError):
                self.channel.send_bytes(worker.encode(worker.ForgetBlob(name)))

    def receive(self) -> Heartbeat | Done | Failed | Refused | None:
        """Receive one report; None if the worker is only alive. Raises EOFError or OSError if it has died."""
        report: Report = worker.decode_report(self.channel.recv_bytes())
        self.last_report, self.ready = time.monotonic(), True
        if isinstance(report, Ready):
            return None
        if isinstance(report, Heartbeat):
            return report if report.data else None
        self.ticket = None
        return report

    def is_silent(self) -> bool:
        """Whether the worker has sent nothing for too long during a block."""
        return bool(
            self.ticket is not None and self.silence_limit and time.monotonic() - self.last_report > self.silence_limit
        )

    def end_sentence(self) -> str:
        """How a dead process ended, in a sentence."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(END_SECONDS)
        return self.end()

    def end(self) -> str:
        """Kill the process if it still runs; returns how it ended, in a sentence."""
        self.channel.close()
        if self.popen.poll() is None:
            self.popen.kill()
        status = self.popen.wait()
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - ERROR_TAIL))
        tail = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        if status < 0:
            return f"the worker process was ended by {signal.Signals(-status).name}."
        return f"the worker process ended with status {status}" + (f": {tail[-1]}" if tail else ".")


MAX_FAILED_STARTS, MAX_KILLED_STARTS = 3, 20
"""The executor gives up when this many workers in a row end, or are killed, before they are ready."""

PREPARING = -1
"""The ticket of work that prepares workers, and isn't a block."""


class LocalExecutor:
    """An executor with ``size`` worker processes on this machine, each on its own core and with one block at a time."""

    is_local = True

    def __init__(self, size: int) -> None:
        self.size = size
        self.processes: list[WorkerProcess] = []
        self.contents: dict[str, bytes] = {}
        self.pending: deque[ExecutorReport] = deque()
        self.failed_starts = self.killed_starts = 0

    def begin(self) -> None:
        """Start workers on all cores without one. Raises MachineError if a process can't be started."""
        used_cores = {process.core for process in self.processes}
        for core in range(self.size):
            if core not in used_cores:
                self.processes.append(WorkerProcess(core))

    def prepare(self, work: Work) -> None:
        """Have every idle worker do this work first; no report follows, and until then it takes no block."""
        self.begin()
        for process in [process for process in self.processes if process.ticket is None]:
            self.send_to(process, PREPARING, work)

    def free_slots(self) -> int:
        """How many workers are idle."""
        return sum(process.ticket is None for process in self.processes)

    def add_blob(self, content: bytes) -> str:
        """Keep a blob for later blocks; returns its name."""
        name = blob_name(content)
        self.contents[name] = content
        return name

    def forget_blob(self, name: str) -> None:
        """Forget a blob that no block needs any more."""
        self.contents.pop(name, None)
        for process in self.processes:
            process.forget_blob(name)

    def send(self, ticket: int, work: Work) -> None:
        """Give a block to an idle worker."""
        self.send_to(next(process for process in self.processes if process.ticket is None), ticket, work)

    def send_to(self, process: WorkerProcess, ticket: int, work: Work) -> None:
        """Send a block to a worker, and remove the worker if it has died."""
        try:
            process.send_block(ticket, work, self.contents)
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
                self.failed_starts = self.killed_starts = 0
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
        """Remove a worker that has died. Raises MachineError if workers keep dying before they are ready."""
        self.processes.remove(process)
        cause = process.end_sentence()
        if not process.ready:
            self.killed_starts += process.popen.returncode < 0
            self.failed_starts += process.popen.returncode >= 0
        if self.failed_starts >= MAX_FAILED_STARTS or self.killed_starts >= MAX_KILLED_STARTS:
            raise MachineError(f"This machine cannot run workers: {cause}")
        if process.ticket not in (None, PREPARING):
            self.pending.append(Lost(process.ticket, cause))

    def end(self) -> None:
        """End all workers, with all that they have started."""
        for process in self.processes:
            process.end()
        self.processes.clear()
