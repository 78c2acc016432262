"""``kibitz tournament``: many games between players, and who is best.

block       one deal, played once for every seating; what is complete is never lost, not even on Ctrl-C, SIGTERM or
            with the terminal
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Count, Force, GameName, LimitWords, Seed, Trusted, Workers
from kibitz.cli.screen import BOLD, DIM, Screen, warn
from kibitz.cli.seating import find_everybody
from kibitz.engine.game import fresh_seed
from kibitz.engine.registry import game as find_game

if TYPE_CHECKING:
    from kibitz.arena.tournament import Standing, Tournament

Progress = Callable[[int, int], None]
Players = Annotated[str, Parameter(help="Names of players, files, or folders or ZIP archives of players.")]


def tournament(
    game: GameName,
    /,
    *players: Players,
    deals: Annotated[Count, Parameter(help="How many deals; each is played in several seatings.")],
    seed: Seed = None,
    workers: Workers = None,
    json: Annotated[Path | None, Parameter(help="Write the results here as JSON.")] = None,
    csv: Annotated[Path | None, Parameter(help="Write the results here as CSV.")] = None,
    force: Force = False,
    trusted: Trusted = False,
    limits: LimitWords = None,
) -> int:
    """Let players play many games over the same deals and rank them."""
    found = find_game(game)
    ready(json, force)
    ready(csv, force)
    specs = find_everybody(found, players, trusted, limits)
    seed = fresh_seed() if seed is None else seed

    from kibitz.arena.tournament import run

    ended = None
    try:
        with progress_bar() as progress:
            ended = run(found, specs, deals, seed, workers, progress, in_process=trusted)
    except OSError:  # the bar of a terminal that is gone
        if ended is None:
            raise
    for path, text in ((json, ended.to_json), (csv, ended.to_csv)):
        if path is not None:
            write(path, text(), force)
    report(Screen(), ended, seed)
    return 0 if ended.complete else 130


@contextmanager
def progress_bar(done: str = "played {} of {} games", doing: str = "playing") -> Iterator[Progress]:
    """A bar with the time left, on a terminal; elsewhere one line in the end, with both numbers."""
    if not sys.stderr.isatty():
        reached = [0, 0]
        yield lambda now, total: reached.__setitem__(slice(None), (now, total))
        if reached[1]:
            warn(done.format(*reached))
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda now, total: bar.update(task, completed=now, total=total)


def report(screen: Screen, ended: Tournament, seed: int) -> None:
    """The table of results and why seats forfeited."""
    heads = ("#", "player", "games", "wins", "win share", "mean score", "forfeits")
    rows = [heads, *(cells(standing) for standing in ended.standings)]
    lines = tabulated(rows)
    if max(map(len, lines)) <= screen.width:
        screen.line(lines[0], BOLD)
        for line in lines[1:]:
            screen.line(line)
    else:
        for row in rows[1:]:
            screen.line(f"{row[0]}  {row[1]}", BOLD)
            for head, cell in zip(heads[2:], row[2:], strict=True):
                screen.line(f"   {head:<10}  {cell}")
    screen.line()
    screen.line(f"Seed {seed}; ± spans 95 % intervals.", DIM, hang="")
    for standing in ended.standings:
        for reason in standing.reasons:
            screen.line(f"{standing.name} forfeited: {reason}")
    if ended.trouble:
        screen.line(ended.trouble, BOLD)
    if not ended.complete:
        screen.line("Stopped early: the table holds the deals that were complete.", BOLD)


def cells(standing: Standing) -> tuple[str, ...]:
    """A row of the table."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in standing.forfeits.items() if count)
    return (
        f"{standing.rank}",
        standing.name,
        f"{standing.games}",
        f"{standing.wins:.6g}",
        f"{100 * standing.win_share:.1f} % ± {margin(standing.win_margin, 1, 100)}",
        f"{standing.mean_score:.2f} ± {margin(standing.score_margin, 2)}",
        kinds or "0",
    )


def margin(value: float | None, digits: int, scale: int = 1) -> str:
    """Half the width of an interval, "?" while nothing is known of it."""
    return "?" if value is None else f"{scale * value:.{digits}f}"


def tabulated(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with aligned columns: names and the last column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            f"{cell:<{width}}" if i in (1, last) else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
