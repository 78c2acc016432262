"""The rows of a table of results, one for every seat of every game; file formats; and writing finished games.

    game, options   the parts of the game's name before and after the colon
    rules           the version of the game's rules
    match           the number of the game in this file, from 0; its rows are together, in order of seats
    deal            the number of the deal; the games of one deal have the same cards
    rotation        the number of seats by which the players of the deal are rotated
    seed            fixes the cards: ``game.deal(seed)``; up to 39 digits, so it is text in formats that would round it
    seat, player    a seat, counted from 0, and the player in it
    score           what the seat scored
    win_share       1 for a win, 1/n for each of n players who share it, else 0
    length          the number of actions in the game
    forfeit, reason the kind of the seat's failure, and a sentence that says why; both empty without a failure

A table from another program must have the columns ``REQUIRED_COLUMNS``; unknown columns are ignored.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from shutil import rmtree
from typing import Any

import msgspec

from kibitz.arena import csv_files
from kibitz.cards import short_repr
from kibitz.engine.file_io import atomic_file, draft_prefix
from kibitz.engine.record import Record
from kibitz.errors import KibitzError, NotationError, RecordError

COLUMNS: dict[str, type] = {
    "game": str,
    "options": str,
    "rules": int,
    "match": int,
    "deal": int,
    "rotation": int,
    "seed": str,
    "seat": int,
    "player": str,
    "score": float,
    "win_share": float,
    "length": int,
    "forfeit": str,
    "reason": str,
}
"""Every column with its type, in order."""
REQUIRED_COLUMNS = ("deal", "seat", "player", "score", "win_share")
MAX_WHOLE_NUMBER = 10**15
"""Whole numbers in a table are below this."""


class ResultRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row: a seat of a game. Numbers that are missing in the table are None."""

    game: str = ""
    options: str = ""
    rules: int | None = None
    match: int | None = None
    deal: int
    rotation: int | None = None
    seed: str = ""
    seat: int
    player: str
    score: float
    win_share: float
    length: int | None = None
    forfeit: str = ""
    reason: str = ""


class FinishedGame(msgspec.Struct, frozen=True, array_like=True):
    """One finished game, kept in a simulation's journal until all games are played.

    ``forfeits`` are seat, kind and sentence; ``record`` is empty if records were not requested.
    """

    match: int
    deal: int
    rotation: int
    seed: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    length: int
    forfeits: tuple[tuple[int, str, str], ...] = ()
    record: str = ""


def split_game_name(name: str) -> tuple[str, str]:
    """A game's name as the columns ``game`` and ``options``.

    >>> split_game_name("bo:players=3"), join_game_name("bo", "players=3"), join_game_name("go", "")
    (('bo', 'players=3'), 'bo:players=3', 'go')
    """
    game, _, options = name.partition(":")
    return game, options


def join_game_name(game: str, options: str) -> str:
    """The name of a game from its columns."""
    return f"{game}:{options}" if options else game


def rows_of(game: str, rules: int, finished_game: FinishedGame) -> Iterator[ResultRow]:
    """The rows of a game, by seat."""
    failures = {seat: (kind, sentence) for seat, kind, sentence in finished_game.forfeits}
    name, options = split_game_name(game)
    for seat, player in enumerate(finished_game.players):
        forfeit, reason = failures.get(seat, ("", ""))
        yield ResultRow(
            game=name,
            options=options,
            rules=rules,
            match=finished_game.match,
            deal=finished_game.deal,
            rotation=finished_game.rotation,
            seed=finished_game.seed,
            seat=seat,
            player=player,
            score=finished_game.scores[seat],
            win_share=1 / len(finished_game.winners) if seat in finished_game.winners else 0.0,
            length=finished_game.length,
            forfeit=forfeit,
            reason=reason,
        )


def game_of_record(record: Record, match: int = 0, deal: int = 0, rotation: int = 0) -> FinishedGame:
    """A record as a finished game, without the record's text."""
    return FinishedGame(
        match=match,
        deal=deal,
        rotation=rotation,
        seed=str(record.seed),
        players=record.seats,
        scores=record.outcome.scores,
        winners=record.outcome.winners,
        length=len(record.actions),
        forfeits=tuple((forfeit.seat, forfeit.kind, forfeit.sentence) for forfeit in record.forfeits),
    )


def record_rows(record: Record, match: int = 0, deal: int = 0, rotation: int = 0) -> Sequence[ResultRow]:
    """The rows for a record."""
    return list(rows_of(record.game, record.rules, game_of_record(record, match, deal, rotation)))


# ---------------------------------------------------------------- formats

# The ending of a file's name tells its format:
#
# results     rows of games: CSV, JSON lines, Parquet
# records     whole games as text: a folder of .game files, a ZIP archive of them, JSON lines, Parquet


RESULT_ENDINGS, RECORD_ENDINGS = (".csv", ".jsonl", ".parquet"), (".zip", ".jsonl", ".parquet")
RECORD_ENDING = ".game"
FOLDER = ""
FORMAT_HINT = (
    "use .csv, .jsonl or .parquet for results; for records .zip, .jsonl, .parquet, or no ending for a folder of .game"
    " files"
)
NO_PYARROW = "Parquet needs pyarrow: pip install 'kibitz[data]'. CSV and JSONL work without it."


def format_of(path: Path) -> str:
    """The ending of a file's name in lower case; empty for a folder."""
    return path.suffix.lower() if not os.path.isdir(path) else FOLDER


