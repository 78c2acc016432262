"""Guards around the whole application: security headers, limits on bodies, the base path, host names.

headers     no scripts, styles or frames from elsewhere, and none inline; no sniffing, no referrer
body        limited in size, with a larger limit for uploads
base        the path below which a proxy serves this server, whether or not the proxy removes it from requests
names       the host names by which this server may be called. If any name were allowed, a foreign site whose name
            points to this server's address could read its pages (DNS rebinding). Numeric addresses are safe.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.cards import short_repr
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
MAX_BODY_BYTES, MAX_UPLOAD_BYTES = 64 << 10, 24 << 20
MAX_BODY_SECONDS = 120.0
"""Seconds within which a whole body must arrive."""


def allowed_hosts(host: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The allowed host names of a server that listens on ``host``; None if all names are allowed.

    A server on a loopback address is called only by local names. The names of other servers are known only to their
    owners: all are allowed if ``names`` is empty.

    >>> allowed_hosts("127.0.0.1", ()), allowed_hosts("127.0.0.1", ["Kibitz.Example"]), allowed_hosts("0.0.0.0", ())
    (('localhost',), ('localhost', 'kibitz.example'), None)
    """
    allowed = ("localhost", *(name.strip().lower().rstrip(".") for name in names))
    return allowed if names or host == "localhost" or is_loopback(host) else None


def is_loopback(host: str) -> bool:
    """Whether a host is an address that other machines can't reach."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_allowed_host(host: str, names: Sequence[str]) -> bool:
    """Whether a Host header has a numeric address or one of these names.

    >>> [
    ...     is_allowed_host(host, ["localhost"])
    ...     for host in ("127.0.0.1:8000", "[::1]:8000", "localhost", "evil.example:8000")
    ... ]
    [True, True, True, False]
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    return name in names or is_ip_address(name)


def is_ip_address(host: str) -> bool:
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
        """Handle one request or connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope = self.without_base(scope)
        if self.names is not None and not is_allowed_host(host := header(scope, b"host"), self.names):
            await unknown_host(host)(scope, receive, with_headers(send))
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        is_upload = header(scope, b"content-type").startswith("multipart/form-data")
        max_bytes = MAX_UPLOAD_BYTES if is_upload else MAX_BODY_BYTES
        try:
            await self.app(scope, limit_body(receive, max_bytes), with_headers(send))
        except ApiError as error:
            await problem(error)(scope, receive, with_headers(send))

    def without_base(self, scope: Scope) -> Scope:
        """A request's scope, without the base path if its path has it."""
        path: str = scope["path"]
        if self.base and (path == self.base or path.startswith(f"{self.base}/")):
            return {**scope, "path": path[len(self.base) :] or "/", "raw_path": None}
        return scope


def header(scope: Scope, name: bytes) -> str:
    """A header of a request; empty if it has none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def unknown_host(host: str) -> ASGIApp:
    """An application that refuses requests for a host name that isn't this server's."""
    sentence = (
        f"This server doesn't answer to the name {short_repr(host)}: use its address or, if that name is right, start "
        "the server with --hostname NAME."
    )

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4003, "reason": sentence[:120]})
        else:
            await problem(ApiError(403, sentence))(scope, receive, send)

    return answer


def limit_body(receive: Receive, max_bytes: int) -> Receive:
    """A ``receive`` that raises ApiError if the body is too large or too slow."""
    received_bytes, is_complete, deadline = 0, False, time.monotonic() + MAX_BODY_SECONDS

    async def receive_limited() -> Message:
        nonlocal received_bytes, is_complete
        try:
            message = await asyncio.wait_for(receive(), None if is_complete else deadline - time.monotonic())
        except TimeoutError as error:
            raise ApiError(
                408, f"This took more than {MAX_BODY_SECONDS:.0f} seconds to arrive: send it again."
            ) from error
        received_bytes += len(message.get("body", b""))
        is_complete = not message.get("more_body", False)
        if received_bytes > max_bytes:
            raise ApiError(413, f"This is too large: send {max_bytes >> 10} KiB at most.")
        return message

    return receive_limited


def with_headers(send: Send) -> Send:
    """A ``send`` that adds the security headers."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if headers.get("content-type", "").startswith("application/json"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_with_headers
