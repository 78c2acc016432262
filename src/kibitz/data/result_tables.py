"""Reads tables of results, first as columns and then as arrays.

    batch       several thousand rows, as one list for each of ``rows.COLUMNS``; None where the table has no value
    code        the number that stands for the name of a game, a player or a kind of forfeit
    cluster     the games of one deal: those with the same game and seed, in any file; without a seed, those with the
                same deal number in the file
    source      one file, or all records together; if its rows contradict each other, none of them counts

Tables are CSV, JSON lines or Parquet, as Kibitz or another program writes them. Anything else is a RecordError, with
the number of the line if the format has lines.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena import csv_files
from kibitz.data.rows import (
    COLUMNS,
    MAX_WHOLE_NUMBER,
    REQUIRED_COLUMNS,
    ResultRow,
    format_of,
    import_pyarrow,
    join_game_name,
)
from kibitz.engine import file_io
from kibitz.errors import RecordError, cause

Batch = dict[str, list[Any]]
ReadProgress = Callable[[int], object]
"""Called with the number of bytes read."""

BATCH_ROWS = 8192
MAX_LINE_BYTES = 16 << 20
MAX_ROWS = 400_000_000
SEASON_COLUMNS = {"game": "tournament", "deal": "block", "seed": "deal", "reason": "rule"}
"""Columns whose names differ in a season's results (``arena.rating.export``), each with its name there."""
REQUIREMENT = (
    f"a table of results has at least the columns {', '.join(REQUIRED_COLUMNS[:-1])} and {REQUIRED_COLUMNS[-1]}"
)


def batches(path: Path, report_bytes: ReadProgress = lambda at: None) -> Iterator[Batch]:
    """The rows of a table. Raises RecordError if it isn't one."""
    kind = format_of(path)
    readers = {".csv": csv_batches, ".jsonl": json_batches, ".parquet": parquet_batches}
    if kind not in readers:
        raise RecordError(f"this isn't a table: its name should end in {', '.join(readers)}.", str(path))
    try:
        yield from readers[kind](path, report_bytes)
    except OSError as error:
        raise RecordError(f"cannot be read: {cause(error)}.", str(path)) from error


# ---------------------------------------------------------------- CSV


def csv_batches(path: Path, report_bytes: ReadProgress) -> Iterator[Batch]:
    """The rows of a CSV file, whose first line names its columns."""
    with file_io.open_binary(path) as raw:
        table = csv_files.read_rows(decoded_lines(raw), str(path))
        _, header = next(table, (0, []))
        positions = column_indices(header, str(path))
        while rows := list(islice(table, BATCH_ROWS)):
            for line, row in rows:
                if len(row) != len(header):
                    raise RecordError(f"there are {len(row)} fields, not {len(header)}.", str(path), line)
            yield {column: column_values(rows, positions.get(column), column, str(path)) for column in COLUMNS}
            report_bytes(raw.tell())


def decoded_lines(file: Any) -> Iterator[str]:
    """The lines of a binary file as text, without the byte order mark that spreadsheets write at the beginning."""
    encoding = "utf-8-sig"
    while line := file.readline(MAX_LINE_BYTES):
        yield line.decode(encoding)
        encoding = "utf-8"


def column_indices(header: Sequence[str], file: str) -> dict[str, int]:
    """The index of each column. Raises RecordError if one is missing or repeated."""
    is_season = {"tournament", "block", "deal"} <= set(header)
    indices = {}
    for column in COLUMNS:
        name = SEASON_COLUMNS.get(column, column) if is_season else column
        if header.count(name) > 1:
            raise RecordError(f"the column {name!r} appears twice.", file, 1)
        if name in header:
            indices[column] = header.index(name)
        elif column in REQUIRED_COLUMNS:
            raise RecordError(f"{REQUIREMENT}, and {column} is missing.", file, 1)
    return indices


