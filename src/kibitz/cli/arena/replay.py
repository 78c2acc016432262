"""``kibitz arena replay``: a match of the store, played again and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, opened
from kibitz.cli.files import ready, write
from kibitz.cli.match import tell_players_words
from kibitz.cli.options import Ascii, Force
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.cli.show import tell_story
from kibitz.engine import record
from kibitz.engine.events import SPECTATOR
from kibitz.table.outcomes import result


def replay(
    match: Annotated[str, Parameter(help="A match, such as go/17: its tournament and number.")],
    /,
    *,
    store: StoreName = None,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Write the record of the store here.")
    ] = None,
    force: Force = False,
    quiet: Annotated[bool, Parameter(name=["--quiet", "-q"], help="Say only whether it is the same.")] = False,
    ascii: Ascii = False,
) -> int:
    """Play a match again from its files and its deal, tell it, and say whether it is the same; status 2 if not."""
    ready(output, force)
    with opened(store) as arena:
        played = arena.replay(match)
    screen = Screen(ascii)
    if not quiet:
        again = record.parse(played.again)
        screen.line(f"Seats: {', '.join(f'{seat} {name}' for seat, name in enumerate(again.seats))}")
        screen.line(f"Seed: {again.seed}", DIM, hang="")
        screen.line()
        heard = tell_story(screen, again, SPECTATOR)
        screen.line()
        screen.line(result(again, heard=heard), BOLD)
        tell_players_words(screen, again.seats, played.prints, played.details)
        screen.line()
    if output is not None:
        write(output, played.then, force)
        screen.line(f"The record in the store is saved in {output}.")
    if played.identical:
        screen.line(f"Match {played.match} is the same again: {len(played.then.splitlines())} lines of record.", BOLD)
        return 0
    screen.line(f"Match {played.match} is not the same again: {played.difference}", BOLD)
    return 2
