"""Small windows over a screen: a text to read, a line to type, a list to choose from.

They also ask the questions before a game (``kibitz.players.setup``), one after the other, and show the ladder of a
game's computer players.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, ProgressBar, Static
from textual.widgets.option_list import Option

from kibitz.engine.game import Game
from kibitz.engine.registry import families
from kibitz.engine.sentences import as_sentence
from kibitz.errors import KibitzError
from kibitz.players.built_in import character_line, characters
from kibitz.players.setup import Question, SetUp, setup_questions
from kibitz.tui.threads import Stopped, in_thread

if TYPE_CHECKING:
    from kibitz.arena.ladder import Ladder


CLOSE_BINDINGS: list[BindingType] = [Binding("escape", "close", "Close")]


class ChoiceList(OptionList):
    """Lines to choose from; ``headings`` are the indices of lines that are headings.

    The current line is marked with ``▸``, so that people can see it without colour.
    """

    def __init__(self, lines: Sequence[str], headings: Collection[int] = ()) -> None:
        self.lines, self.headings, self.current = lines, headings, -1
        super().__init__(*(Option(self.prompt(number), disabled=number in headings) for number in range(len(lines))))

    def prompt(self, number: int) -> Text:
        """A line as it is displayed now."""
        is_heading = number in self.headings
        mark = "" if is_heading else "▸ " if number == self.current else "  "
        return Text(mark + self.lines[number], style="bold" if is_heading else "")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Move the mark with the cursor."""
        previous, self.current = self.current, event.option_index
        for number in {previous, self.current} - {-1}:
            self.replace_option_prompt_at_index(number, self.prompt(number))


