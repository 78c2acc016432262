"""Games between players: ``kibitz match``, ``kibitz tournament`` and ``kibitz ladder``."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.files import check_writable, write
from kibitz.cli.player_lookup import find_all_players, find_players, table_names, warn_of_stand_ins
from kibitz.cli.screen import BOLD, DIM, Screen, print_json, print_text, progress_bar, warn
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import fresh_seed
from kibitz.engine.record import commitment, text
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import mean_text, share_text
from kibitz.engine.views.events import SPECTATOR, Notice, to_seat
from kibitz.errors import KibitzError
from kibitz.table import Match, play_match
from kibitz.table.outcomes import event_sentences, forfeit_sentence, result_text

if TYPE_CHECKING:
    from kibitz.arena.running.tournament import PlayedTournament, Standing


def match(
    game: options.GameName,
    /,
    *players: Annotated[
        str,
        Parameter(
            help="One player for each seat: a built-in player, such as random or greedy, a file (.py, .ipynb, or .npz"
            " for a trained network), a folder or a ZIP archive."
        ),
    ],
    seed: options.Seed = None,
    output: options.Output = None,
    force: options.Force = False,
    trusted: options.Trusted = False,
    limits: options.LimitsText = None,
    quiet: options.Quiet = False,
    ascii: options.Ascii = False,
) -> int:
    """Play one game between players: show what happens, who won, who forfeited and what the players printed.

    The exit status is 1 if a player forfeits.
    """
    found_game = find_game(game)
    if len(players) != found_game.seats:
        seats, count = found_game.seats, len(players)
        low, high = found_game.option_ranges.get("players", (0, -1))
        fewer = f", or play {found_game.name}:players={count}" if low <= count <= high else ""
        raise KibitzError(
            f"{found_game.title} ({found_game.name}) has {seats} seats: name {seats} players, not {count}{fewer}."
        )
    check_writable(output, force)
    specs = find_players(found_game, players, trusted, limits)
    warn_of_stand_ins(found_game, players)
    names = table_names(specs)
    seated_players = [spec.make() for spec in specs]
    for player, name in zip(seated_players, names, strict=True):
        player.name = name
    screen = Screen(ascii)
    seed = fresh_seed() if seed is None else seed

    last_sentence = ""

    def print_notices(notices: list[Notice]) -> None:
        nonlocal last_sentence
        for _, last_sentence in event_sentences(found_game, to_seat(notices, SPECTATOR), SPECTATOR, names):
            screen.line(last_sentence)

    def print_forfeit(forfeit: Forfeit) -> None:
        screen.line(forfeit_sentence(forfeit, names), BOLD)

    if not quiet:
        screen.line(f"SHA-256 of the seed: {commitment(seed)}", DIM, indent="")
    with screen.waiting("The game is being played ...") if quiet else nullcontext():
        result = play_match(found_game, seated_players, seed, *(() if quiet else (print_notices, print_forfeit)))
    report_match(screen, result, last_sentence)
    if output is not None:
        write(output, text(result.record), force)
        screen.line(f"The record is saved in {output}.")
    return int(bool(result.record.forfeits))


def report_match(screen: Screen, result: Match, last_sentence: str = "") -> None:
    """Print the seed, the result, the forfeits and what the players printed.

    The result leaves out scores that are already in ``last_sentence``, the last sentence shown.
    """
    record = result.record
    screen.line(f"Seed: {record.seed}", DIM, indent="")
    screen.line(result_text(record, preceding=last_sentence), BOLD)
    for forfeit in record.forfeits:
        screen.line(f"Forfeit: {record.seats[forfeit.seat]}, {forfeit.kind}: {forfeit.sentence}")
    print_player_output(screen, record.seats, result.prints, result.details)


def print_player_output(
    screen: Screen, names: Sequence[str], all_prints: Sequence[str], details: Sequence[str]
) -> None:
    """Print what the players printed, and the details of failures for their owners."""
    for name, prints, detail in zip(names, all_prints, details, strict=True):
        for verb, output in (("printed", prints), ("failed with", detail)):
            if output.strip():
                screen.line()
                screen.line(f"{name} {verb}:", BOLD)
                print_text(output.rstrip())


# ---------------------------------------------------------------- tournament

NO_VALUE = "–"
Csv = Annotated[
    Path | None, Parameter(help="Write one row per seat and game to this CSV file, with the reason for each forfeit.")
]
Deals = Annotated[
    options.Count | None,
    Parameter(
        help="Number of deals that each player plays, every deal in all seat rotations. Default, without"
        " --margin: 25, which gives intervals of about ± 10 percentage points."
    ),
]
Margin = Annotated[
    float | None,
    Parameter(
        converter=options.read_margin,
        help="Stop when every 95 % interval is within ± this margin. Unit: percentage points of the win share or, in"
        " games ranked by score, points of the mean score. --deals, if given, is then the maximum.",
    ),
]
StoreOption = Annotated[
    str | None,
    Parameter(help="Keep the tournament in this file or PostgreSQL URL, so that it can be resumed."),
]
Ranking = Annotated[
    Path | None, Parameter(help="Write the ranking to this CSV file, with the reasons for all forfeits.")
]
Players = Annotated[
    str,
    Parameter(
        help="Built-in players, such as random or greedy, files (.py, .ipynb, or .npz for a trained"
        " network), or folders or ZIP archives of players. At least one."
    ),
]


def tournament(
    game: options.GameName,
    /,
    *players: Players,
    deals: Deals = None,
    margin: Margin = None,
    forfeits: options.ForfeitLimit = 5,
    forfeit_share: options.ForfeitShare = 0.02,
    seed: options.Seed = None,
    workers: options.Workers = None,
    json: options.Json = False,
    csv: Csv = None,
    ranking: Ranking = None,
    force: options.Force = False,
    trusted: options.Trusted = False,
    limits: options.LimitsText = None,
    overrides: options.PlayerChoices = None,
    store: StoreOption = None,
    on: options.ExecutorName = None,
    quiet: options.Quiet = False,
) -> int:
    """Play many games between players over the same deals, and rank them.

    A player that forfeits too often is excluded after the current round of deals: it gets no rank, but its games still
    count for its opponents. A built-in player fills empty seats. With --store you can stop and resume with the same
    command, and study the games with 'kibitz arena replay', 'kibitz arena failures' and others, with the same --store.
    """
    found_game = find_game(game)
    for path in (csv, ranking):
        check_writable(path, force)
    specs, unreadable = find_all_players(found_game, players, trusted, limits, overrides)
    warn_of_stand_ins(found_game, players)

    from kibitz.arena.model import Threshold
    from kibitz.arena.running.tournament import run

    max_margin = None if margin is None else margin / (1 if found_game.by_score else 100)
    threshold = Threshold(forfeits, forfeit_share)
    result = None
    try:
        with progress_bar(quiet=quiet) as progress:
            result = run(
                found_game,
                specs,
                deals,
                seed,
                workers,
                progress,
                max_margin=max_margin,
                threshold=threshold,
                absent=unreadable,
                in_process=trusted,
                where=store,
                on=on,
                note=warn,
            )
    except OSError:  # the terminal that showed the progress bar has closed
        if result is None:
            raise
    for path, as_csv in ((csv, result.to_csv), (ranking, result.ranking_csv)):
        if path is not None:
            write(path, as_csv(), force)
    if json:
        print_text(result.to_json())
    else:
        report_tournament(Screen(), result, store)
    return 0 if result.complete else 130


def report_tournament(screen: Screen, result: PlayedTournament, store: str | None = None) -> None:
    """Print the ranking and why seats forfeited."""
    headings = ("#", "player", "games", "wins", "win share", "mean score", "forfeits")
    rows = [standing_cells(standing) for standing in result.standings]
    screen.table([headings, *rows])
    screen.line()
    screen.line(f"Seed {result.seed}; {legend(rows)}.", DIM, indent="")
    for note in note_lines(result):
        screen.line(note)
    if result.machine_error:
        screen.line(result.machine_error, BOLD)
    if not result.complete:
        screen.line("Stopped early: the ranking covers the complete deals.", BOLD)
        if store is not None:
            screen.line(f"They are in {store}: the same command resumes from there.", BOLD)


def legend(rows: Iterable[Sequence[str]]) -> str:
    """A table's legend: what its intervals are and, if any cell ends in ``± ?``, what the question mark means."""
    unknown = any(cell.endswith("± ?") for row in rows for cell in row)
    return "95 % confidence intervals" + "; ?: too few games for an interval" * unknown


