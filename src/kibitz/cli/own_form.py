"""``kibitz form`` for Kibitz's own form: what a view and the events of a game hold, and a file to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from kibitz.cli.files import ready, write
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.engine.events import Event, Outcome
from kibitz.engine.game import Game
from kibitz.engine.plain import PlainField, layout_of, plain
from kibitz.engine.value_types import Either, ListOf, Named, TupleOf, Type
from kibitz.players.built_in import strategies
from kibitz.players.limits import STANDARD
from kibitz.players.objects import View, as_object
from kibitz.table import Table

INDENT = " " * 4
SEED = 3
MOST = 2000
"""Questions that are looked at for one that shows much."""
LONG, FEW = 70, 12
"""Characters of an example, and legal actions that are shown."""
PLAY = (
    "Return one of the texts in legal, or any other text that a person could type for a legal action: where amounts can"
    " be bet, legal lists some of them only. Lists that you are given are yours to change."
)
NOTES = (
    "A card is a text, its value and suit, the ten as 0: 'AS', '0H'. Seats are numbers from 0. None means nothing.",
    "observe is called before the next play with everything that has happened since, your own actions included;"
    " event.kind is its name and event.text tells it in a sentence. end may take a second, and nothing that goes wrong"
    " in it counts.",
)


class Question(NamedTuple):
    """A question of a game, and what was to be chosen from."""

    view: Any
    legal: list[str]


def show(screen: Screen, game: Game, output: Path | None, force: bool) -> None:
    """Tell of the own form for a game, or write a file to begin with."""
    ready(output, force)
    asked, kinds = looked_at(game)
    if output is not None:
        write(output, skeleton(game, asked), force)
        screen.line(f"{output} is a file to begin with.")
        screen.line(f"'kibitz check-player {game.name} {output}' tells whether it is fit to play.")
        return
    screen.line(f"A player of {game.title} ({game.name}) in Kibitz's own form", BOLD)
    screen.line()
    screen.line("play(view, legal)", BOLD)
    screen.line(f"{INDENT}Chooses an action. {PLAY}", hang=INDENT)
    for line in fields(layout_of(asked.view.__class__), plain(asked.view), "view."):
        screen.line(INDENT + line, hang=INDENT * 2)
    screen.line(f"{INDENT}legal  list[str], such as {shortened(asked.legal)}", hang=INDENT * 2)
    screen.line()
    screen.line("And if you like:", DIM)
    screen.line("start(game, seat, players)", BOLD)
    screen.line(f"{INDENT}The game begins, for example start({game.name!r}, 0, {game.seats}).", hang=INDENT)
    screen.line("observe(event)", BOLD)
    screen.line(f"{INDENT}Something has happened that your seat can see:", hang=INDENT)
    for kind in kinds:
        names = ", ".join(field.name for field in layout_of(kind))
        said = (kind.__doc__ or "").partition("\n")[0]
        screen.line(f"{INDENT}{kind.__name__}({names}): {said}", hang=INDENT * 2)
    screen.line("end(result)", BOLD)
    names = "; ".join(f"result.{field.name}: {field.meaning}" for field in layout_of(Outcome))
    screen.line(f"{INDENT}The game is over. {names}.", hang=INDENT)
    screen.line()
    for note in NOTES:
        screen.line(note)
    tell_limits(screen, game)


def tell_limits(screen: Screen, game: Game) -> None:
    """What a file may use up, and where to go on."""
    from kibitz.cli.form import allowed

    screen.line(allowed(STANDARD))
    own = " --own" if game.form is not None else ""
    screen.line(f"'kibitz form {game.name}{own} -o my_player.py' writes a file to begin with.")
    screen.line(f"'kibitz check-player {game.name} my_player.py' tells whether it is fit to play.")


def looked_at(game: Game) -> tuple[Question, list[type[Event]]]:
    """A question that shows much, and the kinds of events that there are, from games of a built-in player."""
    best: tuple[int, Question] | None = None
    kinds: dict[type[Event], None] = {}
    random, choose = Random(SEED), strategies(game)["random"]
    for seed in range(3):
        table = Table.deal(game, SEED + seed)
        kinds |= dict.fromkeys(type(notice.event) for notice in table.latest)
        while not table.over and table.step < MOST:
            view, legal = table.view(table.player), table.legal(table.player)
            told = sum(value not in ([], None, 0, ()) for value in plain(view).values())
            if len(legal) > 1 and (best is None or told > best[0]):
                best = told, Question(view, [game.text(view, action) for action in legal])
            table.act(table.player, choose(view, legal, random))
            kinds |= dict.fromkeys(type(notice.event) for notice in table.latest)
    assert best is not None, "a game has choices"
    package = game.rules.__name__.rpartition(".")[0]
    rest = [kind for kind in Event.__subclasses__() if kind.__module__.startswith(f"{package}.")]
    return best[1], [*kinds, *(kind for kind in rest if kind not in kinds)]


def fields(layout: Sequence[PlainField], values: dict[str, Any], start: str) -> Iterator[str]:
    """The fields of a view, line by line."""
    width = max(len(field.name) for field in layout) + len(start)
    for field in layout:
        meaning = f"{field.meaning}; " if field.meaning else ""
        shown = shortened(as_object(View, values[field.name]))
        yield f"{start + field.name:<{width}}  {type_text(field.type)}: {meaning}such as {shown}"


def type_text(kind: Type) -> str:
    """A type as it is shown, with the words that there are.

    >>> type_text(ListOf(Named("card", ListOf(Named("x", Either(()), "")), "")))
    'list[card]'
    """
    match kind:
        case Named("word", _, meaning):
            return meaning
        case ListOf(item):
            return f"list[{type_text(item)}]"
        case TupleOf(items):
            return f"tuple[{', '.join(map(type_text, items))}]"
        case Either(options):
            return " or ".join(map(type_text, options))
    return str(kind)


def shortened(value: Any) -> str:
    """A value as Python writes it, lists with their first things only."""
    if isinstance(value, list) and len(value) > FEW:
        value = value[:FEW]
        return f"{shortened(value)[:-1]}, ...]"
    text = repr(value)
    return text if len(text) <= LONG * 3 else f"{text[: LONG * 3]} ..."


def skeleton(game: Game, asked: Question) -> str:
    """A file to begin with."""
    kinds = ", ".join(repr(text) for text in asked.legal[:3])
    own = " --own" if game.form is not None else ""
    return f'''"""A player of {game.title} ({game.name}) in Kibitz's own form.

'kibitz rules {game.name.partition(":")[0]}' tells the rules, and 'kibitz form {game.name}{own}' all that view holds.
"""

import random


def start(game, seat, players):
    """A game begins: forget the last one."""


def observe(event):
    """Something has happened; event.kind says what, and event.text tells it in a sentence."""


def play(view, legal):
    """Choose one of the texts in legal, such as {kinds}."""
    return random.choice(legal)


def end(result):
    """The game is over; result.winners are the seats that have won."""
'''
