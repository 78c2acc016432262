"""Processes that answer one question after another, over two pipes: all that any system has.

question    a function of a module and its arguments, pickled, behind the length of both
answer      whether it went well, and what the function returned or raised; the same way

A worker ends when the pipes to it are closed, so it is gone soon after the server, in whatever way that has ended.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from asyncio import IncompleteReadError
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from kibitz.engine.registry import all_games
from kibitz.executors.worker import die_with
from kibitz.web.processes import killed, started

LENGTH = struct.Struct("!Q")


class WorkerGone(Exception):
    """A worker has died over a question, or before it."""


class Answer(NamedTuple):
    """What a question has led to: the result of its function, or else what it raised."""

    good: bool
    found: Any

    def value(self) -> Any:
        """The result; what was raised is raised."""
        if self.good:
            return self.found
        raise self.found


class Worker:
    """The server's end of a process, for one question at a time."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.asks, self.tells = process, process.stdin, process.stdout

    @classmethod
    async def start(cls) -> Worker:
        """A new process; OSError if there is none to be had."""
        worker = cls(await started("kibitz.web.workers"))
        worker.write(os.getpid())
        return worker

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self.process.returncode is not None

    def write(self, said: Any) -> None:
        """Send something, without waiting for it to be read."""
        self.asks.write(packed(said))

    async def answer(self, question: Callable[..., Any], *arguments: Any) -> Answer:
        """Ask; WorkerGone if the process dies over it."""
        try:
            self.write((question, arguments))
            await self.asks.drain()
            (length,) = LENGTH.unpack(await self.tells.readexactly(LENGTH.size))
            return Answer(*pickle.loads(await self.tells.readexactly(length)))
        except (ConnectionError, IncompleteReadError) as error:
            raise WorkerGone from error

    async def end(self) -> None:
        """End the process, and close the pipes to it."""
        await killed(self.process)
        self.asks.close()
        with suppress(ConnectionError):
            await self.asks.wait_closed()
        await self.tells.read()


def main() -> None:
    """Answer questions until there are no more.

    What a player prints is no answer, so it goes where errors go.  The games are loaded first: a view of a game that
    was taken from a path cannot be read by who does not know it.
    """
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(EOFError, OSError):
        die_with(pickle.loads(read(asked)))
        all_games()
        while True:
            told.write(answered(read(asked)))
            told.flush()


def read(source: BinaryIO) -> bytes:
    """What was sent, still packed; EOFError if nobody sends any more."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return source.read(*LENGTH.unpack(head))


def packed(said: Any) -> bytes:
    """Something as it is sent."""
    content = pickle.dumps(said)
    return LENGTH.pack(len(content)) + content


def answered(content: bytes) -> bytes:
    """The answer to a question, as it is sent; of an exception that cannot be sent, its words."""
    try:
        question, arguments = pickle.loads(content)
        return packed((True, question(*arguments)))
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return packed((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return packed((False, error))
