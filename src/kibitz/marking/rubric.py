"""Points that a person gives for comments, structure or style, in addition to the marks for hidden cases.

criteria    in ``marks.toml``, each with the maximum number of points
table       ``rubric.csv`` in the folder of marks: a row for each student, with the points of every criterion, a
            comment, and counts from the files; every run writes it again and keeps the points and comments

In ``marks.toml``, for example:

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
from kibitz.engine.sentences import printable
from kibitz.errors import NotationError, PlayerError
from kibitz.marking.adjustments import Adjustment, number_in
from kibitz.marking.assignments import COUNT_COLUMNS, OTHER_COLUMNS, Plan, check_known
from kibitz.marking.feedback import FeedbackSheet, mark_text
from kibitz.marking.platforms import csv_text
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources
from kibitz.players.isolation import wire
from kibitz.players.isolation.confined_process import PlayerProcess
from kibitz.players.limits import STANDARD

RUBRIC = "rubric.csv"
HANDOUT_PREFIX = "test_"
"""Files whose names begin with this are part of the handout, not the student's own work."""


class RubricAssessment(msgspec.Struct, frozen=True):
    """A person's assessment of one student: points by criterion, and a comment."""

    points: Mapping[str, float]
    comment: str = ""


def read_rubric(path: Path, plan: Plan, entries: Sequence[FolderEntry], names: Sequence[str]) -> list[RubricAssessment]:
    """The assessment of each of ``entries``, read from the table at ``path``.

    Raises NotationError for an invalid cell.
    """
    assessments: dict[str, RubricAssessment] = {}
    rows = read_table(path) if path.exists() else []
    columns = rows[0][1] if rows else []
    if rows and "student" not in columns:
        raise NotationError(f"{path} needs a first line with the columns student, id, {', '.join(plan.rubric)}.")
    check_known(columns, (*OTHER_COLUMNS, *plan.rubric, *COUNT_COLUMNS), f"column in {path}")
    students = {entry.id or name for entry, name in zip(entries, names, strict=True)}
    for line, cells in rows[1:]:
        row = dict(zip(columns, cells, strict=False))
        where, student = f"{path}, line {line}", row.get("id") or row.get("student", "")
        assessment = RubricAssessment(points_in(row, plan, where), row.get("comment", ""))
        if student in assessments:
            raise NotationError(f"{where}: {student} appears twice.")
        if student not in students and assessment != RubricAssessment({}):
            raise NotationError(
                f"{where}: there is no submission by {student!r}: write the number or the name as in marks.csv."
            )
        assessments[student] = assessment
    return [assessments.get(entry.id or name, RubricAssessment({})) for entry, name in zip(entries, names, strict=True)]


def points_in(row: Mapping[str, str], plan: Plan, where: str) -> dict[str, float]:
    """The points in a row by criterion, without criteria whose cell is empty."""
    points_given = {}
    for name, max_points in plan.rubric.items():
        points = number_in(row.get(name, ""), f"{where}, {name}")
        if points is not None and points > max_points:
            raise NotationError(f"{where}: {name} gives at most {mark_text(max_points)}, not {mark_text(points)}.")
        if points is not None:
            points_given[name] = points
    return points_given


def add_rubric_points(
    adjustments: Sequence[Adjustment], assessments: Sequence[RubricAssessment], plan: Plan
) -> list[Adjustment]:
    """The adjustments with the rubric's points (None for criteria without points yet) and comments added."""
    return [
        msgspec.structs.replace(
            adjustment,
            rubric={name: (assessment.points.get(name), max_points) for name, max_points in plan.rubric.items()},
            comment=" ".join(filter(None, (adjustment.comment, assessment.comment))),
        )
        for adjustment, assessment in zip(adjustments, assessments, strict=True)
    ]


def rubric_csv(sheets: Sequence[FeedbackSheet], assessments: Sequence[RubricAssessment], plan: Plan) -> str:
    """The table for a person to fill in, as CSV, with the points and comments given so far."""
    rows: list[list[Cell]] = [["student", "id", *plan.rubric, "comment", *COUNT_COLUMNS]]
    with closing(SourceCounter()) as counter:
        for sheet, assessment in zip(sheets, assessments, strict=True):
            points: list[Cell] = [assessment.points.get(name, "") for name in plan.rubric]
            rows.append([sheet.name, sheet.entry.id, *points, assessment.comment, *counter.row(sheet.entry.sources)])
    return csv_text(rows)


class SourceCounter:
    """Counts functions, comments and so on in files, in a confined process, which is restarted if a file kills it."""

    def __init__(self) -> None:
        source = files("kibitz.marking").joinpath("source_counts.py").read_bytes()
        self.sources = Sources((("source_counts.py", source),))
        self.process: PlayerProcess | None = None

    def row(self, sources: Sources | None) -> list[Cell]:
        """A submission's cells for ``COUNT_COLUMNS``; empty except for the file names if no file is valid Python."""
        own_files = [file for file in sources.files if not file[0].startswith(HANDOUT_PREFIX)] if sources else []
        file_names = " ".join(name for name, _ in own_files)
        counts_by_file = [counts for _, content in own_files if (counts := self.counts(content)) is not None]
        if not counts_by_file:
            return [file_names, *[""] * (len(COUNT_COLUMNS) - 1)]
        functions, documented, longest, comments, names_by_file = zip(*counts_by_file, strict=True)
        lines, name = max(longest)
        unusual = printable(" ".join(dict.fromkeys(name for names_of_file in names_by_file for name in names_of_file)))
        return [
            file_names,
            sum(functions),
            sum(documented),
            f"{name}: {lines}" if lines else "",
            sum(comments),
            unusual,
        ]

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
