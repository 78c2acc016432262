"""The one widget of a table: it shows a picture and tells what was clicked."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from kibitz.tui.canvas import Canvas
from kibitz.tui.palette import style_of

Draw = Callable[[int, int], Canvas]
"""Makes a picture of so many columns and lines."""


PLAIN = Style()
"""Of what is not written on: without colours (``NO_COLOR``) Textual takes no segment that has no style at all."""


class Board(Widget):
    """Shows what ``draw`` makes for its size."""

    DEFAULT_CSS = "Board { width: 100%; height: 100%; }"

    class Pointed(Message):
        """Something was clicked, by its key."""

        def __init__(self, key: str, *, twice: bool) -> None:
            super().__init__()
            self.key, self.twice = key, twice

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.canvas = Canvas()

    def redraw(self) -> None:
        """Make the picture anew."""
        self.canvas = self.draw(max(self.size.width, 20), max(self.size.height, 8))
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Fill the new size."""
        self.redraw()

    def render_line(self, y: int) -> Strip:
        """One line of the picture."""
        segments = [Segment(text, style_of(style)) for text, style in self.canvas.runs(y)]
        return Strip(segments).adjust_cell_length(self.size.width, PLAIN)

    def on_click(self, event: events.Click) -> None:
        """Tell what lies there."""
        if (key := self.canvas.at(event.x, event.y)) is not None:
            self.post_message(self.Pointed(key, twice=event.chain > 1))
