"""The players of a tournament: ``kibitz arena submit``, ``withdraw``, ``history`` and ``failures``."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.files import check_folder_writable, write_files
from kibitz.cli.player_lookup import read_players, report_entries, warn_unconfined
from kibitz.cli.screen import BOLD, Screen, progress_bar, warn
from kibitz.engine.columns import cell_len, padded
from kibitz.engine.sentences import counted
from kibitz.errors import KibitzError, StoreError

if TYPE_CHECKING:
    from kibitz.arena.api import Arena
    from kibitz.arena.entry.class_submission import ClassResult, PlayerOutcome
    from kibitz.players.files.entries import Entries


FILE_HELP = "With --name, one player's file, folder or ZIP archive; without --name, the folder or archive of a class."
NAME_HELP = "The player's name; another file under the same name is the player's next version."
OWNER_HELP = "The player's owner. Default: the owner on the roster, or else the player's name."
OUTCOME_WIDTH = 12
"""The width of the column with the outcome of each submission."""


def submit(
    game: options.GameOrTournament,
    file: Annotated[Path, Parameter(help=FILE_HELP)],
    /,
    *,
    name: Annotated[str | None, Parameter(help=NAME_HELP)] = None,
    owner: Annotated[str | None, Parameter(help=OWNER_HELP)] = None,
    games: Annotated[
        options.Count, Parameter(help="Number of games in the check; in half of them, the player plays against itself.")
    ] = 100,
    workers: options.Workers = None,
    overrides: options.PlayerChoices = None,
    store: options.StoreName = None,
    quiet: options.Quiet = False,
    ascii: options.Ascii = False,
) -> int:
    """Check a player, or the players of a class, and enter those that pass.

    The check runs the published examples and plays games: the player against itself and against the built-in players.
    The exit status is 2 if a player is not accepted. Wait ten minutes after an accepted version before you submit the
    next. An owner named by the roster or --owner must wait ten minutes after every file, even a refused one, for any of
    the owner's players. For a class, only new files are checked, on all cores. If you stop the command, run it again to
    continue.
    """
    from kibitz.players.findings import finding_lines

    if name is None:
        return submit_class(game, file, owner, games, workers, overrides, store, quiet=quiet)
    if overrides is not None:
        raise KibitzError("--overrides is for a class: with --name, name the player's file itself.")
    from kibitz.arena.entry.submissions import normal_form

    try:
        name, sources = normal_form(options.find_game_or_tournament(game, store), file, name)
    except KibitzError as error:
        if os.path.exists(file):
            with suppress(StoreError), options.open_arena(store) as arena:
                arena.keep_refusal(game, name, owner, file, error)
        raise
    warn_unconfined()
    with options.open_arena(store, create=True) as arena, progress_bar(quiet=quiet) as progress:
        result = arena.submit(game, file, name, owner=owner, content=sources, games=games, progress=progress)
    screen = Screen(ascii)
    screen.print_report(finding_lines(result.report.findings))
    submission = result.submission
    if result.note:
        screen.line(result.note)
    version = (
        f"version {submission.version} of {submission.player} ({submission.file}, SHA-256 {submission.sha256[:12]})"
    )
    if result.accepted:
        screen.line(
            f"Accepted: {version} will play in tournament {submission.tournament} from the next round on.", BOLD
        )
        return 0
    wait_text = "in ten minutes" if submission.owner != submission.player else "at once"
    screen.line(f"Refused: {version} does not play; you can submit a new file {wait_text}.", BOLD)
    return 2


def submit_class(
    game: str,
    folder: Path,
    owner: str | None,
    games: int,
    workers: int | None,
    overrides: Path | None,
    store: str | None,
    *,
    quiet: bool,
) -> int:
    """Enter all players in a folder or an archive; returns the exit status, 0 if all of them play."""
    if owner is not None:
        raise KibitzError("--owner needs --name; a class's owners are in its roster.")
    submitted = players_of_class(game, folder, overrides, store)
    report_entries(str(folder), submitted, unreadable_players=False)
    warn_unconfined()
    bar = progress_bar("checked {} of {} submissions", "checking", quiet=quiet)
    with options.open_arena(store, create=True) as arena, bar as progress:
        result = arena.submit_all(game, submitted.entries, games=games, workers=workers, progress=progress)
    print_class(Screen(), result, len(submitted.entries), f"{folder}/")
    return 130 if not result.complete else 0 if result.all_play else 2


def players_of_class(game: str, folder: Path, overrides: Path | None, store: str | None) -> Entries:
    """The players in a folder or an archive. Raises KibitzError if it holds only one player."""
    from kibitz.players.files.archives import is_archive, is_code
    from kibitz.players.function_player import main_functions

    functions = main_functions(options.find_game_or_tournament(game, store))
    if not is_code(str(folder)) and not os.path.exists(folder):
        raise KibitzError(f"{folder} cannot be read: no such file or folder.")
    if not (os.path.isdir(folder) or is_archive(str(folder))):
        raise KibitzError(f"{folder} is not a folder or archive of players: give one player a --name.")
    [(_, submitted)] = read_players([folder], functions, overrides)
    if submitted.layout == "player":
        raise KibitzError(f"{folder} is one player, not a class: give it a --name.")
    return submitted


def print_class(screen: Screen, result: ClassResult, count: int, prefix: str) -> None:
    """Print a line for every player, and how many play."""
    players = [*(outcome.player for outcome in result.outcomes), *(outcome.player for outcome in result.absent)]
    width = max(map(cell_len, players), default=0)
    for outcome in result.outcomes:
        screen.line(outcome_line(outcome, width, prefix), indent=" " * (OUTCOME_WIDTH + width + 2))
    for missing in result.absent:
        screen.line(
            f"{'no file':<{OUTCOME_WIDTH}}{padded(missing.player, width)}  on the roster, owner {missing.owner}"
        )
    playing = [outcome for outcome in result.outcomes if outcome.plays]
    new = sum(outcome.state == "accepted" for outcome in playing)
    screen.line(
        f"{len(playing)} of {counted(count, 'submission')} play {result.tournament.name}, {new} of them new.", BOLD
    )
    if not result.complete:
        warn("Stopped; the same command enters the rest.")
    elif not result.all_play:
        screen.line("'kibitz arena failures --all -o FOLDER' writes a feedback file for every player.")


def outcome_line(outcome: PlayerOutcome, width: int, prefix: str) -> str:
    """One player's line: its outcome, and why."""
    version = f"version {outcome.version}" if outcome.version else outcome.path.removeprefix(prefix)
    why = f": {outcome.reason}" if outcome.reason else ""
    return f"{outcome.label:<{OUTCOME_WIDTH}}{padded(outcome.player, width)}  {version}{why}"


