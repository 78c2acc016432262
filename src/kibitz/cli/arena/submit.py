"""``kibitz arena submit``: a file enters a tournament, is tried, and plays if it is fit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, opened
from kibitz.cli.check_player import tell_findings
from kibitz.cli.options import Ascii, Count, GameName
from kibitz.cli.screen import BOLD, Screen
from kibitz.cli.seating import warn_of_no_confinement
from kibitz.cli.tournament import progress_bar
from kibitz.engine.registry import game as find_game


def submit(
    game: GameName,
    file: Annotated[Path, Parameter(help="The player: a file, or a folder or ZIP archive of files.")],
    /,
    *,
    name: Annotated[str, Parameter(help="What the player is called; a new file under it is its next version.")],
    owner: Annotated[str | None, Parameter(help="Whose player it is; the name itself otherwise.")] = None,
    games: Annotated[Count, Parameter(help="How many games it has to play, half of them against itself.")] = 100,
    store: StoreName = None,
    ascii: Ascii = False,
) -> int:
    """Enter a player: published examples, games against itself and against built-in players; status 2 if unfit.

    The next version may come ten minutes after the last one was accepted; a refused file starts no waiting.
    """
    from kibitz.arena.submissions import entry

    name, sources = entry(find_game(game), file, name)
    warn_of_no_confinement()
    with opened(store, create=True) as arena, progress_bar() as progress:
        done = arena.submit(game, file, name, owner=owner, content=sources, games=games, progress=progress)
    screen = Screen(ascii)
    tell_findings(screen, done.report.findings)
    entered = done.submission
    if done.note:
        screen.line(done.note)
    which = f"version {entered.version} of {entered.player} ({entered.file}, SHA-256 {entered.sha256[:12]})"
    if done.accepted:
        screen.line(f"Accepted: {which} plays {entered.tournament} from the next round on.", BOLD)
        return 0
    screen.line(f"Refused: {which} does not play; a better file may come at once.", BOLD)
    return 2
