"""What every place can do, and how one is named.

local           worker processes on the cores of this machine
dask://HOST:PORT        a Dask cluster, by the address of its scheduler
dask+tls://HOST:PORT    the same, encrypted and with certificates, by what Dask's own configuration says of them
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from kibitz.cards import shown
from kibitz.engine.gpu import CUDA
from kibitz.errors import MachineError, NotationError
from kibitz.executors.executor import Local, can_start
from kibitz.executors.worker import Heard, Work, cores

LOCAL = "local"
SCHEMES = {"dask": "tcp", "dask+tls": "tls"}
ADDRESS = re.compile(r"(?P<scheme>[a-z+]+)://(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})/?")


class Executor(Protocol):
    """Where blocks are done: its workers take them and report.

    The caller's side is one thread.  A ticket is free again once anything but a sign has been heard of it.
    """

    @property
    def here(self) -> bool:
        """Whether its workers are this machine's."""

    @property
    def size(self) -> int:
        """How many blocks it has at most; of a cluster that changes."""

    def begin(self) -> None:
        """See that there are workers, and again where some have died; MachineError where there are none to be had."""

    def prepare(self, work: Work) -> None:
        """Have every worker do this before its first block, where workers do not outlive the place.

        Nothing is heard of it.  MachineError where there are no workers to be had.
        """

    def room(self) -> int:
        """How many more blocks it takes now."""

    def share(self, content: bytes) -> str:
        """Keep a part for blocks to come; its name, the same for the same content."""

    def drop(self, name: str) -> None:
        """Forget a part that no block needs any more."""

    def send(self, ticket: int, work: Work) -> None:
        """Have a block done, while there is room."""

    def listen(self, seconds: float) -> Iterator[Heard]:
        """What is reported within a time, at once when there is something; MachineError where the place fails."""

    def end(self) -> None:
        """Let go of all workers; what they have at hand is lost."""


def address_of(on: str) -> str | None:
    """The address that the name of a cluster means, in Dask's words; None for this machine.

    NotationError for what is no place.

    >>> address_of("dask://10.0.0.7:8786"), address_of("local")
    ('tcp://10.0.0.7:8786', None)
    """
    if on == LOCAL:
        return None
    if on == CUDA:
        raise NotationError(
            "'cuda' is a place for batches alone: kibitz.random_games, and kibitz.play_games between strategies that"
            " are kernels."
        )
    found = ADDRESS.fullmatch(on) if isinstance(on, str) else None
    if found is None or found["scheme"] not in SCHEMES or not 0 < int(found["port"]) < 65536:
        raise NotationError(
            f"{shown(on)} is no place: write 'local', or 'dask://HOST:PORT' with the host and port of a cluster's"
            " scheduler."
        )
    return f"{SCHEMES[found['scheme']]}://{found['host']}:{found['port']}"


def executor_of(on: str, workers: int | None = None) -> Executor:
    """The place of that name; on this machine with so many ``workers``, or one for each core.

    NotationError for what is no place, and for a number of workers where the cluster has its own; MachineError where
    this system can have no worker processes.  Nothing is begun yet.
    """
    address = address_of(on)
    if address is None:
        if not can_start():
            raise MachineError("This system cannot start worker processes: leave the place out, or use Linux or macOS.")
        return Local(workers or cores())
    if workers is not None:
        raise NotationError(f"a cluster has the workers that it has, so leave out the number {workers}.")
    from kibitz.executors.cluster import Cluster

    return Cluster(address)


@contextmanager
def opened(on: str | None, workers: int | None = None) -> Iterator[Executor | None]:
    """A place for as long as this lasts; None, for this process itself, where none is named."""
    if on is None:
        yield None
        return
    place = executor_of(on, workers)
    try:
        yield place
    finally:
        place.end()
