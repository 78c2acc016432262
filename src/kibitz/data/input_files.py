"""Finds files with results or records at given paths, and reads the records in each of them as text.

A file is a .game file, a ZIP archive, JSON lines, Parquet or CSV. Folders are searched recursively, in alphabetical
order. Hidden files are left out, links to folders are not followed, and a pipe or device is read only if the user names
it.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kibitz.cards import short_repr
from kibitz.data.result_tables import ReadProgress, json_lines, parquet_columns, parquet_errors
from kibitz.data.rows import RECORD_ENDING, REQUIRED_COLUMNS, RESULT_ENDINGS, format_of, import_pyarrow
from kibitz.engine import file_io
from kibitz.engine.record import LARGEST_FILE, record_text
from kibitz.errors import NotationError, RecordError, cause
from kibitz.players.files.archives import content_of_member, inner_path, why_not_unpackable

ENDINGS = (RECORD_ENDING, ".zip", *RESULT_ENDINGS)
LINES_TO_PROBE = 100
"""The maximum number of lines of a file that are read to find out whether it holds records or results."""


class RecordText(NamedTuple):
    """The text of a record, or the error that says why it can't be read.

    where   the record's file, with its line or its path in the archive
    when    when that file was last changed
    """

    where: str
    when: datetime
    text: str = ""
    error: RecordError | None = None


class JsonLine(msgspec.Struct, frozen=True):
    """The fields of a line of JSON that matter here; a line with ``record`` is a record, one with ``seat`` a result."""

    record: str | None = None
    seat: Any = None


def checked_paths(argument: str | Path | Sequence[str | Path]) -> list[Path]:
    """An argument as a list of paths. Raises NotationError if it isn't a path or a sequence of paths."""
    paths = [argument] if isinstance(argument, str | Path) else argument
    if not isinstance(paths, Sequence) or not paths:
        raise NotationError(
            f"path must be the path of a file or a folder, or a list of paths, not {short_repr(argument)}."
        )
    for path in paths:
        if not file_io.can_be_file(path):
            raise NotationError(f"path must be the path of a file or a folder, not {short_repr(path)}.")
    return [Path(path) for path in paths]


def find_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Every file at some paths; in folders, only files with one of the ``ENDINGS``."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, subfolders, files in os.walk(path):
            subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
            yield from (
                Path(folder, name)
                for name in sorted(files)
                if not name.startswith(".") and name.lower().endswith(ENDINGS) and Path(folder, name).is_file()
            )


def content_kind(file_path: Path) -> str:
    """What a file holds, "records" or "results"; empty if unknown. Raises RecordError if the file can't be read.

    For JSON lines, the first record or row decides.
    """
    kind = format_of(file_path)
    if kind == ".jsonl":
        try:
            return next(
                filter(None, (kind_of_line(line) for _, line in islice(json_lines(file_path), LINES_TO_PROBE))), ""
            )
        except OSError as error:
            raise unreadable_error(file_path, error) from error
    if kind == ".parquet":
        columns = parquet_columns(file_path)
        return "records" if "record" in columns else "results" if set(REQUIRED_COLUMNS) <= set(columns) else ""
    return "results" if kind == ".csv" else "records"


