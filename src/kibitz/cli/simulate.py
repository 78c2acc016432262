"""``kibitz simulate``: any number of games into a file, which can be stopped and gone on with."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Force, GameName, LimitWords, On, Seed, Workers, whole
from kibitz.cli.screen import BOLD, DIM, Screen, warn
from kibitz.cli.seating import find_players
from kibitz.cli.tournament import progress_bar
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import said
from kibitz.errors import KibitzError

GAMES = 1_000_000_000


def simulate(
    game: GameName,
    /,
    *players: Annotated[
        str,
        Parameter(help="Names of players, files (.py or .npz), or folders or ZIP archives of one player."),
    ],
    games: Annotated[int, Parameter(converter=whole(1, GAMES), help="How many games to play.")],
    output: Annotated[
        Path,
        Parameter(
            name=["--output", "-o"],
            help="The file: .csv, .jsonl or .parquet for a table of results; .zip, or a folder, for records.",
        ),
    ],
    records: Annotated[bool, Parameter(help="Keep the records of the games: in .jsonl and .parquet, too.")] = False,
    seed: Seed = None,
    workers: Workers = None,
    force: Force = False,
    limits: LimitWords = None,
    on: On = None,
) -> int:
    """Play many games into a table, one row for every seat of every game, or into records.

    Players take turns in the seats, and every deal is played in all rotations.  Whatever stops it, the games that are
    played wait beside the file, in FILE.part, and the same command goes on with them, also with more --games.
    """
    found = find_game(game)
    if not players:
        raise KibitzError("name at least one player, such as greedy or random.")

    from kibitz.arena.signals import interrupted_by_signals
    from kibitz.data.simulating import run

    specs = find_players(found, players, False, limits, own=False)
    ended = None
    try:
        with interrupted_by_signals():
            ended = run(
                found,
                specs,
                games,
                output,
                seed,
                workers,
                records=records,
                force=force,
                playing=progress_bar,
                writing=partial(progress_bar, "", "writing"),
                interrupted=True,
                on=on,
                tell=warn,
            )
    except OSError:  # the bar of a terminal that is gone
        if ended is None:
            raise
    screen = Screen()
    if ended.complete:
        screen.line(f"{ended.games} games of {found.name} are in {output}.")
        screen.line(f"Seed {ended.seed}.", DIM, hang="")
        return 0
    screen.line(f"Stopped after {ended.games} of {games} games, which are kept in {ended.path}.", BOLD)
    screen.line("The same command goes on from there:")
    words = [said(game), *players, "--games", f"{games}", "--seed", f"{ended.seed}", "-o", f"{output}"]
    words += ["--records"] * records + ["--force"] * force + (["--limits", limits] if limits else [])
    words += ["--on", on] if on else []
    screen.as_it_is(f"kibitz simulate {shlex.join(words)}")
    if ended.games:
        screen.line(f"With --games {ended.games} it writes those that are there.")
    return 130
