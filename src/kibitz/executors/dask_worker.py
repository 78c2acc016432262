"""On a worker of a Dask cluster: Kibitz's own worker processes, which do the blocks.

Dask's worker itself does no block: its heartbeat would be late, a crash in a block would end it, and player files need
a parent process of their own, pinned to a core and without other threads. Each thread of Dask's worker hands its block
to such a process, waits, and gives back what was reported.

The processes wait for more blocks, and end after ``IDLE_SECONDS`` seconds without one, or with Dask's worker.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from contextlib import suppress

import msgspec

from kibitz.executors.executor import WorkerProcess, can_start
from kibitz.executors.worker import ANY, Done, Failed, Lost, Refused, Signed, Work

Answer = Done | Failed | Refused | Lost
encode = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(Answer).decode
read_work = msgspec.msgpack.Decoder(Work).decode

IDLE_SECONDS = 60.0
MAX_PART_BYTES = 256 << 20
"""Bytes of parts that a worker process keeps beyond those it needs now."""
POLL_SECONDS = 1.0
"""Seconds between looks at a worker process that may have fallen silent."""


class ProcessPool:
    """The worker processes of one of Dask's worker processes."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.resting: list[tuple[float, WorkerProcess, Core]] = []
        self.watched = False

    def take(self) -> tuple[WorkerProcess, Core]:
        """A worker process without a block."""
        with self.lock:
            if self.resting:
                _, process, core = self.resting.pop()
                return process, core
        core = Core()
        return WorkerProcess(core.number), core

    def give_back(self, process: WorkerProcess, core: Core) -> None:
        """Keep a worker process for later blocks."""
        with self.lock:
            self.resting.append((time.monotonic(), process, core))
            if not self.watched:
                self.watched = True
                threading.Thread(target=self.watch, daemon=True, name="kibitz-pool").start()

    def watch(self) -> None:
        """End processes that have been idle for long, until none is left."""
        while True:
            time.sleep(IDLE_SECONDS / 4)
            with self.lock:
                late = time.monotonic() - IDLE_SECONDS
                over = [one for one in self.resting if one[0] < late]
                self.resting = [one for one in self.resting if one[0] >= late]
                self.watched = bool(self.resting)
                for _, process, core in over:
                    process.end()
                    core.free()
                if not self.watched:
                    return


class Core:
    """One of this machine's cores, taken for as long as this lives; ``number`` is None where all are.

    Several workers of Dask share a machine without knowing of one another. A core is claimed by a name that only one
    process on the machine can hold, and that the kernel frees when the process ends.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if sys.platform == "linux":
            for place, core in enumerate(sorted(os.sched_getaffinity(0))):
                with suppress(OSError):
                    self.name.bind(f"\0kibitz-core-{core}")
                    self.number = place
                    break

    def free(self) -> None:
        """Release the core."""
        self.name.close()


POOL = ProcessPool()


def relay(topic: str, ticket: int, packed: bytes, *contents: bytes) -> bytes:
    """Have a block done by a worker process of this machine; an ``Answer`` as bytes.

    Signs of life that matter are logged under ``topic``.
    """
    if not can_start():
        return encode(Refused(ticket, ANY, "its system cannot start worker processes."))
    work = read_work(packed)
    process, core = POOL.take()
    try:
        process.carry(ticket, work, dict(zip(work.parts, contents, strict=True)))
        result = wait_for_report(process, topic)
    except (EOFError, OSError, msgspec.DecodeError):
        cause = process.end_sentence()
        core.free()
        return encode(Lost(ticket, cause))
    forget_old_parts(process, work)
    POOL.give_back(process, core)
    return encode(result)


def forget_old_parts(process: WorkerProcess, work: Work) -> None:
    """Have a worker process forget old parts if it has many; it gets them again if they are needed."""
    for name in [name for name in process.known if name not in work.parts]:
        if sum(process.known.values()) <= MAX_PART_BYTES:
            return
        process.forget(name)


def wait_for_report(process: WorkerProcess, topic: str) -> Answer:
    """The last report of a worker process; EOFError or OSError if it dies."""
    from distributed import get_worker

    while True:
        while not process.channel.poll(POLL_SECONDS):
            if process.is_silent():
                process.popen.kill()
        report = process.receive()
        if isinstance(report, Signed):
            get_worker().log_event(topic, {"ticket": report.ticket, "data": report.data})
        elif isinstance(report, Done | Failed | Refused):
            return report
