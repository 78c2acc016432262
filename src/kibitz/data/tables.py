"""Tables of results read back, as columns: CSV, JSON lines, Parquet, what a tournament or a season has written.

    batch       some thousand rows, as one list for each of ``rows.COLUMNS``; None where the table does not say it

RecordError, with the line where there are lines, for whatever is no such table.  What the rows say together is looked
at where they are gathered (``gathering``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena import sheets
from kibitz.data.rows import COLUMNS, GREATEST, NEEDED, Row, arrow, format_of
from kibitz.engine import file_io
from kibitz.errors import RecordError, cause

Batch = dict[str, list[Any]]
Reached = Callable[[int], object]
"""Is told how many bytes of the file are read."""

AT_ONCE = 8192
LONGEST = 16 << 20
"""Bytes of a line of JSON at most."""
MOST_ROWS = 400_000_000
SEASON = {"game": "tournament", "deal": "block", "seed": "deal", "reason": "rule"}
"""What the columns are called in the results of a season (``arena.rating.export``)."""
RESULTS = f"a table of results has at least the columns {', '.join(NEEDED[:-1])} and {NEEDED[-1]}"


def batches(path: Path, reached: Reached = lambda at: None) -> Iterator[Batch]:
    """The rows of a table; RecordError where it is none."""
    kind = format_of(path)
    readers = {".csv": csv_batches, ".jsonl": json_batches, ".parquet": parquet_batches}
    if kind not in readers:
        raise RecordError(f"this is no table: its name should end in {', '.join(readers)}.", str(path))
    try:
        yield from readers[kind](path, reached)
    except OSError as error:
        raise RecordError(f"cannot be read: {cause(error)}.", str(path)) from error


# ---------------------------------------------------------------- CSV


def csv_batches(path: Path, reached: Reached) -> Iterator[Batch]:
    """The rows of a CSV file, whose first line names its columns."""
    with file_io.opened(path) as raw:
        table = sheets.read_rows(decoded(raw), str(path))
        _, header = next(table, (0, []))
        places = places_of(header, str(path))
        while rows := list(islice(table, AT_ONCE)):
            for line, row in rows:
                if len(row) != len(header):
                    raise RecordError(f"there are {len(row)} fields, where {len(header)} belong.", str(path), line)
            yield {column: cells(rows, places.get(column), column, str(path)) for column in COLUMNS}
            reached(raw.tell())


def decoded(lines: Any) -> Iterator[str]:
    """Lines as text; a mark of the byte order, which spreadsheets write, is left out."""
    coding = "utf-8-sig"
    while line := lines.readline(LONGEST):
        yield line.decode(coding)
        coding = "utf-8"


def places_of(header: Sequence[str], file: str) -> dict[str, int]:
    """Where each column stands; RecordError where one is missing or stands twice."""
    season = {"tournament", "block", "deal"} <= set(header)
    found = {}
    for column in COLUMNS:
        name = SEASON.get(column, column) if season else column
        if header.count(name) > 1:
            raise RecordError(f"the column {name!r} stands twice.", file, 1)
        if name in header:
            found[column] = header.index(name)
        elif column in NEEDED:
            raise RecordError(f"{RESULTS}, and {column} is missing.", file, 1)
    return found


def cells(rows: Sequence[tuple[int, list[str]]], place: int | None, column: str, file: str) -> list[Any]:
    """A column of some rows as values."""
    if place is None:
        return missing(column, len(rows))
    read = READ[COLUMNS[column]]
    try:
        return [read(row[place]) for _, row in rows]
    except ValueError:
        for line, row in rows:
            try:
                read(row[place])
            except ValueError as error:
                raise RecordError(f"{column} must be {error}, not {row[place][:40]!r}.", file, line) from None
        raise


def missing(column: str, count: int) -> list[Any]:
    """A column that is not there: texts are empty, numbers None."""
    return ["" if COLUMNS[column] is str else None] * count


def read_text(cell: str) -> str:
    """The text of a cell; ValueError if no text is written so."""
    try:
        return sheets.text(cell)
    except ValueError as error:
        raise ValueError(f"text as a spreadsheet keeps it ({error})") from error


def read_whole(cell: str) -> int | None:
    """The whole number of a cell, None if it is empty."""
    if not cell:
        return None
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 16 and int(cell) < GREATEST):
        raise ValueError("a whole number from 0")
    return int(cell)


def read_number(cell: str) -> float:
    """The number of a cell; ValueError unless it is finite."""
    try:
        found = float(cell)
    except ValueError:
        found = float("nan")
    if not isfinite(found) or "_" in cell:
        raise ValueError("a number")
    return found


READ: dict[type, Callable[[str], Any]] = {str: read_text, int: read_whole, float: read_number}


# ---------------------------------------------------------------- JSON lines


def json_lines(path: Path, reached: Reached = lambda at: None) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; one that is too long comes as far as it is looked at."""
    with file_io.opened(path) as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            if not line.endswith(b"\n") and len(line) == LONGEST:
                while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
            if line.strip():
                yield number, line
            if number % 512 == 0:
                reached(file.tell())
        reached(file.tell())


