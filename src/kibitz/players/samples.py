"""Real calls of an assignment's functions: those of a game that is played, and those that are published.

samples     for every function the arguments of calls, histories included
type_words  what kind of thing an argument is, in words, from all that it was in these calls
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import ModuleType
from typing import Any

from kibitz.engine.events import SPECTATOR
from kibitz.engine.form import HISTORY, Function
from kibitz.engine.game import Game
from kibitz.players.built_in import strategies
from kibitz.table import Table

Arguments = tuple[Any, ...]
SEED = 3
MOST = 400
"""Calls of a game that are looked at."""
READABLE = 150
"""Characters of a call that shows much and can still be read."""


def samples(described: ModuleType, games: Sequence[Game]) -> dict[str, list[Arguments]]:
    """Calls of every function that ``described`` publishes, from these games and from the published examples."""
    found: dict[str, list[Arguments]] = {function.name: [] for function in described.PUBLISHED}
    for function in described.PUBLISHED:
        if function.example is not None:
            found[function.name].append(function.example)
    for game in games:
        for name, arguments in played(game):
            found[name].append(arguments)
    for example in getattr(described, "EXAMPLES", ()):
        found[example.function].append(example.arguments)
    return found


def played(game: Game) -> list[tuple[str, Arguments]]:
    """The calls of one game in the assignment's form, that all seats are asked."""
    if game.form is None:
        return []
    table, random, choose = Table.deal(game, SEED), Random(SEED), strategies(game)["first"]
    history: list[Any] = []
    found: list[tuple[str, Arguments]] = []
    heard = 0
    while not table.over and len(found) < MOST:
        new = table.events(SPECTATOR, heard)
        heard += len(new)
        history += [item for event in new if (item := game.form.history_item(event)) is not None]
        view = table.view(table.player)
        call = game.form.call(view)
        found.append((call.function, tuple(list(history) if part is HISTORY else part for part in call.arguments)))
        table.act(table.player, choose(view, table.legal(table.player), random))
    return found


def telling(calls: Sequence[Arguments]) -> Arguments | None:
    """The call that shows most in few words: nothing in it is empty if that can be, and its length is readable."""

    def worth(arguments: Arguments) -> tuple[int, int]:
        bare = sum(not part for part in arguments if isinstance(part, (list, tuple)))
        return bare, abs(len(repr(arguments)) - READABLE)

    return min(calls, key=worth, default=None)


def example_of(function: Function, calls: Sequence[Arguments]) -> Arguments | None:
    """The call that explains a function: its own example if it has one."""
    return function.example if function.example is not None else telling(calls)


def type_words(values: Sequence[Any], *, many: bool = False) -> str:
    """What kind of things these are.

    >>> type_words([["AH", "2C"], []]), type_words([(("AH", 8), (None, 0))])
    ('list of str', 'tuple of 2 tuples (str or None, int)')
    """
    kinds: dict[type, list[Any]] = {}
    for value in values:
        kinds.setdefault(type(value), []).append(value)
    order = sorted(kinds, key=lambda kind: kind is type(None))
    return " or ".join(one_kind(kind, kinds[kind], many) for kind in order) or "anything"


def one_kind(kind: type, values: Sequence[Any], many: bool) -> str:
    """What kind of things these are, all of one type."""
    s = "s" * many
    if kind is list:
        inner = [part for value in values for part in value]
        return f"list{s} of {type_words(inner, many=True)}" if inner else f"list{s}"
    if kind is tuple:
        lengths = {len(value) for value in values}
        if len(lengths) > 1:
            return f"tuple{s} of {type_words([part for value in values for part in value], many=True)}"
        places = [type_words(place) for place in zip(*values, strict=True)]
        if len(places) > 1 and all(type(part) in (list, tuple) for value in values for part in value):
            return f"tuple{s} of {len(places)} {type_words([part for value in values for part in value], many=True)}"
        return f"tuple{s} ({', '.join(places)})"
    return "None" if kind is type(None) else kind.__name__
