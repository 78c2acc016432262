"""``kibitz template``: the functions that a player file must define, and starter files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from random import Random
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from kibitz.cli.files import check_writable, write
from kibitz.cli.options import Force, GameName
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.game import Game
from kibitz.engine.registry import command_name, variants
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import listed
from kibitz.engine.views.assignment_interface import Function, package_of
from kibitz.engine.views.events import Event, Outcome
from kibitz.engine.views.plain import PlainField, layout_of, plain
from kibitz.engine.views.value_types import Either, ListOf, NamedType, TupleOf, Type
from kibitz.errors import NotationError
from kibitz.games.signatures import CALL_SECONDS
from kibitz.marking.assignments import Assignment, assignment_for
from kibitz.marking.handout import descriptions
from kibitz.players.built_in import strategies
from kibitz.players.calls import Arguments, example_of, samples, types_in_words
from kibitz.players.files.notebooks import file_text
from kibitz.players.function_player import assignment_functions
from kibitz.players.isolation.wire import View, as_object
from kibitz.players.limits import STANDARD
from kibitz.table import Table

if TYPE_CHECKING:
    from kibitz.engine.views.value_types import Parameter as ViewParameter

INDENT = " " * 4
MAX_LITERAL = 400
"""The maximum number of characters of an example value."""
LIMITS = (
    f"A player may use {STANDARD.load:g} s of CPU time to load, {STANDARD.call:g} s per call, {STANDARD.bank:g} s for"
    f" all calls of a game and {STANDARD.memory >> 20} MiB of memory, but no network, threads or other programs."
)
COURSES = {"comp10001": "the COMP10001 project", "aps106": "APS106, lab 6", "cs212": "CS212"}


def template(
    game: GameName,
    /,
    *,
    play: Annotated[
        bool, Parameter(help="Show the play(view, legal) interface instead of an assignment's functions.")
    ] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write a starter file.")] = None,
    force: Force = False,
) -> None:
    """Explain the functions that a player file must define: arguments, an example and what each may return.

    For a game with an assignment, and for cribbage-lab and poker, these are the assignment's functions; --play shows
    the play(view, legal) interface instead.
    """
    screen = Screen()
    found = None if play else assignment_for(game)
    if found is None:
        show_play_interface(screen, find_game(game), output, force)
        return
    check_writable(output, force)
    called_by_games = {name for called_game in found.games for name in assignment_functions(called_game)}
    if output is not None:
        write(output, file_text(str(output), starter_file(found)), force)
        screen.line(f"Wrote {output}.")
        if called_by_games:
            screen.line(f"'kibitz check-player {found.games[0].name} {output}' checks it.")
        else:
            screen.line(f"'kibitz mark {found.name} {output}' tests it.")
        return
    screen.line(f"The functions of {COURSES[found.module.COURSE]} ({game})", BOLD)
    described = descriptions(found)
    sample_calls = sample_calls_of(found, described.values())
    for function in [described[function_name] for function_name in found.functions]:
        screen.line()
        print_function(screen, found, function, sample_calls[function.name], called_by_games)
    screen.line()
    print_next_steps(screen, game, found)


def print_function(
    screen: Screen, found: Assignment, function: Function, calls: Sequence[Arguments], called_by_games: set[str]
) -> None:
    """Print a function's signature, summary, arguments and result, with an example."""
    screen.line(f"{function.name}({function.names})", BOLD)
    screen.line(f"{INDENT}{capitalized(function.summary)}.", indent=INDENT)
    if called_by_games and function.name not in called_by_games:
        screen.line(f"{INDENT}No game calls it, so a mistake in it doesn't stop you from playing.", DIM, indent=INDENT)
    if function.name in CALL_SECONDS:
        screen.line(f"{INDENT}A call may take {CALL_SECONDS[function.name]:g} s of CPU time.", indent=INDENT)
    example = example_of(function, calls)
    width = max((len(name) for name, _ in function.parameters), default=0)
    for index, (name, meaning) in enumerate(function.parameters):
        screen.line(
            f"{INDENT}{name:<{width}}  {argument_kind(function, index, calls)}: {meaning}",
            indent=INDENT + " " * (width + 2),
        )
    screen.line(f"{INDENT}returns {function.returns}", indent=INDENT + " " * 8)
    answer = "" if example is None else example_answer(found, function, example)
    if answer and example is not None:
        screen.line(f"{INDENT}Example:", DIM)
        for (name, _), value in zip(function.parameters, example, strict=False):
            screen.line(f"{INDENT}{INDENT}{name} = {literal(value)}", indent=INDENT * 3)
        arguments = ", ".join(name for name, _ in function.parameters[: len(example)])
        screen.line(f"{INDENT}{INDENT}{function.name}({arguments}) returns {answer}")


