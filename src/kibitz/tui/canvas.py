"""A rectangle of characters that grows as it is written on, with regions that can be clicked.

    cell        a character with its style: words such as ``heart cursor``, which ``palette`` turns into colours
    region      a rectangle that stands for one thing, by its key; of several that lie on one another the last counts
    places      the regions before anything was cut away
    wide        a character that takes two cells, such as in a Chinese name: the second cell is empty

Canvases are put together from smaller ones: ``paste``, ``above``, ``in_columns``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len

Cell = tuple[str, str]
BLANK: Cell = (" ", "")


class Region(NamedTuple):
    """A rectangle that can be clicked."""

    x: int
    y: int
    width: int
    height: int
    key: str

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Canvas:
    """Lines of cells and the regions on them."""

    def __init__(self) -> None:
        self.rows: list[list[Cell]] = []
        self.regions: list[Region] = []
        self.uncut: list[Region] | None = None

    @property
    def places(self) -> list[Region]:
        """The places of all regions, including cut ones: for moving the cursor, not for clicks."""
        return self.regions if self.uncut is None else self.uncut

    @property
    def width(self) -> int:
        """The columns of its longest line."""
        return max(map(len, self.rows), default=0)

    @property
    def height(self) -> int:
        """How many lines it has."""
        return len(self.rows)

    @property
    def text(self) -> str:
        """Its text, without blanks at the ends of lines."""
        return "\n".join("".join(char for char, _ in row).rstrip() for row in self.rows)

    def put(self, x: int, y: int, text: str, style: str = "") -> int:
        """Write a text and return the column after it."""
        if text and all_of_one_cell(text):
            self.extend(y + 1)
            row = self.rows[y]
            row.extend([BLANK] * (x - len(row)))
            row[x : x + len(text)] = [(char, style) for char in text]
            return x + len(text)
        for char in text:
            size = cell_len(char)
            if size == 0:
                before = self.rows[y][x - 1] if y < len(self.rows) and 0 < x <= len(self.rows[y]) else None
                if before is not None:
                    self.rows[y][x - 1] = (before[0] + char, before[1])
                continue
            self.set(x, y, char, style)
            if size == 2:
                self.set(x + 1, y, "", style)
            x += size
        return x

    def set(self, x: int, y: int, char: str, style: str = "") -> None:
        """Write one cell; what is missing before it becomes blank."""
        while len(self.rows) <= y:
            self.rows.append([])
        row = self.rows[y]
        row.extend([BLANK] * (x + 1 - len(row)))
        row[x] = (char, style)

    def extend(self, height: int) -> None:
        """Grow to a number of lines."""
        self.rows.extend([] for _ in range(height - len(self.rows)))

    def mark(self, key: str, x: int, y: int, width: int, height: int = 1) -> None:
        """Make a rectangle a region."""
        self.regions.append(Region(x, y, width, height, key))

    def paste(self, other: Canvas, x: int, y: int) -> None:
        """Lay another canvas on this one, regions and all."""
        self.extend(y + other.height)
        for row, laid in zip(self.rows[y:], other.rows, strict=False):
            if len(row) < x:
                row.extend([BLANK] * (x - len(row)))
            row[x : x + len(laid)] = laid
        self.regions += [region._replace(x=region.x + x, y=region.y + y) for region in other.regions]

    def cut(self, top: int, height: int) -> Canvas:
        """Some of its lines, with the regions that can be seen on them."""
        part = Canvas()
        part.rows = self.rows[top : top + height]
        for region in self.regions:
            upper, lower = max(region.y, top), min(region.y + region.height, top + height)
            if upper < lower:
                part.regions.append(region._replace(y=upper - top, height=lower - upper))
        return part

    def clip(self, width: int) -> Canvas:
        """The part that fits a width."""
        part = Canvas()
        part.rows = [row[:width] for row in self.rows]
        part.regions = [region for region in self.regions if region.x < width]
        return part

    def at(self, x: int, y: int) -> str | None:
        """The key of the region at a point, the topmost one."""
        return next((region.key for region in reversed(self.regions) if region.holds(x, y)), None)

    def runs(self, y: int) -> Iterator[tuple[str, str]]:
        """A line as pieces of one style: text and style."""
        if y >= len(self.rows):
            return
        for style, cells in groupby(self.rows[y], key=lambda cell: cell[1]):
            yield "".join(char for char, _ in cells), style


@lru_cache(4096)
def all_of_one_cell(text: str) -> bool:
    """Whether every character of a text takes one cell, as nearly all do."""
    return all(cell_len(char) == 1 for char in text)


def text_line(text: str, style: str = "") -> Canvas:
    """One line."""
    canvas = Canvas()
    canvas.extend(1)
    canvas.put(0, 0, text, style)
    return canvas


def above(blocks: Iterable[Canvas]) -> Canvas:
    """Canvases one below the other."""
    canvas = Canvas()
    for block in blocks:
        canvas.paste(block, 0, canvas.height)
    return canvas


def in_columns(blocks: Sequence[Canvas], width: int, gap: int = 1) -> Canvas:
    """Canvases side by side from the left, wrapped when a line is full."""
    canvas = Canvas()
    x = y = 0
    for block in blocks:
        if x and x + block.width > width:
            x, y = 0, canvas.height
        canvas.paste(block, x, y)
        x += block.width + gap
    return canvas


def boxed(inside: Canvas, width: int, title: str = "", foot: str = "", style: str = "dim") -> Canvas:
    """A canvas in a frame of ``width`` columns, with a title in its upper line and a note in its lower one."""
    inner = max(width - 2, 1)
    canvas = Canvas()
    for y, (left, right, name) in enumerate((("╭", "╮", title), ("╰", "╯", foot))):
        row = y * (inside.height + 1)
        canvas.put(0, row, left + "─" * inner + right, style)
        if name:
            canvas.put(1, row, f" {shortened(name, inner - 2)} ", "title" if y == 0 else "dim")
    for y in range(inside.height):
        canvas.put(0, y + 1, "│", style)
        canvas.put(inner + 1, y + 1, "│", style)
    canvas.paste(inside.clip(inner), 1, 1)
    return canvas


def shortened(text: str, width: int) -> str:
    """A text cut to a width, with an ellipsis where something is left out."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "…" * (width > 0)


def wrapped(text: str, width: int, hang: str = "") -> list[str]:
    """A text as lines that fit a width, broken at spaces if there are any."""
    lines: list[str] = []
    line, begun = "", False
    for word in text.split():
        while True:
            longer = f"{line} {word}" if begun else f"{line}{word}"
            if cell_len(longer) <= width:
                line, begun = longer, True
                break
            if not begun:
                keep = 1
                while keep < len(word) and cell_len(line + word[: keep + 1]) <= width:
                    keep += 1
                lines.append(line + word[:keep])
                word = word[keep:]
            else:
                lines.append(line)
            line, begun = hang, False
            if not word:
                break
    return [*lines, line] if begun or not lines else lines
