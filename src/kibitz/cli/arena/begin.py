"""``kibitz arena begin``: a tournament with a seed, a threshold or limits of one's own, or a second one of a game."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.arena.options import StoreName, opened
from kibitz.cli.options import GameName, LimitWords, Lost, Seed, Share
from kibitz.cli.screen import Screen
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import said

AS = "What this tournament is called, such as bonus, where the game has one already; every command knows it by that."


def begin(
    game: GameName,
    /,
    *,
    called: Annotated[str | None, Parameter(name="--as", help=AS)] = None,
    seed: Seed = None,
    lost: Lost = 5,
    share: Share = 0.02,
    limits: LimitWords = None,
    store: StoreName = None,
) -> None:
    """Begin the tournament of a game; the first submission does so otherwise, with a secret seed.

    With --as it is one more tournament, such as a bonus one: ranked by itself, with options and rules of its own.
    """
    from kibitz.arena.model import Threshold
    from kibitz.players.limits import STANDARD, limits_from, limits_text

    find_game(game)
    within = limits_from(limits) if limits is not None else STANDARD
    with opened(store, create=True) as arena:
        begun = arena.begin(game, name=called, seed=seed, threshold=Threshold(lost, share), limits=within)
    screen = Screen()
    of = f" of {begun.game}" if begun.game != begun.name else ""
    screen.line(f"{begun.name} has begun, a {begun.kind} tournament{of} of {begun.seats} seats.")
    if within != STANDARD:
        words = limits_text(within)
        tried = f"kibitz check-player {said(begun.game)} FILE --limits {words}"
        screen.line(f"Limits of player files: {words}; try yours with '{tried}'.", hang="")
    screen.line(f"Sealed seed of the season (SHA-256): {begun.commitments['season']}", hang="")
