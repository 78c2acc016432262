"""The client of a Kibitz server: addresses that people paste, HTTP, sitting down, and the connection to a table.

    address     a server's address, without a slash at the end, and possibly one of its tables
    cookie      identifies a guest, and gives them their seats back; it is saved in a private file for each server, so
                that nobody loses a seat by closing the terminal
    token       an account's token, from the environment (``KIBITZ_TOKEN``); with it, requests are made as the account

Every failure is one sentence: the server's own if it sent one. When a lost connection is open again, the client tells
the server which lines of the log it has, and repeats unanswered requests.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import urllib.error
import urllib.request
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import parse_qs, quote, urlsplit

from kibitz.cards import short_repr
from kibitz.engine.file_io import write_atomically
from kibitz.engine.sentences import listed
from kibitz.errors import KibitzError, NotationError
from kibitz.remote.messages import AnyMessage, Done, Hint, Refused, WhyNot
from kibitz.remote.server_table import RemoteTable, encoded, why_closed

TABLE_PATH = re.compile(r"(?P<base>.*)/tables/(?P<table>[0-9A-Za-z_-]{1,64})/?")
ADDRESS_HINT = "paste the link of a table, such as http://127.0.0.1:8000/tables/24874211a528f826, or a server's address"
MAX_ADDRESS = 2000


class Address(NamedTuple):
    """A server's address, the id of a table, and the code of an invitation; the last two may be empty."""

    server: str
    table: str = ""
    invite: str = ""

    @property
    def socket_url(self) -> str:
        """The address of the table's WebSocket."""
        return f"{self.server.replace('http', 'ws', 1)}/tables/{quote(self.table)}/live"

    @property
    def page_url(self) -> str:
        """The address of the table's page."""
        return f"{self.server}/tables/{quote(self.table)}"


def server_address(text: str) -> Address:
    """The address in a text that somebody has typed or pasted. Raises NotationError if it isn't an address.

    >>> server_address("http://kibitz.example/course/tables/4f2a?invite=QbN")
    Address(server='http://kibitz.example/course', table='4f2a', invite='QbN')
    >>> server_address("127.0.0.1:8000")
    Address(server='http://127.0.0.1:8000', table='', invite='')
    """
    address = text.strip()
    try:
        url = urlsplit(address if "://" in address else f"http://{address}")
        host, _ = url.hostname, url.port  # an invalid port raises ValueError
    except ValueError:
        host = None
    if not host or len(address) > MAX_ADDRESS or not address.isprintable() or " " in address or "@" in url.netloc:
        raise NotationError(f"{short_repr(text)} isn't an address: {ADDRESS_HINT}.")
    if url.scheme not in ("http", "https"):
        raise NotationError(f"{short_repr(text)} begins with {url.scheme}://, but Kibitz servers use http or https.")
    table = TABLE_PATH.fullmatch(url.path)
    start = f"{url.scheme}://{url.netloc}"
    if table is None:
        return Address(start + url.path.rstrip("/"))
    return Address(start + table["base"], table["table"], parse_qs(url.query).get("invite", [""])[0])


# ---------------------------------------------------------------- HTTP

TOKEN = "KIBITZ_TOKEN"
"""The environment variable with the token of an account."""
COOKIE, HEADER = "kibitz", "X-Kibitz-CSRF"
TIMEOUT = 30.0
MAX_ANSWER = 8 << 20
"""The maximum size of an answer, in bytes."""


