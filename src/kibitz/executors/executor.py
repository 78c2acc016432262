"""What an executor is, and executors by name.

local                   worker processes on the cores of this machine, replaced when they die
dask://HOST:PORT        a Dask cluster, by the address of its scheduler
dask+tls://HOST:PORT    the same, encrypted, with the certificates of Dask's own configuration
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from kibitz.cards import short_repr
from kibitz.engine.kernels.gpu import CUDA
from kibitz.errors import MachineError, NotationError
from kibitz.executors.local import LocalExecutor, can_start
from kibitz.executors.worker import ExecutorReport, Work, cores

LOCAL = "local"
SCHEMES = {"dask": "tcp", "dask+tls": "tls"}
ADDRESS = re.compile(r"(?P<scheme>[a-z+]+)://(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})/?")


class Executor(Protocol):
    """Runs blocks of work on its workers, and reports the results.

    Only one thread may call its methods. A ticket may be used again after any report on it except ``Heartbeat``.
    """

    @property
    def is_local(self) -> bool:
        """Whether its workers run on this machine."""

    @property
    def size(self) -> int:
        """The maximum number of blocks that it takes at a time; on a cluster this changes."""

    def begin(self) -> None:
        """Start workers, and replace workers that have died. Raises MachineError if none can be started."""

    def prepare(self, work: Work) -> None:
        """Have every worker do this work before its first block; no report follows.

        Does nothing if workers outlive the executor. Raises MachineError if no worker can be started.
        """

    def free_slots(self) -> int:
        """How many more blocks it can take now."""

    def add_blob(self, content: bytes) -> str:
        """Keep a blob for later blocks; returns its name, which is the same for the same content."""

    def forget_blob(self, name: str) -> None:
        """Forget a blob that no block needs any more."""

    def send(self, ticket: int, work: Work) -> None:
        """Have a block done; call it only while ``free_slots()`` is above 0."""

    def listen(self, seconds: float) -> Iterator[ExecutorReport]:
        """Reports that arrive within a time, at once if there are any. Raises MachineError if the executor fails."""

    def end(self) -> None:
        """Release all workers; their current blocks are lost."""


def address_of(on: str) -> str | None:
    """The address, as Dask writes it, that the name of an executor stands for; None for this machine.

    Raises NotationError for anything else.

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
            f"{short_repr(on)} isn't an executor: write 'local' or 'dask://HOST:PORT', with the host and port of a"
            " cluster's scheduler."
        )
    return f"{SCHEMES[match['scheme']]}://{match['host']}:{match['port']}"


def executor_of(on: str, workers: int | None = None) -> Executor:
    """The executor called ``on``, not yet started; on this machine it has ``workers`` workers (default: one per core).

    Raises NotationError for an unknown name, and for a number of workers if ``on`` is a cluster, which has its own, and
    MachineError if this system can't start worker processes.
    """
    address = address_of(on)
    if address is None:
        if not can_start():
            raise MachineError("This system can't start worker processes: leave 'on' out, or use Linux or macOS.")
        return LocalExecutor(workers or cores())
    if workers is not None:
        raise NotationError(f"a cluster has its own workers: leave out the number {workers}.")
    from kibitz.executors.cluster import Cluster

    return Cluster(address)


@contextmanager
def open_executor(on: str | None, workers: int | None = None) -> Iterator[Executor | None]:
    """A context with the executor called ``on``, which ends with it; without ``on``, None: work in this process."""
    if on is None:
        yield None
        return
    executor = executor_of(on, workers)
    try:
        yield executor
    finally:
        executor.end()
