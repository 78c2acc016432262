"""``kibitz resume``: go on with a game that was left, however it was left."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.again import after, play_games
from kibitz.cli.files import ready
from kibitz.cli.full_screen import finding, fits, opened, storing
from kibitz.cli.options import Ascii, Force, Output, Plain, Trusted
from kibitz.cli.refusals import finished
from kibitz.cli.saved_table import close, left_politely, sit_down
from kibitz.cli.screen import BOLD, Screen, picked
from kibitz.engine.record import Record
from kibitz.errors import KibitzError
from kibitz.players.going_on import take_up
from kibitz.players.setup import Chair, SetUp
from kibitz.table import Table
from kibitz.table.saved import saved_games, told


def resume(
    file: Annotated[
        Path | None, Parameter(help="A saved game; without one the latest, or a menu if there are several.")
    ] = None,
    /,
    *,
    plain: Plain = False,
    ascii: Ascii = False,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
) -> int | None:
    """Go on with a game that 'kibitz play' has saved after every action.

    The cards to come are those that were to come. Whoever sat at the keyboard sits there again, and computer players go
    on where they were. A game that is over is removed from the saved ones once you have seen its result.
    """
    if fits(plain):
        ready(output, force)
        from kibitz.tui.app import go_on_with

        paths = [file] if file is not None else saved_or_refused()
        opened(go_on_with(paths, finding(trusted), storing(output, force)), ascii)
        return None
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    screen = Screen(ascii, plain)
    ready(output, force)
    with left_politely(screen) as leaving:
        left = take_up(file if file is not None else pick(screen))
        saved, chairs = left.saved, left.chairs
        try:
            if isinstance(left.record, Record):
                close(screen, left.record, output, force)
                saved.drop()
                return None
            table, leaving.kept = Table.resume(left.record), True
            played = sit_down(
                screen, table, chairs, leaving, trusted=trusted, output=output, force=force, saved=saved, own=left.own
            )
        finally:
            saved.close()
        done = SetUp(table.game, tuple(map(Chair, played.seats, chairs)))
        if (following := after(screen, done, played)) is not None:
            play_games(screen, following, leaving, None, trusted=trusted, force=force)
    return leaving.status


def saved_or_refused() -> list[Path]:
    """The saved games; KibitzError if there is none."""
    found = saved_games()
    if not found:
        raise KibitzError("there is no saved game: 'kibitz play' begins one, and saves it after every action.")
    return found


def pick(screen: Screen) -> Path:
    """The game to go on with: the only one, or the one that the person picks."""
    found = saved_or_refused()
    if len(found) == 1:
        return found[0]
    screen.line("Which game?", BOLD)
    for number, path in enumerate(found, 1):
        screen.line(f"{number:>2}) {told(path)}", hang="    ")
    while True:
        typed = screen.ask() or "1"
        if number := picked(typed, len(found)):
            return found[number - 1]
        screen.line(finished(f"Type a number from 1 to {len(found)}, or press Enter for the latest"))
