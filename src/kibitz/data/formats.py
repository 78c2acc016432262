"""Which format a file has, by the end of its name, and the library that Parquet needs.

results     rows of games: CSV, JSON lines, Parquet
records     whole games as text: a folder of .game files, a ZIP archive of them, JSON lines, Parquet
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kibitz.cards import shown
from kibitz.errors import KibitzError, NotationError, RecordError

RESULTS, RECORDS = (".csv", ".jsonl", ".parquet"), (".zip", ".jsonl", ".parquet")
RECORD = ".game"
FOLDER = ""
WANTED = (
    "end it in .csv, .jsonl or .parquet for results; for records in .zip, .jsonl or .parquet, or in nothing for a"
    " folder of .game files"
)
WITHOUT = (
    "Parquet needs pyarrow, which is not here: pip install 'kibitz[data]' brings it, and CSV and JSONL need nothing."
)


def format_of(path: Path) -> str:
    """The ending of a file's name, small; empty for a folder."""
    return path.suffix.lower() if not os.path.isdir(path) else FOLDER


def format_to_write(path: Path, *, records: bool) -> tuple[str, bool]:
    """The format that a file is to have, and whether records are meant; NotationError where the name tells none."""
    found = format_of(path)
    if found in (FOLDER, ".zip"):
        return found, True
    if records and found == ".csv":
        raise NotationError(f"{path}: a record has many lines, and CSV holds none: {WANTED}.")
    if found not in (RECORDS if records else RESULTS):
        raise NotationError(f"the name of {shown(str(path))} says no format: {WANTED}.")
    if found == ".parquet":
        arrow()
    return found, records


def table_to_write(path: Path) -> str:
    """The format that a table of results is to have; NotationError where the name of its file tells none."""
    kind, records = format_to_write(path, records=False)
    if records:
        raise NotationError(f"{path}: end the name of a table in {', '.join(RESULTS[:-1])} or {RESULTS[-1]}.")
    return kind


def arrow(read: Path | None = None) -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``; KibitzError, with what to install, where there are none.

    Where a file is to be ``read`` it is a RecordError of that file, which stops no other.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise RecordError(WITHOUT, str(read)) if read else KibitzError(WITHOUT) from error
    return pyarrow, parquet
