"""Calls of a player file's functions outside any game: as text, as commands, carried out, and samples from real games.

call        a call of an assignment's function, such as ``comp10001go_play([], 0, ['AS', '2H'])``
command     a shell command that makes the call in a confined process
samples     arguments for every function, including histories
type_words  an argument's type in words, from all its values in these calls
"""

from __future__ import annotations

import ast
import shlex
from collections.abc import Sequence
from random import Random
from types import ModuleType
from typing import Any

import msgspec

from kibitz.cards import shown
from kibitz.engine.game import Game
from kibitz.engine.registry import command_name
from kibitz.engine.views.events import SPECTATOR
from kibitz.engine.views.form import HISTORY, Function
from kibitz.errors import NotationError, PlayerError
from kibitz.players.built_in import strategies
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.form_player import Asked
from kibitz.players.isolation import wire
from kibitz.players.isolation.wire import STACK, View, as_object
from kibitz.players.limits import STANDARD, Limits, limits_text
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table

MAX_COMMAND = 100_000
"""Characters of a command line; systems refuse longer ones."""
STACK_PRINTED = ("time", "idle")
"""Kinds of failure after which the fork server's handler prints a stack, which becomes part of the detail."""
VIEW = "a view"
"""Marks a view among dictionaries, which can't be plain values of a call."""
EXAMPLE = "write one such as play([], 0, ['AS', '2H'])"


class CallResult(msgspec.Struct, frozen=True):
    """The result of a call: its value, or the PlayerError that ended it, and what was printed."""

    result: Any
    prints: str


def parse_call(text: str) -> tuple[str, tuple[Any, ...]]:
    """A function's name and its arguments; NotationError unless it is a call with plain values.

    >>> parse_call("play([], 0, ['AS'])")
    ('play', ([], 0, ['AS']))
    """
    try:
        found = ast.parse(text, mode="eval").body
        if not isinstance(found, ast.Call) or not isinstance(found.func, ast.Name) or found.keywords:
            raise ValueError
        arguments = tuple(ast.literal_eval(WithoutViews().visit(argument)) for argument in found.args)
        arguments = check_sendable(arguments)
    except wire.WireError as error:
        raise NotationError(f"a call can pass whole numbers, strings, None, tuples and lists, not {error}.") from None
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise NotationError(f"{shown(text)} isn't a call of a function with plain values: {EXAMPLE}.") from None
    return found.func.id, arguments


class WithoutViews(ast.NodeTransformer):
    """Turns views as printed, ``View(seat=0, hand=['AS'])``, into the dictionaries that the process is sent."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A view; ValueError for another call."""
        plain = isinstance(node.func, ast.Name) and node.func.id in ("View", "Event") and not node.args
        if not plain or any(part.arg is None for part in node.keywords):
            raise ValueError
        names: list[ast.expr | None] = [ast.Constant(VIEW), *(ast.Constant(part.arg) for part in node.keywords)]
        return ast.copy_location(
            ast.Dict(names, [ast.Constant(None), *(self.visit(part.value) for part in node.keywords)]), node
        )


def check_sendable(value: Any, *, viewed: bool = False) -> Any:
    """Check a value to be sent; WireError if any of it can't be. Only views hold fractions."""
    kind = type(value)
    if kind is dict and VIEW in value:
        return {name: check_sendable(part, viewed=True) for name, part in value.items() if name != VIEW}
    if kind is list or kind is tuple:
        return kind([check_sendable(part, viewed=viewed) for part in value])
    if not (viewed and kind is float):
        wire.as_json(value)
    return wire.interned(value)


def call_text(asked: Asked) -> str:
    """A call as ``parse_call`` reads it; one from a game includes its history, a published example doesn't."""
    return str(Asked(asked.function, tuple([] if part is HISTORY else part for part in asked.arguments), ""))


def command(game: str, path: str, call: str = "", limits: Limits = STANDARD) -> str:
    """A command line that makes a call of a file's function, or loads the file; empty if it would be too long."""
    words = ["kibitz", "call", command_name(game), path, *([call] if call else [])]
    words += ["--limits", limited] if (limited := limits_text(limits)) else []
    found = " ".join(map(quoted, words))
    return found if len(found) <= MAX_COMMAND else ""


