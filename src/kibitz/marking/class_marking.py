"""Marks a class into a folder, after reading and checking all of the lecturer's files.

The command line and the server read the plan and the submissions, and show the results.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from kibitz.cards import shown
from kibitz.errors import NotationError
from kibitz.marking.adjustments import Adjustment, Override, adjustments
from kibitz.marking.assignments import Plan
from kibitz.marking.feedback import Sheet
from kibitz.marking.folder import Files, MarkingFolder, files_of
from kibitz.marking.marker import key_of, shown_names
from kibitz.marking.platforms import Filled
from kibitz.marking.results import Marked
from kibitz.marking.rubric import RUBRIC, Judged, read_sheet, sheet_csv, with_points
from kibitz.players.files.entries import Entries, FolderEntry
from kibitz.players.files.sources import LeftOut


class Written(NamedTuple):
    """The sheets of a class, the written files with their marks, and students that the platform's table lacks."""

    sheets: tuple[Sheet, ...]
    files: Files
    table: Filled


@dataclass(frozen=True)
class ClassMarking:
    """A class to be marked: its submissions, and all adjustments to their marks."""

    plan: Plan
    there: Entries
    names: tuple[str, ...]
    adjusted: tuple[Adjustment, ...]
    judged: tuple[Judged, ...]
    worksheet: Path | None
    column: str | None

    @classmethod
    def read(
        cls,
        plan: Plan,
        there: Entries,
        path: Path,
        *,
        overrides: Sequence[Override] = (),
        rubric: Path | None = None,
        marks: Path | None = None,
        worksheet: Path | None = None,
        column: str | None = None,
        standings: Path | None = None,
    ) -> ClassMarking:
        """Read the class at a path; NotationError, with one sentence, for an error in the given files."""
        names = shown_names(there.entries)
        judged = read_sheet(rubric, plan, there.entries, names) if plan.rubric and rubric is not None else []
        adjusted = adjustments(there, path, overrides, marks, worksheet, standings)
        if judged:
            adjusted = with_points(adjusted, judged, plan)
        found = cls(plan, there, tuple(names), tuple(adjusted), tuple(judged), worksheet, column)
        files_of(found.sheets([Marked()] * len(names)), there.layout, worksheet, column)
        return found

    @property
    def unjudged(self) -> int:
        """How many submissions lack points of the rubric."""
        return sum(len(one.points) < len(self.plan.rubric) for one in self.judged)

    @property
    def left_out(self) -> list[LeftOut]:
        """Files that are neither a submission nor a part of one."""
        return [*self.there.left_out, *(one for entry in self.there.entries for one in entry.left_out)]

    def sheets(self, results: Sequence[Marked]) -> tuple[Sheet, ...]:
        """The sheets of all submissions."""
        return tuple(
            Sheet(*each) for each in zip(self.names, self.there.entries, repeat(self.plan), results, self.adjusted)
        )

    def by(self, students: Collection[str]) -> list[FolderEntry]:
        """The submissions of some students, by name or number; NotationError for an unknown one."""
        return [self.by_one(student) for student in students]

    def by_one(self, student: str) -> FolderEntry:
        """One student's submission."""
        entries = zip(self.names, self.there.entries, strict=True)
        found = [entry for name, entry in entries if student in (name, entry.id, entry.name)]
        if len(found) != 1:
            there = "no submission is" if not found else f"{len(found)} submissions are"
            raise NotationError(f"{there} by {shown(student)}: write the number or the name as in marks.csv.")
        return found[0]

    def forget(self, folder: MarkingFolder, entries: Sequence[FolderEntry]) -> None:
        """Forget the results of some submissions, so that they are marked again."""
        for entry in entries:
            folder.kept.forget(key_of(entry, self.plan, folder.seed))

    def write(self, folder: MarkingFolder, results: Sequence[Marked]) -> Written:
        """Write all files of the class into a folder."""
        sheets = self.sheets(results)
        files, table = files_of(sheets, self.there.layout, self.worksheet, self.column)
        folder.write(sheets, files, {RUBRIC: sheet_csv(sheets, self.judged, self.plan)} if self.judged else {})
        return Written(sheets, files, table)
