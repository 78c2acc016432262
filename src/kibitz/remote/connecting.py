"""The line to a table: what comes over it, and what is sent, for a program that waits and for one that does not.

A line that is lost is opened again, and says what is known already; requests that have had no answer are sent again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any

from kibitz.errors import KibitzError
from kibitz.remote.callers import Caller
from kibitz.remote.following import Followed, encoded, why_closed
from kibitz.remote.messages import AnyMessage, Done, Hint, Refused, WhyNot

WAIT, LONGEST_WAIT = 0.3, 8.0
"""Seconds until a lost line is opened again, at first and at most."""
LARGEST = 16 << 20
"""Bytes of a message."""
TRIES = 20
"""So often in a row a line that cannot be opened at all is tried."""


class Connection:
    """A line to a table that comes back by itself; ``lost`` is told why nothing comes now, "" once it does."""

    def __init__(self, caller: Caller, table: Followed, lost: Callable[[str], object]) -> None:
        self.caller, self.table, self.lost = caller, table, lost
        self.asked: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self.socket: Any = None

    async def messages(self) -> AsyncGenerator[AnyMessage]:
        """All messages, until the server says that this line is not to be; KibitzError with its reason.

        Whoever stops earlier closes it (``aclosing``), so that the line is let go.
        """
        failed = 0
        while True:
            try:
                async with aclosing(self.once()) as messages:
                    async for message in messages:
                        failed = 0
                        yield message
            except OSError as error:
                failed += 1
                if failed >= TRIES or self.table.about is None:
                    place = self.caller.place.server
                    raise KibitzError(f"{place} cannot be reached: is the server up?") from error
            self.lost("The connection is lost; trying again ...")
            await asyncio.sleep(min(LONGEST_WAIT, WAIT * 2**failed))

    async def once(self) -> AsyncGenerator[AnyMessage]:
        """The messages of one line."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        address = f"{self.caller.place.line}?{self.table.query}"
        try:
            async with connect(address, additional_headers=self.caller.headers, max_size=LARGEST) as socket:
                self.socket = socket
                try:
                    for request in list(self.asked.values()):
                        await socket.send(encoded(request))
                    async for raw in socket:
                        yield self.heard(raw)
                finally:
                    socket.transport.abort()  # whoever has gone waits for no last words
        except InvalidHandshake as error:
            raise OSError(str(error)) from error
        except ConnectionClosed:
            pass
        finally:
            self.socket = None
        if closed := why_closed(socket.close_code, socket.close_reason or ""):
            raise closed

    def heard(self, raw: str | bytes) -> AnyMessage:
        """A message that has come."""
        self.lost("")
        message = self.table.hear(raw)
        if isinstance(message, Done | Refused | Hint | WhyNot):
            self.asked.pop(message.id, None)
        return message

    async def ask(self, request: dict[str, Any]) -> str:
        """Ask for something, now or once the line is back; the name under which it is answered."""
        from websockets.exceptions import ConnectionClosed

        self.asked[request["id"]] = request
        if self.socket is not None:
            with suppress(ConnectionClosed):  # then it is sent again with the next line
                await self.socket.send(encoded(request))
        return str(request["id"])