def column_values(rows: Sequence[tuple[int, list[str]]], index: int | None, column: str, file: str) -> list[Any]:
    """One column of numbered CSV rows, as values. Raises RecordError, with the line, for an invalid cell."""
    if index is None:
        return missing_values(column, len(rows))
    read = CELL_READERS[COLUMNS[column]]
    try:
        return [read(row[index]) for _, row in rows]
    except ValueError:
        for line, row in rows:
            try:
                read(row[index])
            except ValueError as error:
                raise RecordError(f"{column} must be {error}, not {row[index][:40]!r}.", file, line) from None
        raise


def missing_values(column: str, count: int) -> list[Any]:
    """The values of a column that the table doesn't have: empty texts, or None for numbers."""
    return ["" if COLUMNS[column] is str else None] * count


def read_text(cell: str) -> str:
    """The text of a cell, without the escapes that Kibitz writes. Raises ValueError for an invalid escape."""
    try:
        return csv_files.unescape(cell)
    except ValueError as error:
        raise ValueError(f"escaped as Kibitz writes it ({error})") from error


def read_whole_number(cell: str) -> int | None:
    """The whole number in a cell; None if the cell is empty."""
    if not cell:
        return None
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 16 and int(cell) < MAX_WHOLE_NUMBER):
        raise ValueError("a whole number, 0 or more")
    return int(cell)


