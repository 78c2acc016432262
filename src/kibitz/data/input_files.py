"""Finds results and records: the files at given paths, and the records in each of them as text.

    place       one file to read: a .game file, a ZIP archive, JSON lines, Parquet, CSV
    found       one record as text, with its place and time of change; or why it cannot be read

Folders are searched recursively, in order of names; hidden files are left out, links to other folders are not followed,
and a pipe or a device is read only if it is named itself.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kibitz.cards import shown
from kibitz.data.result_tables import guarded, json_lines, parquet_columns
from kibitz.data.rows import NEEDED, RECORD, RESULTS, arrow, format_of
from kibitz.engine import file_io
from kibitz.engine.record import LARGEST_FILE, record_text
from kibitz.errors import NotationError, RecordError, cause
from kibitz.players.files.archives import content_of_member, inner_path, packed_otherwise

ENDINGS = (RECORD, ".zip", *RESULTS)
LOOKED_AT = 100
"""How many lines are read to tell what a file holds."""
Reached = Callable[[int], object]


class Found(NamedTuple):
    """The text of a record, or the error that says why there is none."""

    where: str
    when: datetime
    text: str = ""
    error: RecordError | None = None


class Line(msgspec.Struct, frozen=True):
    """The part of a line of JSON that matters: a record with its date, or what identifies a row of a table."""

    record: str | None = None
    date: str | None = None
    seat: Any = None


def paths_of(given: str | Path | Sequence[str | Path]) -> list[Path]:
    """The paths that a caller gave; NotationError for anything else."""
    several = [given] if isinstance(given, str | Path) else given
    if not isinstance(several, Sequence) or not several:
        raise NotationError(f"path must be that of a file or a folder, or a list of them, not {shown(given)}.")
    for path in several:
        if not file_io.can_be_file(path):
            raise NotationError(f"path must be that of a file or a folder, not {shown(path)}.")
    return [Path(path) for path in several]


def places(paths: Sequence[Path]) -> Iterator[Path]:
    """Every file at some paths; a file that is named itself is included whatever its name."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, below, files in os.walk(path):
            below[:] = sorted(name for name in below if not name.startswith("."))
            yield from (
                Path(folder, name)
                for name in sorted(files)
                if not name.startswith(".") and name.lower().endswith(ENDINGS) and Path(folder, name).is_file()
            )


def kind_of(place: Path) -> str:
    """What a file holds: records, results, or unknown; RecordError if it cannot be read.

    For JSON lines, the first record or row decides.
    """
    kind = format_of(place)
    if kind == ".jsonl":
        try:
            return next(filter(None, (kind_of_line(line) for _, line in islice(json_lines(place), LOOKED_AT))), "")
        except OSError as error:
            raise unreadable(place, error) from error
    if kind == ".parquet":
        columns = parquet_columns(place)
        return "records" if "record" in columns else "results" if set(NEEDED) <= set(columns) else ""
    return "results" if kind == ".csv" else "records"


def kind_of_line(content: bytes) -> str:
    """What a file holds, by a line of its JSON."""
    try:
        line = line_of(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return "records" if line.record is not None else "results" if line.seat is not None else ""


def texts(place: Path, reached: Reached = lambda at: None) -> Iterator[Found]:
    """All records of a file; if it cannot be read at all, that is the only item."""
    readers = {".zip": zipped, ".jsonl": in_lines, ".parquet": in_parquet}
    try:
        yield from readers.get(format_of(place), alone)(place, reached)
    except RecordError as error:
        yield Found(str(place), datetime.min, error=error)
    except OSError as error:
        yield Found(str(place), datetime.min, error=unreadable(place, error))


def unreadable(place: Path, error: OSError) -> RecordError:
    """The error for a file that cannot be read."""
    return RecordError(f"cannot be read: {cause(error)}.", str(place))


def changed(place: Path) -> datetime:
    """When a file was last changed, by this machine's clock."""
    return datetime.fromtimestamp(place.stat().st_mtime)


def alone(place: Path, reached: Reached) -> Iterator[Found]:
    """The record in a ``.game`` file."""
    yield Found(str(place), changed(place), record_text(place))


def zipped(place: Path, reached: Reached) -> Iterator[Found]:
    """The records of a ZIP archive; one that is damaged does not stop the others."""
    try:
        with zipfile.ZipFile(place) as archive:
            size, done = place.stat().st_size, 0
            for info in archive.infolist():
                path = inner_path(info)
                if path.lower().endswith(RECORD):
                    yield member(archive, info, f"{place}/{path}")
                done += info.compress_size
                reached(min(size, done))
    except RecordError:
        raise
    except Exception as error:  # no list of what damaged bytes can raise would be complete
        raise RecordError("this can't be read as a ZIP archive.", str(place)) from error


def member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, where: str) -> Found:
    """One record of an archive."""
    when = datetime.min
    try:
        when = datetime(*info.date_time)
        if why := packed_otherwise(info):
            raise RecordError(f"it {why}.", where)
        if info.file_size > LARGEST_FILE:
            raise RecordError(f"it is larger than {LARGEST_FILE >> 20} MiB, the most that is read.", where)
        return Found(where, when, file_io.decode_text(content_of_member(archive, info, LARGEST_FILE)))
    except RecordError as error:
        return Found(where, when, error=error)
    except UnicodeDecodeError:
        return Found(where, when, error=RecordError("this is not a record: it is not UTF-8 text.", where))
    except Exception:
        return Found(where, when, error=RecordError("it can't be unpacked: it is damaged.", where))


def in_lines(place: Path, reached: Reached) -> Iterator[Found]:
    """The records of JSON lines."""
    when = changed(place)
    for number, content in json_lines(place, reached):
        where = f"{place}:{number}"
        try:
            line = line_of(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield Found(where, when, error=RecordError("this line isn't a JSON object.", str(place), number))
            continue
        if line.record is None:
            what = "a row of a table" if line.seat is not None else "something else"
            yield Found(where, when, error=RecordError(f"this line is {what}, not a record.", str(place), number))
            continue
        yield Found(where, dated(line.date) or when, line.record)


def line_of(content: bytes) -> Line:
    """A line of JSON; msgspec's error if it isn't one."""
    return msgspec.json.decode(content, type=Line)


def dated(text: str | None) -> datetime | None:
    """The moment in a text, by this machine's clock; None if there is none."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found.astimezone().replace(tzinfo=None) if found.tzinfo else found


def in_parquet(place: Path, reached: Reached) -> Iterator[Found]:
    """The records of a Parquet file."""
    _, parquet = arrow(place)
    when = changed(place)
    with guarded(place), parquet.ParquetFile(place) as file:
        if "record" not in file.schema_arrow.names:
            raise RecordError("this has no records: a Parquet file of records has a column 'record'.", str(place))
        size, done = place.stat().st_size, 0
        for batch in file.iter_batches(256, columns=["record"]):
            for text in batch.column(0).to_pylist():
                done += 1
                wrong = RecordError("this row has no record.", str(place), done)
                yield Found(f"{place}:{done}", when, text if isinstance(text, str) else "", text_error(text, wrong))
            reached(size * done // max(1, file.metadata.num_rows))


def text_error(text: object, wrong: RecordError) -> RecordError | None:
    """The error for something that isn't text."""
    return None if isinstance(text, str) else wrong
