"""The code of a game that its checks must have run: everything that its rules, views and words reach.

Strategies, forms and the reading of what people type are not among it: they decide nothing about a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from kibitz.engine import slots
from kibitz.engine.asked import unchecked
from kibitz.engine.game import Game
from kibitz.kernel import mark

WORDS = ("text", "label", "prompt", "describe")
"""What of a game's words is shown unasked."""


def package(game: Game) -> str:
    """The package that a game's modules are in."""
    return str(game.rules.__name__).rpartition(".")[0]


def rules_of(game: Game) -> list[FunctionType]:
    """The kernels of the game's package that its rules reach."""
    kernels = [getattr(game.rules, name, None) for name, value in vars(slots).items() if mark(value) == "slot"]
    return reached(game, kernels)


def tellings_of(game: Game) -> list[FunctionType]:
    """What of the game's code makes views, events and outcomes, and reads them."""
    made = [unchecked(f) for f in (game.view, game.opening, game.advance, game.restore, game.result)]
    return [function for function in reached(game, made) if mark(function) is None]


def words_of(game: Game) -> list[FunctionType]:
    """What of the game's code makes words and scenes that are shown unasked; what many games share is not its own."""
    shown = [function for name in WORDS if is_in(function := getattr(game.words, name), package(game))]
    shown += [function for function in (game.scenes.scene, game.scenes.parts) if is_in(function, package(game))]
    return [function for function in reached(game, shown) if mark(function) is None]


def reached(game: Game, entries: list[Any]) -> list[FunctionType]:
    """Every function of the game's package that some functions reach, and those themselves, in order.

    A name leads to what it means where it is used, a class to its methods; an attribute leads to the function of a
    module known there.
    """
    home = package(game)
    found: dict[int, FunctionType] = {}
    waiting = list(entries)
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, type):
            waiting += methods_of(thing)
        if not isinstance(thing, FunctionType) or id(thing) in found:
            continue
        found[id(thing)] = thing
        known = [value for value in thing.__globals__.values() if isinstance(value, ModuleType)]
        for word in names_in(thing.__code__):
            meant = [thing.__globals__.get(word), *(vars(module).get(word) for module in known)]
            waiting += [value for value in meant if is_in(value, home) and value not in entries]
        if not is_in(thing, home):
            waiting += [cell.cell_contents for cell in thing.__closure__ or ()]
    return sorted(found.values(), key=lambda function: (function.__module__, function.__code__.co_firstlineno))


def is_in(thing: Any, home: str) -> bool:
    """Whether a function or class is of a package."""
    return isinstance(thing, FunctionType | type) and str(thing.__module__).startswith(f"{home}.")


def methods_of(kind: type) -> Iterator[FunctionType]:
    """The methods and properties that a class defines itself."""
    for thing in vars(kind).values():
        method = thing.fget if isinstance(thing, property) else thing
        if isinstance(method, FunctionType) and method.__module__ == kind.__module__:
            yield method


def names_in(code: CodeType) -> set[str]:
    """The names that some code uses, what is inside it included."""
    words = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            words |= names_in(const)
    return words
