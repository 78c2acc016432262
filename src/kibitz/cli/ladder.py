"""``kibitz ladder``: the players that come with a game against each other, rated with intervals."""

from __future__ import annotations

import warnings
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, On, Seed, Workers
from kibitz.cli.screen import BOLD, DIM, Screen, put, warn
from kibitz.cli.seating import find_players
from kibitz.cli.tournament import progress_bar


def ladder(
    game: GameName,
    /,
    *players: Annotated[
        str, Parameter(help="Players to enter beside those that come with the game: player files, trained networks.")
    ],
    deals: Annotated[Count, Parameter(help="Deals to play, each once for every rotation of the seats.")] = 30,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    json: Annotated[bool, Parameter(help="Write the ladder as JSON.")] = False,
    ascii: Ascii = False,
) -> None:
    """Let the players that come with a game play each other, and rate them: 400 points are ten times the odds.

    Players of your own can be entered beside them.
    """
    from kibitz.arena.ladder import ladder as climb
    from kibitz.arena.ladder import rows
    from kibitz.engine.registry import game as find_game
    from kibitz.players.built_in import everywhere_alike
    from kibitz.search.search_players import is_ready, search_players

    found, screen = find_game(game), Screen(ascii)
    if search_players(found) and not is_ready(found) and not json:
        known = list(everywhere_alike(found))[-1]
        screen.line(
            f"Machine code is not ready ('kibitz warm' makes it), so whoever thinks long plays as {known}.", DIM
        )

    find_players(found, players, False)
    with progress_bar() as progress, warnings.catch_warnings(action="ignore"):  # told of already
        result = climb(found, deals, seed or 0, workers, progress, entered=players, on=on, tell=warn)
    if json:
        import msgspec

        put(msgspec.json.format(msgspec.json.encode(result), indent=1).decode())
        return
    screen.line(f"{found.title} ({found.name}), {result.games} games, seed {result.seed}", BOLD)
    for row in rows(result):
        screen.line(row)
