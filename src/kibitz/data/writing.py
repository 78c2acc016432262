"""Finished games written as a table of results, or as a collection of records: whole, or not at all.

Games come in chunks and are written as they come, so memory holds some ten thousand of them, however many there are.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from shutil import rmtree
from typing import Any

import msgspec

from kibitz.arena import sheets
from kibitz.data.rows import COLUMNS, FOLDER, RECORD, Played, Row, arrow, rows_of
from kibitz.engine.file_io import draft_start, whole_file

GROUP = 1 << 16
"""Rows of one group of a Parquet file."""
RECORD_COLUMNS: dict[str, type] = {
    "game": str,
    "match": int,
    "deal": int,
    "rotation": int,
    "seed": str,
    "players": list,
    "record": str,
}
"""What a collection of records has in JSON lines and in Parquet: one line a game."""

Chunks = Iterable[Iterable[Played]]
Dicts = Iterable[dict[str, Any]]


def write_games(path: Path, kind: str, chunks: Chunks, game: str, rules: int, *, records: bool, force: bool) -> None:
    """Write games in the format ``kind`` (``formats``); OSError where that fails, FileExistsError without ``force``."""
    played = chain.from_iterable(chunks)
    if kind == FOLDER:
        write_folder(path, played)
        return
    with whole_file(path, force) as draft:
        if kind == ".zip":
            write_zip(draft, played)
        elif records:
            write_dicts(draft, kind, (record_of(game, one) for one in played), RECORD_COLUMNS)
        else:
            write_rows(draft, kind, (row for one in played for row in rows_of(game, rules, one)))


def write_table(path: Path, kind: str, rows: Iterable[Row], *, force: bool) -> None:
    """Write rows as a table; errors as of ``write_games``."""
    with whole_file(path, force) as draft:
        write_rows(draft, kind, rows)


def write_rows(draft: Path, kind: str, rows: Iterable[Row]) -> None:
    """Write rows into a draft."""
    if kind == ".csv":
        with draft.open("w", encoding="utf-8", newline="") as out:
            cells = ([csv_cell(getattr(row, column)) for column in COLUMNS] for row in rows)
            sheets.write_rows(out, chain([list(COLUMNS)], cells))
    else:
        write_dicts(draft, kind, (msgspec.structs.asdict(row) for row in rows), COLUMNS)


def csv_cell(value: Any) -> sheets.Cell:
    """A value as a cell; nothing is empty, and the digits of a seed are bare."""
    if value is None:
        return ""
    return value if isinstance(value, (str, int, float)) else str(value)


def record_of(game: str, played: Played) -> dict[str, Any]:
    """A game with its record, by the columns of a collection."""
    found = {name: getattr(played, name) for name in RECORD_COLUMNS if name != "game"}
    return {"game": game, **found, "players": list(played.players)}


def write_dicts(draft: Path, kind: str, rows: Dicts, columns: Mapping[str, type]) -> None:
    """Write rows as JSON lines or Parquet."""
    if kind == ".parquet":
        write_parquet(draft, rows, columns)
        return
    encode = msgspec.json.Encoder().encode
    with draft.open("wb") as out:
        out.writelines(encode(row) + b"\n" for row in rows)


def write_parquet(draft: Path, rows: Dicts, columns: Mapping[str, type]) -> None:
    """Write rows in groups; texts that come again and again are kept once."""
    pa, parquet = arrow()
    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string(), list: pa.list_(pa.string())}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    with parquet.ParquetWriter(draft, schema, compression="zstd") as out:
        for group in grouped(rows, GROUP):
            lists = {name: [row[name] for row in group] for name in columns}
            out.write_table(pa.Table.from_pydict(lists, schema=schema))


def grouped(rows: Dicts, size: int) -> Iterator[list[dict[str, Any]]]:
    """Rows by so many at a time."""
    group: list[dict[str, Any]] = []
    for row in rows:
        group.append(row)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def write_zip(draft: Path, played: Iterable[Played]) -> None:
    """Write records as an archive."""
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in played:
            archive.writestr(member(one), one.record)


def member(played: Played) -> str:
    """The name of a game's file among others."""
    return f"{played.match:07}{RECORD}"


def write_folder(folder: Path, played: Iterable[Played]) -> None:
    """Write records as files of a folder; what it holds already stays, but for files of the same names."""
    with whole_folder(folder) as write:
        for one in played:
            write(member(one), one.record)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Callable[[str, str], None]]:
    """Write files, by name and text, into a folder that gets them all once the last one is written."""
    target = folder.resolve()
    draft = target.with_name(f"{draft_start(target)}{os.urandom(8).hex()}")
    draft.mkdir()
    try:

        def write(name: str, text: str) -> None:
            (draft / name).write_text(text, encoding="utf-8", newline="")

        yield write
        if os.path.isdir(target):
            for file in sorted(draft.iterdir()):
                os.replace(file, target / file.name)
        else:
            draft.rename(target)
    finally:
        rmtree(draft, ignore_errors=True)
