"""Calls of a player file's functions outside a game: how they are read, made, repeated by a command, and illustrated.

call            a call of an assignment's function, such as ``comp10001go_play([], 0, ['AS', '2H'])``
call_command    a shell command that makes the call in a confined process
samples         arguments for every function, from games and published examples
types_in_words  an argument's type in words, from its values in the samples
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Sequence
from random import Random
from types import ModuleType
from typing import Any

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.registry import command_name
from kibitz.engine.sentences import listed
from kibitz.engine.views.assignment_interface import HISTORY, Function
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import NotationError, PlayerError
from kibitz.games.signatures import FUNCTIONS
from kibitz.players.built_in import strategies
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.function_player import PastCall
from kibitz.players.isolation import wire
from kibitz.players.isolation.wire import STACK, View, as_object
from kibitz.players.limits import STANDARD, Limits, limits_text
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table

MAX_COMMAND = 100_000
"""The maximum number of characters of a command line; systems refuse longer ones."""
KINDS_WITH_STACK = ("time", "idle")
"""Kinds of failure after which the player's process prints its stack, which becomes part of the error's detail."""
VIEW_KEY = "a view"
"""A key that marks a dictionary as a view; only such dictionaries can be sent."""
EXAMPLE_CALL = "play([], 0, ['AS', '2H'])"
NO_RETURN = (
    "A function returns None if it reaches no return statement: one may be missing, or indented too far. "
    "sort() and append() return None, too."
)
QUOTED_STRING, WORD = re.compile(r"'[^']*'|\"[^\"]*\""), re.compile(r"\b(?!import\b)\w{1,20}\b")
LOOSE_NAME = re.compile(r"\b(?!(?:None|True|False)\b)[^\W\d]\w{0,20}\b(?! *[(=])")
"""A name outside quotes that Python would look up: not None, True or False, nor before ``(`` or ``=``."""


class CallResult(msgspec.Struct, frozen=True):
    """The result of a call: its value, or the PlayerError that ended it, and what was printed."""

    result: Any
    prints: str


def parse_call(text: str) -> tuple[str, tuple[Any, ...]]:
    """A function's name and its arguments. Raises NotationError unless it is a call with plain values.

    >>> parse_call("play([], 0, ['AS'])")
    ('play', ([], 0, ['AS']))
    """
    try:
        node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            raise ValueError
        arguments = tuple(ast.literal_eval(WithoutViews().visit(argument)) for argument in node.args)
        arguments = check_sendable(arguments)
    except wire.WireError as error:
        raise NotationError(f"a call can pass whole numbers, strings, None, tuples and lists, not {error}.") from None
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise call_error(text, error, EXAMPLE_CALL) from None
    return node.func.id, arguments


def call_error(text: str, cause: Exception, example: str) -> NotationError:
    """The error for a text that isn't a call with plain values; it names a word that lacks quotes, if there is one."""
    why = f"write one such as {example}"
    if text.isidentifier():
        names = ", ".join(parameter.name for parameter in FUNCTIONS[text].parameters) if text in FUNCTIONS else "..."
        why = f"add its arguments, {text}({names})"
    elif word := unquoted_word(text, cause):
        why = f"{word} is not a value; strings need quotes, as in {example}"
    return NotationError(f"{short_repr(text)} isn't a call of a function with plain values: {why}.")


def unquoted_word(text: str, cause: Exception) -> str:
    """A word that lacks quotes: the one at Python's syntax error, or a name among the arguments; otherwise empty."""
    if isinstance(cause, SyntaxError):
        column, line = cause.offset or 0, cause.text or ""
        return next((found[0] for found in WORD.finditer(line) if found.start() < column <= found.end()), "")
    loose_name = LOOSE_NAME.search(QUOTED_STRING.sub("", text)) if isinstance(cause, ValueError) else None
    return loose_name[0] if loose_name else ""


class WithoutViews(ast.NodeTransformer):
    """Turns printed views, such as ``View(seat=0, hand=['AS'])``, into the dictionaries that a process is sent."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A view. Raises ValueError for another call."""
        is_view = isinstance(node.func, ast.Name) and node.func.id in ("View", "Event") and not node.args
        if not is_view or any(keyword.arg is None for keyword in node.keywords):
            raise ValueError
        names: list[ast.expr | None] = [
            ast.Constant(VIEW_KEY),
            *(ast.Constant(keyword.arg) for keyword in node.keywords),
        ]
        return ast.copy_location(
            ast.Dict(names, [ast.Constant(None), *(self.visit(keyword.value) for keyword in node.keywords)]), node
        )


def check_sendable(value: Any, *, in_view: bool = False) -> Any:
    """A copy of a value that can be sent to a player's process, or WireError. Only ``in_view`` are floats allowed."""
    value_type = type(value)
    if value_type is dict and VIEW_KEY in value:
        return {name: check_sendable(part, in_view=True) for name, part in value.items() if name != VIEW_KEY}
    if value_type is list or value_type is tuple:
        return value_type([check_sendable(part, in_view=in_view) for part in value])
    if not (in_view and value_type is float):
        wire.as_json(value)
    return wire.interned(value)


def is_unwritten(function: str, detail: str) -> bool:
    """Whether a traceback shows that a function only raises NotImplementedError, as in a starter file."""
    return re.search(rf" in {function}\n +raise NotImplementedError\n", detail) is not None


def unwritten_clause(*functions: str) -> str:
    """A clause that says that these functions are unchanged from the starter file."""
    return f"{listed(functions)} {'is' if len(functions) == 1 else 'are'} not written yet"


def call_text(call: PastCall) -> str:
    """A call as text that ``parse_call`` can read; a published example gets an empty history."""
    return str(
        PastCall(call.function, tuple([] if argument is HISTORY else argument for argument in call.arguments), "")
    )


def call_command(game: str, path: str, call: str = "", limits: Limits = STANDARD) -> str:
    """A command line that makes a call of a file's function, or only loads the file; empty if it would be too long."""
    words = ["kibitz", "call", command_name(game), path, *([call] if call else [])]
    words += ["--limits", limited] if (limited := limits_text(limits)) else []
    line = " ".join(map(quoted, words))
    return line if len(line) <= MAX_COMMAND else ""


def quoted(word: str) -> str:
    """A word in shell quotes: double quotes if that leaves Python's quotes readable."""
    in_double_quotes = "'" in word and not set('"$`\\!\n') & set(word)
    return f'"{word}"' if in_double_quotes else shlex.quote(word)


def call_once(spec: PlayerSpec, function: str, arguments: Sequence[Any]) -> CallResult:
    """Load a file, and make a call unless ``function`` is empty. Raises MachineError if no process can be started."""
    player = spec.make()
    assert isinstance(player, FilePlayer | TrustedFilePlayer)
    required = ((function, len(arguments)),) if function else ()
    result: Any = None
    try:
        player.load(required, 0)
        if function:
            result = call_function(player, function, arguments)
    except PlayerError as error:
        result = error
    finally:
        prints = player.end(None)
    if isinstance(result, PlayerError) and result.kind in KINDS_WITH_STACK:
        prints = prints.rpartition(f"Stack {STACK}")[0]
    return CallResult(result, prints)


def call_function(player: FilePlayer | TrustedFilePlayer, function: str, arguments: Sequence[Any]) -> Any:
    """Call a function of a loaded file and return its value. Raises PlayerError if it fails."""
    if isinstance(player, TrustedFilePlayer):
        arguments_for_file = [as_object(View, argument) for argument in arguments]
        return player.guarded(function, lambda: player.module.__dict__[function](*arguments_for_file))
    assert player.process is not None
    packed = wire.packed(list(arguments))
    return player.process.call(function, packed, "[]", bools=True)


# Samples: the calls of a game, and the published ones.


Arguments = tuple[Any, ...]
SAMPLE_SEED = 3
MAX_CALLS = 400
"""The maximum number of calls that are taken from a game."""
IDEAL_LENGTH = 150
"""The best length of an example's arguments, in characters."""


def samples(assignment_module: ModuleType, games: Sequence[Game]) -> dict[str, list[Arguments]]:
    """By published function, the arguments of calls of it: its examples, and calls in these games."""
    calls: dict[str, list[Arguments]] = {function.name: [] for function in assignment_module.PUBLISHED}
    for function in assignment_module.PUBLISHED:
        if function.example is not None:
            calls[function.name].append(function.example)
    for game in games:
        for name, arguments in game_calls(game):
            calls[name].append(arguments)
    for example in getattr(assignment_module, "EXAMPLES", ()):
        calls[example.function].append(example.arguments)
    return calls


def game_calls(game: Game) -> list[tuple[str, Arguments]]:
    """The calls that one game makes, for all seats; none if the game has no assignment."""
    if game.assignment is None:
        return []
    table, random, choose = Table.deal(game, SAMPLE_SEED), Random(SAMPLE_SEED), strategies(game)["first"]
    history: list[Any] = []
    result: list[tuple[str, Arguments]] = []
    events_seen = 0
    while not table.over and len(result) < MAX_CALLS:
        new_events = table.events(SPECTATOR, events_seen)
        events_seen += len(new_events)
        history += [item for event in new_events if (item := game.assignment.history_item(event)) is not None]
        view = table.view(table.player)
        call = game.assignment.call(view)
        result.append(
            (call.function, tuple(list(history) if argument is HISTORY else argument for argument in call.arguments))
        )
        table.act(table.player, choose(view, table.legal(table.player), random))
    return result


def most_informative(calls: Sequence[Arguments]) -> Arguments | None:
    """The call with the fewest empty arguments, and of those the closest to the ideal length; None without calls."""

    def flaws(arguments: Arguments) -> tuple[int, int]:
        empty_arguments = sum(not argument for argument in arguments if isinstance(argument, (list, tuple)))
        return empty_arguments, abs(len(repr(arguments)) - IDEAL_LENGTH)

    return min(calls, key=flaws, default=None)


def example_of(function: Function, calls: Sequence[Arguments]) -> Arguments | None:
    """The call that explains a function: its own example if it has one."""
    return function.example if function.example is not None else most_informative(calls)


def types_in_words(values: Sequence[Any], *, plural: bool = False) -> str:
    """The types of some values, in words; ``plural`` for the items of a list.

    >>> types_in_words([["AH", "2C"], []]), types_in_words([(("AH", 8), (None, 0))])
    ('list of str', 'tuple of 2 tuples (str or None, int)')
    """
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    order = sorted(by_type, key=lambda kind: kind is type(None))
    return " or ".join(type_in_words(kind, by_type[kind], plural) for kind in order) or "anything"


def type_in_words(kind: type, values: Sequence[Any], plural: bool) -> str:
    """The type of values that all have the same type, in words, with the types of their items."""
    plural_s = "s" * plural
    if kind is list:
        inner = [part for value in values for part in value]
        return f"list{plural_s} of {types_in_words(inner, plural=True)}" if inner else f"list{plural_s}"
    if kind is tuple:
        lengths = {len(value) for value in values}
        if len(lengths) > 1:
            return f"tuple{plural_s} of {types_in_words([part for value in values for part in value], plural=True)}"
        item_types = [types_in_words(items) for items in zip(*values, strict=True)]
        if len(item_types) > 1 and all(type(part) in (list, tuple) for value in values for part in value):
            inner_words = types_in_words([part for value in values for part in value], plural=True)
            return f"tuple{plural_s} of {len(item_types)} {inner_words}"
        return f"tuple{plural_s} ({', '.join(item_types)})"
    return "None" if kind is type(None) else kind.__name__
