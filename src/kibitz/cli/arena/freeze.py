"""``kibitz arena freeze``: no more submissions."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, TournamentName, opened
from kibitz.cli.arena.seeds import tell_head
from kibitz.cli.screen import Screen
from kibitz.engine.sentences import counted


def freeze(
    tournament: TournamentName,
    /,
    *,
    undo: Annotated[bool, Parameter(help="Take submissions again, as long as the final has not begun.")] = False,
    store: StoreName = None,
) -> None:
    """Take no more submissions; the latest accepted version of every player is the one that counts."""
    with opened(store) as arena:
        found = arena.thaw(tournament) if undo else arena.freeze(tournament)
        players = arena.store.entrants(found.name)
        log = arena.log(tournament)
    screen = Screen()
    if undo:
        screen.line(f"{found.name} takes submissions again.")
    else:
        names = ", ".join(one.player for one in players)
        screen.line(f"{found.name} is frozen with {counted(len(players), 'player')}: {names or 'none'}.")
    tell_head(screen, found.name, log)
