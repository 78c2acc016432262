"""``kibitz check-player``: what a player file would meet in a tournament, before it enters one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, LimitWords, a_seed
from kibitz.cli.screen import BOLD, Screen
from kibitz.cli.seating import warn_of_no_confinement
from kibitz.cli.tournament import progress_bar
from kibitz.engine.registry import game as find_game


def check_player(
    game: GameName,
    file: Annotated[Path, Parameter(help="The player: a file, or a folder or ZIP archive of files.")],
    /,
    *,
    games: Annotated[Count, Parameter(help="How many games it has to play.")] = 20,
    seed: Annotated[int, Parameter(converter=a_seed, help="Fixes the games.")] = 0,
    against: Annotated[str, Parameter(help="The built-in players it meets, with commas between; all otherwise.")] = "",
    only: Annotated[Count | None, Parameter(help="Play this one of the games alone, counted from 1.")] = None,
    limits: LimitWords = None,
    ascii: Ascii = False,
) -> int:
    """Find out whether a player file is fit to play; the status is 2 if it is not."""
    from kibitz.players.check import check_player as check
    from kibitz.players.limits import STANDARD, limits_from
    from kibitz.players.rehearsal import Plan
    from kibitz.players.specs import files_of
    from kibitz.players.telling import findings_told

    found = find_game(game)
    files_of(found, file)
    references = tuple(word.strip() for word in against.split(",")) if against else ()
    within = limits_from(limits) if limits is not None else STANDARD
    warn_of_no_confinement()
    with progress_bar() as progress:
        report = check(found, file, Plan(games, seed, references, only), progress, within, own=True)
    screen = Screen(ascii)
    screen.tell(findings_told(report.findings))
    ready = f"{file} is fit to play {found.title}." if report.ok else f"{file} is not fit to play {found.title} yet."
    screen.line(ready, BOLD)
    return 0 if report.ok else 2
