"""One connection to a table: a queue of messages for one seat, until the connection is cut."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from math import inf

from kibitz.remote.messages import Message, encoded

EXPIRED = "Your session or token has expired: sign in again, or create a new token."
MAX_WAITING = 500
"""Messages that may wait for a slow connection before it is cut."""


@dataclass(frozen=True)
class Person:
    """A person: a guest or the owner of an account."""

    id: str
    name: str
    roles: tuple[str, ...] = ()
    guest: bool = True


@dataclass(eq=False)
class Connection:
    """One connection.

    seat        the seat whose messages it receives; -1 for a spectator
    epoch       the epoch of the log lines that it has been sent; -1 before the first, -2 after an undo
    lines_sent  how many lines of the log it has been sent; after an undo, how many of them are still valid
    wants_view  whether each state includes the view as data, for programs
    wants_exact whether each state includes the view as the game's own structs
    key         its credential (``Identity.key``); the connection is cut when the credential becomes invalid
    ends_at     when the credential expires, unless it is revoked earlier
    muted       the seats whose messages it doesn't receive
    why_cut     why the connection was cut; "" while it is open
    expelled    whether it was cut because the credential became invalid
    """

    person: Person
    seat: int
    epoch: int = -1
    lines_sent: int = 0
    wants_view: bool = False
    wants_exact: bool = False
    key: str = ""
    ends_at: float = inf
    expelled: bool = False
    muted: set[int] = field(default_factory=set)
    why_cut: str = ""
    queue: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)

    def send(self, message: Message | bytes) -> None:
        """Queue a message, or cut the connection if too many messages are waiting."""
        if self.why_cut:
            return
        if self.queue.qsize() > MAX_WAITING:
            self.end("Your connection couldn't keep up with the table. Connect again.")
            return
        self.queue.put_nowait(message if isinstance(message, bytes) else encoded(message))

    def end(self, why: str) -> None:
        """Cut the connection; ``why`` is a sentence for its person."""
        if not self.why_cut:
            self.why_cut = why
            self.queue.put_nowait(None)

    def expel(self, why: str) -> None:
        """Cut the connection because its credential has become invalid."""
        self.expelled = True
        self.end(why)

    async def messages(self, silence: float = inf) -> AsyncIterator[bytes]:
        """The messages sent, until the connection is cut; after ``silence`` seconds without one, an empty message."""
        while True:
            seconds_left = self.ends_at - time.time()
            if seconds_left <= 0:
                self.expel(EXPIRED)
            wait = min(silence, seconds_left) if seconds_left > 0 else silence
            try:
                message = await asyncio.wait_for(self.queue.get(), wait if wait < inf else None)
            except TimeoutError:
                message = b""
            if message is None:
                return
            if message or wait == silence:
                yield message
