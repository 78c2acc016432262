"""``kibitz verify``: whether records tell true games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.refusals import finished
from kibitz.cli.screen import DIM, Screen, warn
from kibitz.engine.record import Record, read_any
from kibitz.errors import KibitzError, RecordError
from kibitz.table.outcomes import standing

UNPROVED = (
    "A record proves cards, moves and result, not that the named players chose these moves{more}; for a match of an"
    " arena 'kibitz arena replay' proves that by playing it again."
)


def verify(*files: Annotated[Path, Parameter(help="Records, such as 'kibitz match -o' writes.")]) -> int:
    """Replay records from their seeds and compare every line; the status is 2 if one is untrue."""
    if not files:
        raise KibitzError("name at least one record to verify.")
    screen = Screen()
    untrue = 0
    failed = noted = False
    for file in files:
        try:
            record = read_any(file)
        except RecordError as error:
            untrue += 1
            warn(f"kibitz: {finished(str(error))}")
        else:
            failed, noted = failed or bool(record.forfeits), noted or bool(record.notes)
            moves, told = f"{len(record.actions)} moves", standing(record)
            if isinstance(record, Record):
                screen.line(f"{file}: true, {moves}, {told}")
            else:
                screen.line(f"{file}: true so far, {moves}, {told[0].lower()}{told[1:]}")
    if untrue < len(files):
        more = ", or that those who are out did fail" * failed + ", or what its notes say" * noted
        screen.line(UNPROVED.format(more=more), DIM)
    return 2 if untrue else 0
