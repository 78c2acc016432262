"""Whether the application opens, or line mode; and the ways into it from the words of a command.

The application needs a terminal on which a cursor can be moved, and a person who has not asked for line mode: by
``--plain`` once, or by the variable ``KIBITZ_LINES`` for good.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.files import write
from kibitz.cli.screen import encodable, put
from kibitz.cli.seating import find_players
from kibitz.engine.record import Record, text

if TYPE_CHECKING:
    from kibitz.tui.app import Route
    from kibitz.tui.driver import Find, Store

LINES = "KIBITZ_LINES"
"""Set by who wants line mode on every terminal, with its colours."""


def fits(plain: bool) -> bool:
    """Whether a person is at a terminal that can be drawn on, and wants that; Windows' own need no ``TERM``."""
    watched = sys.stdin.isatty() and sys.stdout.isatty()
    lines = plain or os.environ.get(LINES, "0") not in ("", "0")
    nameless = "windows" if sys.platform == "win32" else "dumb"
    return watched and not lines and os.environ.get("TERM", nameless) != "dumb"


def opened(route: Route, ascii: bool = False) -> None:
    """Open the application on its way, and say what is to be said once it is closed."""
    from kibitz.tui.app import run_application

    if said := run_application(route, ascii=ascii or not encodable("♠╭")):
        put(said)


def finding(trusted: bool) -> Find:
    """Finds players, with a warning where one's own files among them will not be confined."""
    return lambda game, words, own: find_players(game, words, trusted, warning=own, own=own)


def storing(output: Path | None, force: bool) -> Store:
    """Writes a record where the command says."""

    def store(record: Record) -> Path | None:
        if output is not None:
            write(output, text(record), force, rescue=False)
        return output

    return store
