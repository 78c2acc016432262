"""A worker: one process, on one core, that does the blocks it is sent.

    channel     a socket to whoever has started it; messages of both ways are msgpack
    order       what it begins with, a part that blocks to come will need, or a block
    report      ready, a sign of life, a result, or why there is none

A worker never outlives who has started it.  The kernel kills it when that dies, however it dies, and where the kernel
cannot, the closed channel ends it after the block.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec

from kibitz.errors import KibitzError
from kibitz.executors.worker import (
    Done,
    Failed,
    Ready,
    Refused,
    Report,
    Signed,
    Trouble,
    Work,
    die_with,
    found,
    stay_on_core,
)


class Begin(msgspec.Struct, frozen=True, tag=True):
    """The first order; without a ``core`` it stays on none."""

    core: int | None
    parent: int
    path: list[str]
    """Where modules are looked for."""


class Know(msgspec.Struct, frozen=True, tag=True):
    """A part that blocks to come will need."""

    name: str
    content: bytes


class Forget(msgspec.Struct, frozen=True, tag=True):
    """A part that no block needs any more."""

    name: str


class Carry(msgspec.Struct, frozen=True, tag=True):
    """A block."""

    ticket: int
    work: Work


Order = Begin | Know | Forget | Carry

encode = msgspec.msgpack.Encoder().encode
order = msgspec.msgpack.Decoder(Order).decode
report = msgspec.msgpack.Decoder(Report).decode


def main() -> None:
    """Serve whoever is at the other end of the descriptor that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    fd = int(sys.argv[1])
    os.set_inheritable(fd, False)
    with suppress(EOFError, ConnectionError), Connection(fd) as channel:
        serve(channel)


def serve(channel: Connection) -> None:
    """Carry out orders until the channel is closed."""
    begin = order(channel.recv_bytes())
    assert isinstance(begin, Begin)
    die_with(begin.parent)
    if begin.core is not None:
        stay_on_core(begin.core)
    sys.path[:] = begin.path
    parts: dict[str, bytes] = {}
    channel.send_bytes(encode(Ready()))
    while True:
        given = order(channel.recv_bytes())
        if isinstance(given, Know):
            parts[given.name] = given.content
        elif isinstance(given, Forget):
            parts.pop(given.name, None)
        elif isinstance(given, Carry):
            carry_out(given.ticket, given.work, parts, channel)


def carry_out(ticket: int, work: Work, parts: dict[str, bytes], channel: Connection) -> None:
    """Do a block, and report what has come of it."""

    def sign(data: bytes) -> None:
        channel.send_bytes(encode(Signed(ticket, data)))

    for need in work.needs:
        function, word = need
        if sentence := found(function)(word):
            channel.send_bytes(encode(Refused(ticket, need, sentence)))
            return
    try:
        result = found(work.task)(work.block, [parts[name] for name in work.parts], sign)
    except Exception as error:
        from kibitz.engine.registry import own_fault

        sentence = own_fault(error)
        told = KibitzError(sentence) if sentence else error
        if not isinstance(told, KibitzError):
            raise
        channel.send_bytes(encode(Failed(ticket, Trouble.of(told))))
    else:
        channel.send_bytes(encode(Done(ticket, result)))


if __name__ == "__main__":
    main()
