"""Playing: ``kibitz arena run``, ``final`` and ``custom``, with their progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.arena.results import headline, print_latest_hash, print_ranking, print_stage_seeds
from kibitz.cli.screen import Screen, printable, warn
from kibitz.engine.sentences import counted
from kibitz.errors import KibitzError, StoreError

if TYPE_CHECKING:
    from rich.console import Group

    from kibitz.arena.api import Arena
    from kibitz.arena.running.runner import RunResult, RunStatus
    from kibitz.arena.season_reports import Ranking


Margin = Annotated[
    float | None,
    Parameter(
        converter=options.read_margin,
        help="Stop when for every player the rating is known to within ± this many points, or the rank is known with"
        " 95 % confidence.",
    ),
]
JOIN_HELP = "Share the work with other 'kibitz arena run' commands on this tournament, on any machine with the store."
PLAYER_CHECK_SECONDS = 1.0
"""Seconds between two checks whether there are enough players to begin."""


def run(
    tournament: options.TournamentOrAll = None,
    /,
    *,
    rounds: Annotated[
        options.Count | None, Parameter(help="Stop when the tournament has played this many regular rounds.")
    ] = None,
    games: Annotated[options.Count | None, Parameter(help="Stop when its regular rounds have this many games.")] = None,
    margin: Margin = None,
    workers: options.Workers = None,
    join: Annotated[bool, Parameter(help=JOIN_HELP)] = False,
    on: options.ExecutorName = None,
    store: options.StoreName = None,
    quiet: options.Quiet = False,
) -> int:
    """Play rounds on all cores until stopped with Ctrl-C. Games are saved block by block.

    Without TOURNAMENT, all unfinished tournaments except custom ones take turns, one round each. Stopping and
    restarting doesn't change the ranking.
    """
    run_options = RunOptions(rounds, games, margin, workers, join, on)
    with options.open_arena(store) as arena:
        names = [arena.tournament(tournament).name] if tournament else unfinished_tournaments(arena)
        screen = Screen()
        if len(names) == 1:
            with show_progress(arena, names[0], screen, quiet=quiet) as progress:
                result = run_options.run(arena, names[0], progress, wait=not run_options.is_limited)
        else:
            result = take_turns(arena, names, run_options, screen, quiet=quiet)
        for number, name in enumerate(names):
            if number:
                screen.line()
            print_ranking(screen, arena.ranking(name))
    return report_end(result)


class RunOptions(NamedTuple):
    """When to stop, and how to play."""

    rounds: int | None
    games: int | None
    max_margin: float | None
    workers: int | None
    join: bool
    on: str | None = None

    @property
    def is_limited(self) -> bool:
        """Whether an option says when to stop."""
        return any(limit is not None for limit in (self.rounds, self.games, self.max_margin))

    def run(
        self, arena: Arena, name: str, progress: Progress, *, wait: bool = False, one_round: bool = False
    ) -> RunResult:
        """Play a tournament until it reaches these limits; with ``one_round``, at most one more round."""
        rounds = self.rounds
        if one_round:
            next_number = arena.rounds(name) + 1
            rounds = next_number if rounds is None else min(rounds, next_number)
        return arena.run(
            name,
            rounds=rounds,
            games=self.games,
            max_margin=self.max_margin,
            workers=self.workers,
            join=self.join,
            wait=wait,
            progress=progress,
            on=self.on or "local",
        )


def unfinished_tournaments(arena: Arena) -> list[str]:
    """The names of the tournaments to play if none is named."""
    names = [info.name for info in arena.tournaments() if info.kind != "custom" and info.phase != "closed"]
    if not names:
        raise StoreError("missing", "no tournament to play; the first 'kibitz arena submit' starts one.")
    return names


def take_turns(arena: Arena, names: list[str], run_options: RunOptions, screen: Screen, *, quiet: bool) -> RunResult:
    """Play a round of each tournament in turn, until all have reached the limits; returns the last run's result."""
    unfinished, result = list(names), None
    while unfinished:
        all_waiting = True
        for name in tuple(unfinished):
            with show_progress(arena, name, screen, quiet=quiet) as progress:
                result = run_options.run(arena, name, progress, one_round=True)
            if result.why == "stopped":
                return result
            all_waiting = all_waiting and result.why == "waiting"
            if result.why == "closed" or (run_options.is_limited and not result.games):
                unfinished.remove(name)
        if all_waiting and unfinished:
            time.sleep(PLAYER_CHECK_SECONDS)
    assert result is not None
    return result


# ---------------------------------------------------------------- arena final


def final(
    tournament: options.TournamentName,
    /,
    *,
    margin: Margin = None,
    rounds: Annotated[options.Count | None, Parameter(help="Stop after this many rounds.")] = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    store: options.StoreName = None,
    quiet: options.Quiet = False,
) -> int:
    """Play the final on new deals until --rounds or --margin is reached; then the tournament is over.

    Submissions must be closed ('kibitz arena freeze'). When the final begins, a new secret seed is drawn and its
    SHA-256 is shown; the seed is shown at the end. If you stop the final, the same command resumes it.
    """
    if margin is None and rounds is None:
        raise KibitzError("a final needs an end: give --rounds or --margin.")
    screen = Screen()
    with options.open_arena(store) as arena:
        info = arena.final(tournament, seed=seed)
        screen.line(f"SHA-256 of the seed of the final: {info.commitments['final']}", indent="")
        print_latest_hash(screen, info.name, arena.log(info.name))
        with show_progress(arena, info.name, screen, quiet=quiet) as progress:
            result = arena.run(info.name, max_margin=margin, rounds=rounds, workers=workers, progress=progress)
        if result.why == "done":
            arena.end(info.name)
        print_ranking(screen, arena.ranking(info.name))
        print_stage_seeds(screen, arena.stage_seeds(info.name))
        print_latest_hash(screen, info.name, arena.log(info.name))
    return report_end(result)


