"""A worker: one process on one core that carries out blocks of work.

    task        a function ``f(block, blobs, send_heartbeat)``, by its name ``module:function``
    block       a piece of work, as bytes: the same block always gives the same result
    blob        data that many blocks need, such as a player's file; a worker gets it once, and blocks refer to its name
    heartbeat   a worker's report that it is alive, perhaps with data that must survive the worker's death
    need        a requirement of a block: a function that says what a worker lacks, and the function's argument
    ticket      the number of a block that was sent; reports on the block have it too
    channel     a socket to the process that started the worker; messages are msgpack
    order       a message to the worker: the first one, a blob that later blocks need or no longer need, or a block

A worker never outlives the process that started it.  The kernel kills the worker when that process dies; on systems
where the kernel can't, the closed channel ends it after the block.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

import msgspec

from kibitz import errors
from kibitz.errors import KibitzError, MachineError

SendHeartbeat = Callable[[bytes], None]
"""Sends a heartbeat with data that must survive the worker's death; the data may be empty."""
Task = Callable[[bytes, Sequence[bytes], SendHeartbeat], bytes]
Need = tuple[str, str]
"""A function, as ``module:function``, and its argument; it returns what the worker lacks, in a sentence, or None."""
THIS_KIBITZ: Need = ("", "")
"""The need for this version of Kibitz itself, which every block has."""


class Work(msgspec.Struct, frozen=True):
    """A block, the task that does it, the names of its blobs (``blob_name``), and what it needs of a worker.

    A worker that is silent for ``silence_limit`` seconds counts as dead; 0 means that silence doesn't matter.
    """

    task: str
    block: bytes
    blobs: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    silence_limit: float = 0.0


# reports on a worker and its block


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The worker has started, and takes blocks."""


class Heartbeat(msgspec.Struct, frozen=True, tag=True):
    """The worker is alive and at work on a block; ``data`` must survive its death."""

    ticket: int
    data: bytes


class Done(msgspec.Struct, frozen=True, tag=True):
    """A block is done."""

    ticket: int
    result: bytes


class SentError(msgspec.Struct, frozen=True):
    """A KibitzError in the form in which it is sent: its class, its arguments, and notes such as a traceback."""

    kind: str
    given: tuple[str | int, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: KibitzError) -> SentError:
        """An error in the form in which it is sent."""
        class_and_arguments = error.__reduce__()
        assert isinstance(class_and_arguments, tuple)
        return cls(type(error).__name__, tuple(class_and_arguments[1]), tuple(getattr(error, "__notes__", ())))

    def exception(self) -> KibitzError:
        """The error that was sent, to be raised here."""
        error: KibitzError = getattr(errors, self.kind)(*self.given)
        for note in self.notes:
            error.add_note(note)
        return error


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The task of a block has raised this error, as it would on any worker."""

    ticket: int
    error: SentError


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A worker can't do a block, because it lacks what ``need`` asks for; ``sentence`` says what."""

    ticket: int
    need: Need
    sentence: str


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The worker of a block is gone; ``alone`` is True if only its process died, so the block may be the cause."""

    ticket: int
    cause: str
    alone: bool = True


class Note(msgspec.Struct, frozen=True, tag=True):
    """A sentence about an executor, for people to read."""

    sentence: str


Report = Ready | Heartbeat | Done | Failed | Refused
"""The reports of a worker process."""
ExecutorReport = Heartbeat | Done | Failed | Lost | Note


def blob_name(content: bytes) -> str:
    """The name of a blob: equal blobs have equal names."""
    return hashlib.sha256(content).hexdigest()


def import_function(name: str) -> Callable[..., Any]:
    """The function called ``module:function``."""
    module, _, function = name.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(module), function)
    return loaded


# The limits of a worker process: one core, its parent's lifetime, memory and time. The processes of player files run on
# their worker's core, because messages are three times faster on one core than between two.


SET_PDEATHSIG = 1
KILL: int = getattr(signal, "SIGKILL", 0)
"""The signal that ends a process at once; 0 if the system has none, as on Windows."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def stay_on_core(number: int) -> None:
    """Pin this process, and so all its children, to one of the cores it may use, if the system can."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; end now if it is already dead.

    On Windows neither is possible: there a virtual environment's Python is a launcher that starts the real one, so the
    process that asked for it is never its parent.
    """
    if sys.platform == "win32":
        return
    if sys.platform == "linux" and KILL:
        ctypes.CDLL(None).prctl(SET_PDEATHSIG, KILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(0)


def limit_resources(memory: int, cpu: int, wall: int) -> None:
    """Limit this process and its children to bytes of memory and seconds of CPU time, and itself to ``wall`` seconds.

    Too much memory raises MemoryError, too much time MachineError. On Windows there are no limits.
    """
    if sys.platform == "win32":
        return
    import resource

    def too_long(number: int, frame: FrameType | None) -> None:
        raise MachineError(f"Stopped: this may take {cpu // 60} min of CPU time and {wall // 60} min in all.")

    for limit, value in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, cpu)):
        _, hard = resource.getrlimit(limit)
        resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    signal.signal(signal.SIGXCPU, too_long)
    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, wall, 1)


