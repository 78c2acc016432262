"""Deadlines: when work is due, what is deducted for late work, and when work was submitted.

A deadline is a table in ``marks.toml``; a server stores one for each assignment in the same form.

[deadline]
due = 2026-10-16T17:00:00+11:00     # without an offset, the platform's times are compared as written
grace = 15                          # minutes without a penalty; default: 0
per_day = 10                        # per cent of all marks, for each day late; part of a day counts as a whole day
most = 50                           # the maximum deduction, in per cent; default: 100

[deadline.extensions]
"1000004" = 2026-10-20T17:00:00+11:00   # by the student's number on the learning platform, or by name
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena.csv_files import read_table
from kibitz.cards import short_repr
from kibitz.errors import NotationError
from kibitz.marking.assignments import as_number, as_table, check_known, read_table_of
from kibitz.players.files.archives import METADATA, read_tree
from kibitz.players.files.entries import FolderEntry, Layout, gradescope_submissions

MOODLE_TIME = "last modified (submission)"
"""The worksheet's column of submission times, in lower case."""
TIME_FORMATS = (
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%d %B %Y, %I:%M %p",
    "%d/%m/%y, %H:%M",
    "%d/%m/%Y %H:%M",
)
"""The formats in which Moodle writes times, which depend on its settings; Gradescope writes ISO 8601."""


class Deadline(msgspec.Struct, frozen=True):
    """When work is due, and what is deducted for late work: ``per_day`` and ``most`` are shares of all marks."""

    due: datetime
    grace: timedelta = timedelta()
    per_day: float = 0.0
    most: float = 1.0
    extensions: Mapping[str, datetime] = {}

    def due_for(self, entry: FolderEntry) -> datetime:
        """When a student's work is due."""
        return next((self.extensions[key] for key in entry.keys if key in self.extensions), self.due)

    def days_late(self, entry: FolderEntry, submitted: datetime) -> int:
        """How many days late a student's work is, rounded up; 0 within the grace period.

        If only one of the two times has an offset, both are compared as written.
        """
        due = self.due_for(entry)
        if (submitted.tzinfo is None) != (due.tzinfo is None):
            submitted, due = submitted.replace(tzinfo=None), due.replace(tzinfo=None)
        late = submitted - due
        return 0 if late <= self.grace else math.ceil(late / timedelta(days=1))

    def late_penalty(self, days: int) -> float:
        """The share of all marks that is deducted for work that is ``days`` late."""
        return min(self.most, days * self.per_day)


def read_deadline(path: Path | None) -> Deadline | None:
    """The deadline in a TOML file; None if it sets none."""
    return read_table_of(path, "deadline", deadline_of)


def deadline_text(deadline: Deadline) -> str:
    """A deadline as the tables of ``marks.toml``.

    >>> print(deadline_text(Deadline(datetime(2026, 10, 16, 17), per_day=0.1)), end="")
    [deadline]
    due = 2026-10-16T17:00:00
    grace = 0
    per_day = 10
    most = 100
    """
    grace, per_day, most = deadline.grace / timedelta(minutes=1), 100 * deadline.per_day, 100 * deadline.most
    lines = [f"[deadline]\ndue = {deadline.due.isoformat()}\ngrace = {grace:g}\nper_day = {per_day:g}\nmost = {most:g}"]
    if deadline.extensions:
        lines.append("\n[deadline.extensions]")
    for student, due in deadline.extensions.items():
        lines.append(f"{json.dumps(student, ensure_ascii=False)} = {due.isoformat()}")
    return "\n".join(lines) + "\n"


MAX_GRACE = 60.0 * 24 * 365
"""The longest period of grace: a year, in minutes."""
HEADER = re.compile(r"\s*\[\s*[\"']?(\w+)")
"""The beginning of a table in a TOML file, with the first part of its name."""


