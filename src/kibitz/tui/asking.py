"""Setting up a game in windows: the questions of ``kibitz.players.setup``, one after the other."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label, OptionList, Static

from kibitz.engine.game import Game
from kibitz.engine.sentences import finished
from kibitz.errors import KibitzError
from kibitz.players.characters import Character, cast
from kibitz.players.measured import strength
from kibitz.players.setup import Question, SetUp, setting_up
from kibitz.tui.dialogs import CLOSING, Choices, Window

REST = object()
"""The answer: what is usual here and for all questions that follow."""


class Questioning(Window):
    """One question; dismissed with a list of the one value that was chosen, ``REST``, or None to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSING,
        Binding("ctrl+s", "rest", "All the rest as usual", priority=True),
    ]

    def __init__(self, game: Game, question: Question) -> None:
        super().__init__()
        self.question = question
        self.lines = {one.name: described(game, one) for one in cast(game)}

    def compose(self) -> ComposeResult:
        """The question, what was wrong, the choices, a line to type in."""
        question = self.question
        with Vertical():
            yield Label(question.asks, classes="asks", markup=False)
            yield Static(Text(question.wrong), classes="wrong")
            if question.choices:
                said = [self.said(value, words) for value, words in question.choices]
                yield Choices(said)
            if not question.choices or question.several or question.other is not None:
                yield Input(placeholder=self.hint())
            below = f"Enter: {question.usual}   Ctrl+S: all the rest as usual   Esc leaves"
            yield Static(Text(below), classes="below")

    def said(self, value: object, words: str) -> str:
        """A choice in words; a computer player with its line of character."""
        line = self.lines.get(value) if isinstance(value, str) else None
        return f"{words}: {line}" if line else words

    def hint(self) -> str:
        """What can be typed."""
        if self.question.several:
            return "numbers with spaces between them, all or none"
        if self.question.choices:
            return "or the path of a player file"
        return self.question.wanted().partition(", or press")[0]

    def on_mount(self) -> None:
        """Begin at what is usual."""
        question = self.question
        for choices in self.query(OptionList):
            values = [value for value, _ in question.choices]
            choices.highlighted = values.index(question.default) if question.default in values else 0
            if not question.several:
                choices.focus()
                return
        self.query_one(Input).focus()

    def action_rest(self) -> None:
        """All as usual from here on."""
        self.dismiss(REST)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A choice of the list."""
        if not self.question.several:
            self.dismiss([self.question.choices[event.option_index][0]])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What was typed, if it is an answer."""
        try:
            self.dismiss([self.question.read(" ".join(event.value.split()))])
        except KibitzError as error:
            self.query_one(".wrong", Static).update(Text(finished(str(error))))


def described(game: Game, one: Character) -> str:
    """What a computer player is like, and how strong, where that was measured."""
    measured = strength(game, one.name)
    return f"{one.line} {measured} points on the ladder." if measured else one.line


async def asked(app: App[Any], game: Game) -> SetUp | None:
    """Ask every question about a game; None if the person leaves."""
    questions = setting_up(game)
    question = next(questions)
    hurried = False
    try:
        while True:
            answer: object = (
                REST if hurried and not question.wrong else await app.push_screen_wait(Questioning(game, question))
            )
            if answer is None:
                return None
            hurried = answer is REST
            question = questions.send(answer[0] if isinstance(answer, list) else question.default)
    except StopIteration as stop:
        done: SetUp = stop.value
        return done


def as_usual(game: Game) -> SetUp:
    """A game with what is usual: one person, and the strongest computer players."""
    questions = setting_up(game)
    question = next(questions)
    try:
        while True:
            question = questions.send(question.default)
    except StopIteration as stop:
        done: SetUp = stop.value
        return done