# The process itself.


class Start(msgspec.Struct, frozen=True, tag=True):
    """The first order: the worker's core (None: it isn't pinned), and the process that it must not outlive."""

    core: int | None
    parent: int
    path: list[str]
    """The paths where modules are found."""


class KeepBlob(msgspec.Struct, frozen=True, tag=True):
    """The order to keep a blob for later blocks."""

    name: str
    content: bytes


class ForgetBlob(msgspec.Struct, frozen=True, tag=True):
    """The order to forget a blob, because no block needs it any more."""

    name: str


class DoBlock(msgspec.Struct, frozen=True, tag=True):
    """The order to carry out a block."""

    ticket: int
    work: Work


Order = Start | KeepBlob | ForgetBlob | DoBlock

encode = msgspec.msgpack.Encoder().encode
decode_order = msgspec.msgpack.Decoder(Order).decode
decode_report = msgspec.msgpack.Decoder(Report).decode


def main() -> None:
    """Serve the process at the other end of the channel; its descriptor is the first argument of the command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    fd = int(sys.argv[1])
    os.set_inheritable(fd, False)
    with suppress(EOFError, ConnectionError), Connection(fd) as channel:
        serve(channel)


def serve(channel: Connection) -> None:
    """Carry out orders until the channel is closed."""
    start = decode_order(channel.recv_bytes())
    assert isinstance(start, Start)
    die_with_parent(start.parent)
    if start.core is not None:
        stay_on_core(start.core)
    sys.path[:] = start.path
    blobs: dict[str, bytes] = {}
    channel.send_bytes(encode(Ready()))
    while True:
        order = decode_order(channel.recv_bytes())
        if isinstance(order, KeepBlob):
            blobs[order.name] = order.content
        elif isinstance(order, ForgetBlob):
            blobs.pop(order.name, None)
        elif isinstance(order, DoBlock):
            do_block(order.ticket, order.work, blobs, channel)


def do_block(ticket: int, work: Work, blobs: dict[str, bytes], channel: Connection) -> None:
    """Do a block, and report its result, its error, or what this worker lacks; other errors are raised."""

    def send_heartbeat(data: bytes) -> None:
        channel.send_bytes(encode(Heartbeat(ticket, data)))

    for need in work.needs:
        function, argument = need
        if sentence := import_function(function)(argument):
            channel.send_bytes(encode(Refused(ticket, need, sentence)))
            return
    try:
        result = import_function(work.task)(work.block, [blobs[name] for name in work.blobs], send_heartbeat)
    except Exception as error:
        from kibitz.engine.registry import game_error_sentence

        sentence = game_error_sentence(error)
        reported = KibitzError(sentence) if sentence else error
        if not isinstance(reported, KibitzError):
            raise
        channel.send_bytes(encode(Failed(ticket, SentError.of(reported))))
    else:
        channel.send_bytes(encode(Done(ticket, result)))


if __name__ == "__main__":
    main()