def without_deadline(text: str) -> str:
    r"""A TOML file without its deadline. Raises NotationError if that isn't a table with a header of its own.

    >>> without_deadline("out_of = 20\n[deadline]\ndue = 2026-10-16\n[rubric]\nstyle = 2\n")
    'out_of = 20\n[rubric]\nstyle = 2\n'
    """
    kept_lines, in_deadline = [], False
    for line in text.splitlines(keepends=True):
        if header := HEADER.match(line):
            in_deadline = header[1] == "deadline"
        if not in_deadline:
            kept_lines.append(line)
    kept = "".join(kept_lines)
    if tomllib.loads(kept) != {name: value for name, value in tomllib.loads(text).items() if name != "deadline"}:
        raise NotationError("the deadline must be a table: write its settings below a line [deadline].")
    return kept


def deadline_of(settings: Mapping[str, Any]) -> Deadline:
    """A deadline from the table ``deadline`` of a file."""
    check_known(settings, ("due", "grace", "per_day", "most", "extensions"), "setting of deadline")
    if "due" not in settings:
        raise NotationError("deadline needs due, such as due = 2026-10-16T17:00:00.")
    extensions = as_table(settings.get("extensions", {}), "deadline.extensions")
    for name in ("per_day", "most"):
        if 0 < as_number(settings, name, 0.0, least=0.0, most=100.0) < 1:
            raise NotationError(f"{name} is in per cent: write {settings[name] * 100:g} for {settings[name]:.0%}.")
    return Deadline(
        moment(settings["due"], "due"),
        timedelta(minutes=as_number(settings, "grace", 0.0, least=0.0, most=MAX_GRACE)),
        as_number(settings, "per_day", 0.0, least=0.0, most=100.0) / 100,
        as_number(settings, "most", 100.0, least=0.0, most=100.0) / 100,
        {name: moment(value, f"the extension of {name}") for name, value in extensions.items()},
    )


def moment(value: Any, what: str) -> datetime:
    """A setting that is a time; a date without a time stands for the end of that day."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        with suppress(OverflowError):
            return datetime(value.year, value.month, value.day) + timedelta(days=1)
    raise NotationError(
        f"{what} must be a time such as 2026-10-16T17:00:00, without quotes, not {short_repr(str(value))}."
    )


def times_of(layout: Layout, path: Path, worksheet: Path | None) -> dict[str, datetime]:
    """When work was submitted, by student's number or by folder, as far as the export or worksheet says.

    Only Gradescope's exports and Moodle's worksheets have these times.
    """
    if layout == "gradescope":
        files = read_tree(path).files
        metadata = next((content for name, content in files.items() if name.split("/")[-1] == METADATA), b"")
        submissions = gradescope_submissions(metadata)
        times = {f"submission_{number}": submission.at for number, submission in submissions.items()}
    elif layout == "moodle" and worksheet is not None:
        rows = read_table(worksheet)
        headings = rows[0][1] if rows else []
        if MOODLE_TIME not in headings or "identifier" not in headings:
            return {}
        time_column, id_column = headings.index(MOODLE_TIME), headings.index("identifier")
        times = {
            cells[id_column].removeprefix("Participant ").strip(): cells[time_column]
            for _, cells in rows[1:]
            if len(cells) > max(id_column, time_column)
        }
    else:
        return {}
    return {id: time for id, text in times.items() if (time := time_in(text)) is not None}


def time_in(text: str) -> datetime | None:
    """A time as a platform writes it; None if the format is unknown.

    >>> str(time_in("Friday, 16 October 2026, 5:03 PM")), str(time_in("2026-10-16 17:03:12 +1100"))
    ('2026-10-16 17:03:00', '2026-10-16 17:03:12+11:00')
    """
    text = " ".join(text.split())
    iso = re.sub(r" (?=[+-]\d\d:?\d\d$)| (?=Z$)", "", text.replace(" UTC", "Z"))
    for time_format in TIME_FORMATS:
        try:
            return datetime.strptime(text, time_format)
        except ValueError:
            continue
    try:
        return datetime.fromisoformat(iso)
    except ValueError:
        return None
