"""The code of a game that its checks must have run: everything that its rules, views and words reach.

Strategies, forms and the reading of what people type are not among it: they decide nothing about a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

from kibitz.engine import hooks
from kibitz.engine.game import Game
from kibitz.engine.validation import unchecked
from kibitz.kernel import mark

WORDS = ("text", "label", "prompt", "describe")
"""What of a game's words is shown unasked."""


def package(game: Game) -> str:
    """The package that a game's modules are in."""
    return str(game.rules.__name__).rpartition(".")[0]


def rules_of(game: Game) -> list[FunctionType]:
    """The kernels of the game's package that its rules reach."""
    kernels = [getattr(game.rules, name, None) for name, value in vars(hooks).items() if mark(value) == "hook"]
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
    waiting, seen = [part for entry in entries for part in within(entry, home)], {id(entry) for entry in entries}
    while waiting:
        thing = waiting.pop()
        if id(thing) in found:
            continue
        found[id(thing)] = thing
        known = [value for value in thing.__globals__.values() if isinstance(value, ModuleType)]
        for word in names_in(thing.__code__):
            for value in (thing.__globals__.get(word), *(vars(module).get(word) for module in known)):
                if id(value) not in seen:
                    seen.add(id(value))
                    waiting += [function for function in within(value, home) if is_in(function, home)]
        if not is_in(thing, home):
            cells = [cell.cell_contents for cell in thing.__closure__ or ()]
            waiting += [content for content in cells if isinstance(content, FunctionType)]
    return sorted(found.values(), key=lambda function: (function.__module__, function.__code__.co_firstlineno))


def within(thing: Any, home: str, deep: int = 4) -> Iterator[FunctionType]:
    """The functions that a value runs: itself, what it wraps or holds, and the methods of its class in a package."""
    if isinstance(thing, FunctionType):
        yield thing
    if deep == 0:
        return
    parts: list[Any] = [getattr(thing, name, None) for name in ("__wrapped__", "__func__", "func", "fget")]
    if isinstance(thing, dict | MappingProxyType):
        parts += thing.values()
    elif isinstance(thing, tuple | list | set | frozenset):
        parts += thing
    elif isinstance(thing, type) and is_in(thing, home):
        parts += vars(thing).values()
    elif not isinstance(thing, type | FunctionType | ModuleType) and is_in(type(thing), home):
        parts.append(type(thing))
    for part in parts:
        if part is not None and not isinstance(part, int | str | bytes):
            yield from within(part, home, deep - 1)


def is_in(thing: Any, home: str) -> bool:
    """Whether a function or class is of a package."""
    return isinstance(thing, FunctionType | type) and str(thing.__module__).startswith(f"{home}.")


def names_in(code: CodeType) -> set[str]:
    """The names that some code uses, what is inside it included."""
    words = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            words |= names_in(const)
    return words