def format_to_write(path: Path, *, records: bool) -> tuple[str, bool]:
    """The ending of a file to write, and whether it holds records.

    Raises NotationError if the ending isn't a format.
    """
    ending = format_of(path)
    if ending in (FOLDER, ".zip"):
        return ending, True
    if records and ending == ".csv":
        raise NotationError(f"{path}: CSV can't hold records, which have many lines: {FORMAT_HINT}.")
    if ending not in (RECORD_ENDINGS if records else RESULT_ENDINGS):
        raise NotationError(f"{short_repr(str(path))} has an unknown ending: {FORMAT_HINT}.")
    if ending == ".parquet":
        import_pyarrow()
    return ending, records


def ending_of_table(path: Path) -> str:
    """The ending of a table to write. Raises NotationError if it isn't the format of a table of results."""
    ending, records = format_to_write(path, records=False)
    if records:
        raise NotationError(
            f"{path}: end the name of a table in {', '.join(RESULT_ENDINGS[:-1])} or {RESULT_ENDINGS[-1]}."
        )
    return ending


def import_pyarrow(file: Path | None = None) -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``. Raises KibitzError, with what to install, if they are missing.

    When a ``file`` is read, the error is a RecordError of that file, which doesn't stop other files.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise RecordError(NO_PYARROW, str(file)) if file else KibitzError(NO_PYARROW) from error
    return pyarrow, parquet


# ---------------------------------------------------------------- writing

# A table of results is written completely or not at all; the files of a collection of records are first written to a
# draft folder, then moved. Games are written chunk by chunk, so memory holds at most some ten thousand of them.


GROUP_ROWS = 1 << 16
"""The number of rows in a row group of a Parquet file."""
RECORD_COLUMNS: dict[str, type] = {
    "game": str,
    "match": int,
    "deal": int,
    "rotation": int,
    "seed": str,
    "players": list,
    "record": str,
}
"""The fields of a collection of records in JSON lines and Parquet, one game per line."""

Chunks = Iterable[Iterable[FinishedGame]]
Dicts = Iterable[dict[str, Any]]


def write_games(path: Path, kind: str, chunks: Chunks, game: str, rules: int, *, records: bool, force: bool) -> None:
    """Write games in the format ``kind`` (``format_of``).

    Raises OSError if that fails, FileExistsError without ``force``.
    """
    games = chain.from_iterable(chunks)
    if kind == FOLDER:
        with atomic_folder(path) as folder:
            for finished_game in games:
                name = record_file_name(finished_game)
                (folder / name).write_text(finished_game.record, encoding="utf-8", newline="")
        return
    with atomic_file(path, force) as draft:
        if kind == ".zip":
            with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
                for finished_game in games:
                    archive.writestr(record_file_name(finished_game), finished_game.record)
        elif records:
            rows = ({"game": game, **msgspec.structs.asdict(finished_game)} for finished_game in games)
            write_dicts(draft, kind, ({name: row[name] for name in RECORD_COLUMNS} for row in rows), RECORD_COLUMNS)
        else:
            write_rows(draft, kind, (row for finished_game in games for row in rows_of(game, rules, finished_game)))


def write_table(path: Path, kind: str, rows: Iterable[ResultRow], *, force: bool) -> None:
    """Write rows as a table; raises the errors of ``write_games``."""
    with atomic_file(path, force) as draft:
        write_rows(draft, kind, rows)


def write_rows(draft: Path, kind: str, rows: Iterable[ResultRow]) -> None:
    """Write rows into a draft file in the format ``kind``."""
    if kind == ".csv":
        with draft.open("w", encoding="utf-8", newline="") as out:
            values = ([getattr(row, column) for column in COLUMNS] for row in rows)
            cells = (["" if value is None else value for value in row] for row in values)
            csv_files.write_rows(out, chain([list(COLUMNS)], cells))
    else:
        write_dicts(draft, kind, (msgspec.structs.asdict(row) for row in rows), COLUMNS)


def write_dicts(draft: Path, kind: str, rows: Dicts, columns: Mapping[str, type]) -> None:
    """Write rows as JSON lines or Parquet."""
    if kind == ".parquet":
        write_parquet(draft, rows, columns)
        return
    encode = msgspec.json.Encoder().encode
    with draft.open("wb") as out:
        out.writelines(encode(row) + b"\n" for row in rows)


def write_parquet(draft: Path, rows: Dicts, columns: Mapping[str, type]) -> None:
    """Write rows as Parquet, in row groups; repeated texts are stored once."""
    pa, parquet = import_pyarrow()
    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string(), list: pa.list_(pa.string())}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    with parquet.ParquetWriter(draft, schema, compression="zstd") as out:
        remaining = iter(rows)
        while group := list(islice(remaining, GROUP_ROWS)):
            lists = {name: [row[name] for row in group] for name in columns}
            out.write_table(pa.Table.from_pydict(lists, schema=schema))


def record_file_name(finished_game: FinishedGame) -> str:
    """The file name of a game in a collection."""
    return f"{finished_game.match:07}{RECORD_ENDING}"


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """A context with a draft folder, whose files are moved to ``folder`` at its end; other files there stay."""
    target = folder.resolve()
    draft = target.with_name(f"{draft_prefix(target)}{os.urandom(8).hex()}")
    draft.mkdir()
    try:
        yield draft
        if os.path.isdir(target):
            for file in sorted(draft.iterdir()):
                os.replace(file, target / file.name)
        else:
            draft.rename(target)
    finally:
        rmtree(draft, ignore_errors=True)