# ---------------------------------------------------------------- arena withdraw


def withdraw(
    player: options.PlayerName, /, *, tournament: options.OnlyTournament = None, store: options.StoreName = None
) -> None:
    """Take a player out of one tournament, or of all running ones, from the next round on.

    Its past games stay in the rankings. A new submission under its name brings it back.
    """
    with options.open_arena(store) as arena:
        withdrawals = arena.withdraw(player, tournament)
    screen = Screen()
    for outcome in withdrawals:
        screen.line(
            f"{player} (version {outcome.version}) is withdrawn from {outcome.tournament} and plays no more rounds."
        )


# ---------------------------------------------------------------- arena history


def history(
    player: options.PlayerName, /, *, tournament: options.OnlyTournament = None, store: options.StoreName = None
) -> None:
    """Show every version of a player: when it was submitted, whether it was accepted, and its results."""
    from kibitz.arena.player_reports import version_lines

    with options.open_arena(store) as arena:
        versions = arena.history(player, tournament)
    Screen().print_report(version_lines(player, versions))


# ---------------------------------------------------------------- arena failures

ALL_HELP = "Write a text file for every player, and for everybody on the roster, into the folder of --output."


def failures(
    player: options.PlayerName | None = None,
    /,
    *,
    all: Annotated[bool, Parameter(help=ALL_HELP)] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="With --all, the folder.")] = None,
    force: options.Force = False,
    tournament: options.OnlyTournament = None,
    newest: Annotated[options.Count, Parameter(help="Show only the newest games: this number per tournament.")] = 3,
    store: options.StoreName = None,
    quiet: options.Quiet = False,
    ascii: options.Ascii = False,
) -> None:
    """Show the games that a player forfeited: position, call, answer, broken rule, and how to repeat the failure."""
    if all:
        if player is not None or output is None:
            raise KibitzError("--all covers every player: give a folder with -o, and no player.")
        write_all_failures(output, force, tournament, newest, store, quiet=quiet)
        return
    if player is None or output is not None:
        raise KibitzError("name one player, or use --all and -o FOLDER to write a file for each player.")
    with options.open_arena(store) as arena:
        print_failures(Screen(ascii), arena, player, tournament, newest)


def print_failures(screen: Screen, arena: Arena, player: str, tournament: str | None, newest: int) -> None:
    """Print why a player's newest version was refused, if it was, and the games that its versions forfeited."""
    from kibitz.arena.player_reports import entered_in, forfeits_line, refusal_lines
    from kibitz.players.findings import finding_lines

    refusals = arena.refusals(player, tournament)[-newest:]
    if refusals and not entered_in(arena, player, tournament):
        screen.print_report(refusal_lines(refusals))
        return
    all_failures = arena.failures(player, tournament)
    newest_failures = arena.failures(player, tournament, newest=newest)
    findings = [arena.failure_report(failure) for failure in newest_failures]
    latest = arena.history(player, tournament)[-1].submission
    report = arena.qualification(latest.id) if latest.state == "refused" else None
    if report is not None:
        screen.line(f"Version {latest.version} of {player} was refused by {latest.tournament}:", BOLD)
        screen.print_report(finding_lines([finding for finding in report.findings if not finding.ok]))
    screen.print_report(refusal_lines(refusals))
    if report is not None and not all_failures:
        return
    screen.line(forfeits_line(player, len(all_failures), len(newest_failures)), BOLD)
    screen.print_report(finding_lines(findings))


def write_all_failures(
    folder: Path, force: bool, tournament: str | None, newest: int, store: str | None, *, quiet: bool
) -> None:
    """Write a file for every player, in one tournament or in all except custom ones."""
    from kibitz.arena.player_reports import player_names, report

    check_folder_writable(folder, force)
    bar = progress_bar("wrote {} of {} files", "writing", quiet=quiet)
    with options.open_arena(store) as arena, bar as progress:
        players = player_names(arena, tournament)
        if not players:
            raise StoreError("missing", "no players and no roster yet, so nothing to write.")
        pages = {}
        for done, player in enumerate(players, 1):
            pages[f"{player}.txt"] = report(arena, player, tournament, newest)
            progress(done, len(players))
    write_files(folder, pages, force)
    Screen().line(f"{counted(len(pages), 'file')}, one for each player, in {folder}.")
