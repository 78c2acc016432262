"""Points that a person gives for comments, structure or style, beside those for hidden cases.

criteria    in ``marks.toml``, each with the most points that it gives
sheet       ``rubric.csv`` in the folder of marks: a row for each student, with a cell for the points of every
criterion, one for a comment, and what was counted in the files; every run writes it again and keeps what was filled in

[rubric]
comments = 2
structure = 3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena.csv_files import Cell, read_table
from kibitz.errors import NotationError, PlayerError
from kibitz.marking.adjustments import Adjustment, number_in
from kibitz.marking.assignments import COUNTED, OTHER_COLUMNS, Plan, check_known
from kibitz.marking.feedback import Sheet, mark_text, visible
from kibitz.marking.platforms import csv_text
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources
from kibitz.players.isolation import wire
from kibitz.players.isolation.confined_process import PlayerProcess
from kibitz.players.limits import STANDARD

RUBRIC = "rubric.csv"
HANDED_OUT = "test_"
"""Beginnings of names of files that aren't the student's own work."""


class Judged(msgspec.Struct, frozen=True):
    """A person's judgement of one student: points by criterion, and a comment."""

    points: Mapping[str, float]
    comment: str = ""


def read_sheet(path: Path, plan: Plan, entries: Sequence[FolderEntry], names: Sequence[str]) -> list[Judged]:
    """What the sheet gives each of the entries, whose ``names`` it uses; NotationError for an invalid cell."""
    given: dict[str, Judged] = {}
    rows = read_table(path) if path.exists() else []
    head = rows[0][1] if rows else []
    if rows and "student" not in head:
        raise NotationError(f"{path} needs a first line with the columns student, id, {', '.join(plan.rubric)}.")
    check_known(head, (*OTHER_COLUMNS, *plan.rubric, *COUNTED), f"column in {path}")
    there = {entry.id or name for entry, name in zip(entries, names, strict=True)}
    for line, cells in rows[1:]:
        row = dict(zip(head, cells, strict=False))
        where, who = f"{path}, line {line}", row.get("id") or row.get("student", "")
        judged = Judged(points_in(row, plan, where), row.get("comment", ""))
        if who in given:
            raise NotationError(f"{where}: {who} appears twice.")
        if who not in there and judged != Judged({}):
            raise NotationError(f"{where}: no submission is by {who!r}: write the number or the name as in marks.csv.")
        given[who] = judged
    return [given.get(entry.id or name, Judged({})) for entry, name in zip(entries, names, strict=True)]


def points_in(row: Mapping[str, str], plan: Plan, where: str) -> dict[str, float]:
    """The points in a row, of the criteria that have any."""
    found = {}
    for name, worth in plan.rubric.items():
        points = number_in(row.get(name, ""), f"{where}, {name}")
        if points is not None and points > worth:
            raise NotationError(f"{where}: {name} gives {mark_text(worth)} points at most, not {mark_text(points)}.")
        if points is not None:
            found[name] = points
    return found


def with_points(adjusted: Sequence[Adjustment], judged: Sequence[Judged], plan: Plan) -> list[Adjustment]:
    """Adjustments with the points of the rubric and their comments; criteria without points give nothing yet."""
    return [
        msgspec.structs.replace(
            one,
            rubric={name: (given.points.get(name), worth) for name, worth in plan.rubric.items()},
            comment=" ".join(filter(None, (one.comment, given.comment))),
        )
        for one, given in zip(adjusted, judged, strict=True)
    ]


def sheet_csv(sheets: Sequence[Sheet], judged: Sequence[Judged], plan: Plan) -> str:
    """The sheet for a person to fill in, with its present content."""
    rows: list[list[Cell]] = [["student", "id", *plan.rubric, "comment", *COUNTED]]
    with closing(Counter()) as counter:
        for sheet, given in zip(sheets, judged, strict=True):
            points: list[Cell] = [given.points.get(name, "") for name in plan.rubric]
            rows.append([sheet.name, sheet.entry.id, *points, given.comment, *counter.row(sheet.entry.sources)])
    return csv_text(rows)


class Counter:
    """Counts in files, in one confined process that is replaced if a file ends it."""

    def __init__(self) -> None:
        source = files("kibitz.marking").joinpath("source_counts.py").read_bytes()
        self.sources = Sources((("source_counts.py", source),))
        self.process: PlayerProcess | None = None

    def row(self, sources: Sources | None) -> list[Cell]:
        """The cells of a submission; only the names of its files if none of them is valid Python."""
        own = [one for one in sources.files if not one[0].startswith(HANDED_OUT)] if sources else []
        file = " ".join(name for name, _ in own)
        found = [counts for _, content in own if (counts := self.counts(content)) is not None]
        if not found:
            return [file, *[""] * (len(COUNTED) - 1)]
        functions, documented, longest, comments, names = zip(*found, strict=True)
        lines, name = max(longest)
        unusual = visible(" ".join(dict.fromkeys(one for those in names for one in those)))
        return [file, sum(functions), sum(documented), f"{name}: {lines}" if lines else "", sum(comments), unusual]

    def counts(self, content: bytes) -> Any:
        """What ``source_counts`` returns for a file; None if it can't be parsed within the limits."""
        try:
            if self.process is None:
                self.process = PlayerProcess(replace(STANDARD, bank=inf))
                self.process.load(self.sources.main, self.sources, [("count_source", 2)], 0)
            text = wire.packed([content.decode("latin-1"), None])
            return self.process.call("count_source", text, "[]")
        except PlayerError:
            self.close()
            return None

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.end()
            self.process = None
