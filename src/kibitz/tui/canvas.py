"""A rectangle of characters that grows as it is written on, with regions that can be clicked.

    cell        a character with its style: words such as ``heart cursor`` (``board.style_of`` turns them into colours)
    region      a rectangle that a click reports by its key; where regions overlap, the latest counts
    wide        a character that takes two cells, such as in a Chinese name: the second cell is empty

Canvases are put together from smaller ones: ``paste``, ``stacked``, ``flowed``.
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
    """A rectangle that can be clicked, with its upper left corner at ``x`` and ``y``."""

    x: int
    y: int
    width: int
    height: int
    key: str

    def contains(self, x: int, y: int) -> bool:
        """Whether a point lies in the region."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Canvas:
    """Lines of cells and the regions on them."""

    def __init__(self) -> None:
        self.rows: list[list[Cell]] = []
        self.regions: list[Region] = []
        self.uncropped_regions: list[Region] | None = None
        """The regions of the whole picture, if only a part of it is visible on this canvas; set by ``tui.board``."""

    @property
    def all_regions(self) -> list[Region]:
        """All regions, including those cropped away: for moving the cursor, not for clicks."""
        return self.regions if self.uncropped_regions is None else self.uncropped_regions

    @property
    def width(self) -> int:
        """The number of columns of the longest line."""
        return max(map(len, self.rows), default=0)

    @property
    def height(self) -> int:
        """The number of lines."""
        return len(self.rows)

    @property
    def text(self) -> str:
        """All lines as text, without spaces at their ends."""
        return "\n".join("".join(char for char, _ in row).rstrip() for row in self.rows)

    def write(self, x: int, y: int, text: str, style: str = "") -> int:
        """Write a text and return the column after it."""
        if text and is_single_width(text):
            self.extend(y + 1)
            row = self.rows[y]
            row.extend([BLANK] * (x - len(row)))
            row[x : x + len(text)] = [(char, style) for char in text]
            return x + len(text)
        for char in text:
            size = cell_len(char)
            if size == 0:  # a combining character joins the cell before it
                cell = self.rows[y][x - 1] if y < len(self.rows) and 0 < x <= len(self.rows[y]) else None
                if cell is not None:
                    self.rows[y][x - 1] = (cell[0] + char, cell[1])
                continue
            self.set_cell(x, y, char, style)
            if size == 2:
                self.set_cell(x + 1, y, "", style)
            x += size
        return x

    def set_cell(self, x: int, y: int, char: str, style: str = "") -> None:
        """Write one cell, filling any gap before it with blanks."""
        while len(self.rows) <= y:
            self.rows.append([])
        row = self.rows[y]
        row.extend([BLANK] * (x + 1 - len(row)))
        row[x] = (char, style)

    def extend(self, height: int) -> None:
        """Grow to a number of lines."""
        self.rows.extend([] for _ in range(height - len(self.rows)))

    def add_region(self, key: str, x: int, y: int, width: int, height: int = 1) -> None:
        """Add a region, which clicks in this rectangle report by its key."""
        self.regions.append(Region(x, y, width, height, key))

    def paste(self, other: Canvas, x: int, y: int) -> None:
        """Copy another canvas, with its regions, onto this one."""
        self.extend(y + other.height)
        for row, pasted in zip(self.rows[y:], other.rows, strict=False):
            if len(row) < x:
                row.extend([BLANK] * (x - len(row)))
            row[x : x + len(pasted)] = pasted
        self.regions += [region._replace(x=region.x + x, y=region.y + y) for region in other.regions]

    def crop_lines(self, top: int, height: int) -> Canvas:
        """The ``height`` lines from ``top`` on, with the regions that are still visible there."""
        part = Canvas()
        part.rows = self.rows[top : top + height]
        for region in self.regions:
            upper, lower = max(region.y, top), min(region.y + region.height, top + height)
            if upper < lower:
                part.regions.append(region._replace(y=upper - top, height=lower - upper))
        return part

    def crop_width(self, width: int) -> Canvas:
        """The first ``width`` columns, with the regions that begin there."""
        part = Canvas()
        part.rows = [row[:width] for row in self.rows]
        part.regions = [region for region in self.regions if region.x < width]
        return part

    def key_at(self, x: int, y: int) -> str | None:
        """The key of the region at a point, the latest if several overlap; None if there is none."""
        return next((region.key for region in reversed(self.regions) if region.contains(x, y)), None)

    def runs(self, y: int) -> Iterator[tuple[str, str]]:
        """The line ``y`` as pieces of one style: pairs of text and style."""
        if y >= len(self.rows):
            return
        for style, cells in groupby(self.rows[y], key=lambda cell: cell[1]):
            yield "".join(char for char, _ in cells), style


@lru_cache(4096)
def is_single_width(text: str) -> bool:
    """Whether every character of a text takes one cell, as nearly all do."""
    return all(cell_len(char) == 1 for char in text)


def text_line(text: str, style: str = "") -> Canvas:
    """A canvas with one line of text."""
    canvas = Canvas()
    canvas.extend(1)
    canvas.write(0, 0, text, style)
    return canvas


def stacked(blocks: Iterable[Canvas]) -> Canvas:
    """Canvases stacked from top to bottom."""
    canvas = Canvas()
    for block in blocks:
        canvas.paste(block, 0, canvas.height)
    return canvas


def flowed(blocks: Sequence[Canvas], width: int, gap: int = 1) -> Canvas:
    """Canvases placed like the words of a text: from left to right, on a new line when one is full."""
    canvas = Canvas()
    x = y = 0
    for block in blocks:
        if x and x + block.width > width:
            x, y = 0, canvas.height
        canvas.paste(block, x, y)
        x += block.width + gap
    return canvas


def boxed(content: Canvas, width: int, title: str = "", foot: str = "", style: str = "dim") -> Canvas:
    """A canvas in a frame of ``width`` columns, with a title in its upper line and a note in its lower one."""
    inner = max(width - 2, 1)
    canvas = Canvas()
    for is_lower, (left, right, label) in enumerate((("╭", "╮", title), ("╰", "╯", foot))):
        y = is_lower * (content.height + 1)
        canvas.write(0, y, left + "─" * inner + right, style)
        if label:
            canvas.write(1, y, f" {shortened(label, inner - 2)} ", "dim" if is_lower else "title")
    for y in range(content.height):
        canvas.write(0, y + 1, "│", style)
        canvas.write(inner + 1, y + 1, "│", style)
    canvas.paste(content.crop_width(inner), 1, 1)
    return canvas


def shortened(text: str, width: int) -> str:
    """A text cut to a width; if it is cut, it ends in an ellipsis."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "…" * (width > 0)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """A text as lines that fit a width, broken at spaces where possible; all but the first begin with ``indent``."""
    lines: list[str] = []
    line, has_word = "", False
    for word in text.split():
        while True:
            longer = f"{line} {word}" if has_word else f"{line}{word}"
            if cell_len(longer) <= width:
                line, has_word = longer, True
                break
            if not has_word:  # the word is longer than a line: break it
                end = 1
                while end < len(word) and cell_len(line + word[: end + 1]) <= width:
                    end += 1
                lines.append(line + word[:end])
                word = word[end:]
            else:
                lines.append(line)
            line, has_word = indent, False
            if not word:
                break
    return [*lines, line] if has_word or not lines else lines