def read_number(cell: str) -> float:
    """The number in a cell. Raises ValueError unless it is finite."""
    try:
        number = float(cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or "_" in cell:
        raise ValueError("a number")
    return number


CELL_READERS: dict[type, Callable[[str], Any]] = {str: read_text, int: read_whole_number, float: read_number}


# ---------------------------------------------------------------- JSON lines


def json_lines(path: Path, report_bytes: ReadProgress = lambda at: None) -> Iterator[tuple[int, bytes]]:
    """The non-empty lines of a file with their numbers, counted from 1; long ones are cut at ``MAX_LINE_BYTES``."""
    with file_io.open_binary(path) as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
                while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                    pass
            if line.strip():
                yield number, line
            if number % 512 == 0:
                report_bytes(file.tell())
        report_bytes(file.tell())


def json_batches(path: Path, report_bytes: ReadProgress) -> Iterator[Batch]:
    """The rows of JSON lines."""
    decode = msgspec.json.Decoder(ResultRow).decode
    lines = json_lines(path, report_bytes)
    while chunk := list(islice(lines, BATCH_ROWS)):
        rows = []
        for number, line in chunk:
            try:
                rows.append(decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                why = f"{str(error)[:1].lower()}{str(error)[1:].rstrip('.')}"
                raise RecordError(f"this isn't a row of a table: {why}.", str(path), number) from error
        yield {column: [getattr(row, column) for row in rows] for column in COLUMNS}


# ---------------------------------------------------------------- Parquet


def parquet_columns(path: Path) -> list[str]:
    """The names of the columns of a Parquet file. Raises RecordError if it isn't one."""
    _, parquet = import_pyarrow(path)
    with parquet_errors(path):
        return list(parquet.read_schema(path).names)


def parquet_batches(path: Path, report_bytes: ReadProgress) -> Iterator[Batch]:
    """The rows of a Parquet file."""
    pa, parquet = import_pyarrow(path)
    with parquet_errors(path), parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        for column in (column for column in REQUIRED_COLUMNS if column not in names):
            raise RecordError(f"{REQUIREMENT}, and {column} is missing.", str(path))
        if file.metadata.num_rows > MAX_ROWS:
            raise RecordError(f"there are more than {MAX_ROWS:,} rows, the limit for a table.", str(path))
        kinds = {int: pa.int64(), float: pa.float64(), str: pa.string()}
        size, done = path.stat().st_size, 0
        for chunk in file.iter_batches(BATCH_ROWS * 4, columns=[name for name in COLUMNS if name in names]):
            batch: Batch = {}
            for column, kind in COLUMNS.items():
                if column not in names:
                    batch[column] = missing_values(column, chunk.num_rows)
                    continue
                batch[column] = parquet_column(chunk.column(column), kinds[kind], column, path)
            yield batch
            done += chunk.num_rows
            report_bytes(size * done // max(1, file.metadata.num_rows))


def parquet_column(values: Any, kind: Any, column: str, path: Path) -> list[Any]:
    """A column as a list. Raises RecordError if it holds something else."""
    try:
        items: list[Any] = values.cast(kind).to_pylist()
    except Exception as error:
        raise RecordError(f"the column {column!r} holds {values.type}, not {kind}.", str(path)) from error
    if COLUMNS[column] is str:
        return ["" if value is None else value for value in items]
    return items


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """A context in which any error from a damaged Parquet file becomes a RecordError."""
    pa, _ = import_pyarrow()
    try:
        yield
    except RecordError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError) as error:
        message = " ".join(str(error).split())[:120].rstrip(".")
        raise RecordError(f"this isn't a readable Parquet file: {message}.", str(path)) from error


# ---------------------------------------------------------------- arrays

# Statistics are computed from arrays. They take 72 bytes a row, and while they are read also the names of deals.


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNKNOWN = -1
"""The length of a game in a table without lengths."""
MAX_SEATS = 1000
SHARE_TOLERANCE = 1e-6


class NameCodes:
    """Numbers names, such as those of players, from 0 in order of appearance."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}

    def encode(self, names: Iterable[Hashable]) -> list[int]:
        """The code of each name; new names get the next codes."""
        codes = self.codes
        return [codes.setdefault(name, len(codes)) for name in names]

    def names(self) -> list[Any]:
        """All names, each at the index of its code."""
        return list(self.codes)


class RowArrays:
    """Rows of results, as one array for each field.

    game, player, forfeit   codes of names; forfeit 0 means that the seat didn't forfeit
    match, deal             numbers that rows of one game share, and that games of one deal share
    seat, length            the seat, from 0; the number of actions in the game, UNKNOWN if the table doesn't say
    score, share            the seat's score, and its share of the win
    """

    FIELDS = ("game", "match", "deal", "seat", "player", "length", "forfeit", "score", "share")

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self.arrays[name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        return len(self.arrays["seat"])

    def select(self, selection: NDArray[Any]) -> RowArrays:
        """Some of the rows, by a mask or by indices; ``self`` if the mask includes them all."""
        if selection.dtype == np.bool_ and selection.all():
            return self
        return RowArrays({name: array[selection] for name, array in self.arrays.items()})

    def sorted_by_game(self) -> RowArrays:
        """The rows sorted by match and seat; ``self`` if they already are."""
        order = np.lexsort((self.seat, self.match))
        return self if (order[1:] > order[:-1]).all() else self.select(order)

    @classmethod
    def concatenate(cls, parts: Sequence[RowArrays]) -> RowArrays:
        """All rows of several sources. A single source is returned as it is, to avoid copying millions of rows."""
        parts = [part for part in parts if len(part)]
        if len(parts) == 1:
            return parts[0]
        kinds = dict.fromkeys(cls.FIELDS, np.int64) | {"score": np.float64, "share": np.float64}
        return cls(
            {
                name: np.concatenate([part.arrays[name] for part in parts]) if parts else np.empty(0, kinds[name])
                for name in cls.FIELDS
            }
        )


class RowCollector:
    """Collects the rows of all sources, with codes and numbers that are unique across them."""

    def __init__(self) -> None:
        self.games, self.players, self.deals, self.forfeits = NameCodes(), NameCodes(), NameCodes(), NameCodes()
        self.forfeits.encode([""])
        self.parts: list[RowArrays] = []
        self.matches = self.sources = 0

    def add(self, batches: Iterable[Batch], source: str) -> RowArrays:
        """Add a source, and return its rows. Raises RecordError, with nothing added, unless they are whole games."""
        self.sources += 1
        matches = NameCodes()
        parts = [self.as_arrays(batch, matches, source) for batch in batches]
        rows = RowArrays.concatenate(parts)
        rows = rows.sorted_by_game()
        check_whole_games(rows, [key[1] for key in matches.names()], source)
        rows.arrays["match"] += self.matches
        self.matches += len(matches.codes)
        self.parts.append(rows)
        return rows

    def as_arrays(self, batch: Batch, matches: NameCodes, source: str) -> RowArrays:
        """A batch as arrays."""
        names = [join_game_name(game, options) for game, options in zip(batch["game"], batch["options"], strict=True)]
        source_number, deals, seeds = self.sources, batch["deal"], batch["seed"]
        whole_number_array(deals, "deal", source)
        match_keys = [
            (name, match if match is not None else (deal, rotation))
            for name, match, deal, rotation in zip(names, batch["match"], deals, batch["rotation"], strict=True)
        ]
        clusters = [
            (name, seed) if seed else (name, source_number, deal)
            for name, seed, deal in zip(names, seeds, deals, strict=True)
        ]
        lengths = [UNKNOWN if length is None else length for length in batch["length"]]
        return RowArrays(
            {
                "game": np.array(self.games.encode(names), np.int64),
                "match": np.array(matches.encode(match_keys), np.int64),
                "deal": np.array(self.deals.encode(clusters), np.int64),
                "seat": whole_number_array(batch["seat"], "seat", source),
                "player": np.array(self.players.encode(batch["player"]), np.int64),
                "length": whole_number_array(lengths, "length", source, UNKNOWN),
                "forfeit": np.array(self.forfeits.encode(batch["forfeit"]), np.int64),
                "score": number_array(batch["score"], "score", source),
                "share": number_array(batch["win_share"], "win_share", source),
            }
        )

    def all(self) -> RowArrays:
        """The rows of all sources."""
        return RowArrays.concatenate(self.parts)


def whole_number_array(values: Sequence[Any], column: str, source: str, least: int = 0) -> Ints:
    """Whole numbers as an array. Raises RecordError for anything else, or for a number below ``least`` or too large."""
    if None in values:
        raise RecordError(f"{column} is missing in some rows.", source)
    try:
        array = np.array(values, np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"{column} must be a whole number.", source) from error
    if len(array) and (array.min() < least or array.max() > MAX_WHOLE_NUMBER):
        raise RecordError(f"{column} must be a whole number, {max(least, 0)} or more.", source)
    return array


def number_array(values: Sequence[Any], column: str, source: str) -> Floats:
    """Finite numbers as an array. Raises RecordError for anything else."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"{column} must be a number.", source) from error
    if not np.isfinite(array).all():
        raise RecordError(f"{column} must be a number in every row.", source)
    return array


def check_whole_games(rows: RowArrays, labels: Sequence[Any], source: str) -> None:
    """Raise RecordError unless the rows, sorted by match and seat, are whole games.

    ``labels``: for each match, its number, or the pair of its deal and rotation.
    """
    if not len(rows):
        return
    # For the matches 7 7 7 8 8: starts are 0 3, sizes 3 2, and positions 0 1 2 0 1.
    starts = np.flatnonzero(np.diff(rows.match, prepend=-1))
    sizes = np.diff(np.append(starts, len(rows)))
    positions = np.arange(len(rows)) - np.repeat(starts, sizes)

    def raise_where(wrong: NDArray[Any], why: str) -> None:
        """Raise RecordError for the game of the first row that is wrong."""
        if wrong.any():
            label = labels[int(rows.match[int(np.argmax(wrong))])]
            game_text = f"rotation {label[1]} of deal {label[0]}" if isinstance(label, tuple) else f"match {label}"
            raise RecordError(f"{game_text}: {why}.", source)

    raise_where(rows.seat != positions, "it must have each seat once, numbered from 0")
    raise_where(rows.seat >= MAX_SEATS, f"a game has at most {MAX_SEATS} seats")
    for column in ("deal", "length"):
        values = rows.arrays[column]
        raise_where(values != np.repeat(values[starts], sizes), f"its rows must all have the same {column}")
    raise_where((rows.share < 0) | (rows.share > 1), "win_share must be from 0 to 1")
    totals = np.add.reduceat(rows.share, starts)
    raise_where(np.repeat(totals > 1 + SHARE_TOLERANCE, sizes), "its win shares add up to more than 1")
