"""The board of a table: its picture, made from plain values alone, and the widget that shows it and reports clicks.

    head        what is played, and the facts that belong to no seat
    table       the zones (``layout``); where they are too high for the screen, the part around the cursor
    foot        the prompt, the buttons, the thing at the cursor or the last refusal, the latest sentences, the keys

On a wide screen the sentences stand beside the table.
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
from kibitz.tui.canvas import Canvas, above, in_columns, shortened, text_line, wrapped
from kibitz.tui.panels import Marks, labelled, table_of

Draw = Callable[[int, int], Canvas]
"""Makes a picture of a given width and height."""


PLAIN = Style()
"""The style of blank cells: without colours (``NO_COLOR``) Textual drops segments without a style."""


class Board(Widget):
    """Shows the picture that ``draw`` makes for its size."""

    DEFAULT_CSS = "Board { width: 100%; height: 100%; }"

    class Pointed(Message):
        """A click on something, with its key."""

        def __init__(self, key: str, *, twice: bool) -> None:
            super().__init__()
            self.key, self.twice = key, twice

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.canvas = Canvas()

    def redraw(self) -> None:
        """Redraw the picture."""
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
        """Report what was clicked."""
        if (key := self.canvas.at(event.x, event.y)) is not None:
            self.post_message(self.Pointed(key, twice=event.chain > 1))


# ---------------------------------------------------------------- the picture

WIDE = 104
"""The least width at which the sentences appear beside the table."""
BESIDE = 36
NO_MARKS = Marks()
LINES_OF_LOG = 2
"""The least number of lines for the log."""


@dataclass(frozen=True)
class Frame:
    """What a picture is made from.

    title       what is played
    seat        whose view it is, -1 for nobody's
    buttons     the parts other than cards and places: words to say, and amounts
    ready       what is played by the next Enter; empty while something is missing
    cue         what is at the cursor
    told        a refusal or a hint, in a sentence; it stands in place of the cue
    log         sentences, the latest last
    keys        what can be pressed, each with its meaning
    caption     what a guided first hand says now; it stands above the prompt
    """

    title: str
    scene: Scene
    names: Sequence[str]
    seat: int
    marks: Marks = NO_MARKS
    buttons: Sequence[Part] = ()
    ready: str = ""
    cue: str = ""
    told: str = ""
    log: Sequence[str] = ()
    keys: Sequence[tuple[str, str]] = ()
    caption: str = ""


def picture(frame: Frame, width: int, height: int) -> Canvas:
    """The whole screen for a width and a height."""
    aside = BESIDE if width >= WIDE else 0
    main = width - aside
    head, foot = head_of(frame, main), foot_of(frame, main)
    keys = keys_of(frame.keys, width)
    room = height - head.height - foot.height - keys.height
    wanted = 0 if aside else LINES_OF_LOG
    whole = table_of(frame.scene, frame.names, frame.seat, main, room - wanted, frame.marks)
    table = around_cursor(whole, max(room - wanted, 3), frame.marks.cursor)
    left = max(room - table.height, 0)
    log = Canvas() if aside else log_of(frame.log, main, left)
    if not aside:
        table.extend(room - log.height)
    body = above([head, table, log, foot])
    if aside:
        body.extend(height - keys.height)
        for y in range(height - keys.height):
            body.put(main, y, "│", "dim")
        body.paste(log_of(frame.log, aside - 2, height - keys.height), main + 2, 0)
    body.extend(height - keys.height)
    seen = above([body, keys]).clip(width).cut(0, height)
    seen.uncut = above([head, whole, foot]).regions
    return seen


def head_of(frame: Frame, width: int) -> Canvas:
    """The game, and its facts."""
    facts = " · ".join(f"{fact.label} {fact.value}" for fact in frame.scene.facts if fact.seat < 0)
    line = f"{frame.title} · {facts}" if facts else frame.title
    canvas = above(text_line(part) for part in in_lines(line, width, 3))
    for x, char in enumerate(frame.title[:width]):
        if canvas.rows[0][x : x + 1]:
            canvas.rows[0][x] = (char, "bold")
    return canvas


def foot_of(frame: Frame, width: int) -> Canvas:
    """The prompt, the possible answers, and the thing at the cursor."""
    tips = in_lines(f"Tip: {frame.caption}", width, 6) if frame.caption else []
    blocks = [text_line(line, "told") for line in tips]
    blocks += [text_line(line, "bold") for line in in_lines(frame.scene.prompt, width, 9)]
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
        blocks.append(in_columns(drawn, width, 1))
    if frame.ready:
        first, *more = in_lines(f"Enter: {frame.ready}", width - 2, 3)
        blocks += [labelled("ready", first, "ready", NO_MARKS), *(text_line(f" {line}", "ready") for line in more)]
    said_now, style = (frame.told, "told") if frame.told else (frame.cue, "cue")
    blocks += [text_line(line, style) for line in in_lines(said_now, width, 9 if frame.told else 4)]
    return above(blocks)


def in_lines(text: str, width: int, most: int) -> list[str]:
    """A text in at most ``most`` lines, at least one; an ellipsis marks what is left out."""
    lines = wrapped(text, width)
    return lines if len(lines) <= most else [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), width)]


def log_of(sentences: Sequence[str], width: int, height: int) -> Canvas:
    """The latest sentences, as many as there is room for; the very latest is bright."""
    lines: list[tuple[str, str]] = []
    for number, sentence in enumerate(reversed(sentences)):
        if len(lines) >= height:
            break
        lines[:0] = [(line, "" if number == 0 else "dim") for line in wrapped(sentence, width, "  ")]
    return above(text_line(line, style) for line, style in lines[len(lines) - height if len(lines) > height else 0 :])


def keys_of(keys: Sequence[tuple[str, str]], width: int) -> Canvas:
    """The keys, in as many lines as they need."""
    drawn = []
    for key, meaning in keys:
        canvas = Canvas()
        end = canvas.put(canvas.put(0, 0, key, "key") + 1, 0, meaning, "dim")
        canvas.mark(f"key:{key}", 0, 0, end)
        drawn.append(canvas)
    return in_columns(drawn, width, 2)


def around_cursor(table: Canvas, height: int, cursor: str | None) -> Canvas:
    """The part of a table that fits: around the cursor, with a note of what is above and below."""
    if table.height <= height:
        return table
    at = next((region for region in table.regions if region.key == cursor), None)
    middle = at.y + at.height // 2 if at else table.height
    top = min(max(middle - height // 2, 0), table.height - height)
    part = table.cut(top, height)
    for y, more, word in ((0, top, "↑"), (height - 1, table.height - height - top, "↓")):
        if more:
            part.put(max(part.width - 8, 0), y, f" {word} {more} ".ljust(6), "key")
    return part


# ---------------------------------------------------------------- colours

# The two red suits are bold and of one family, the two black ones plain and of another; each suit has its own shade.

COLOURS = {
    "heart": "bold #ff5f5f",
    "diamond": "bold #ff9a4d",
    "spade": "#e8e8e8",
    "club": "#8fb4ff",
    "joker": "bold #d79bff",
    "dim": "#9a9a9a",
    "bold": "bold",
    "title": "bold #7fd7d7",
    "mine": "#7fd7d7",
    "offered": "#87d787",
    "chosen": "bold #ffd75f",
    "cursor": "reverse",
    "advised": "underline",
    "button": "bold",
    "ready": "bold #ffd75f",
    "told": "#ffd75f",
    "cue": "#9a9a9a",
    "key": "bold #7fd7d7",
}
SUITS = frozenset({"heart", "diamond", "spade", "club", "joker"})


@cache
def style_of(words: str) -> Style:
    """A style from its words; a card keeps the colour of its suit whatever can be done with it."""
    found = Style()
    for word in sorted(words.split(), key=lambda word: word in SUITS):
        found += Style.parse(COLOURS[word])
    return found


# ---------------------------------------------------------------- terminals without Unicode

# Everything drawn, by us or by Textual, goes through ``Letters``, so screens needn't do anything about it.

ASCII = str.maketrans(
    "♦♣♥♠╭╮╰╯┏┓┗┛─━│┃·…–—▸×±░▌▐▍▋▉▊▎▏▕▁▂▃▄▅▆▇█▀▔╸╺‹›•←→↑↓⏎’◆○●",
    "DCHS++++++++--||.~-->x~#[][[[[[[]_..--==#----<>*<>^v/'*o*",
)
"""One letter for each character, so that the layout stays the same."""


class Letters(LineFilter):
    """Writes every line with letters; characters of names and of what is typed stay where none is known."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same line in letters."""
        return [Segment(text.translate(ASCII), style, control) for text, style, control in segments]
