"""Runs on the workers of a Dask cluster, and passes each block to one of Kibitz's own worker processes.

Dask's worker carries out no blocks itself: its heartbeat would be late, a crash in a block would end it, and player
files need a parent process that is pinned to a core and has no other threads. So each thread of Dask's worker passes
its block to one of Kibitz's worker processes, waits, and returns the process's report.

The processes wait for more blocks. They end after ``IDLE_SECONDS`` seconds without a block, or with Dask's worker.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from contextlib import suppress

import msgspec

from kibitz.executors.local import WorkerProcess, can_start
from kibitz.executors.worker import THIS_KIBITZ, Done, Failed, Heartbeat, Lost, Refused, Work

Answer = Done | Failed | Refused | Lost
encode = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(Answer).decode
read_work = msgspec.msgpack.Decoder(Work).decode

IDLE_SECONDS = 60.0
MAX_BLOB_BYTES = 256 << 20
"""The maximum number of bytes of blobs that a worker process keeps, apart from blobs that it needs now."""
POLL_SECONDS = 1.0
"""Seconds between two checks of a worker process that may be silent."""


class ProcessPool:
    """The worker processes of one of Dask's worker processes."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.idle: list[tuple[float, WorkerProcess, Core]] = []
        """Processes without a block, with the time when each became idle."""
        self.watched = False
        """Whether a thread ends processes that are idle for too long."""

    def take(self) -> tuple[WorkerProcess, Core]:
        """Take an idle worker process from the pool, or start one."""
        with self.lock:
            if self.idle:
                _, process, core = self.idle.pop()
                return process, core
        core = Core()
        return WorkerProcess(core.number), core

    def give_back(self, process: WorkerProcess, core: Core) -> None:
        """Keep a worker process for later blocks."""
        with self.lock:
            self.idle.append((time.monotonic(), process, core))
            if not self.watched:
                self.watched = True
                threading.Thread(target=self.watch, daemon=True, name="kibitz-pool").start()

    def watch(self) -> None:
        """End processes that have been idle for too long, until none are idle."""
        while True:
            time.sleep(IDLE_SECONDS / 4)
            with self.lock:
                limit = time.monotonic() - IDLE_SECONDS
                expired = [entry for entry in self.idle if entry[0] < limit]
                self.idle = [entry for entry in self.idle if entry[0] >= limit]
                self.watched = bool(self.idle)
                for _, process, core in expired:
                    process.end()
                    core.free()
                if not self.watched:
                    return


class Core:
    """One of this machine's cores, reserved until ``free`` is called; ``number`` is None if all cores are reserved.

    Several workers of Dask may share a machine without knowing of each other. A core is reserved by a socket's name,
    which only one process on the machine can have, and which the kernel frees when the process ends.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if sys.platform == "linux":
            for number, core in enumerate(sorted(os.sched_getaffinity(0))):
                with suppress(OSError):
                    self.socket.bind(f"\0kibitz-core-{core}")
                    self.number = number
                    break

    def free(self) -> None:
        """Release the core."""
        self.socket.close()


POOL = ProcessPool()


def relay(topic: str, ticket: int, packed: bytes, *contents: bytes) -> bytes:
    """Have a block done by a worker process of this machine; returns an ``Answer`` as bytes.

    Heartbeats with data are sent as Dask events under ``topic``.
    """
    if not can_start():
        return encode(Refused(ticket, THIS_KIBITZ, "its system cannot start worker processes."))
    work = read_work(packed)
    process, core = POOL.take()
    try:
        process.send_block(ticket, work, dict(zip(work.blobs, contents, strict=True)))
        result = wait_for_report(process, topic)
    except (EOFError, OSError, msgspec.DecodeError):
        cause = process.end_sentence()
        core.free()
        return encode(Lost(ticket, cause))
    forget_old_blobs(process, work)
    POOL.give_back(process, core)
    return encode(result)


def forget_old_blobs(process: WorkerProcess, work: Work) -> None:
    """Have a worker process forget its oldest blobs if it has too many; it gets them again if they are needed."""
    for name in [name for name in process.blob_sizes if name not in work.blobs]:
        if sum(process.blob_sizes.values()) <= MAX_BLOB_BYTES:
            return
        process.forget_blob(name)


def wait_for_report(process: WorkerProcess, topic: str) -> Answer:
    """The last report of a worker process on its block. Raises EOFError or OSError if the process dies."""
    from distributed import get_worker

    while True:
        while not process.channel.poll(POLL_SECONDS):
            if process.is_silent():
                process.popen.kill()
        report = process.receive()
        if isinstance(report, Heartbeat):
            get_worker().log_event(topic, {"ticket": report.ticket, "data": report.data})
        elif isinstance(report, Done | Failed | Refused):
            return report
