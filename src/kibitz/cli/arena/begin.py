"""``kibitz arena begin``: a tournament with a seed or a threshold of one's own."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, opened
from kibitz.cli.options import Count, GameName, Seed
from kibitz.cli.screen import Screen
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError


def begin(
    game: GameName,
    /,
    *,
    seed: Seed = None,
    failures: Annotated[Count, Parameter(help="So many games lost by failures of its own put a player out ...")] = 5,
    share: Annotated[float, Parameter(help="... if they are also more than so many per cent of its games.")] = 2.0,
    store: StoreName = None,
) -> None:
    """Begin the tournament of a game; the first submission does so otherwise, with a secret seed."""
    from kibitz.arena.model import Threshold
    from kibitz.players.form_player import form_of

    if not 0 <= share < 100:
        raise KibitzError(f"--share must be from 0 to less than 100, not {share:g}.")
    form_of(find_game(game))
    with opened(store, create=True) as arena:
        begun = arena.begin(game, seed=seed, threshold=Threshold(failures, share / 100))
    screen = Screen()
    screen.line(f"{begun.name} has begun, a {begun.kind} tournament of {begun.seats} seats.")
    screen.line(f"Sealed seed of the season (SHA-256): {begun.commitments['season']}", hang="")
