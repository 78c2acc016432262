"""One worker process as whoever has started it sees it: sent blocks, listened to, ended."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe

from kibitz.errors import MachineError
from kibitz.executors import worker
from kibitz.executors.worker import Done, Failed, Ready, Refused, Report, Signed, Work

BOOT = "from kibitz.executors.worker import main; main()"
TAIL = 400
ENDING, TIMEOUT = 0.5, 10
"""Seconds until a worker that has closed its channel must be gone, and until one that takes no orders is given up."""


def can_start() -> bool:
    """Whether this system can hand a channel on to a worker process, which Windows cannot."""
    return hasattr(os, "fork")


class Member:
    """One worker process, with at most one block; without a ``core`` it stays on none."""

    def __init__(self, core: int | None) -> None:
        self.core, self.ready = core, False
        self.known: dict[str, int] = {}
        """Bytes of the parts that the worker knows, by name, the oldest first."""
        self.ticket: int | None = None
        self.patience = 0.0
        self.since = time.monotonic()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the member
        self.channel, far = Pipe()
        with far, socket.socket(fileno=os.dup(self.channel.fileno())) as near:
            near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", TIMEOUT, 0))
            self.process = self.boot(far)
        with suppress(OSError):
            self.channel.send_bytes(worker.encode(worker.Begin(core, os.getpid(), sys.path)))

    def boot(self, far: Connection) -> subprocess.Popen[bytes]:
        """Start the process, without PostgreSQL's settings; MachineError if there is none to be had."""
        command = [sys.executable, "-c", BOOT, str(far.fileno())]
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

    def heard(self) -> Signed | Done | Failed | Refused | None:
        """Take one report, if it says anything; EOFError or OSError if the worker has died."""
        report: Report = worker.report(self.channel.recv_bytes())
        self.since, self.ready = time.monotonic(), True
        if isinstance(report, Ready):
            return None
        if isinstance(report, Signed):
            return report if report.data else None
        self.ticket = None
        return report

    def is_silent(self) -> bool:
        """Whether it has given no sign of life for too long, over a block."""
        return bool(self.ticket is not None and self.patience and time.monotonic() - self.since > self.patience)

    def lost(self) -> str:
        """How it has ended, in a sentence: it says nothing more, so give it a moment to end by itself."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        return self.end()

    def end(self) -> str:
        """Make sure that the process is gone; how it ended, in a sentence."""
        self.channel.close()
        if self.process.poll() is None:
            self.process.kill()
        status = self.process.wait()
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - TAIL))
        tail = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        if status < 0:
            return f"the worker process was ended by {signal.Signals(-status).name}."
        return f"the worker process ended with status {status}" + (f": {tail[-1]}" if tail else ".")
