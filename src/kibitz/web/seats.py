"""Who can have a seat: chairs as they are asked for, and what computer players are called."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from kibitz.engine.game import Game
from kibitz.errors import NotationError, SeatError
from kibitz.players.built_in import BEST, meant, strategies
from kibitz.players.characters import cast
from kibitz.remote.messages import AskedChair, ShownChair
from kibitz.table.player import clean_name, distinct
from kibitz.web.store.entries import Chair

UNNAMED = "Open seat"


def title(name: str) -> str:
    """What a computer player is called at a table.

    >>> title("greedy")
    'Greedy'
    """
    return name[:1].upper() + name[1:].replace("_", " ")


def computer(game: Game, player: str | None = None) -> Chair:
    """A computer player's chair, the strongest one's if none is named; NotationError if there is none of this name."""
    chosen = meant(game, player or BEST)
    if chosen is None:
        there_are = ", ".join(strategies(game))
        raise NotationError(f"{game.title} has no computer player called {str(player)[:40]!r}; there are: {there_are}.")
    return Chair("computer", title(chosen), player=chosen)


def person(id: str, name: str) -> Chair:
    """A person's chair."""
    return Chair("person", clean_name(name), person=id)


def open_chair() -> Chair:
    """A chair that somebody can sit down on who has its code."""
    return Chair("open", UNNAMED, invite=secrets.token_urlsafe(9))


def asked_chairs(game: Game, asked: Sequence[AskedChair], id: str, name: str) -> tuple[Chair, ...]:
    """The chairs of a new table for a person; SeatError unless there is one for each seat."""
    if not asked:
        return named((person(id, name), *(computer(game) for _ in range(game.seats - 1))))
    if len(asked) != game.seats:
        raise SeatError(f"{game.title} has {game.seats} seats here, and there are {len(asked)} chairs.")
    if sum(chair.kind == "me" for chair in asked) > 1:
        raise SeatError("You can have one seat at a table: give the others to computer players or to people by link.")
    return named([chair_of(game, chair, id, name) for chair in asked])


def chair_of(game: Game, asked: AskedChair, id: str, name: str) -> Chair:
    """One chair as it is asked for."""
    match asked.kind:
        case "me":
            return person(id, name)
        case "open":
            return open_chair()
        case "computer":
            return computer(game, asked.player)
    if not asked.player or not asked.tournament:
        raise NotationError("A chair of kind 'file' needs the tournament and the player whose file is to play.")
    return Chair("file", clean_name(asked.player), player=asked.player, tournament=asked.tournament)


def named(chairs: Sequence[Chair]) -> tuple[Chair, ...]:
    """Chairs with names that people can tell apart."""
    names = distinct([chair.name for chair in chairs])
    return tuple(replace(chair, name=name) for chair, name in zip(chairs, names, strict=True))


def shown(game: Game, chairs: Sequence[Chair]) -> tuple[ShownChair, ...]:
    """The chairs as everybody sees them."""
    lines = {character.name: character.line for character in cast(game)}
    return tuple(
        ShownChair(seat, chair.name, chair.kind, lines.get(chair.player, "") if chair.kind == "computer" else "")
        for seat, chair in enumerate(chairs)
    )