def json_batches(path: Path, reached: Reached) -> Iterator[Batch]:
    """The rows of JSON lines."""
    decode = msgspec.json.Decoder(Row).decode
    lines = json_lines(path, reached)
    while some := list(islice(lines, AT_ONCE)):
        rows = []
        for number, line in some:
            try:
                rows.append(decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise RecordError(
                    f"this is no row of a table: {first_small(str(error))}.", str(path), number
                ) from error
        yield {column: [getattr(row, column) for row in rows] for column in COLUMNS}


def first_small(text: str) -> str:
    """A text as it stands within a sentence."""
    return text[:1].lower() + text[1:].rstrip(".")


# ---------------------------------------------------------------- Parquet


def parquet_columns(path: Path) -> list[str]:
    """The names of the columns of a Parquet file; RecordError where it is none."""
    _, parquet = arrow(path)
    with guarded(path):
        return list(parquet.read_schema(path).names)


def parquet_batches(path: Path, reached: Reached) -> Iterator[Batch]:
    """The rows of a Parquet file."""
    pa, parquet = arrow(path)
    with guarded(path), parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        for column in (column for column in NEEDED if column not in names):
            raise RecordError(f"{RESULTS}, and {column} is missing.", str(path))
        if file.metadata.num_rows > MOST_ROWS:
            raise RecordError(f"there are more than {MOST_ROWS:,} rows, the most that are read.", str(path))
        kinds = {int: pa.int64(), float: pa.float64(), str: pa.string()}
        size, done = path.stat().st_size, 0
        for some in file.iter_batches(AT_ONCE * 4, columns=[name for name in COLUMNS if name in names]):
            batch: Batch = {}
            for column, kind in COLUMNS.items():
                if column not in names:
                    batch[column] = missing(column, some.num_rows)
                    continue
                batch[column] = parquet_column(some.column(column), kinds[kind], column, path)
            yield batch
            done += some.num_rows
            reached(size * done // max(1, file.metadata.num_rows))


def parquet_column(values: Any, kind: Any, column: str, path: Path) -> list[Any]:
    """A column as a list; RecordError where it holds something else."""
    try:
        found: list[Any] = values.cast(kind).to_pylist()
    except Exception as error:
        raise RecordError(f"the column {column!r} holds {values.type}, where {kind} belongs.", str(path)) from error
    if COLUMNS[column] is str:
        return ["" if value is None else value for value in found]
    return found


class guarded:
    """Within this whatever a damaged Parquet file leads to is a RecordError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        pa, _ = arrow()
        told = pa.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError
        if isinstance(error, told) and not isinstance(error, RecordError):
            said = " ".join(str(error).split())[:120].rstrip(".")
            raise RecordError(f"this is no Parquet file that can be read: {said}.", str(self.path)) from error
