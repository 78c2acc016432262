"""Small windows over a screen: a text to read, a question with a line to type in, a list to choose from.

A list is a ``Choices``, whose current line has the mark of every cursor: colour is never the only cue.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

CLOSING: list[BindingType] = [Binding("escape", "close", "Close")]


class Choices(OptionList):
    """Lines of which one is chosen; ``▸`` stands before the current one."""

    def __init__(self, lines: Sequence[str], headings: Collection[int] = ()) -> None:
        self.lines, self.headings, self.marked = lines, headings, -1
        super().__init__(*(Option(self.prompt(number), disabled=number in headings) for number in range(len(lines))))

    def prompt(self, number: int) -> Text:
        """A line as it is shown now."""
        heading = number in self.headings
        start = "" if heading else "▸ " if number == self.marked else "  "
        words = start + self.lines[number]
        return Text(words, style="bold" if heading else "")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The mark goes with the cursor."""
        before, self.marked = self.marked, event.option_index
        for number in {before, self.marked} - {-1}:
            self.replace_option_prompt_at_index(number, self.prompt(number))


class Window(ModalScreen[object]):
    """A window in the middle, which Esc closes."""

    DEFAULT_CSS = """
    Window { align: center middle; }
    Window > Vertical { width: 90%; max-width: 84; height: auto; max-height: 90%;
        border: round $primary; padding: 0 1; background: $surface; }
    Window .asks { text-style: bold; }
    Window .below { color: $text-muted; }
    Window VerticalScroll { height: auto; max-height: 100%; }
    Window OptionList, Window OptionList:focus { height: auto; max-height: 16; border: none; background: $surface; }
    Window Input, Window Input:focus { border: round $primary; }
    Window .wrong { color: $warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = CLOSING

    def action_close(self) -> None:
        """Go back to the screen below."""
        self.dismiss(None)


class Reading(Window):
    """A text that can be scrolled; it begins at its end where ``latest`` is what counts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSING,
        Binding("enter,space,q", "close", "Close"),
        Binding("down", "scroll(1)"),
        Binding("up", "scroll(-1)"),
        Binding("pagedown", "scroll(10)"),
        Binding("pageup", "scroll(-10)"),
        Binding("home", "scroll(-100000)"),
        Binding("end", "scroll(100000)"),
    ]

    def __init__(self, title: str, lines: Sequence[str], *, latest: bool = False) -> None:
        super().__init__()
        self.heading, self.lines, self.latest = title, lines, latest

    def compose(self) -> ComposeResult:
        """The title, the text, and how to leave."""
        with Vertical() as frame:
            frame.border_subtitle = "↑ ↓ scroll   Esc closes"
            yield Label(self.heading, classes="asks", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static(Text("\n".join(self.lines)))

    def on_mount(self) -> None:
        """Show the latest."""
        for scroll in self.query(VerticalScroll) if self.latest else ():
            self.call_after_refresh(scroll.scroll_end, animate=False)

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        for scroll in self.query(VerticalScroll):
            scroll.scroll_relative(y=lines, animate=False)


class Asking(Window):
    """A question with a line to type the answer in; dismissed with what was typed, None where nothing is wanted."""

    def __init__(self, asks: str, below: str = "", start: str = "") -> None:
        super().__init__()
        self.asks, self.below, self.start = asks, below, start

    def compose(self) -> ComposeResult:
        """The question, the line, and what may be typed."""
        with Vertical():
            yield Label(self.asks, classes="asks", markup=False)
            yield Input(self.start, select_on_focus=False)
            yield Static(Text(self.below), classes="below")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The answer."""
        self.dismiss(event.value.strip())


class Choosing(Window):
    """A list of which one is chosen; dismissed with its number, None where none is wanted."""

    def __init__(self, asks: str, choices: Sequence[str], below: str = "") -> None:
        super().__init__()
        self.asks, self.choices, self.below = asks, choices, below

    def compose(self) -> ComposeResult:
        """The question and the choices."""
        with Vertical() as frame:
            frame.border_subtitle = "↑ ↓ move   Enter chooses   Esc closes"
            yield Label(self.asks, classes="asks", markup=False)
            yield Choices(self.choices)
            if self.below:
                yield Static(Text(self.below), classes="below")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The choice."""
        self.dismiss(event.option_index)