def argument_kind(function: Function, index: int, calls: Sequence[Arguments]) -> str:
    """The kind of an argument, in words."""
    name = function.parameters[index][0]
    defaults = dict(function.optional)
    values = [call[index] for call in calls if len(call) > index]
    if name in defaults and defaults[name] is not ... and defaults[name] is not None:
        values.append(defaults[name])
    words = "function" if any(callable(value) for value in values) else types_in_words(values)
    optional = "" if name not in defaults else ", optional"
    return f"{words}{optional}" if values else f"a list{optional}"


def example_answer(found: Assignment, function: Function, example: Arguments) -> str:
    """What Kibitz's own solution returns for an example; empty if that is random, or if it refuses the example."""
    if function.name in getattr(found.module, "RANDOM_RESULTS", ()):
        return ""
    try:
        return literal(getattr(found.solutions, function.name)(*deepcopy(example)))
    except NotationError:
        return ""


def literal(value: Any) -> str:
    """A value as Python writes it, cut to a readable length."""
    text = value.__name__ if callable(value) else repr(value)
    return text if len(text) <= MAX_LITERAL else f"{text[:MAX_LITERAL]} ..."


def print_next_steps(screen: Screen, game: str, found: Assignment) -> None:
    """Print what applies to a player file as a whole, and where to go next."""
    if found.games:
        for called_game in found.games:
            if called_game.variant in ("standard", "bonus"):
                screen.line(f"A player of {called_game.name} defines {listed(assignment_functions(called_game))}.")
        screen.line(
            "It is one file, or a folder or ZIP archive in which one file defines the functions and can import the"
            " others: from common import *. It can't read other files or write any."
        )
        screen.line(LIMITS)
    else:
        screen.line(f"'kibitz rules {found.name}' prints the rules.")
    screen.line(f"'kibitz template {game} -o my_player.py' writes a starter file.")
    if found.games:
        screen.line(f"'kibitz check-player {found.games[0].name} my_player.py' checks it.")
    screen.line(f"'kibitz mark {found.name} my_player.py' tests every function.")
    command = f"kibitz template {variants(found.package)[0].name} --play"
    screen.line(f"A player can define play(view, legal) instead: '{command}' explains this interface.")


def starter_file(found: Assignment, more_info: str = "") -> str:
    """A starter file with every function of an assignment.

    ``more_info`` says where to read more; by default it names the commands.
    """
    name, described = found.name, descriptions(found)
    sample_calls = sample_calls_of(found, described.values())
    skeleton = files(package_of(found.module)).joinpath("skeleton.txt")
    body = skeleton.read_text(encoding="utf-8").strip() if skeleton.is_file() else ""
    for signature in found.signatures:
        head = f"def {signature.name}({', '.join(map(parameter_text, signature.parameters))}):\n"
        docstring = "".join(docstring_lines(described[signature.name], sample_calls[signature.name]))
        in_skeleton = re.search(rf"^def {signature.name}\(.*\):\n", body, re.MULTILINE)
        if in_skeleton:
            body = f"{body[: in_skeleton.start()]}{head}{docstring}{body[in_skeleton.end() :]}"
        else:
            body += f"\n\n\n{head}{docstring}    raise NotImplementedError"
    more_info = more_info or f"'kibitz rules {name}' prints the rules, 'kibitz template {name}' explains the functions."
    course = COURSES[found.module.COURSE]
    return f'"""Functions of {course} ({name}).\n\n{more_info}\n"""\n\n\n{body.strip()}\n'