# ---------------------------------------------------------------- arena custom


def custom(
    game: options.GameOrTournament,
    /,
    *players: Annotated[
        str, Parameter(help="Players by name (Ann@2 is version 2 of Ann), built-in players, or files.")
    ],
    deals: Annotated[
        options.Count, Parameter(help="Number of deals that each player plays, every deal in all seat rotations.")
    ] = 1,
    seed: options.Seed = None,
    workers: options.Workers = None,
    store: options.StoreName = None,
    quiet: options.Quiet = False,
) -> int:
    """Play unrated games between chosen players. The games are recorded like all others."""
    screen = Screen()
    with options.open_arena(store, create=True) as arena:
        info = arena.begin_custom(game, players, deals=deals, seed=seed)
        with show_progress(arena, info.name, screen, quiet=quiet) as progress:
            result = arena.run(info.name, workers=workers, progress=progress)
        if result.why == "done":
            arena.end(info.name)
        print_ranking(screen, arena.ranking(info.name))
        for first_match in arena.store.results(info.name)[:1]:
            screen.line(f"See a game with 'kibitz arena replay {info.name}/{first_match.match}'.")
    return report_end(result)


# ---------------------------------------------------------------- progress

# A terminal shows a progress bar and the ranking; elsewhere one line is printed for each round.

Progress = Callable[["RunStatus"], object]
EXIT_STATUS = {"done": 0, "closed": 0, "stopped": 130}
"""The exit status by the reason why a run ended."""
REDRAW_INTERVAL = 0.2
"""Seconds between two redraws."""


def report_end(result: RunResult) -> int:
    """Print why a run ended, and return the exit status. Raises StoreError if there were too few players."""
    if result.why == "waiting":
        raise StoreError("refused", result.sentence)
    warn(result.sentence)
    return EXIT_STATUS[result.why]


@contextmanager
def show_progress(arena: Arena, name: str, screen: Screen, *, quiet: bool) -> Iterator[Progress]:
    """A context with a function that shows the progress of a run; if ``quiet``, it shows only problems."""
    if not quiet and sys.stdout.isatty():
        with LiveProgress(arena, name, screen) as display:
            yield display.update
    else:
        yield LineProgress(name, quiet).update


class LineProgress:
    """Prints a line for every round and every problem."""

    def __init__(self, name: str, quiet: bool) -> None:
        self.name, self.quiet, self.round = name, quiet, 0

    def update(self, status: RunStatus) -> None:
        """Report that a round is complete, or a problem."""
        if status.note:
            warn(f"{self.name}: {status.note}")
        if status.round > self.round and not status.unplayed and not self.quiet:
            self.round = status.round
            blocks = counted(status.blocks, "block")
            warn(f"{self.name}: round {status.round} complete, {blocks}")


class LiveProgress:
    """Shows the ranking, and below it the progress of the round as a bar."""

    def __init__(self, arena: Arena, name: str, screen: Screen) -> None:
        from rich.console import Console
        from rich.live import Live

        self.arena, self.name, self.screen = arena, name, screen
        self.live = Live(console=Console(), auto_refresh=False, transient=True)
        self.last_redraw, self.round, self.ranking = 0.0, -1, arena.ranking(name)
        self.started = time.monotonic()

    def __enter__(self) -> LiveProgress:
        self.live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.live.__exit__(None, None, None)

    def update(self, status: RunStatus) -> None:
        """Redraw, at most five times a second; read the ranking again when a round begins."""
        if status.note:
            self.live.console.print(printable(status.note), highlight=False, markup=False)
        now = time.monotonic()
        if now - self.last_redraw < REDRAW_INTERVAL and not status.note:
            return
        if status.round != self.round:
            self.round, self.ranking = status.round, self.arena.ranking(self.name)
        self.live.update(self.picture(status, self.ranking), refresh=True)
        self.last_redraw = time.monotonic()

    def picture(self, status: RunStatus, ranking: Ranking) -> Group:
        """The headline, the ranking, the progress bar and how to stop."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        speed = status.games / max(0.1, time.monotonic() - self.started)
        done = status.blocks - status.unplayed
        line = Table.grid(padding=(0, 1))
        progress_text = f"round {status.round}: {done} of {status.blocks} blocks, {speed:.1f} games/s"
        line.add_row(ProgressBar(status.blocks, done, width=20), Text(progress_text, no_wrap=True))
        return Group(
            Text(headline(ranking), style="bold"),
            Text(printable(ranking.text)),
            line,
            Text("Stop with Ctrl-C: nothing is lost.", style="dim"),
        )
