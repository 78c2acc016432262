"""What stands around the whole application: headers that browsers obey, the size of bodies, the path before it.

headers     no script, style or frame of others, nothing in the page itself; nothing is sniffed or sent on
body        of so many bytes at most; more only where files are taken
base        the path that a proxy puts before ours, whether it takes it away again or not
"""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.web.api.operation import problem
from kibitz.web.problems import Problem

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
SMALL, LARGE = 64 << 10, 24 << 20
LONGEST = 120.0
"""Seconds in which the whole of a body has to come."""


class Guards:
    """An application with its guards."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self.app, self.base = app, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope = self.below(scope)
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        most = LARGE if is_upload(scope) else SMALL
        try:
            await self.app(scope, limited(receive, most), with_headers(send))
        except Problem as error:
            await problem(error)(scope, receive, with_headers(send))

    def below(self, scope: Scope) -> Scope:
        """The request as it is without the path before it."""
        path: str = scope["path"]
        if self.base and (path == self.base or path.startswith(f"{self.base}/")):
            return {**scope, "path": path[len(self.base) :] or "/", "raw_path": None}
        return scope


def is_upload(scope: Scope) -> bool:
    """Whether a request is one with files."""
    given = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    return bool(given.startswith(b"multipart/form-data"))


def limited(receive: Receive, most: int) -> Receive:
    """A body that ends with a Problem where it is too large, or does not come."""
    read, whole, end = 0, False, time.monotonic() + LONGEST

    async def take() -> Message:
        nonlocal read, whole
        try:
            message = await asyncio.wait_for(receive(), None if whole else end - time.monotonic())
        except TimeoutError as error:
            raise Problem(408, f"This has taken more than {LONGEST:.0f} seconds to come: send it again.") from error
        read += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if read > most:
            raise Problem(413, f"This is too large: send {most >> 10} KiB at most.")
        return message

    return take


def with_headers(send: Send) -> Send:
    """Answers with the headers that every one has."""

    async def give(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if headers.get("content-type", "").startswith("application/json"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return give
