"""``kibitz arena begin``: a tournament with a seed, a threshold or limits of one's own."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, opened
from kibitz.cli.options import Count, GameName, LimitWords, Seed, a_share
from kibitz.cli.screen import Screen
from kibitz.engine.registry import game as find_game


def begin(
    game: GameName,
    /,
    *,
    seed: Seed = None,
    lost: Annotated[Count, Parameter(help="Games lost by failures from which a player can be out ...")] = 5,
    share: Annotated[float, Parameter(converter=a_share, help="... if they are more than this share of all.")] = 0.02,
    limits: LimitWords = None,
    store: StoreName = None,
) -> None:
    """Begin the tournament of a game; the first submission does so otherwise, with a secret seed."""
    from kibitz.arena.model import Threshold
    from kibitz.players.form_player import form_of
    from kibitz.players.limits import STANDARD, limits_from, limits_text

    form_of(find_game(game))
    within = limits_from(limits) if limits is not None else STANDARD
    with opened(store, create=True) as arena:
        begun = arena.begin(game, seed=seed, threshold=Threshold(lost, share), limits=within)
    screen = Screen()
    screen.line(f"{begun.name} has begun, a {begun.kind} tournament of {begun.seats} seats.")
    if within != STANDARD:
        words = limits_text(within)
        tried = f"kibitz check-player {begun.name} FILE --limits {words}"
        screen.line(f"Limits of player files: {words}; try yours with '{tried}'.", hang="")
    screen.line(f"Sealed seed of the season (SHA-256): {begun.commitments['season']}", hang="")
