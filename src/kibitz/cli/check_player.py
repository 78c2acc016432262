"""``kibitz check-player``: what a player file would meet in a tournament, before it enters one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, LimitWords, a_seed
from kibitz.cli.screen import BOLD, DIM, Screen, harmless
from kibitz.cli.seating import warn_of_no_confinement
from kibitz.cli.tournament import progress_bar
from kibitz.engine.registry import game as find_game

if TYPE_CHECKING:
    from kibitz.players.findings import Finding

INDENT = " " * 8


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

    found = find_game(game)
    files_of(found, file)
    references = tuple(word.strip() for word in against.split(",")) if against else ()
    within = limits_from(limits) if limits is not None else STANDARD
    warn_of_no_confinement()
    with progress_bar() as progress:
        report = check(found, file, Plan(games, seed, references, only), progress, within)
    screen = Screen(ascii)
    tell_findings(screen, report.findings)
    ready = f"{file} is fit to play {found.title}." if report.ok else f"{file} is not fit to play {found.title} yet."
    screen.line(ready, BOLD)
    return 0 if report.ok else 2


def tell_findings(screen: Screen, findings: tuple[Finding, ...]) -> None:
    """Everything that was looked at; what failed with the position, the call and the commands that show it."""
    for finding in findings:
        word = "warning" if finding.warning else "ok" if finding.ok else "FAILED"
        screen.line(f"{word:<{len(INDENT)}}{finding.sentence}", hang=INDENT)
        if finding.position:
            screen.line(f"{INDENT}What it saw:", DIM)
            for line in finding.position.splitlines():
                screen.line(INDENT + line, hang=INDENT)
        if finding.detail:
            heads = {"prints": "By call:"}
            head = heads.get(finding.kind, "What it was asked:" if finding.position else "What happened:")
            screen.line(INDENT + head, DIM)
            screen.as_it_is("\n".join(INDENT + line for line in harmless(finding.detail).splitlines()))
        for words, command in (("See it happen:", finding.reproduce), ("The call alone:", finding.alone)):
            if command:
                screen.line(INDENT + words, DIM)
                screen.as_it_is(command)
