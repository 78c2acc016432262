"""The board of a table as text, and the widget that shows it and reports clicks.

``picture`` draws a ``Frame`` (the content) as a ``Canvas`` (the characters with their styles).  From top to bottom, a
picture consists of

    head        the game, and the facts that belong to no seat
    table       the zones (``panels``); if they are too tall for the screen, the part around the cursor
    history     the latest sentences; on a wide screen they are beside the table
    foot        the prompt, the buttons, and a description of the thing at the cursor, or a refusal or a hint
    keys        the keys that work now
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.filter import LineFilter
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from kibitz.engine.scene import Part, Scene
from kibitz.tui.canvas import Canvas, flowed, shortened, stacked, text_line, wrapped
from kibitz.tui.panels import Marks, TablePainter, labelled

Draw = Callable[[int, int], Canvas]
"""A function that draws a picture of a given width and height."""
PLAIN_STYLE = Style()
"""The style of blank cells: without colours (``NO_COLOR``) Textual drops segments without a style."""


class Board(Widget):
    """Shows the picture that ``draw`` makes for its size."""

    DEFAULT_CSS = "Board { width: 100%; height: 100%; }"

    class Clicked(Message):
        """A click, perhaps a double click, on the region with this key."""

        def __init__(self, key: str, *, double: bool) -> None:
            super().__init__()
            self.key, self.double = key, double

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.canvas = Canvas()

    def redraw(self) -> None:
        """Draw the picture again, for the current size."""
        self.canvas = self.draw(max(self.size.width, 20), max(self.size.height, 8))
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Fill the new size."""
        self.redraw()

    def render_line(self, y: int) -> Strip:
        """One line of the picture."""
        segments = [Segment(text, style_of(style)) for text, style in self.canvas.runs(y)]
        return Strip(segments).adjust_cell_length(self.size.width, PLAIN_STYLE)

    def on_click(self, event: events.Click) -> None:
        """Report what was clicked."""
        if (key := self.canvas.key_at(event.x, event.y)) is not None:
            self.post_message(self.Clicked(key, double=event.chain > 1))


# ---------------------------------------------------------------- the picture

WIDE_SCREEN = 104
"""The minimum width at which the history is beside the table, in ``SIDE_WIDTH`` columns."""
SIDE_WIDTH = 36
NO_MARKS = Marks()
MIN_HISTORY_LINES = 2


@dataclass(frozen=True)
class Frame:
    """The content of a picture.

    title       the game
    seat        the seat whose view it is; SPECTATOR (-1) for nobody's
    buttons     the parts other than cards and places: words, such as "pass", and amounts
    ready_text  the action that Enter will play, in words; "" while the action is incomplete
    cursor_text a description of the thing at the cursor
    feedback    a refusal or a hint, in a sentence; shown in place of ``cursor_text``
    history     sentences, the latest last
    keys        the keys that work now, each with its meaning
    caption     the current tip of a guided first hand; it is shown above the prompt
    """

    title: str
    scene: Scene
    names: Sequence[str]
    seat: int
    marks: Marks = NO_MARKS
    buttons: Sequence[Part] = ()
    ready_text: str = ""
    cursor_text: str = ""
    feedback: str = ""
    history: Sequence[str] = ()
    keys: Sequence[tuple[str, str]] = ()
    caption: str = ""


def picture(frame: Frame, width: int, height: int) -> Canvas:
    """The picture of a frame on a screen of this size."""
    side_width = SIDE_WIDTH if width >= WIDE_SCREEN else 0
    main_width = width - side_width
    head, foot = head_canvas(frame, main_width), foot_canvas(frame, main_width)
    keys = keys_canvas(frame.keys, width)
    middle_height = height - head.height - foot.height - keys.height  # for the table, and the history below it
    table_height = middle_height - (0 if side_width else MIN_HISTORY_LINES)
    full_table = TablePainter(frame.scene, frame.names, frame.seat, main_width, frame.marks).draw(table_height)
    table = around_cursor(full_table, max(table_height, 3), frame.marks.cursor)
    history_height = max(middle_height - table.height, 0)
    history = Canvas() if side_width else history_canvas(frame.history, main_width, history_height)
    if not side_width:
        table.extend(middle_height - history.height)
    body = stacked([head, table, history, foot])
    if side_width:
        body.extend(height - keys.height)
        for y in range(height - keys.height):
            body.write(main_width, y, "│", "dim")
        body.paste(history_canvas(frame.history, side_width - 2, height - keys.height), main_width + 2, 0)
    body.extend(height - keys.height)
    screen = stacked([body, keys]).crop_width(width).crop_lines(0, height)
    screen.uncropped_regions = stacked([head, full_table, foot]).regions
    return screen


def head_canvas(frame: Frame, width: int) -> Canvas:
    """The game's title, in bold, and the facts that belong to no seat."""
    facts = " · ".join(f"{fact.label} {fact.value}" for fact in frame.scene.facts if fact.seat < 0)
    line = f"{frame.title} · {facts}" if facts else frame.title
    canvas = stacked(text_line(part) for part in wrapped_within(line, width, 3))
    for x, char in enumerate(frame.title[:width]):
        if canvas.rows[0][x : x + 1]:
            canvas.rows[0][x] = (char, "bold")
    return canvas


