"""Reads tables of results, first as columns and then as arrays.

    batch       some thousand rows, as one list for each of ``rows.COLUMNS``; None where the table has no value
    code        the number that stands for the name of a game, a player or a kind of forfeit
    cluster     the games of one deal: those with the same game and seed, in any file; without a seed, those with the
                same deal number in the file
    source      one file or collection; if its rows contradict each other, none of them counts

Reads CSV, JSON lines, Parquet and the files that tournaments and seasons write.  Anything else is a RecordError, with
the number of the line if the format has lines.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
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
"""The maximum number of bytes of a line."""
MAX_ROWS = 400_000_000
SEASON = {"game": "tournament", "deal": "block", "seed": "deal", "reason": "rule"}
"""The columns that have another name in a season's results (``arena.rating.export``), with that name."""
RESULTS = f"a table of results has at least the columns {', '.join(REQUIRED_COLUMNS[:-1])} and {REQUIRED_COLUMNS[-1]}"


def batches(path: Path, report_bytes: ReadProgress = lambda at: None) -> Iterator[Batch]:
    """The rows of a table; RecordError if it isn't one."""
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
        table = csv_files.read_rows(decoded(raw), str(path))
        _, header = next(table, (0, []))
        positions = column_indices(header, str(path))
        while rows := list(islice(table, BATCH_ROWS)):
            for line, row in rows:
                if len(row) != len(header):
                    raise RecordError(f"there are {len(row)} fields, not {len(header)}.", str(path), line)
            yield {column: column_values(rows, positions.get(column), column, str(path)) for column in COLUMNS}
            report_bytes(raw.tell())


def decoded(lines: Any) -> Iterator[str]:
    """Lines as text, without the byte order mark that spreadsheets write at the beginning."""
    encoding = "utf-8-sig"
    while line := lines.readline(MAX_LINE_BYTES):
        yield line.decode(encoding)
        encoding = "utf-8"


def column_indices(header: Sequence[str], file: str) -> dict[str, int]:
    """The index of each column; RecordError if one is missing or repeated."""
    is_season = {"tournament", "block", "deal"} <= set(header)
    indices = {}
    for column in COLUMNS:
        name = SEASON.get(column, column) if is_season else column
        if header.count(name) > 1:
            raise RecordError(f"the column {name!r} appears twice.", file, 1)
        if name in header:
            indices[column] = header.index(name)
        elif column in REQUIRED_COLUMNS:
            raise RecordError(f"{RESULTS}, and {column} is missing.", file, 1)
    return indices


def column_values(rows: Sequence[tuple[int, list[str]]], index: int | None, column: str, file: str) -> list[Any]:
    """A column of some rows as values."""
    if index is None:
        return missing(column, len(rows))
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


def missing(column: str, count: int) -> list[Any]:
    """The values of a column that the table doesn't have: empty texts, or None for numbers."""
    return ["" if COLUMNS[column] is str else None] * count


def read_text(cell: str) -> str:
    """The text of a cell, without the escapes that Kibitz writes; ValueError for an invalid escape."""
    try:
        return csv_files.original_text(cell)
    except ValueError as error:
        raise ValueError(f"escaped as Kibitz writes it ({error})") from error


def read_whole(cell: str) -> int | None:
    """The whole number of a cell, None if it is empty."""
    if not cell:
        return None
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 16 and int(cell) < MAX_WHOLE_NUMBER):
        raise ValueError("a whole number from 0")
    return int(cell)


