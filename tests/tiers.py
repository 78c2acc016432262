"""Tests over all games are fast for the first variant of each game, and long for the other variants."""

from collections.abc import Iterable
from typing import Any

import pytest

from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import package_of, variants


def alike(game: Game) -> list[Game]:
    """The variants with the same title as a game, the standard one first; Kuhn poker has its own title."""
    return [each for each in variants(package_of(game.name.partition(":")[0])) if each.title == game.title]


def tiered(games: Iterable[Game | str], *marks: pytest.MarkDecorator) -> list[pytest.ParameterSet]:
    """Games, or their names, as parameters of a test: first variants in the fast tier, others in the long tier."""
    return [pytest.param(each, marks=[*marks, *further(each)], id=named(each)) for each in games]


def further(game: Game | str) -> list[pytest.MarkDecorator]:
    """The mark of a test of a variant other than the first; a name with options is one."""
    found = find_game(named(game))
    return [] if found == alike(found)[0] else [pytest.mark.long]


def named(game: Game | str) -> str:
    """A game's name."""
    return game if isinstance(game, str) else game.name


def first_fast(things: Iterable[Any], count: int = 1) -> list[Any]:
    """Parameters of a test, values or tuples: the first ``count`` in the fast tier, the others in the long tier."""
    everything = list(things)
    return [*everything[:count], *map(long, everything[count:])]


def quick_first(names: Iterable[str]) -> list[str]:
    """Names of games with Crazy Eights first, which compiles and plays fastest."""
    return sorted(names, key=lambda name: not name.startswith("eights"))


def long(thing: Any) -> pytest.ParameterSet:
    """A parameter, or a tuple of parameters, in the long tier."""
    if isinstance(thing, pytest.ParameterSet):
        return thing._replace(marks=[*thing.marks, pytest.mark.long])
    return pytest.param(*(thing if isinstance(thing, tuple) else (thing,)), marks=pytest.mark.long)
