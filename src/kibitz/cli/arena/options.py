"""What the commands of the arena share: the store, the names of tournaments and matches, times."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from kibitz.arena.api import Arena
    from kibitz.engine.game import Game

STORE_HELP = "A file, or postgresql://user:password@host/database; otherwise $KIBITZ_STORE, or one file for each user."
StoreName = Annotated[str | None, Parameter(name="--store", help=STORE_HELP)]
InGame = Annotated[str, Parameter(help="A game, such as go or bo:players=3, or a tournament that has begun.")]
TournamentName = Annotated[
    str, Parameter(help="A tournament: a game, such as go, or what it was begun as, such as bonus, or custom-1.")
]
AnyTournament = Annotated[str | None, Parameter(help="A tournament: a game, such as go, or custom-1; all otherwise.")]
InTournament = Annotated[str | None, Parameter(name="--game", help="In this tournament only.")]
PlayerName = Annotated[str, Parameter(help="A player, by the name under which it was submitted.")]


def game_named(words: str, store: str | None) -> Game:
    """The game of these words, or that of the tournament that is called so; makes no store where there is none."""
    from kibitz.engine.registry import game
    from kibitz.errors import StoreError

    try:
        with opened(store) as arena:
            return arena.game_of(words)
    except StoreError as error:
        if error.kind != "missing":
            raise
        return game(words)


@contextmanager
def opened(store: str | None, *, create: bool = False) -> Iterator[Arena]:
    """The season that a command is about."""
    from kibitz.arena.api import open

    with open(store, create=create) as arena:
        yield arena