def note_lines(result: PlayedTournament) -> Iterator[str]:
    """What the table doesn't show, in sentences: who filled empty seats, who is excluded, and why players forfeited."""
    if result.filler:
        yield f"{result.filler}, a built-in player, filled the empty seats."
    yield from (standing.status for standing in result.standings if standing.status)
    for standing in result.standings:
        yield from (f"{standing.name} forfeited {reason}" for reason in standing.reasons)


def standing_cells(standing: Standing) -> tuple[str, ...]:
    """A player's row in the ranking."""
    figures = NO_VALUE, NO_VALUE
    if standing.games:
        wins = share_text(standing.win_share, standing.win_margin)
        figures = wins, mean_text(standing.mean_score, standing.score_margin)
    rank = str(standing.rank or NO_VALUE)
    return (
        rank,
        standing.name,
        f"{standing.games}",
        number_text(standing.wins),
        *figures,
        f"{sum(standing.forfeits.values())}",
    )


def number_text(value: float) -> str:
    """A number as people write it, with at most two decimals.

    >>> number_text(23.0), number_text(22.5), number_text(7.333333), number_text(1200000.0)
    ('23', '22.5', '7.33', '1200000')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


# ---------------------------------------------------------------- ladder


def ladder(
    game: options.GameName,
    /,
    *players: Annotated[str, Parameter(help="Players of your own: player files or trained networks.")],
    deals: Annotated[options.Count, Parameter(help="Number of deals, each played in all seat rotations.")] = 30,
    seed: options.SeedWithDefault = 0,
    workers: options.Workers = None,
    on: options.ExecutorName = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    ascii: options.Ascii = False,
) -> None:
    """Rate a game's built-in players against each other, along with players of your own.

    A lead of 400 rating points means odds of ten to one.
    """
    from kibitz.arena.ladder import ladder as rate_players
    from kibitz.arena.ladder import rows
    from kibitz.players.built_in import strategies

    found_game, screen = find_game(game), Screen(ascii)
    find_players(found_game, players, False)
    warn_of_stand_ins(found_game, strategies(found_game))
    with progress_bar(quiet=quiet) as progress, warnings.catch_warnings(action="ignore"):  # already reported
        result = rate_players(found_game, deals, seed, workers, progress, extra_players=players, on=on, log=warn)
    if json:
        print_json(result)
        return
    screen.line(f"{found_game.title} ({found_game.name}), {result.games} games, seed {result.seed}", BOLD)
    for row in rows(result):
        screen.line(row)