def parameter_text(parameter: ViewParameter) -> str:
    """A parameter as in a ``def`` line; a default that is a name from the course's own files becomes None."""
    default = parameter.default if parameter.default in ("True", "False") or parameter.default.isdigit() else "None"
    return f"{parameter.name}={default}" if parameter.default else parameter.name


def sample_calls_of(found: Assignment, described: Iterable[Function]) -> dict[str, list[Arguments]]:
    """Arguments of calls, by function: its example, published calls, and calls from the games of the assignment."""
    calls = {function.name: [function.example] for function in described if function.example is not None}
    return calls | samples(found.module, [game for game in found.games if game.variant in ("standard", "bonus")])


def docstring_lines(function: Function, calls: Sequence[Arguments]) -> Iterator[str]:
    """The docstring of a function in a starter file, line by line."""
    yield f'    """{capitalized(function.summary)}.\n\n'
    example = example_of(function, calls) or ()
    for index, (name, meaning) in enumerate(function.parameters):
        such_as = f", such as {literal(example[index])}" if index < len(example) else ""
        text = f"{name}: {argument_kind(function, index, calls)}; {meaning}{such_as}"
        yield paragraph(text)
    yield "\n" * bool(function.parameters)
    yield paragraph(f"Returns {function.returns}.")
    yield '    """\n'


def paragraph(text: str) -> str:
    """A paragraph of a docstring."""
    return fill(text, 96, initial_indent=INDENT, subsequent_indent=INDENT * 2) + "\n"


