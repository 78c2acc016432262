"""A line: one connection to a table, which takes messages for one seat until it is cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from kibitz.remote.messages import Message, encoded

MOST_WAITING = 500
"""Messages that may wait for a slow connection before it is cut."""


@dataclass(frozen=True)
class Person:
    """Whoever is at the other end: a guest or somebody with an account."""

    id: str
    name: str
    roles: tuple[str, ...] = ()
    guest: bool = True


@dataclass(eq=False)
class Line:
    """One connection.

    seat        whose messages it takes; -1 looks on
    epoch, told how much of the log it has been sent; an epoch of -1 has been sent nothing
    view        whether it wants views as data, which programs do; ``exact`` as the game's own structs
    key         what has let it in (``Identity.key``); it is cut when that lets nobody in any more
    expelled    whether it was cut because of that
    """

    person: Person
    seat: int
    epoch: int = -1
    told: int = 0
    view: bool = False
    exact: bool = False
    key: str = ""
    expelled: bool = False
    muted: set[int] = field(default_factory=set)
    cut: str = ""
    queue: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)

    def send(self, message: Message | bytes) -> None:
        """Put a message on the line; one that takes nothing any more is cut."""
        if self.cut:
            return
        if self.queue.qsize() > MOST_WAITING:
            self.end("You take messages too slowly: connect again.")
            return
        self.queue.put_nowait(message if isinstance(message, bytes) else encoded(message))

    def end(self, why: str) -> None:
        """Cut the line, for a reason."""
        if not self.cut:
            self.cut = why
            self.queue.put_nowait(None)

    async def messages(self, silence: float | None = None) -> AsyncIterator[bytes]:
        """Everything that is sent, until the line is cut; an empty message after so many seconds of ``silence``."""
        while True:
            try:
                message = await asyncio.wait_for(self.queue.get(), silence)
            except TimeoutError:
                message = b""
            if message is None:
                return
            yield message
