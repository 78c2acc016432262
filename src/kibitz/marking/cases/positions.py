"""Calls of the functions that play, as games ask them.

played      one game between players that are clever now and then, as its positions
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from kibitz.engine.events import Notice, to_seat
from kibitz.engine.form import HISTORY
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as find_game
from kibitz.marking.cases.case import Luck


class Position(NamedTuple):
    """A position of a game and the call that asks its seat to move, with the whole history."""

    game: Game
    state: PlainState
    function: str
    arguments: tuple[Any, ...]


GAMES = 12
"""From so many games the positions of one seed are taken."""
CLEVER = {"go": 0.03, "bo": 0.15}
"""How often the strategy ``greedy`` moves; in other games always, since their random play ends in corners."""


@lru_cache(maxsize=4 * GAMES)
def played(name: str, seed: int, number: int) -> tuple[Position, ...]:
    """The positions of one game of those that a seed fixes."""
    return tuple(positions(name, Random(f"{seed} {name} {number}"), CLEVER.get(name, 1.0)))


def positions(name: str, random: Random, clever: float) -> Iterator[Position]:
    """The positions of one game; with chance ``clever`` the strategy ``greedy`` moves, otherwise anything may."""
    game = find_game(name)
    form = game.form
    assert form is not None
    state = game.deal(random.getrandbits(64))
    histories: list[list[Any]] = [[] for _ in range(game.seats)]

    def tell(notices: list[Notice]) -> None:
        for seat, history in enumerate(histories):
            items = (form.history_item(event) for event in to_seat(notices, seat))
            history += [item for item in items if item is not None]

    tell(game.opening(state))
    while not state.over:
        seat, view, legal = state.player, game.view(state, state.player), game.legal(state)
        call = form.call(view)
        given = tuple(list(histories[seat]) if part is HISTORY else part for part in call.arguments)
        yield Position(game, state.copy(), call.function, given)
        greedy = random.random() < clever
        tell(game.advance(state, game.strategies["greedy"](view, legal, random) if greedy else random.choice(legal)))


def drawn(name: str, function: str, luck: Luck) -> Position:
    """A position in which ``function`` is called."""
    found = [one for one in played(name, luck.course, luck.randrange(GAMES)) if one.function == function]
    return luck.choice(found)


def asked(name: str, function: str, luck: Luck) -> tuple[Any, ...]:
    """The arguments of such a call, which the caller may change."""
    return deepcopy(drawn(name, function, luck).arguments)