class Window(ModalScreen[object]):
    """A window in the middle, which Esc closes."""

    DEFAULT_CSS = """
    Window { align: center middle; }
    Window > Vertical { width: 90%; max-width: 84; height: auto; max-height: 90%;
        border: round $primary; padding: 0 1; background: $surface; }
    Window .heading { text-style: bold; }
    Window .footnote { color: $text-muted; }
    Window VerticalScroll { height: auto; max-height: 100%; }
    Window OptionList, Window OptionList:focus { height: auto; max-height: 16; border: none; background: $surface; }
    Window Input, Window Input:focus { border: round $primary; }
    Window .wrong { color: $warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = CLOSE_BINDINGS

    def action_close(self) -> None:
        """Go back to the screen below."""
        self.dismiss(None)


class TextWindow(Window):
    """A text that can be scrolled; it is opened at its end if ``at_end``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE_BINDINGS,
        Binding("enter,space,q", "close", "Close"),
        Binding("down", "scroll(1)"),
        Binding("up", "scroll(-1)"),
        Binding("pagedown", "scroll(10)"),
        Binding("pageup", "scroll(-10)"),
        Binding("home", "scroll(-100000)"),
        Binding("end", "scroll(100000)"),
    ]

    def __init__(self, title: str, lines: Sequence[str], *, at_end: bool = False) -> None:
        super().__init__()
        self.heading, self.lines, self.at_end = title, lines, at_end

    def compose(self) -> ComposeResult:
        """The title, the text, and how to leave."""
        with Vertical() as frame:
            frame.border_subtitle = "↑ ↓ scroll   Esc closes"
            yield Label(self.heading, classes="heading", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static(Text("\n".join(self.lines)))

    def on_mount(self) -> None:
        """Scroll to the end if it should start there."""
        for scroll in self.query(VerticalScroll) if self.at_end else ():
            self.call_after_refresh(scroll.scroll_end, animate=False)

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        for scroll in self.query(VerticalScroll):
            scroll.scroll_relative(y=lines, animate=False)


class InputWindow(Window):
    """A question with a line for the answer; dismissed with the text, or None if cancelled."""

    def __init__(self, heading: str, footnote: str = "", initial: str = "") -> None:
        super().__init__()
        self.heading, self.footnote, self.initial = heading, footnote, initial

    def compose(self) -> ComposeResult:
        """The question, the line, and what may be typed."""
        with Vertical():
            yield Label(self.heading, classes="heading", markup=False)
            yield Input(self.initial, select_on_focus=False)
            yield Static(Text(self.footnote), classes="footnote")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the answer."""
        self.dismiss(event.value.strip())


class ChoiceWindow(Window):
    """A list to choose from; dismissed with the index of the choice, or None if cancelled."""

    def __init__(self, heading: str, choices: Sequence[str]) -> None:
        super().__init__()
        self.heading, self.choices = heading, choices

    def compose(self) -> ComposeResult:
        """The question and the choices."""
        with Vertical() as frame:
            frame.border_subtitle = "↑ ↓ move   Enter chooses   Esc closes"
            yield Label(self.heading, classes="heading", markup=False)
            yield ChoiceList(self.choices)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the choice."""
        self.dismiss(event.option_index)


# ---------------------------------------------------------------- the questions before a game

ALL_DEFAULTS = object()
"""The answer that takes the defaults for this and all remaining questions."""


class QuestionWindow(Window):
    """One question; dismissed with a list of one value, with ``ALL_DEFAULTS``, or with None to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE_BINDINGS,
        Binding("ctrl+s", "use_defaults", "Use the defaults from here on", priority=True),
    ]

    def __init__(self, game: Game, question: Question) -> None:
        super().__init__()
        self.question = question
        self.descriptions = {character.name: character_line(game, character) for character in characters(game)}

    def compose(self) -> ComposeResult:
        """The question, the error in the previous answer, the choices, and a line to type in."""
        question = self.question
        with Vertical():
            yield Label(question.text, classes="heading", markup=False)
            yield Static(Text(question.error), classes="wrong")
            if question.choices:
                choice_text = [self.choice_text(value, words) for value, words in question.choices]
                yield ChoiceList(choice_text)
            if not question.choices or question.multiple or question.read_other is not None:
                yield Input(placeholder=self.hint())
            footnote = f"Enter: {question.default_text}   Ctrl+S: use the defaults from here on   Esc leaves"
            yield Static(Text(footnote), classes="footnote")

    def choice_text(self, value: object, words: str) -> str:
        """A choice in words; for a computer player, followed by its description."""
        description = self.descriptions.get(value) if isinstance(value, str) else None
        return f"{words}: {description}" if description else words

    def hint(self) -> str:
        """The possible answers."""
        if self.question.multiple:
            return "numbers separated by spaces, all or none"
        if self.question.choices:
            return "or the path of a player file"
        return self.question.valid_answers().partition(", or press")[0]

    def on_mount(self) -> None:
        """Start at the default."""
        question = self.question
        for choices in self.query(OptionList):
            values = [value for value, _ in question.choices]
            choices.highlighted = values.index(question.default) if question.default in values else 0
            if not question.multiple:
                choices.focus()
                return
        self.query_one(Input).focus()

    def action_use_defaults(self) -> None:
        """Take the defaults for this and all remaining questions."""
        self.dismiss(ALL_DEFAULTS)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the chosen value."""
        if not self.question.multiple:
            self.dismiss([self.question.choices[event.option_index][0]])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with what was typed, if it is an answer."""
        try:
            self.dismiss([self.question.read(" ".join(event.value.split()))])
        except KibitzError as error:
            self.query_one(".wrong", Static).update(Text(as_sentence(str(error))))


async def ask_setup(app: App[Any], game: Game) -> SetUp | None:
    """Ask every question about a game; returns the answers as a SetUp, or None if the person leaves."""
    questions = setup_questions(game)
    question = next(questions)
    defaults_from_here = False
    try:
        while True:
            answer: object = (
                ALL_DEFAULTS
                if defaults_from_here and not question.error
                else await app.push_screen_wait(QuestionWindow(game, question))
            )
            if answer is None:
                return None
            defaults_from_here = answer is ALL_DEFAULTS
            question = questions.send(answer[0] if isinstance(answer, list) else question.default)
    except StopIteration as stop:
        setup: SetUp = stop.value
        return setup


# ---------------------------------------------------------------- the ladder

LADDER_DEALS = 20
ABOUT_LADDER = (
    "The average is 1500 points; 400 points more mean odds of 10 to 1. ± is half of a 95 % interval.",
    "'kibitz ladder GAME --deals 200' plays more deals, for more precise ratings.",
)


class LadderWindow(Window):
    """Plays games with a progress bar; dismissed with the ladder, with a KibitzError, or with None if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE_BINDINGS

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        """The game, the progress, and how to leave."""
        with Vertical():
            title = f"{self.game.title}: {LADDER_DEALS} deals, each played in every seat rotation"
            yield Label(title, classes="heading", markup=False)
            yield ProgressBar(total=LADDER_DEALS * self.game.seats, show_eta=False)
            yield Static(Text("Esc stops it."), classes="footnote")

    def on_mount(self) -> None:
        """Begin to play."""
        self.run_worker(self.play(), exclusive=True)

    async def play(self) -> None:
        """Play, and close with the ladder."""
        from kibitz.arena.ladder import ladder

        def progress(played: int, total: int) -> None:
            if not self.is_attached:
                raise Stopped
            self.app.call_from_thread(self.query_one(ProgressBar).update, total=total, progress=played)

        try:
            self.dismiss(await in_thread(lambda: ladder(self.game, LADDER_DEALS, workers=1, progress=progress)))
        except Stopped:
            return
        except KibitzError as error:
            self.dismiss(error)


async def show_ladder(app: App[Any]) -> str:
    """Ask for a game, play games between its computer players, and show the ladder; returns "" for the menu."""
    games = [family.games[0] for family in families()]
    number = await app.push_screen_wait(ChoiceWindow("The ladder of which game?", [game.title for game in games]))
    if not isinstance(number, int):
        return ""
    result = await app.push_screen_wait(LadderWindow(games[number]))
    if isinstance(result, KibitzError):
        raise result
    if result is not None:
        ranking: Ladder = result  # type: ignore[assignment]
        from kibitz.arena.ladder import rows

        title = f"The ladder of {games[number].title}, {ranking.games} games"
        await app.push_screen_wait(TextWindow(title, [*rows(ranking), "", *ABOUT_LADDER]))
    return ""
