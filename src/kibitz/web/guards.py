"""Guards around the whole application: security headers, limits on bodies, the base path, host names.

headers     no scripts, styles or frames from elsewhere, none inline; no sniffing, no referrer
body        limited in size; larger only where files are taken
base        the path that a proxy puts before ours, whether it removes it again or not
names       the host names of this machine: a foreign page whose name points to our address gets nothing (DNS
            rebinding); numeric addresses are safe
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.cards import shown
from kibitz.web.api.operation import problem
from kibitz.web.problems import ApiError

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
SMALL_BODY, LARGE_BODY = 64 << 10, 24 << 20
MAX_BODY_SECONDS = 120.0
"""Seconds in which a whole body has to arrive."""


def allowed_hosts(host: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The allowed host names of a server that listens on ``host``; None for any.

    A server on a loopback address is only called by local names; other names are known to its owner alone.

    >>> allowed_hosts("127.0.0.1", ()), allowed_hosts("127.0.0.1", ["Kibitz.Example"]), allowed_hosts("0.0.0.0", ())
    (('localhost',), ('localhost', 'kibitz.example'), None)
    """
    known = ("localhost", *(name.strip().lower().rstrip(".") for name in names))
    return known if names or host == "localhost" or is_loopback(host) else None


def is_loopback(host: str) -> bool:
    """Whether no other machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_called(host: str, names: Sequence[str]) -> bool:
    """Whether a Host header is a number, or one of some names.

    >>> [is_called(host, ["localhost"]) for host in ("127.0.0.1:8000", "[::1]:8000", "localhost", "evil.example:8000")]
    [True, True, True, False]
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    return name in names or is_number(name)


def is_number(host: str) -> bool:
    """Whether a host is a numeric address."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


class Guards:
    """An application with its guards."""

    def __init__(self, app: ASGIApp, base: str, names: Sequence[str] | None = None) -> None:
        self.app, self.base, self.names = app, base, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope = self.below(scope)
        if self.names is not None and not is_called(host := host_of(scope), self.names):
            await unknown_host(host)(scope, receive, with_headers(send))
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        most = LARGE_BODY if is_upload(scope) else SMALL_BODY
        try:
            await self.app(scope, limit_body(receive, most), with_headers(send))
        except ApiError as error:
            await problem(error)(scope, receive, with_headers(send))

    def below(self, scope: Scope) -> Scope:
        """The request with the base path removed."""
        path: str = scope["path"]
        if self.base and (path == self.base or path.startswith(f"{self.base}/")):
            return {**scope, "path": path[len(self.base) :] or "/", "raw_path": None}
        return scope


def host_of(scope: Scope) -> str:
    """The host name in a request."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")


def unknown_host(host: str) -> ASGIApp:
    """Answer a request for a host name that isn't this server's."""
    sentence = (
        f"This server doesn't answer to the name {shown(host)}: use its address or, if that name is right, start "
        "the server with --hostname NAME."
    )

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4003, "reason": sentence[:120]})
        else:
            await problem(ApiError(403, sentence))(scope, receive, send)

    return answer


def is_upload(scope: Scope) -> bool:
    """Whether a request uploads files."""
    given = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    return bool(given.startswith(b"multipart/form-data"))


def limit_body(receive: Receive, max_bytes: int) -> Receive:
    """A body that ends with an ApiError if it is too large, or too slow."""
    read, whole, end = 0, False, time.monotonic() + MAX_BODY_SECONDS

    async def take() -> Message:
        nonlocal read, whole
        try:
            message = await asyncio.wait_for(receive(), None if whole else end - time.monotonic())
        except TimeoutError as error:
            raise ApiError(
                408, f"This took more than {MAX_BODY_SECONDS:.0f} seconds to arrive: send it again."
            ) from error
        read += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if read > max_bytes:
            raise ApiError(413, f"This is too large: send {max_bytes >> 10} KiB at most.")
        return message

    return take


def with_headers(send: Send) -> Send:
    """Answers with the security headers."""

    async def give(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if headers.get("content-type", "").startswith("application/json"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return give