def foot_canvas(frame: Frame, width: int) -> Canvas:
    """The caption, the prompt, the buttons, the action that Enter plays, and the feedback (else the cursor's text)."""
    tips = wrapped_within(f"Tip: {frame.caption}", width, 6) if frame.caption else []
    blocks = [text_line(line, "feedback") for line in tips]
    blocks += [text_line(line, "bold") for line in wrapped_within(frame.scene.prompt, width, 9)]
    if frame.buttons:
        drawn = [
            labelled(
                part.key,
                f"{frame.marks.number(part.key)} {shortened(part.label, width - 6)}".strip(),
                "button",
                frame.marks,
            )
            for part in frame.buttons
        ]
        blocks.append(flowed(drawn, width, 1))
    if frame.ready_text:
        first, *more = wrapped_within(f"Enter: {frame.ready_text}", width - 2, 3)
        blocks += [labelled("ready", first, "ready", NO_MARKS), *(text_line(f" {line}", "ready") for line in more)]
    sentence, style = (frame.feedback, "feedback") if frame.feedback else (frame.cursor_text, "dim")
    blocks += [text_line(line, style) for line in wrapped_within(sentence, width, 9 if frame.feedback else 4)]
    return stacked(blocks)


def wrapped_within(text: str, width: int, max_lines: int) -> list[str]:
    """A text in one to ``max_lines`` lines; if it is cut, it ends in an ellipsis."""
    lines = wrapped(text, width)
    return (
        lines
        if len(lines) <= max_lines
        else [*lines[: max_lines - 1], shortened(" ".join(lines[max_lines - 1 :]), width)]
    )


def history_canvas(sentences: Sequence[str], width: int, height: int) -> Canvas:
    """The latest sentences, as many as fit; all but the latest are dimmed."""
    lines: list[tuple[str, str]] = []
    for number, sentence in enumerate(reversed(sentences)):
        if len(lines) >= height:
            break
        lines[:0] = [(line, "" if number == 0 else "dim") for line in wrapped(sentence, width, "  ")]
    return stacked(text_line(line, style) for line, style in lines[len(lines) - height if len(lines) > height else 0 :])


def keys_canvas(keys: Sequence[tuple[str, str]], width: int) -> Canvas:
    """The keys and their meanings, in as many lines as they need."""
    drawn = []
    for key, meaning in keys:
        canvas = Canvas()
        end = canvas.write(canvas.write(0, 0, key, "key") + 1, 0, meaning, "dim")
        canvas.add_region(f"key:{key}", 0, 0, end)
        drawn.append(canvas)
    return flowed(drawn, width, 2)


def around_cursor(table: Canvas, height: int, cursor: str | None) -> Canvas:
    """The ``height`` lines of a table around the cursor, marked with the numbers of lines above and below them."""
    if table.height <= height:
        return table
    region = next((region for region in table.regions if region.key == cursor), None)
    middle = region.y + region.height // 2 if region else table.height
    top = min(max(middle - height // 2, 0), table.height - height)
    part = table.crop_lines(top, height)
    for y, hidden_lines, arrow in ((0, top, "↑"), (height - 1, table.height - height - top, "↓")):
        if hidden_lines:
            part.write(max(part.width - 8, 0), y, f" {arrow} {hidden_lines} ".ljust(6), "key")
    return part


# ---------------------------------------------------------------- colours

# The two red suits are bold and in warm colours, the two black suits plain and in cool ones; each suit has its own
# shade.

COLOURS = {
    "heart": "bold #ff5f5f",
    "diamond": "bold #ff9a4d",
    "spade": "#e8e8e8",
    "club": "#8fb4ff",
    "joker": "bold #d79bff",
    "dim": "#9a9a9a",
    "bold": "bold",
    "title": "bold #7fd7d7",
    "viewer": "#7fd7d7",
    "offered": "#87d787",
    "chosen": "bold #ffd75f",
    "cursor": "reverse",
    "hinted": "underline",
    "button": "bold",
    "ready": "bold #ffd75f",
    "feedback": "#ffd75f",
    "key": "bold #7fd7d7",
}
SUIT_STYLES = frozenset({"heart", "diamond", "spade", "club", "joker"})


@cache
def style_of(words: str) -> Style:
    """A style from its words. Suits come last, so that a card keeps the colour of its suit in every state."""
    style = Style()
    for word in sorted(words.split(), key=lambda word: word in SUIT_STYLES):
        style += Style.parse(COLOURS[word])
    return style


# ---------------------------------------------------------------- terminals without Unicode

# Every line, whether drawn by this package or by Textual, passes through ``AsciiFilter``, so screens can draw symbols.

ASCII = str.maketrans(
    "♦♣♥♠╭╮╰╯┏┓┗┛─━│┃·…–—▸×±░▌▐▍▋▉▊▎▏▕▁▂▃▄▅▆▇█▀▔╸╺‹›•←→↑↓⏎’◆○●",
    "DCHS++++++++--||.~-->x~#[][[[[[[]_..--==#----<>*<>^v/'*o*",
)
"""One ASCII character for each symbol, so that the layout stays the same."""


class AsciiFilter(LineFilter):
    """Replaces the symbols of every line by ASCII; other characters, such as in names, stay as they are."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same line in ASCII."""
        return [Segment(text.translate(ASCII), style, control) for text, style, control in segments]
