"""Asking a server over HTTP, and who one is there.

    pass        the cookie of a guest: with it, and with nothing else, a guest has a seat again.  It is kept in a file
                of one's own for each server, so a terminal that is closed loses no seat
    token       of an account, from the environment (``KIBITZ_TOKEN``); whoever has one is that account

Everything that is wrong is one sentence: the server's own where it has said one.
"""

from __future__ import annotations

import hashlib
import json
import os
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote, urlsplit

from kibitz.engine.whole import write_whole
from kibitz.errors import KibitzError
from kibitz.remote.addresses import Place

TOKEN = "KIBITZ_TOKEN"
"""The environment's token of an account."""
COOKIE, HEADER = "kibitz", "X-Kibitz-CSRF"
TIMEOUT = 30.0
LARGEST = 8 << 20
"""Bytes of an answer."""


def passes() -> Path:
    """The folder in which the passes of guests are kept."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / "passes"


class Straight(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: a token and a pass are for one server alone."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        """Nothing more is asked."""


class Caller:
    """Somebody who asks one server; methods are called from any thread, one at a time."""

    def __init__(self, place: Place, token: str | None = None) -> None:
        self.place = place
        self.token = os.environ.get(TOKEN, "") if token is None else token
        name = hashlib.sha256(place.server.encode()).hexdigest()[:24]
        self.file = passes() / f"{urlsplit(place.server).hostname}-{name}"
        self.cookie = "" if self.token else self.kept()
        self.csrf = ""
        self.opener = urllib.request.build_opener(Straight)

    def kept(self) -> str:
        """The pass that is kept for this server, empty if there is none."""
        try:
            return self.file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def keep(self, cookie: str) -> None:
        """Keep a pass; whoever cannot is a new guest the next time."""
        self.cookie = cookie
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self.file, cookie, force=True, private=True)
        except OSError:
            return

    @property
    def headers(self) -> dict[str, str]:
        """What says who asks."""
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        found = {"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}
        return found | ({HEADER: self.csrf} if self.csrf else {})

    def sign_in(self) -> str:
        """Learn who one is; the name."""
        me = self.ask("GET", "/api/me")
        self.csrf = str(me.get("csrf", ""))
        return str(me.get("name", ""))

    def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """The answer to a request, as JSON; KibitzError with the reason if there is none."""
        found = json_of(self.fetch(method, path, body))
        if not isinstance(found, dict):
            self.stranger()
        return found

    def fetch(self, method: str, path: str, body: Any = None) -> bytes:
        """The answer to a request as bytes."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Accept": "application/json", "Content-Type": "application/json"}
        asked = urllib.request.Request(self.place.server + path, data, headers, method=method)
        try:
            with self.opener.open(asked, timeout=TIMEOUT) as answer:
                content: bytes = answer.read(LARGEST)
                self.take_pass(answer.headers.get_all("Set-Cookie") or [])
        except urllib.error.HTTPError as error:
            with error:
                self.refuse(error.code, error.read(LARGEST))
        except (OSError, HTTPException, ValueError) as error:
            why = getattr(error, "reason", error)
            told = str(getattr(why, "strerror", None) or why or type(error).__name__).lower().rstrip(".")
            raise KibitzError(
                f"{self.place.server} cannot be reached ({told}): is the address right, and the server up?"
            ) from error
        return content

    def take_pass(self, cookies: list[str]) -> None:
        """Keep the pass that the server has given, if it has given one."""
        for cookie in cookies:
            name, _, value = cookie.partition(";")[0].partition("=")
            if name == COOKIE and value and not self.token:
                self.keep(value)

    def refuse(self, status: int, content: bytes) -> NoReturn:
        """Raise what the server has said."""
        found = json_of(content)
        error = found.get("error") if isinstance(found, dict) else None
        if isinstance(error, dict) and isinstance(error.get("sentence"), str):
            raise KibitzError(error["sentence"])
        if 300 <= status < 400:
            raise KibitzError(f"{self.place.server} sends callers elsewhere: take the address that a browser ends at.")
        self.stranger()

    def stranger(self) -> NoReturn:
        """Raise that this is no server of Kibitz."""
        raise KibitzError(f"there is no server of Kibitz at {self.place.server}: is the address right?")

    # ---------------------------------------------------------------- what can be asked

    def sit_down(self, name: str | None) -> None:
        """Sit down on the chair of the invitation, or on an open one of a table that is listed for all."""
        body = {"invite": self.place.invite} | ({"name": name} if name else {})
        self.ask("POST", f"/api/tables/{quote(self.place.table)}/seat", body)

    def tables(self) -> list[dict[str, Any]]:
        """The tables that go on: one's own, those that wait for people, and those that all may watch."""
        return list(self.ask("GET", "/api/tables").get("tables", []))

    def record(self, game: str) -> str:
        """The record of a finished game."""
        return self.fetch("GET", f"/api/played/{quote(game)}/record.game").decode("utf-8", "replace")


def json_of(content: bytes) -> Any:
    """What bytes mean as JSON; None if they are none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
