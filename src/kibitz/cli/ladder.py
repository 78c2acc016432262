"""``kibitz ladder``: the players that come with a game against each other, rated with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, On, Seed, Workers
from kibitz.cli.screen import BOLD, DIM, Screen, put, warn
from kibitz.cli.tournament import progress_bar

if TYPE_CHECKING:
    from kibitz.arena.ladder import Ladder


def ladder(
    game: GameName,
    /,
    *,
    deals: Annotated[Count, Parameter(help="Deals to play, each once for every rotation of the seats.")] = 30,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    json: Annotated[bool, Parameter(help="Write the ladder as JSON.")] = False,
    ascii: Ascii = False,
) -> None:
    """Let the players that come with a game play each other, and rate them: 400 points are ten times the odds."""
    from kibitz.arena.ladder import ladder as climb
    from kibitz.engine.registry import game as find_game
    from kibitz.players.built_in import everywhere_alike
    from kibitz.search.thinkers import thinkers
    from kibitz.search.thinking import is_ready

    found, screen = find_game(game), Screen(ascii)
    if thinkers(found) and not is_ready(found) and not json:
        known = list(everywhere_alike(found))[-1]
        screen.line(
            f"Machine code is not ready ('kibitz warm' makes it), so whoever thinks long plays as {known}.", DIM
        )

    with progress_bar() as progress:
        result = climb(found, deals, seed or 0, workers, progress, on, warn)
    if json:
        import msgspec

        put(msgspec.json.format(msgspec.json.encode(result), indent=1).decode())
        return
    screen.line(f"{found.title} ({found.name}), {result.games} games, seed {result.seed}", BOLD)
    for row in rows(result):
        screen.line(row)


def rows(result: Ladder) -> list[str]:
    """The table: rank, name, points with their interval, wins, and what each player is like."""
    width = max(len(rung.name) for rung in result.rungs)
    found = []
    for rung in result.rungs:
        ranks = f"{rung.best}" if rung.best == rung.worst else f"{rung.best}-{rung.worst}"
        margin = "?" if rung.margin is None else f"{rung.margin:.0f}"
        points = f"{rung.points:5.0f} ± {margin}"
        found.append(f"{ranks:>4}  {rung.name:<{width}}  {points:<12} {rung.wins:6.1%} won  {rung.line}")
    return found
