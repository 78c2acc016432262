"""``kibitz warm``: make the machine code of every game now instead of in the first big job."""

from __future__ import annotations

import sys
from time import perf_counter

from kibitz.cli.screen import Screen
from kibitz.errors import KibitzError


def warm() -> None:
    """Compile the rules and the players of every game to machine code, once a machine and version."""
    from kibitz.engine.batch import random_games
    from kibitz.engine.registry import all_games
    from kibitz.environments.batched_games import warm as warm_lanes
    from kibitz.search.search_players import warm as warm_search

    screen = Screen()
    first = {game.rules.__name__: game for game in reversed(all_games())}
    for game in reversed(first.values()):
        if sys.stdout.isatty():
            print(f"{game.name}: compiling ...", end="\r", flush=True)
        began = perf_counter()
        try:
            random_games(game, 1)
            warm_search(game)
            warm_lanes(game)
            for make in game.warm:
                make()
        except ImportError as error:
            raise KibitzError(str(error)) from error
        screen.line(f"{game.name}: ready after {perf_counter() - began:.1f} s")
