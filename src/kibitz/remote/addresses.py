"""Addresses that people paste: of a server, of a table there, or of an invitation to a seat.

place       ``server`` is the address before all paths of Kibitz's own, without a slash behind it
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

from kibitz.cards import shown
from kibitz.errors import NotationError

TABLE = re.compile(r"(?P<base>.*)/tables/(?P<table>[0-9A-Za-z_-]{1,64})/?")
EXAMPLE = "paste the link of a table, such as http://127.0.0.1:8000/tables/24874211a528f826, or a server's address"
MOST = 2000


class Place(NamedTuple):
    """Where one wants to go: a server, a table there if one is named, and the code of an invitation."""

    server: str
    table: str = ""
    invite: str = ""

    @property
    def line(self) -> str:
        """The address of the table's WebSocket."""
        return f"{self.server.replace('http', 'ws', 1)}/tables/{quote(self.table)}/live"

    @property
    def page(self) -> str:
        """The address of the table's page."""
        return f"{self.server}/tables/{quote(self.table)}"


def place_of(text: str) -> Place:
    """The place that an address means; NotationError if it means none.

    >>> place_of("http://kibitz.example/course/tables/4f2a?invite=QbN")
    Place(server='http://kibitz.example/course', table='4f2a', invite='QbN')
    >>> place_of("127.0.0.1:8000")
    Place(server='http://127.0.0.1:8000', table='', invite='')
    """
    words = text.strip()
    try:
        found = urlsplit(words if "://" in words else f"http://{words}")
        host, _ = found.hostname, found.port
    except ValueError:
        host = None
    if not host or len(words) > MOST or not words.isprintable() or " " in words or "@" in found.netloc:
        raise NotationError(f"{shown(text)} is no address: {EXAMPLE}.")
    if found.scheme not in ("http", "https"):
        raise NotationError(f"{shown(text)} begins with {found.scheme}://, and servers of Kibitz with http or https.")
    table = TABLE.fullmatch(found.path)
    start = f"{found.scheme}://{found.netloc}"
    if table is None:
        return Place(start + found.path.rstrip("/"))
    return Place(start + table["base"], table["table"], parse_qs(found.query).get("invite", [""])[0])
