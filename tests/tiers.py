"""Tests over all games are fast for the first variant of each game, and long for its further ones."""

from collections.abc import Iterable
from typing import Any

import pytest

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import package_of, variants


def alike(game: Game) -> list[Game]:
    """The variants with a game's title, the standard one first; Kuhn poker has a title of its own."""
    return [each for each in variants(package_of(game.name.partition(":")[0])) if each.title == game.title]


def tiered(games: Iterable[Game | str], *marks: pytest.MarkDecorator) -> list[pytest.ParameterSet]:
    """Games, or their names, as parameters of a test: the first variants in the fast tier, further ones in the long."""
    return [pytest.param(each, marks=[*marks, *further(each)], id=named(each)) for each in games]


def further(game: Game | str) -> list[pytest.MarkDecorator]:
    """The mark of a test of a further variant; a name with options is one."""
    found = find_game(named(game))
    return [] if found == alike(found)[0] else [pytest.mark.long]


def named(game: Game | str) -> str:
    """A game's name."""
    return game if isinstance(game, str) else game.name


def first_fast(things: Iterable[Any], count: int = 1) -> list[Any]:
    """Parameters of a test, single values or tuples: the first in the fast tier, the others in the long."""
    every = list(things)
    return [*every[:count], *map(long, every[count:])]


def quick_first(names: Iterable[str]) -> list[str]:
    """Names of games with Crazy Eights in front, whose machine code and games take least time."""
    return sorted(names, key=lambda name: not name.startswith("eights"))


def long(thing: Any) -> pytest.ParameterSet:
    """A parameter, or a tuple of some, in the long tier."""
    if isinstance(thing, pytest.ParameterSet):
        return thing._replace(marks=[*thing.marks, pytest.mark.long])
    return pytest.param(*(thing if isinstance(thing, tuple) else (thing,)), marks=pytest.mark.long)
