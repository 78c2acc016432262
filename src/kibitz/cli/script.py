"""Sessions of line mode that are typed by a file: lines as a person would type them, or a record to be played again.

script      the lines, in order; one that begins with ``#`` is a remark, an empty one is Enter
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from kibitz.engine import file_io
from kibitz.engine.record import AnyRecord, read_any
from kibitz.engine.record_writer import FIRST_LINE
from kibitz.errors import KibitzError, RecordError, cause
from kibitz.table import Table


class Script(NamedTuple):
    """What is typed; of a record also the record, whose game it is."""

    lines: list[str]
    record: AnyRecord | None = None


NO_SCRIPT = Script([])


def read_script(path: Path) -> Script:
    """A script from a file; KibitzError if it cannot be read, or nobody could type it."""
    try:
        text = file_io.text(path)
    except UnicodeDecodeError:
        raise KibitzError(f"{path} is no script: it is not UTF-8 text.") from None
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {cause(error)}.") from None
    if text.startswith(FIRST_LINE.rstrip("0123456789")):
        record = read_any(path)
        return Script(typed_in(record), record)
    return Script([line for line in text.splitlines() if not line.startswith("#")])


def typed_in(record: AnyRecord) -> list[str]:
    """What the people at one keyboard type, all seats being theirs, for the game of a record to come out.

    RecordError where a seat has forfeited: nobody can type that.
    """
    if record.forfeits:
        raise RecordError("a seat forfeits in this game, and no person can play that: 'kibitz show' tells it.")
    lines: list[str] = []
    holder = None
    table = Table.resume(record)
    for past in table.again():
        if past.step == table.step or len(past.legal()) == 1:
            continue
        if past.player != holder:
            lines += [""] if holder is None else ["", ""]
        holder = past.player
        lines.append(past.game.text(past.view(holder), table.actions[past.step]))
    return [*lines, "", "n", ""] if table.over else lines