def quoted(word: str) -> str:
    """A word in shell quotes, which leave Python's quotes as they are where possible."""
    plain = "'" in word and not set('"$`\\!\n') & set(word)
    return f'"{word}"' if plain else shlex.quote(word)


def call_once(spec: PlayerSpec, function: str, arguments: Sequence[Any]) -> CallResult:
    """Load a file, and make a call unless ``function`` is empty; MachineError if no process can be started."""
    player = spec.make()
    assert isinstance(player, FilePlayer | TrustedFilePlayer)
    wanted = ((function, len(arguments)),) if function else ()
    result: Any = None
    try:
        player.load(wanted, 0)
        if function:
            result = call_function(player, function, arguments)
    except PlayerError as error:
        result = error
    finally:
        prints = player.end(None)
    if isinstance(result, PlayerError) and result.kind in STACK_PRINTED:
        prints = prints.rpartition(f"Stack {STACK}")[0]
    return CallResult(result, prints)


def call_function(player: FilePlayer | TrustedFilePlayer, function: str, arguments: Sequence[Any]) -> Any:
    """The result of a function in a loaded file."""
    if isinstance(player, TrustedFilePlayer):
        given = [as_object(View, part) for part in arguments]
        return player.guarded(function, lambda: player.module.__dict__[function](*given))
    assert player.process is not None
    packed = wire.packed(list(arguments))
    return player.process.call(function, packed, "[]", bools=True)


# Samples: the calls of a game, and the published ones.


Arguments = tuple[Any, ...]
SEED = 3
MAX_CALLS = 400
"""Calls of a game that are considered."""
READABLE = 150
"""The most characters of a call that people can still read."""


def samples(described: ModuleType, games: Sequence[Game]) -> dict[str, list[Arguments]]:
    """Calls of every function that ``described`` publishes, from these games and from the published examples."""
    result: dict[str, list[Arguments]] = {function.name: [] for function in described.PUBLISHED}
    for function in described.PUBLISHED:
        if function.example is not None:
            result[function.name].append(function.example)
    for game in games:
        for name, arguments in game_calls(game):
            result[name].append(arguments)
    for example in getattr(described, "EXAMPLES", ()):
        result[example.function].append(example.arguments)
    return result


def game_calls(game: Game) -> list[tuple[str, Arguments]]:
    """The calls in one game of the assignment's form, of all seats."""
    if game.form is None:
        return []
    table, random, choose = Table.deal(game, SEED), Random(SEED), strategies(game)["first"]
    history: list[Any] = []
    result: list[tuple[str, Arguments]] = []
    heard = 0
    while not table.over and len(result) < MAX_CALLS:
        new = table.events(SPECTATOR, heard)
        heard += len(new)
        history += [item for event in new if (item := game.form.history_item(event)) is not None]
        view = table.view(table.player)
        call = game.form.call(view)
        result.append((call.function, tuple(list(history) if part is HISTORY else part for part in call.arguments)))
        table.act(table.player, choose(view, table.legal(table.player), random))
    return result


def most_informative(calls: Sequence[Arguments]) -> Arguments | None:
    """The most informative short call: with no empty argument if possible, and of readable length."""

    def worth(arguments: Arguments) -> tuple[int, int]:
        bare = sum(not part for part in arguments if isinstance(part, (list, tuple)))
        return bare, abs(len(repr(arguments)) - READABLE)

    return min(calls, key=worth, default=None)


def example_of(function: Function, calls: Sequence[Arguments]) -> Arguments | None:
    """The call that explains a function: its own example if it has one."""
    return function.example if function.example is not None else most_informative(calls)


def type_words(values: Sequence[Any], *, many: bool = False) -> str:
    """What kind of values these are.

    >>> type_words([["AH", "2C"], []]), type_words([(("AH", 8), (None, 0))])
    ('list of str', 'tuple of 2 tuples (str or None, int)')
    """
    kinds: dict[type, list[Any]] = {}
    for value in values:
        kinds.setdefault(type(value), []).append(value)
    order = sorted(kinds, key=lambda kind: kind is type(None))
    return " or ".join(one_kind(kind, kinds[kind], many) for kind in order) or "anything"


def one_kind(kind: type, values: Sequence[Any], many: bool) -> str:
    """What kind of values these are, all of one type."""
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
