"""Games as tables: ``kibitz simulate`` and ``tabulate`` write them, and ``kibitz stats`` prints statistics of them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.files import check_folder_writable, check_writable, write, write_files
from kibitz.cli.matches import legend
from kibitz.cli.player_lookup import find_players, warn_of_stand_ins
from kibitz.cli.screen import BOLD, DIM, Screen, print_json, print_text, progress_bar, warn
from kibitz.engine.registry import command_name
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import as_sentence, counted
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.data.statistics import GameStatistics


MAX_GAMES = 1_000_000_000


def simulate(
    game: options.GameName,
    /,
    *players: Annotated[
        str,
        Parameter(
            help="Built-in players, such as random or greedy, files (.py, .ipynb, or .npz for a trained"
            " network), or folders or ZIP archives of one player. At least one."
        ),
    ],
    games: Annotated[int, Parameter(converter=options.whole_number(1, MAX_GAMES), help="Number of games.")],
    output: Annotated[
        Path,
        Parameter(
            name=["--output", "-o"],
            help="The file to write: .csv, .jsonl or .parquet for a table of results; .zip or a folder for records.",
        ),
    ],
    records: Annotated[bool, Parameter(help="Write records, not results, to a .jsonl or .parquet file.")] = False,
    seed: options.Seed = None,
    workers: options.Workers = None,
    force: options.Force = False,
    limits: options.LimitsText = None,
    on: options.ExecutorName = None,
    quiet: options.Quiet = False,
) -> int:
    """Play many games, and save either a table of results (one row per seat and game) or the records.

    Every deal is played in all seat rotations. If you stop the command, the games played so far are kept beside the
    output file, in PATH.part. The same command then resumes, and --games may be higher.
    """
    found_game = find_game(game)
    if not players:
        raise KibitzError("name at least one player, such as greedy or random.")

    from kibitz.arena.signals import interrupted_by_signals
    from kibitz.data.simulation import run_plan

    specs = find_players(found_game, players, False, limits, own_files=False)
    warn_of_stand_ins(found_game, players)
    result = None
    try:
        with interrupted_by_signals():
            result = run_plan(
                found_game,
                specs,
                games,
                output,
                seed,
                workers,
                records=records,
                force=force,
                playing=partial(progress_bar, quiet=quiet),
                writing=partial(progress_bar, "", "writing", quiet=quiet),
                keep_on_interrupt=True,
                on=on,
                log=warn,
            )
    except OSError:  # the terminal that showed the progress bar has closed
        if result is None:
            raise
    screen = Screen()
    if result.complete:
        screen.line(f"{result.games} games of {found_game.name} are in {output}.")
        screen.line(f"Seed {result.seed}.", DIM, indent="")
        return 0
    screen.line(f"Stopped after {result.games} of {games} games; they are kept in {result.path}.", BOLD)
    screen.line("To resume:")
    words = [command_name(game), *players, "--games", f"{games}", "--seed", f"{result.seed}", "-o", f"{output}"]
    words += ["--records"] * records + ["--force"] * force + (["--limits", limits] if limits else [])
    words += ["--on", on] if on else []
    print_text(f"kibitz simulate {shlex.join(words)}")
    if result.games:
        screen.line(f"To write only the games played so far, use --games {result.games}.")
    return 130


# ---------------------------------------------------------------- tabulate


def tabulate(
    *files: Annotated[Path, Parameter(help="Records, archives of them, or folders with either.")],
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The table to write: .csv, .jsonl or .parquet.")],
    game: options.OnlyGame = None,
    player: options.OnlyPlayers = None,
    seat: options.OnlySeat = None,
    outcome: options.OnlyOutcome = None,
    since: options.Since = None,
    until: options.Until = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Turn records into a table of results, one row per seat of every game.

    Each record is verified first. Files that can't be read are named and left out; the exit status is then 2.
    """
    if not files:
        raise KibitzError("name at least one record, archive or folder.")

    from kibitz.data import tabulation

    with progress_bar("read {} of {} bytes", "reading", quiet=quiet) as progress:
        result = tabulation.tabulate(
            files,
            output,
            game=game,
            player=player,
            seat=seat,
            outcome=outcome,
            since=since,
            until=until,
            force=force,
            progress=progress,
        )
    if not (result.games or result.problems or result.unfinished):
        check_filters_match(files, game, player, seat)
    written = f"{counted(result.games, 'game')} {'is' if result.games == 1 else 'are'} in {output}."
    Screen().line(written if result.games else f"No games found; {output} is not written.")
    warn_of_unreadable(result.problems, result.unfinished)
    return 2 if result.problems else 0


# ---------------------------------------------------------------- stats

MAX_ROWS = 20
"""The maximum number of rows printed for each table, and of warnings about unreadable files; --csv writes all rows."""