def kind_of_line(content: bytes) -> str:
    """What one line of JSON is, "records" or "results"; empty if neither."""
    try:
        line = decode_line(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return "records" if line.record is not None else "results" if line.seat is not None else ""


def record_texts(file_path: Path, report_bytes: ReadProgress = lambda at: None) -> Iterator[RecordText]:
    """All records of a file; if it cannot be read at all, one item with the error."""
    readers = {".zip": zip_records, ".jsonl": jsonl_records, ".parquet": parquet_records}
    try:
        yield from readers.get(format_of(file_path), single_record)(file_path, report_bytes)
    except RecordError as error:
        yield RecordText(str(file_path), datetime.min, error=error)
    except OSError as error:
        yield RecordText(str(file_path), datetime.min, error=unreadable_error(file_path, error))


def unreadable_error(file_path: Path, error: OSError) -> RecordError:
    """The error for a file that cannot be read."""
    return RecordError(f"cannot be read: {cause(error)}.", str(file_path))


def modification_time(file_path: Path) -> datetime:
    """When a file was last changed, by this machine's clock."""
    return datetime.fromtimestamp(file_path.stat().st_mtime)


def single_record(file_path: Path, report_bytes: ReadProgress) -> Iterator[RecordText]:
    """The record in a ``.game`` file."""
    yield RecordText(str(file_path), modification_time(file_path), record_text(file_path))


def zip_records(file_path: Path, report_bytes: ReadProgress) -> Iterator[RecordText]:
    """The records of a ZIP archive; a damaged record does not stop the others."""
    try:
        with zipfile.ZipFile(file_path) as archive:
            size, done = file_path.stat().st_size, 0
            for info in archive.infolist():
                path = inner_path(info)
                if path.lower().endswith(RECORD_ENDING):
                    yield zip_member_record(archive, info, f"{file_path}/{path}")
                done += info.compress_size
                report_bytes(min(size, done))
    except RecordError:
        raise
    except Exception as error:  # damaged bytes can raise almost anything
        raise RecordError("this can't be read as a ZIP archive.", str(file_path)) from error


def zip_member_record(archive: zipfile.ZipFile, info: zipfile.ZipInfo, where: str) -> RecordText:
    """One record of an archive."""
    when = datetime.min
    try:
        when = datetime(*info.date_time)
        if why := why_not_unpackable(info):
            raise RecordError(f"it {why}.", where)
        if info.file_size > LARGEST_FILE:
            raise RecordError(f"it is larger than {LARGEST_FILE >> 20} MiB, the limit for a file.", where)
        return RecordText(where, when, file_io.decode_text(content_of_member(archive, info, LARGEST_FILE)))
    except RecordError as error:
        return RecordText(where, when, error=error)
    except UnicodeDecodeError:
        return RecordText(where, when, error=RecordError("this is not a record: it is not UTF-8 text.", where))
    except Exception:
        return RecordText(where, when, error=RecordError("it can't be unpacked: it is damaged.", where))


def jsonl_records(file_path: Path, report_bytes: ReadProgress) -> Iterator[RecordText]:
    """The records of JSON lines."""
    when = modification_time(file_path)
    for number, content in json_lines(file_path, report_bytes):
        where = f"{file_path}:{number}"
        try:
            line = decode_line(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield RecordText(where, when, error=RecordError("this line isn't a JSON object.", str(file_path), number))
            continue
        if line.record is None:
            kind = "a row of a table" if line.seat is not None else "something else"
            yield RecordText(
                where, when, error=RecordError(f"this line is {kind}, not a record.", str(file_path), number)
            )
            continue
        yield RecordText(where, when, line.record)


def decode_line(content: bytes) -> JsonLine:
    """A line of JSON; msgspec's error if it isn't one."""
    return msgspec.json.decode(content, type=JsonLine)


def parquet_records(file_path: Path, report_bytes: ReadProgress) -> Iterator[RecordText]:
    """The records of a Parquet file."""
    _, parquet = import_pyarrow(file_path)
    when = modification_time(file_path)
    with parquet_errors(file_path), parquet.ParquetFile(file_path) as file:
        if "record" not in file.schema_arrow.names:
            raise RecordError("this has no records: a Parquet file of records has a column 'record'.", str(file_path))
        size, done = file_path.stat().st_size, 0
        for batch in file.iter_batches(256, columns=["record"]):
            for text in batch.column(0).to_pylist():
                done += 1
                where = f"{file_path}:{done}"
                if isinstance(text, str):
                    yield RecordText(where, when, text)
                else:
                    yield RecordText(where, when, error=RecordError("this row has no record.", str(file_path), done))
            report_bytes(size * done // max(1, file.metadata.num_rows))
