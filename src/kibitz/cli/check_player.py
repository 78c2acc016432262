"""``kibitz check-player``: what a player file would meet in a tournament, before it enters one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, LimitWords, a_seed
from kibitz.cli.screen import BOLD, DIM, Screen, harmless
from kibitz.cli.seating import warn_of_no_confinement
from kibitz.cli.tournament import progress_bar
from kibitz.engine.registry import game as find_game


def check_player(
    game: GameName,
    file: Annotated[Path, Parameter(help="The player file.")],
    /,
    *,
    games: Annotated[Count, Parameter(help="How many games it has to play.")] = 20,
    seed: Annotated[int, Parameter(validator=a_seed, help="Fixes the games.")] = 0,
    limits: LimitWords = None,
    ascii: Ascii = False,
) -> int:
    """Find out whether a player file is fit to play; the status is 2 if it is not."""
    from kibitz.players.check import check_player as check
    from kibitz.players.limits import STANDARD, limits_from
    from kibitz.players.specs import read_source

    found = find_game(game)
    read_source(file)
    within = limits_from(limits) if limits is not None else STANDARD
    warn_of_no_confinement()
    with progress_bar() as progress:
        report = check(found, file, games, seed, progress, within)
    screen = Screen(ascii)
    for finding in report.findings:
        screen.line(f"{'ok    ' if finding.ok else 'FAILED'}  {finding.sentence}", hang=" " * 8)
        if finding.detail:
            print("\n".join(f"        {line}" for line in harmless(finding.detail).splitlines()))
        if finding.reproduce:
            screen.line("        See it happen:", DIM)
            print(harmless(finding.reproduce))
    ready = f"{file} is fit to play {found.title}." if report.ok else f"{file} is not fit to play {found.title} yet."
    screen.line(ready, BOLD)
    return 0 if report.ok else 2
