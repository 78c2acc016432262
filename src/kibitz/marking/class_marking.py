"""Marks a class into a folder, after reading and checking all the lecturer's files.

The command line and the server both use this: they read the plan and the submissions first, and show the results.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from kibitz.cards import short_repr
from kibitz.errors import NotationError
from kibitz.marking.adjustments import Adjustment, Override, adjustments
from kibitz.marking.assignments import Plan
from kibitz.marking.feedback import Sheet
from kibitz.marking.folder import Files, MarkingFolder, files_of
from kibitz.marking.marker import key_of, shown_names
from kibitz.marking.platforms import FilledTable
from kibitz.marking.results import SubmissionResult
from kibitz.marking.rubric import RUBRIC, RubricAssessment, read_sheet, sheet_csv, with_points
from kibitz.players.files.entries import Entries, FolderEntry
from kibitz.players.files.sources import LeftOut


class WrittenFiles(NamedTuple):
    """What was written for a class: the sheets, the files, and the platform's table with the marks filled in."""

    sheets: tuple[Sheet, ...]
    files: Files
    table: FilledTable


@dataclass(frozen=True)
class ClassMarking:
    """A class to be marked: its submissions, and all adjustments to their marks."""

    plan: Plan
    submitted: Entries
    names: tuple[str, ...]
    adjustments: tuple[Adjustment, ...]
    judgements: tuple[RubricAssessment, ...]
    worksheet: Path | None
    column: str | None

    @classmethod
    def read(
        cls,
        plan: Plan,
        submitted: Entries,
        path: Path,
        *,
        overrides: Sequence[Override] = (),
        rubric: Path | None = None,
        marks: Path | None = None,
        worksheet: Path | None = None,
        column: str | None = None,
        standings: Path | None = None,
    ) -> ClassMarking:
        """Read the lecturer's files for the class at ``path``; NotationError for an error in one of them."""
        names = shown_names(submitted.entries)
        judgements = read_sheet(rubric, plan, submitted.entries, names) if plan.rubric and rubric is not None else []
        changes = adjustments(submitted, path, overrides, marks, worksheet, standings)
        if judgements:
            changes = with_points(changes, judgements, plan)
        class_marking = cls(plan, submitted, tuple(names), tuple(changes), tuple(judgements), worksheet, column)
        # An error in the worksheet is found now, before anything is marked.
        files_of(class_marking.sheets([SubmissionResult()] * len(names)), submitted.layout, worksheet, column)
        return class_marking

    @property
    def unjudged(self) -> int:
        """The number of submissions without points for some criterion of the rubric."""
        return sum(len(judgement.points) < len(self.plan.rubric) for judgement in self.judgements)

    @property
    def left_out(self) -> list[LeftOut]:
        """Files that are neither a submission nor part of one."""
        return [*self.submitted.left_out, *(file for entry in self.submitted.entries for file in entry.left_out)]

    def sheets(self, results: Sequence[SubmissionResult]) -> tuple[Sheet, ...]:
        """The sheets of all submissions."""
        return tuple(
            Sheet(*fields)
            for fields in zip(self.names, self.submitted.entries, repeat(self.plan), results, self.adjustments)
        )

    def submissions_of(self, students: Collection[str]) -> list[FolderEntry]:
        """The submissions of some students, by name or number; NotationError for an unknown one."""
        return [self.submission_of(student) for student in students]

    def submission_of(self, student: str) -> FolderEntry:
        """One student's submission; NotationError for an unknown or ambiguous name."""
        entries = zip(self.names, self.submitted.entries, strict=True)
        matching = [entry for name, entry in entries if student in (name, *entry.keys)]
        if len(matching) != 1:
            count = "no submission is" if not matching else f"{len(matching)} submissions are"
            raise NotationError(f"{count} by {short_repr(student)}: write the number or the name as in marks.csv.")
        return matching[0]

    def forget(self, folder: MarkingFolder, entries: Sequence[FolderEntry]) -> None:
        """Forget the results of some submissions, so that they are marked again."""
        for entry in entries:
            folder.kept.forget(key_of(entry, self.plan, folder.seed))

    def write(self, folder: MarkingFolder, results: Sequence[SubmissionResult]) -> WrittenFiles:
        """Write all files of the class into a folder, and return what was written."""
        sheets = self.sheets(results)
        files, table = files_of(sheets, self.submitted.layout, self.worksheet, self.column)
        folder.write(sheets, files, {RUBRIC: sheet_csv(sheets, self.judgements, self.plan)} if self.judgements else {})
        return WrittenFiles(sheets, files, table)
