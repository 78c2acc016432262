"""``kibitz tournament``: many games between players, and who is best.

block       one deal, played once for every seating; what is complete is never lost, not even on Ctrl-C, SIGTERM or
            with the terminal
–           stands for what there is not: a rank of a player who is out, figures of one without games
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Count, Force, GameName, LimitWords, Lost, On, Seed, Share, Trusted, Workers, an_interval
from kibitz.cli.screen import BOLD, DIM, Screen, warn
from kibitz.cli.seating import find_everybody
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import cell_len, mean_text, share_text, tabulated

if TYPE_CHECKING:
    from kibitz.arena.running.tournament import PlayedTournament, Standing

Progress = Callable[[int, int], None]
NOTHING = "–"
Csv = Annotated[Path | None, Parameter(help="Write every seat of every game here as CSV, with reasons.")]
Deals = Annotated[
    Count | None,
    Parameter(
        help="How many deals everybody plays, each once from every seat. Default: 25, which makes a win share certain"
        " to about ± 10 points and puts out whoever fails in one game of 20."
    ),
]
UntilInterval = Annotated[
    float | None,
    Parameter(
        converter=an_interval,
        help="Until every interval is ± so many points, or --deals are played: hundredths of all wins, or points of"
        " the mean score in games that rank by it.",
    ),
]
Kept = Annotated[
    str | None,
    Parameter(help="Keep the tournament in this file, or PostgreSQL database by URL: then it can be gone on with."),
]
Table = Annotated[Path | None, Parameter(help="Write the table here as CSV, with all reasons.")]
Players = Annotated[
    str, Parameter(help="Names of players, files (.py or .npz), or folders or ZIP archives of players.")
]


def tournament(
    game: GameName,
    /,
    *players: Players,
    deals: Deals = None,
    until_interval: UntilInterval = None,
    lost: Lost = 5,
    share: Share = 0.02,
    seed: Seed = None,
    workers: Workers = None,
    json: Annotated[Path | None, Parameter(help="Write the results here as JSON.")] = None,
    csv: Csv = None,
    table: Table = None,
    force: Force = False,
    trusted: Trusted = False,
    limits: LimitWords = None,
    store: Kept = None,
    on: On = None,
) -> int:
    """Let players play many games over the same deals and rank them.

    Who fails too much is out at the end of a round, by the arena's rule: it plays no more and has no rank; its games
    count for its opponents.  A built-in player takes the seats that are left over.
    With --store it can be stopped and gone on with by the same words, and 'kibitz arena failures', 'replay', 'export'
    and 'verify' tell more of it.
    """
    found = find_game(game)
    for path in (json, csv, table):
        ready(path, force)
    specs, absent = find_everybody(found, players, trusted, limits)

    from kibitz.arena.model import Threshold
    from kibitz.arena.running.tournament import run

    width = None if until_interval is None else until_interval / (1 if found.by_score else 100)
    threshold = Threshold(lost, share)
    ended = None
    try:
        with progress_bar() as progress:
            ended = run(
                found,
                specs,
                deals,
                seed,
                workers,
                progress,
                width=width,
                threshold=threshold,
                absent=absent,
                in_process=trusted,
                where=store,
                on=on,
                note=warn,
            )
    except OSError:  # the bar of a terminal that is gone
        if ended is None:
            raise
    for path, text in ((json, ended.to_json), (csv, ended.to_csv), (table, ended.table_csv)):
        if path is not None:
            write(path, text(), force)
    report(Screen(), ended, store)
    return 0 if ended.complete else 130


@contextmanager
def progress_bar(done: str = "played {} of {} games", doing: str = "playing") -> Iterator[Progress]:
    """A bar with the time left, on a terminal; elsewhere in the end ``done`` with both numbers, if it says anything."""
    if not sys.stderr.isatty():
        reached = [0, 0]
        yield lambda now, total: reached.__setitem__(slice(None), (now, total))
        if reached[1] and done:
            warn(done.format(*reached))
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda now, total: bar.update(task, completed=now, total=total)


def report(screen: Screen, ended: PlayedTournament, store: str | None = None) -> None:
    """The table of results and why seats forfeited."""
    heads = ("#", "player", "games", "wins", "win share", "mean score", "forfeits")
    rows = [cells(standing) for standing in ended.standings]
    show_table(screen, [heads, *rows])
    screen.line()
    screen.line(f"Seed {ended.seed}; {legend(rows)}.", DIM, hang="")
    for note in notes(ended):
        screen.line(note)
    if ended.trouble:
        screen.line(ended.trouble, BOLD)
    if not ended.complete:
        screen.line("Stopped early: the table holds the deals that were complete.", BOLD)
        if store is not None:
            screen.line(f"They are in {store}: the same words go on from there.", BOLD)


def legend(rows: Iterable[Sequence[str]]) -> str:
    """What ``±`` means in the rows of a table, and ``?`` if that stands there."""
    unknown = any(cell.endswith("± ?") for row in rows for cell in row)
    return "± spans 95 % intervals" + "; ?: too few games for an interval" * unknown


def show_table(screen: Screen, rows: Sequence[Sequence[str]], left: Sequence[int] = (1,)) -> None:
    """A table whose first row are heads; where the screen is too narrow, one line for every cell.

    ``left`` are the columns of names, which stand to the left, and so does the last one.
    """
    lines = tabulated(rows, (*left, len(rows[0]) - 1))
    if max(map(cell_len, lines)) <= screen.width:
        screen.line(lines[0], BOLD)
        for line in lines[1:]:
            screen.line(line)
        return
    heads, names = rows[0], max(left) + 1
    for row in rows[1:]:
        screen.line("  ".join(row[:names]), BOLD)
        for head, cell in zip(heads[names:], row[names:], strict=True):
            screen.line(f"   {head:<10}  {cell}")


def notes(ended: PlayedTournament) -> Iterator[str]:
    """All that the table does not say by itself: who is out, who failed and why."""
    if ended.filler:
        yield f"{ended.filler} is built in, and took the seats that were left over."
    yield from (standing.status for standing in ended.standings if standing.status)
    for standing in ended.standings:
        yield from (f"{standing.name} forfeited: {reason}" for reason in standing.reasons)


def cells(standing: Standing) -> tuple[str, ...]:
    """A row of the table."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in standing.forfeits.items() if count)
    shown = NOTHING, NOTHING
    if standing.games:
        wins = share_text(standing.win_share, standing.win_margin)
        shown = wins, mean_text(standing.mean_score, standing.score_margin)
    rank = str(standing.rank or NOTHING)
    return rank, standing.name, f"{standing.games}", number(standing.wins), *shown, kinds or "0"


def number(value: float) -> str:
    """A number as people write it, with two digits after the point at most.

    >>> number(23.0), number(22.5), number(7.333333), number(1200000.0)
    ('23', '22.5', '7.33', '1200000')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")