def read_number(cell: str) -> float:
    """The number of a cell; ValueError unless it is finite."""
    try:
        number = float(cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or "_" in cell:
        raise ValueError("a number")
    return number


CELL_READERS: dict[type, Callable[[str], Any]] = {str: read_text, int: read_whole, float: read_number}


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
                raise RecordError(
                    f"this isn't a row of a table: {lowercase_first(str(error))}.", str(path), number
                ) from error
        yield {column: [getattr(row, column) for row in rows] for column in COLUMNS}


def lowercase_first(text: str) -> str:
    """A text with a small first letter, for use within a sentence."""
    return text[:1].lower() + text[1:].rstrip(".")


# ---------------------------------------------------------------- Parquet


def parquet_columns(path: Path) -> list[str]:
    """The names of the columns of a Parquet file; RecordError if it isn't one."""
    _, parquet = import_pyarrow(path)
    with parquet_errors(path):
        return list(parquet.read_schema(path).names)


def parquet_batches(path: Path, report_bytes: ReadProgress) -> Iterator[Batch]:
    """The rows of a Parquet file."""
    pa, parquet = import_pyarrow(path)
    with parquet_errors(path), parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        for column in (column for column in REQUIRED_COLUMNS if column not in names):
            raise RecordError(f"{RESULTS}, and {column} is missing.", str(path))
        if file.metadata.num_rows > MAX_ROWS:
            raise RecordError(f"there are more than {MAX_ROWS:,} rows, the limit for a table.", str(path))
        kinds = {int: pa.int64(), float: pa.float64(), str: pa.string()}
        size, done = path.stat().st_size, 0
        for chunk in file.iter_batches(BATCH_ROWS * 4, columns=[name for name in COLUMNS if name in names]):
            batch: Batch = {}
            for column, kind in COLUMNS.items():
                if column not in names:
                    batch[column] = missing(column, chunk.num_rows)
                    continue
                batch[column] = parquet_column(chunk.column(column), kinds[kind], column, path)
            yield batch
            done += chunk.num_rows
            report_bytes(size * done // max(1, file.metadata.num_rows))


def parquet_column(values: Any, kind: Any, column: str, path: Path) -> list[Any]:
    """A column as a list; RecordError if it holds something else."""
    try:
        items: list[Any] = values.cast(kind).to_pylist()
    except Exception as error:
        raise RecordError(f"the column {column!r} holds {values.type}, not {kind}.", str(path)) from error
    if COLUMNS[column] is str:
        return ["" if value is None else value for value in items]
    return items


class parquet_errors:
    """A context in which any error from a damaged Parquet file becomes a RecordError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        pa, _ = import_pyarrow()
        damage_errors = pa.ArrowException, OSError, ValueError, KeyError, IndexError, OverflowError
        if isinstance(error, damage_errors) and not isinstance(error, RecordError):
            message = " ".join(str(error).split())[:120].rstrip(".")
            raise RecordError(f"this isn't a readable Parquet file: {message}.", str(self.path)) from error


# Rows as arrays, from which statistics are computed. They take 72 bytes a row, and temporarily the names of deals.


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNKNOWN = -1
"""Stands for a length that a table doesn't give."""
MAX_SEATS = 1000
TOLERANCE = 1e-6


class NameCodes:
    """Numbers names, such as those of players, from 0 in order of appearance."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}

    def encode(self, names: Iterable[Hashable]) -> list[int]:
        """The codes of some names."""
        codes = self.codes
        return [codes.setdefault(name, len(codes)) for name in names]

    def texts(self) -> list[Any]:
        """Every name, at the index that is its code."""
        return list(self.codes)


class Rows:
    """Rows as arrays of equal length.

    game, player, forfeit   codes; the forfeit 0 stands for none
    match, deal             numbers: equal for rows of one game, and for games of one deal
    seat, length            ``length`` is UNKNOWN if the table doesn't give it
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

    def select(self, selection: NDArray[Any]) -> Rows:
        """Some of the rows, by a mask or by indices; ``self`` if the mask includes them all."""
        if selection.dtype == np.bool_ and selection.all():
            return self
        return Rows({name: array[selection] for name, array in self.arrays.items()})

    def sorted_by_game(self) -> Rows:
        """The rows sorted by match and seat; ``self`` if they already are."""
        order = np.lexsort((self.seat, self.match))
        return self if (order[1:] > order[:-1]).all() else self.select(order)

    @classmethod
    def concatenate(cls, parts: Sequence[Rows]) -> Rows:
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
        self.parts: list[Rows] = []
        self.matches = self.sources = 0

    def add(self, batches: Iterable[Batch], source: str) -> Rows:
        """Add a source, and return its rows; RecordError, with nothing added, unless they are whole games."""
        self.sources += 1
        matches = NameCodes()
        parts = [self.as_arrays(batch, matches, source) for batch in batches]
        rows = Rows.concatenate(parts)
        rows = rows.sorted_by_game()
        check_whole_games(rows, [key[1] for key in matches.texts()], source)
        rows.arrays["match"] += self.matches
        self.matches += len(matches.codes)
        self.parts.append(rows)
        return rows

    def as_arrays(self, batch: Batch, matches: NameCodes, source: str) -> Rows:
        """A batch as arrays."""
        names = [join_game_name(game, options) for game, options in zip(batch["game"], batch["options"], strict=True)]
        source_number, deals, seeds = self.sources, batch["deal"], batch["seed"]
        whole_array(deals, "deal", source)
        match_keys = [
            (name, match if match is not None else (deal, rotation))
            for name, match, deal, rotation in zip(names, batch["match"], deals, batch["rotation"], strict=True)
        ]
        clusters = [
            (name, seed) if seed else (name, source_number, deal)
            for name, seed, deal in zip(names, seeds, deals, strict=True)
        ]
        return Rows(
            {
                "game": whole_array(self.games.encode(names), "game", source),
                "match": whole_array(matches.encode(match_keys), "match", source),
                "deal": whole_array(self.deals.encode(clusters), "deal", source),
                "seat": whole_array(batch["seat"], "seat", source),
                "player": whole_array(self.players.encode(batch["player"]), "player", source),
                "length": whole_array(
                    [UNKNOWN if length is None else length for length in batch["length"]], "length", source, UNKNOWN
                ),
                "forfeit": whole_array(self.forfeits.encode(batch["forfeit"]), "forfeit", source),
                "score": number_array(batch["score"], "score", source),
                "share": number_array(batch["win_share"], "win_share", source),
            }
        )

    def all(self) -> Rows:
        """Everything that was added."""
        return Rows.concatenate(self.parts)


def whole_array(values: Sequence[Any], column: str, source: str, least: int = 0) -> Ints:
    """Whole numbers as an array; RecordError for anything else, or for a number out of range."""
    if None in values:
        raise RecordError(f"{column} must be there in every row.", source)
    try:
        array = np.array(values, np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"{column} must be a whole number.", source) from error
    if len(array) and (array.min() < least or array.max() > MAX_WHOLE_NUMBER):
        raise RecordError(f"{column} must be a whole number from {max(least, 0)}.", source)
    return array


def number_array(values: Sequence[Any], column: str, source: str) -> Floats:
    """Finite numbers as an array; RecordError for anything else."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RecordError(f"{column} must be a number.", source) from error
    if not np.isfinite(array).all():
        raise RecordError(f"{column} must be a number in every row.", source)
    return array


def check_whole_games(rows: Rows, labels: Sequence[Any], source: str) -> None:
    """Raise RecordError unless the rows, sorted by match and seat, are whole games."""
    if not len(rows):
        return
    starts = np.flatnonzero(np.diff(rows.match, prepend=-1))
    sizes = np.diff(np.append(starts, len(rows)))
    positions = np.arange(len(rows)) - np.repeat(starts, sizes)

    def refuse_where(wrong: NDArray[Any], why: str) -> None:
        """Raise RecordError for the game of the first row that is wrong."""
        if wrong.any():
            label = labels[int(rows.match[int(np.argmax(wrong))])]
            game_text = f"rotation {label[1]} of deal {label[0]}" if isinstance(label, tuple) else f"match {label}"
            raise RecordError(f"{game_text}: {why}.", source)

    refuse_where(rows.seat != positions, "it must have each seat once, numbered from 0")
    refuse_where(rows.seat >= MAX_SEATS, f"no game has {MAX_SEATS} seats")
    for column in ("deal", "length"):
        values = rows.arrays[column]
        refuse_where(values != np.repeat(values[starts], sizes), f"its seats differ in their {column}")
    refuse_where((rows.share < 0) | (rows.share > 1), "a share of a win is from 0 to 1")
    totals = np.add.reduceat(rows.share, starts)
    refuse_where(np.repeat(totals > 1 + TOLERANCE, sizes), "the shares of its win are more than 1 together")