def stats(
    *files: Annotated[Path, Parameter(help="Tables of results, records, archives, or folders of these.")],
    game: options.OnlyGame = None,
    player: options.OnlyPlayers = None,
    seat: options.OnlySeat = None,
    outcome: options.OnlyOutcome = None,
    since: options.Since = None,
    until: options.Until = None,
    csv: Annotated[Path | None, Parameter(help="Write every figure to this CSV file.")] = None,
    plots: Annotated[Path | None, Parameter(help="Write plots, their tables and a page into this folder.")] = None,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Show win shares, scores, seats, game lengths and pairings, with 95 % intervals.

    Games of one deal are correlated, so intervals count them as one observation. Files that can't be read are named
    and left out; the exit status is then 2.
    """
    if not files:
        raise KibitzError("name at least one table of results, record or folder.")
    check_writable(csv, force)
    if plots is not None:
        check_folder_writable(plots, force)

    from kibitz.arena.csv_files import as_text
    from kibitz.data.collections import make_filter
    from kibitz.data.reports import sheet
    from kibitz.data.statistics import ResultSet

    row_filter = make_filter(game, player, seat, outcome, since, until)
    with progress_bar("read {} of {} bytes", "reading", quiet=quiet) as progress:
        study = ResultSet(files, row_filter, progress)
    screen = Screen()
    with screen.waiting("Computing ..."):
        result = study.statistics()
    if not (result.games or result.problems or result.unfinished):
        check_filters_match(files, game, player, seat)
    if csv is not None:
        write(csv, as_text(sheet(result.games)), force)
    if plots is not None:
        write_plots(plots, result.games, force)
    if json:
        print_json(result)
    else:
        report(screen, result.games, plots)
    warn_of_unreadable(result.problems, result.unfinished)
    return 2 if result.problems else 0


def report(screen: Screen, games: Sequence[GameStatistics], plots: Path | None) -> None:
    """Print the tables of every game."""
    from kibitz.data.reports import tables

    shown: list[tuple[str, ...]] = []
    if not games:
        screen.line("No games found.", BOLD)
    for number, game in enumerate(games):
        if number:
            screen.line()
        screen.line(f"{game.title}: {counted(game.games, 'game')}, {counted(game.deals, 'deal')}", BOLD)
        for table in tables(game):
            screen.line()
            screen.line(table.title, BOLD)
            screen.table([table.columns, *table.rows[:MAX_ROWS]], table.names)
            shown += table.rows[:MAX_ROWS]
            if len(table.rows) > MAX_ROWS:
                screen.line(f"... and {len(table.rows) - MAX_ROWS} more; --csv writes all.")
    if games:
        screen.line()
        screen.line(f"{legend(shown)}; quartiles are shown with the minimum and maximum.", DIM, indent="")
    if plots is not None and games:
        screen.line(f"The plots with their tables are in {plots / 'index.html'}.")


def check_filters_match(
    files: Sequence[Path], game: str | None, players: Sequence[str] | None, seat: int | None
) -> None:
    """Raise KibitzError if no game in the files has this name, these players and this seat."""
    from kibitz.data.collections import make_filter
    from kibitz.data.statistics import ResultSet

    given = [("--game", game), *(("--player", player) for player in players or ()), ("--seat", seat)]
    filters = " ".join(f"{option} {value}" for option, value in given if value is not None)
    if filters and not len(ResultSet(files, make_filter(game, players, seat)).rows()):
        raise KibitzError(f"the files have no game with {filters}: leave it out to see what they have.")


def warn_of_unreadable(problems: Sequence[str], unfinished: int) -> None:
    """Report files that can't be read, and how many games are unfinished, on standard error."""
    for sentence in problems[:MAX_ROWS]:
        warn(f"kibitz: {as_sentence(sentence)}")
    if len(problems) > MAX_ROWS:
        warn(f"kibitz: ... and {len(problems) - MAX_ROWS} more can't be read.")
    if unfinished:
        warn(f"{counted(unfinished, 'game')} left out: not finished yet.")


def write_plots(folder: Path, games: Sequence[GameStatistics], force: bool) -> None:
    """Write every plot with its table, and a page that shows them all."""
    from kibitz.arena.csv_files import as_text
    from kibitz.data.reports import plots
    from kibitz.plots import page

    drawn_plots = plots(games)
    texts = {f"{plot.name}.svg": plot.svg for plot in drawn_plots}
    texts |= {f"{plot.name}.csv": as_text([plot.columns, *plot.rows]) for plot in drawn_plots}
    remark = "Lines and ± are 95 % intervals. Games of one deal are correlated, so they count as one observation."
    write_files(folder, texts | {"index.html": page("Statistics", drawn_plots, [remark])}, force)