def cookies_folder() -> Path:
    """The folder of guests' cookies."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / "passes"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Doesn't follow redirections, because a token or a cookie must not reach another server."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        """Return None, so that no other request is made."""


class ServerClient:
    """Makes requests to one server, one at a time, from any thread; default token: the environment's."""

    def __init__(self, address: Address, token: str | None = None) -> None:
        self.address = address
        self.token = os.environ.get(TOKEN, "") if token is None else token
        name = hashlib.sha256(address.server.encode()).hexdigest()[:24]
        self.file = cookies_folder() / f"{urlsplit(address.server).hostname}-{name}"
        self.cookie = "" if self.token else self.saved_cookie()
        self.csrf = ""
        self.opener = urllib.request.build_opener(NoRedirects)

    def saved_cookie(self) -> str:
        """The saved cookie for this server; empty if there is none."""
        try:
            return self.file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def save_cookie(self, cookie: str) -> None:
        """Use a cookie, and save it; if that fails, the person is a new guest next time."""
        self.cookie = cookie
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(self.file, cookie, force=True, private=True)
        except OSError:
            return

    @property
    def headers(self) -> dict[str, str]:
        """The headers that identify the client."""
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        cookie = {"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}
        return cookie | ({HEADER: self.csrf} if self.csrf else {})

    def sign_in(self) -> str:
        """Ask the server who the client is; returns the name."""
        me = self.request_json("GET", "/api/me")
        self.csrf = str(me.get("csrf", ""))
        return str(me.get("name", ""))

    def request_json(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Make a request and return the answer, a JSON object. Raises KibitzError with the reason if it fails."""
        answer = parse_json(self.request(method, path, body))
        if not isinstance(answer, dict):
            self.raise_not_kibitz()
        return answer

    def request(self, method: str, path: str, body: Any = None) -> bytes:
        """Make a request with ``body`` as JSON, and return the answer.

        Raises KibitzError with the reason if it fails.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Accept": "application/json", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address.server + path, data, headers, method=method)
        try:
            with self.opener.open(request, timeout=TIMEOUT) as response:
                content: bytes = response.read(MAX_ANSWER)
                self.save_new_cookie(response.headers.get_all("Set-Cookie") or [])
        except urllib.error.HTTPError as error:
            with error:
                self.raise_error(error.code, error.read(MAX_ANSWER))
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            words = str(getattr(reason, "strerror", None) or reason or type(error).__name__).lower().rstrip(".")
            raise KibitzError(
                f"{self.address.server} can't be reached ({words}): check the address, and that the server is running."
            ) from error
        return content

    def save_new_cookie(self, cookies: list[str]) -> None:
        """Save the guest's cookie among those that the server sent, if there is one."""
        for cookie in cookies:
            name, _, value = cookie.partition(";")[0].partition("=")
            if name == COOKIE and value and not self.token:
                self.save_cookie(value)

    def raise_error(self, status: int, content: bytes) -> NoReturn:
        """Raise the error in an answer with this HTTP status and content."""
        answer = parse_json(content)
        error = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(error, dict) and isinstance(error.get("sentence"), str):
            raise KibitzError(error["sentence"])
        if 300 <= status < 400:
            raise KibitzError(f"{self.address.server} redirects: open it in a browser and use the address shown there.")
        self.raise_not_kibitz()

    def raise_not_kibitz(self) -> NoReturn:
        """Raise the error for an address that isn't a Kibitz server's."""
        raise KibitzError(f"no Kibitz server at {self.address.server}: check the address.")

    # ---------------------------------------------------------------- requests

    def sit_down(self, name: str | None) -> None:
        """Take the seat of the address's invitation; without an invitation, an open seat at a public table."""
        body = {"invite": self.address.invite} | ({"name": name} if name else {})
        self.request_json("POST", f"/api/tables/{quote(self.address.table)}/seat", body)

    def tables(self) -> list[dict[str, Any]]:
        """The person's tables, tables with open seats, and tables that everybody may watch, as JSON."""
        return list(self.request_json("GET", "/api/tables").get("tables", []))

    def record(self, game: str) -> str:
        """The record of a finished game."""
        return self.request("GET", f"/api/played/{quote(game)}/record.game").decode("utf-8", "replace")


def parse_json(content: bytes) -> Any:
    """The value of JSON text; None if it isn't JSON."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


# ---------------------------------------------------------------- sitting down


class ListedTable(NamedTuple):
    """A table that a server lists: its id, a description, and whether the person can take an open seat there."""

    table: str
    description: str
    has_open_seat: bool


def tables_at(client: ServerClient) -> list[ListedTable]:
    """The unfinished tables that a server lists. Raises KibitzError if there are none."""
    tables = [listed_table(table) for table in client.tables() if not table.get("over")]
    if not tables:
        server = client.address.server
        raise KibitzError(
            f"no table with an open seat at {server}: create one there in a browser, or use a table's link."
        )
    return tables


def listed_table(table: dict[str, Any]) -> ListedTable:
    """A table of the server's list, from JSON."""
    names = [str(name) for name in table.get("others", ())]
    free, seat = int(table.get("open", 0)), int(table.get("seat", -1))
    offer = "your seat" if seat >= 0 else f"{free} free" if free else "watch"
    return ListedTable(
        str(table["table"]), f"{table.get('title', '')} with {listed(names)} ({offer})", bool(free) and seat < 0
    )


def join(client: ServerClient, address: Address, name: str | None, *, takes_seat: bool = False) -> RemoteTable:
    """Join a table, and sit down if invited or if ``takes_seat``. Raises KibitzError with the reason if that fails."""
    client.address = address
    if address.invite or takes_seat:
        client.sit_down(name)
    table = RemoteTable()
    table.receive(json.dumps(client.request_json("GET", f"/api/tables/{quote(address.table)}")))
    return table


# ---------------------------------------------------------------- the connection to a table

FIRST_WAIT, LONGEST_WAIT = 0.3, 8.0
"""Seconds before a lost connection is reopened; the wait doubles with each failure, up to the longest."""
RECONNECTING = "Connection lost; reconnecting ..."
MAX_MESSAGE = 16 << 20
"""The maximum size of a message, in bytes."""
MAX_RETRIES = 20
"""How many times in a row a failing connection is retried."""


class Connection:
    """A connection to a table that reopens by itself.

    ``show_status`` is called with ``RECONNECTING`` when the connection is lost, and with "" once it is back.
    """

    def __init__(self, client: ServerClient, table: RemoteTable, show_status: Callable[[str], object]) -> None:
        self.client, self.table, self.show_status = client, table, show_status
        self.unanswered: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self.socket: Any = None

    async def messages(self) -> AsyncGenerator[AnyMessage]:
        """All messages; raises KibitzError with the server's reason once the server refuses the connection.

        Code that stops early must close this generator (``aclosing``); that closes the connection.
        """
        failures = 0
        while True:
            try:
                async with aclosing(self.one_connection()) as messages:
                    async for message in messages:
                        failures = 0
                        yield message
            except OSError as error:
                failures += 1
                if failures >= MAX_RETRIES or self.table.hello is None:
                    server = self.client.address.server
                    raise KibitzError(f"{server} can't be reached: is the server running?") from error
            self.show_status(RECONNECTING)
            await asyncio.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2**failures))

    async def one_connection(self) -> AsyncGenerator[AnyMessage]:
        """The messages of one connection, until it is lost. Raises OSError if it can't be opened."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        url = f"{self.client.address.socket_url}?{self.table.query}"
        try:
            async with connect(url, additional_headers=self.client.headers, max_size=MAX_MESSAGE) as socket:
                self.socket = socket
                try:
                    for request in list(self.unanswered.values()):
                        await socket.send(encoded(request))
                    async for raw in socket:
                        yield self.handle(raw)
                finally:
                    socket.transport.abort()  # don't wait for a closing handshake
        except InvalidHandshake as error:
            raise OSError(str(error)) from error
        except ConnectionClosed:
            pass
        finally:
            self.socket = None
        if closed := why_closed(socket.close_code, socket.close_reason or ""):
            raise closed

    def handle(self, raw: str | bytes) -> AnyMessage:
        """Update the table with a message, and return the decoded message."""
        self.show_status("")
        message = self.table.receive(raw)
        if isinstance(message, Done | Refused | Hint | WhyNot):
            self.unanswered.pop(message.id, None)
        return message

    async def send(self, request: dict[str, Any]) -> str:
        """Send a request, now or once the connection is back; returns its id, which the answer repeats."""
        from websockets.exceptions import ConnectionClosed

        self.unanswered[request["id"]] = request
        if self.socket is not None:
            with suppress(ConnectionClosed):  # then it is sent again on the next connection
                await self.socket.send(encoded(request))
        return str(request["id"])
