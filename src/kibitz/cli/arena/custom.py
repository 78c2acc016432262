"""``kibitz arena custom``: games between chosen players, which never count."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import InGame, StoreName, opened
from kibitz.cli.arena.playing import played, telling
from kibitz.cli.arena.table import tell_table
from kibitz.cli.options import Count, Seed, Workers
from kibitz.cli.screen import Screen


def custom(
    game: InGame,
    /,
    *players: Annotated[str, Parameter(help="Players by name, a version as in Ann@2, built-in ones, or files.")],
    deals: Annotated[Count, Parameter(help="How many deals everybody plays, each in all seatings.")] = 1,
    seed: Seed = None,
    workers: Workers = None,
    store: StoreName = None,
) -> int:
    """Let chosen players play games that are recorded like all others and never count."""
    screen = Screen()
    with opened(store, create=True) as arena:
        begun = arena.begin_custom(game, players, deals=deals, seed=seed)
        with telling(arena, begun.name, screen) as progress:
            ended = arena.run(begun.name, workers=workers, progress=progress)
        if ended.why == "enough":
            arena.end(begun.name)
        tell_table(screen, arena.table(begun.name))
        for result in arena.store.results(begun.name)[:1]:
            screen.line(f"See a game with 'kibitz arena replay {begun.name}/{result.match}'.")
    return played(ended)