def capitalized(text: str) -> str:
    """A summary as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- the interface play(view, legal)

SEED = 3
MAX_QUESTIONS = 2000
"""The maximum number of questions in a game that are looked at to find an informative one."""
MAX_EXAMPLE_LENGTH, MAX_ITEMS = 210, 12
"""The maximum number of characters of an example, and of items of a list that it shows."""
ABOUT_PLAY = (
    "Return one of the strings in legal, or any other string that a person could type for a legal action: where amounts"
    " can be bet, legal lists only some. You may change the lists that you get."
)
NOTES = (
    "A card is a string of its value and suit, with 0 for the ten: 'AS', '0H'. Seats are numbers from 0.",
    "Before each play, observe is called for every event since the last one, including your own actions; event.kind is"
    " the event's name, and event.text a sentence. end may take a second, and errors in it don't count.",
)


class ExampleQuestion(NamedTuple):
    """A view of the seat to move, and its legal actions as text."""

    view: Any
    legal: list[str]


def show_play_interface(screen: Screen, game: Game, output: Path | None, force: bool) -> None:
    """Explain the play(view, legal) interface for a game, or write a starter file."""
    check_writable(output, force)
    question, kinds = example_question(game)
    if output is not None:
        write(output, file_text(str(output), play_starter_file(game, question)), force)
        screen.line(f"Wrote {output}.")
        screen.line(f"'kibitz check-player {command_name(game.name)} {output}' checks it.")
        return
    screen.line(f"A player of {game.title} ({game.name}) with the interface play(view, legal)", BOLD)
    screen.line()
    screen.line("play(view, legal)", BOLD)
    screen.line(f"{INDENT}Chooses an action. {ABOUT_PLAY}", indent=INDENT)
    for line in fields(layout_of(question.view.__class__), plain(question.view), "view."):
        screen.line(INDENT + line, indent=INDENT * 2)
    screen.line(f"{INDENT}legal  list[str], such as {shortened(question.legal)}", indent=INDENT * 2)
    screen.line()
    screen.line("Optional functions:", DIM)
    screen.line("start(game, seat, players)", BOLD)
    screen.line(f"{INDENT}The game begins, for example start({game.name!r}, 0, {game.seats}).", indent=INDENT)
    screen.line("observe(event)", BOLD)
    screen.line(f"{INDENT}Something has happened that your seat can see:", indent=INDENT)
    for kind in kinds:
        names = ", ".join(field.name for field in layout_of(kind))
        summary = (kind.__doc__ or "").partition("\n")[0]
        screen.line(f"{INDENT}{kind.__name__}({names}): {summary}", indent=INDENT * 2)
    screen.line("end(result)", BOLD)
    names = "; ".join(f"result.{field.name}: {field.meaning}" for field in layout_of(Outcome))
    screen.line(f"{INDENT}The game is over. {names}.", indent=INDENT)
    screen.line()
    for note in NOTES:
        screen.line(note)
    screen.line(LIMITS)
    flag = " --play" if game.assignment is not None else ""
    screen.line(f"'kibitz template {command_name(game.name)}{flag} -o my_player.py' writes a starter file.")
    screen.line(f"'kibitz check-player {command_name(game.name)} my_player.py' checks it.")


def example_question(game: Game) -> tuple[ExampleQuestion, list[type[Event]]]:
    """The question with the most fields filled in, from three games of the random player; and all kinds of events."""
    best: tuple[int, ExampleQuestion] | None = None
    kinds: dict[type[Event], None] = {}
    random, choose = Random(SEED), strategies(game)["random"]
    for seed in range(3):
        table = Table.deal(game, SEED + seed)
        kinds |= dict.fromkeys(type(notice.event) for notice in table.latest_notices)
        while not table.over and table.step < MAX_QUESTIONS:
            view, legal = table.view(table.player), table.legal(table.player)
            fields_with_values = sum(value not in ([], None, 0, ()) for value in plain(view).values())
            if len(legal) > 1 and (best is None or fields_with_values > best[0]):
                best = fields_with_values, ExampleQuestion(view, [game.text(view, action) for action in legal])
            table.act(table.player, choose(view, legal, random))
            kinds |= dict.fromkeys(type(notice.event) for notice in table.latest_notices)
    assert best is not None, "a game has choices"
    package = game.rules.__name__.rpartition(".")[0]
    other_kinds = [kind for kind in Event.__subclasses__() if kind.__module__.startswith(f"{package}.")]
    return best[1], [*kinds, *(kind for kind in other_kinds if kind not in kinds)]


def fields(layout: Sequence[PlainField], values: dict[str, Any], prefix: str) -> Iterator[str]:
    """A line for each field of a view: its name, type and meaning, and an example."""
    width = max(len(field.name) for field in layout) + len(prefix)
    for field in layout:
        meaning = f"{field.meaning}; " if field.meaning else ""
        example = shortened(as_object(View, values[field.name]))
        yield f"{prefix + field.name:<{width}}  {type_text(field.type)}: {meaning}such as {example}"


def type_text(kind: Type) -> str:
    """A type in words, with its possible values.

    >>> type_text(ListOf(NamedType("card", ListOf(NamedType("x", Either(()), "")), "")))
    'list[card]'
    """
    match kind:
        case NamedType("word", _, meaning):
            return meaning
        case ListOf(item):
            return f"list[{type_text(item)}]"
        case TupleOf(items):
            return f"tuple[{', '.join(map(type_text, items))}]"
        case Either(options):
            return " or ".join(map(type_text, options))
    return str(kind)


def shortened(value: Any) -> str:
    """A value as Python writes it, with long lists cut."""
    if isinstance(value, list) and len(value) > MAX_ITEMS:
        value = value[:MAX_ITEMS]
        return f"{shortened(value)[:-1]}, ...]"
    text = repr(value)
    return text if len(text) <= MAX_EXAMPLE_LENGTH else f"{text[:MAX_EXAMPLE_LENGTH]} ..."


def play_starter_file(game: Game, question: ExampleQuestion) -> str:
    """A starter file for the play(view, legal) interface."""
    examples = ", ".join(repr(text) for text in question.legal[:3])
    rules = f"kibitz rules {command_name(game.name).partition(':')[0]}"
    template = f"kibitz template {command_name(game.name)}" + (" --play" if game.assignment is not None else "")
    return f'''"""A player of {game.title} ({game.name}).

'{rules}' prints the rules, '{template}' explains view and events.
"""

import random


def start(game, seat, players):
    """A new game begins: reset what you remember of the last one."""


def observe(event):
    """Something has happened; event.kind is its name, and event.text a sentence."""


def play(view, legal):
    """Choose one of the strings in legal, such as {examples}."""
    return random.choice(legal)


def end(result):
    """The game is over; result.winners are the seats that have won."""
'''
