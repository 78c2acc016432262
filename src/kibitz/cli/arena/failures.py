"""``kibitz arena failures``: what a player's owner needs to put it right, for one of them or in a file for each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import InTournament, StoreName, opened
from kibitz.cli.files import folder_ready, write
from kibitz.cli.options import Ascii, Count, Force
from kibitz.cli.screen import BOLD, Screen
from kibitz.cli.tournament import progress_bar
from kibitz.engine.sentences import counted
from kibitz.errors import KibitzError, StoreError

if TYPE_CHECKING:
    from kibitz.arena.api import Arena

PLAYER = "A player, by the name under which it was submitted."
ALL = "Of all players, with the roster's: a text file for each in the folder of -o."
FOLDER = "With --all: the folder for the files."


def failures(
    player: Annotated[str | None, Parameter(help=PLAYER)] = None,
    /,
    *,
    all: Annotated[bool, Parameter(help=ALL)] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help=FOLDER)] = None,
    force: Force = False,
    game: InTournament = None,
    newest: Annotated[Count, Parameter(help="So many of the newest, of every tournament.")] = 3,
    store: StoreName = None,
    ascii: Ascii = False,
) -> None:
    """Show the games that a player lost by failures of its own: position, call, answer, rule, and how to see it."""
    if all:
        if player is not None or output is None:
            raise KibitzError("--all writes a file for every player: name the folder with -o, and no player.")
        write_all(output, force, game, newest, store)
        return
    if player is None or output is not None:
        raise KibitzError("name one player, or write a file for each with --all and -o FOLDER.")
    with opened(store) as arena:
        tell_failures(Screen(ascii), arena, player, game, newest)


def tell_failures(screen: Screen, arena: Arena, player: str, game: str | None, newest: int) -> None:
    """Why a player's newest version was refused, and the games that its versions have lost."""
    from kibitz.arena.feedback import entered_in, lost, refusals_told
    from kibitz.players.telling import findings_told

    refused = arena.refusals(player, game)[-newest:]
    if refused and not entered_in(arena, player, game):
        screen.tell(refusals_told(refused))
        return
    every = arena.failures(player, game)
    shown = arena.failures(player, game, newest=newest)
    findings = [arena.failure_report(failure) for failure in shown]
    latest = arena.history(player, game)[-1].submission
    report = arena.qualification(latest.id) if latest.state == "refused" else None
    if report is not None:
        screen.line(f"Version {latest.version} of {player} was refused by {latest.tournament}:", BOLD)
        screen.tell(findings_told([finding for finding in report.findings if not finding.ok]))
    screen.tell(refusals_told(refused))
    if report is not None and not every:
        return
    screen.line(lost(player, len(every), len(shown)), BOLD)
    screen.tell(findings_told(findings))


def write_all(folder: Path, force: bool, game: str | None, newest: int, store: str | None) -> None:
    """Write a file for every player, in one tournament or in all that are no custom ones."""
    from kibitz.arena.feedback import names, page

    folder_ready(folder, force)
    with opened(store) as arena, progress_bar("looked at {} of {} players", "looking") as progress:
        players = names(arena, game)
        if not players:
            raise StoreError("missing", "there is no player yet, nor a roster, so there is nothing to write.")
        pages = {}
        for done, player in enumerate(players, 1):
            pages[player] = page(arena, player, game, newest)
            progress(done, len(players))
    folder.mkdir(parents=True, exist_ok=True)
    for player, text in pages.items():
        write(folder / f"{player}.txt", text, force, rescue=False)
    Screen().line(f"{counted(len(pages), 'file')}, one for each player, are in {folder}.")
