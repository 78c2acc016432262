"""The writer and reader of every CSV file of Kibitz.

    number      written unchanged, so that a spreadsheet can compute with it
    verbatim    a cell of another program's table, in a file that goes back to that program: written unchanged
    text        gets a ' in front if a spreadsheet would take it for a formula, or if it begins with a '

Reading removes this ' again: ``unescape`` in files that Kibitz wrote, ``unescape_lenient`` in files that people edit,
which may lack it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from kibitz.errors import NotationError, RecordError
from kibitz.players.files.archives import content_of

Cell = str | int | float


class VerbatimCell(str):
    """A cell of another program's file, to be written exactly as it was read."""


APOSTROPHE = "'"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters that begin a formula, including the full-width forms of East Asian keyboards."""
MAX_BYTES = 4 << 20
"""The maximum size of a table that people write, in bytes."""


def write_rows(out: TextIO, rows: Iterable[Iterable[Cell]]) -> None:
    """Write rows of texts and numbers, with the line endings of RFC 4180; open ``out`` with ``newline=""``."""
    csv.writer(out).writerows([cell_text(cell) for cell in row] for row in rows)


def as_text(rows: Iterable[Iterable[Cell]]) -> str:
    """Rows as the text of a CSV file."""
    out = io.StringIO(newline="")
    write_rows(out, rows)
    return out.getvalue()


def cell_text(cell: Cell) -> str:
    """A cell as written in the file.

    >>> cell_text("=1+1"), cell_text(-1.5), cell_text("Ann"), cell_text("'tis")
    ("'=1+1", '-1.5', 'Ann', "''tis")
    """
    if isinstance(cell, VerbatimCell):
        return str(cell)
    if not isinstance(cell, str):
        return repr(cell)
    return (
        APOSTROPHE + cell
        if cell.lstrip().startswith(FORMULA_STARTS) or cell[:1] in (APOSTROPHE, *FORMULA_STARTS)
        else cell
    )


def unescape(cell: str) -> str:
    """The text that ``cell_text`` wrote as ``cell``. Raises ValueError if ``cell_text`` can't have written it."""
    text = cell.removeprefix(APOSTROPHE)
    if cell_text(text) != cell:
        raise ValueError(f"text that starts like a formula, or with {APOSTROPHE}, gets a {APOSTROPHE} in front")
    return text


def unescape_lenient(cell: str) -> str:
    """The text of a cell in a table that people fill in: without the ' that ``cell_text`` added, if it added one.

    >>> unescape_lenient("'-1 for style"), unescape_lenient("'tis"), unescape_lenient("''tis")
    ('-1 for style', "'tis", "'tis")
    """
    try:
        return unescape(cell)
    except ValueError:
        return cell


def read_rows(lines: Iterable[str], file: str = "", separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Every row as (line number, cells), with unchanged cells. Raises RecordError unless the lines are CSV in UTF-8."""
    reader = csv.reader(lines, strict=True, delimiter=separator)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise RecordError(f"this isn't valid CSV: {error}.", file, reader.line_num) from error
    except UnicodeDecodeError as error:
        raise RecordError("this isn't UTF-8 text.", file) from error


def read_table(path: Path) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file that people write, as (line number, cells), without empty rows.

    The names of the columns, in the first row, are changed to lower case. A ``'`` that Kibitz wrote in front of a text
    is removed, so a table can be written and read any number of times. Raises NotationError unless the file is CSV in
    UTF-8 of at most 4 MiB, with commas, semicolons or tabs between its cells.
    """
    try:
        text = content_of(path, MAX_BYTES).decode("utf-8-sig")
        lines = text.splitlines(keepends=True)
        separator = max(",;\t", key=next(filter(str.strip, lines), "").count)
        rows = [
            (line, [unescape_lenient(cell.strip()) for cell in cells])
            for line, cells in read_rows(lines, str(path), separator)
        ]
    except UnicodeDecodeError as error:
        raise NotationError(f"{path} isn't UTF-8 text: save it as CSV in UTF-8.") from error
    except RecordError as error:
        raise NotationError(str(error)) from error
    rows = [(line, cells) for line, cells in rows if any(cells)]
    return [(line, cells if i else [cell.lower() for cell in cells]) for i, (line, cells) in enumerate(rows)]
