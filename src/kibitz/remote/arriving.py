"""Coming to a server: who one is there, a table to sit at, a seat at it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from urllib.parse import quote

from kibitz.engine.sentences import listed
from kibitz.errors import KibitzError
from kibitz.remote.addresses import Place
from kibitz.remote.callers import Caller
from kibitz.remote.following import Followed


class Offered(NamedTuple):
    """A table that one can go to: its id, in words, and whether somebody may still sit down there."""

    table: str
    words: str
    sits: bool


def tables_at(caller: Caller) -> list[Offered]:
    """The tables of a server that one can go to; KibitzError where there is none."""
    found = [offered(one) for one in caller.tables() if not one.get("over")]
    if not found:
        raise KibitzError(
            f"nobody waits for you at {caller.place.server}: begin a table there in a browser, or take the link of one."
        )
    return found


def offered(one: dict[str, Any]) -> Offered:
    """A table of the server's list."""
    names = [str(name) for name in one.get("others", ())]
    free, seat = int(one.get("open", 0)), int(one.get("seat", -1))
    what = "your seat" if seat >= 0 else f"{free} free" if free else "look on"
    return Offered(str(one["table"]), f"{one.get('title', '')} with {listed(names)} ({what})", bool(free) and seat < 0)


def arrive(caller: Caller, place: Place, name: str | None, *, sits: bool = False) -> Followed:
    """Come to a table, and sit down where an invitation says so, or ``sits``; KibitzError with the reason if not."""
    caller.place = place
    if place.invite or sits:
        caller.sit_down(name)
    table = Followed()
    table.hear(json.dumps(caller.ask("GET", f"/api/tables/{quote(place.table)}")))
    return table
