"""Marks a class into a folder, after reading and checking all the lecturer's files.

The command line and the server both use this: they read the plan and the submissions first, and show the results. The
folder has:

    marking.json            what was marked, with which seed, which files were written, and what the last run changed
    kept                    results, one file for each different submission, so that the same command can resume
    marks.csv               always
    rubric.csv              points that a person gives, if the plan has a rubric
    feedback/NAME.txt, .html    a page for each submission
    moodle-*, canvas-*, results/    files for the platform that the export comes from

A folder belongs to one marking. Marking fails if it has the marks of another assignment or seed, or other files, or if
an option that named a file in the last run, such as --worksheet, is missing.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.file_io import write_atomically
from kibitz.engine.sentences import listed
from kibitz.errors import KibitzError, NotationError, cause
from kibitz.marking.adjustments import Adjustment, Override, adjustments
from kibitz.marking.assignments import Plan
from kibitz.marking.feedback import FeedbackSheet, html_page, mark_text, text_page
from kibitz.marking.marker import KeptResults, lookalikes, shown_names
from kibitz.marking.platforms import (
    FilledTable,
    canvas_gradebook,
    feedback_zip,
    moodle_worksheet,
    plain_csv,
    results_json,
)
from kibitz.marking.results import SubmissionResult
from kibitz.marking.rubric import RUBRIC, RubricAssessment, add_rubric_points, read_rubric, rubric_csv
from kibitz.players.files.entries import Entries, FolderEntry, Layout

# The folder.


LONGEST_NAME = 80
"""The maximum number of characters of a file name."""
MAX_NAMED, MAX_LEFT_OUT = 20, 5
"""The maximum number of students, and of files left out, that a note lists."""
WORKSHEETS = ("moodle", "canvas")
"""The platforms that have a table for marks."""

Files = Mapping[str, str | bytes]
NO_FILES: Files = {}


def files_of(
    sheets: Sequence[FeedbackSheet], layout: Layout, worksheet: Path | None = None, column: str | None = None
) -> tuple[Files, FilledTable]:
    """Every file by its path, and the platform's table, filled in.

    ``worksheet`` is the table to fill in, ``column`` a Canvas assignment's title. Raises NotationError if the table
    cannot be filled in.
    """
    files: dict[str, str | bytes] = {"marks.csv": plain_csv(sheets)}
    for name, sheet in zip(file_names([sheet.name for sheet in sheets]), sheets, strict=True):
        files[f"feedback/{name}.txt"] = text_page(sheet)
        files[f"feedback/{name}.html"] = html_page(sheet)
    table = FilledTable("")
    if layout == "moodle":
        table = moodle_worksheet(sheets, worksheet)
        files |= {"moodle-worksheet.csv": table.text, "moodle-feedback.zip": feedback_zip(sheets)}
    elif layout == "canvas":
        table = canvas_gradebook(sheets, worksheet, column)
        files["canvas-gradebook.csv"] = table.text
    elif layout == "gradescope":
        files |= {f"results/{sheet.entry.folder}/results.json": results_json(sheet) for sheet in sheets}
    return files, table


def check_worksheet(layout: Layout, worksheet: Path | None, column: str | None) -> None:
    """Raise KibitzError for a worksheet or column that the platform doesn't have."""
    if worksheet is not None and layout not in WORKSHEETS:
        raise KibitzError("a worksheet is for an export from Moodle or Canvas; these submissions aren't one.")
    if column is not None and layout != "canvas":
        raise KibitzError("a column is for exports from Canvas; these submissions aren't one.")


def file_names(names: Sequence[str]) -> list[str]:
    """A file name for each name, which every system accepts; no two are equal when case is ignored."""
    unique_names: list[str] = []
    used: set[str] = set()
    for name in names:
        safe_name = "".join(c if c.isalnum() or c in " -_()," else "_" for c in name)[:LONGEST_NAME].strip() or "_"
        number, candidate = 1, safe_name
        while candidate.casefold() in used:
            number += 1
            candidate = f"{safe_name}-{number}"
        used.add(candidate.casefold())
        unique_names.append(candidate)
    return unique_names


STATE_FILE = "marking.json"


class StudentLine(msgspec.Struct, frozen=True):
    """One submission's mark in one run, its right cases by function, and what else the mark consists of."""

    name: str
    mark: float
    functions: Mapping[str, str]
    others: Mapping[str, str] = {}
    """The marks of the rubric and the tournament, and those lost by late work."""
    by_hand: bool = False
    sha256: str = ""
    """The SHA-256 of the files that were marked; empty if there were none."""


class FolderState(msgspec.Struct):
    """The content of ``marking.json``; the seed is text, because it may be too large for a JSON number.

    ``lines`` are from the last run, by the student's number on the platform or else by name; ``changes`` says how they
    differ from those of the run before. ``options`` are the command's options that named files in the last run.
    """

    assignment: str
    seed: str
    written: list[str] = []
    lines: dict[str, StudentLine] = {}
    changes: list[str] = []
    options: list[str] = msgspec.field(default_factory=list, name="given")


def lines_of(sheets: Sequence[FeedbackSheet]) -> dict[str, StudentLine]:
    """Each submission's line in ``marking.json``."""
    return {
        sheet.entry.id or sheet.name: StudentLine(
            sheet.name,
            sheet.mark,
            {mark.name: f"{mark.right}/{mark.cases}" for mark in sheet.marks},
            other_parts(sheet),
            sheet.adjustment.mark is not None,
            sheet.entry.sources.sha256 if sheet.entry.sources else "",
        )
        for sheet in sheets
    }


def other_parts(sheet: FeedbackSheet) -> dict[str, str]:
    """What a mark consists of besides its functions, by name."""
    adjustment, parts = sheet.adjustment, {}
    if adjustment.rubric:
        parts["rubric"] = mark_text(sum(points or 0.0 for points, _ in adjustment.rubric.values()))
    if adjustment.place_marks is not None:
        parts["tournament"] = mark_text(adjustment.place_marks)
    if sheet.penalty:
        parts["late"] = f"-{mark_text(sheet.penalty)}"
    return parts


def changes(before: Mapping[str, StudentLine], now: Mapping[str, StudentLine]) -> list[str]:
    """What a run has changed: a sentence for each submission whose mark or right cases differ, with the reasons.

    Reasons are another file, a function's cases, the rubric, late work and the like. A function with another number of
    cases, but the same share of right cases, is unchanged.

    >>> changes({"7": StudentLine("Ann", 4, {}, {"rubric": "4"})}, {"7": StudentLine("Ann", 6, {}, {"rubric": "6"})})
    ['Ann: 6, was 4 (rubric 6, was 4).']

    >>> changes({"7": StudentLine("Ann", 4.5, {"play": "1/4"})}, {"7": StudentLine("Ann", 6, {"play": "2/4"})})
    ['Ann: 6, was 4.5 (play 2/4, was 1/4).']
    >>> changes({"7": StudentLine("Ann", 4.5, {"play": "1/4"})}, {"7": StudentLine("Ann", 4.5, {"play": "2/8"})})
    []
    """
    sentences = []
    for key, line in now.items():
        previous = before.get(key)
        if previous is None:
            sentences.append(f"{line.name}: {mark_text(line.mark)}, new.")
            continue
        reasons = [
            f"{name} {right}, was {previous.functions.get(name, 'not marked')}"
            for name, right in line.functions.items()
            if name not in previous.functions or Fraction(right) != Fraction(previous.functions[name])
        ] + [
            f"{name} {line.others.get(name, '0')}, was {previous.others.get(name, '0')}"
            for name in dict.fromkeys((*line.others, *previous.others))
            if line.others.get(name, "0") != previous.others.get(name, "0")
        ]
        if line.by_hand != previous.by_hand:
            reasons.append("set by hand" if line.by_hand else "no longer set by hand")
        if reasons or line.mark != previous.mark:
            mark = "as before" if line.mark == previous.mark else f"was {mark_text(previous.mark)}"
            if line.sha256 != previous.sha256:
                reasons.insert(0, "another file" if line.sha256 else "no file to mark")
            details = f" ({'; '.join(reasons)})" if reasons else ""
            sentences.append(f"{line.name}: {mark_text(line.mark)}, {mark}{details}.")
    return sentences + [f"{line.name}: no longer there." for key, line in before.items() if key not in now]


class MarkingFolder:
    """An opened folder of marks. Raises KibitzError if the folder has other files, or the marks of another marking.

    ``options`` are the command's options that name the lecturer's files. Every option of the last run must be given
    again: without it, marks would change, and tables would lose columns.
    """

    def __init__(self, path: Path, assignment: str, seed: int | None, options: Sequence[str] = ()) -> None:
        self.path = path
        self.options = list(options)
        state = self.read()
        if state is not None and state.assignment != assignment:
            raise KibitzError(f"{path} has the marks of {state.assignment}: name another folder with -o.")
        if state is not None and seed is not None and state.seed != str(seed):
            raise KibitzError(f"{path} was marked with another seed: leave out --seed, or name another folder with -o.")
        if state is not None and (missing_options := [option for option in state.options if option not in options]):
            raise KibitzError(
                f"{path} was marked with {listed(missing_options)} last time: give the same again, or name another"
                " folder with -o."
            )
        new_seed = secrets.randbits(64) if seed is None else seed
        self.state = state or FolderState(assignment, str(new_seed))
        self.kept = KeptResults(path / "kept")
        if state is None:
            self.begin()

    @property
    def seed(self) -> int:
        """The seed of all hidden cases."""
        return int(self.state.seed)

    def read(self) -> FolderState | None:
        """The content of the folder's ``marking.json``; None if the folder is empty or doesn't exist yet."""
        try:
            return msgspec.json.decode((self.path / STATE_FILE).read_bytes(), type=FolderState)
        except (FileNotFoundError, NotADirectoryError):
            if not os.path.exists(self.path) or (os.path.isdir(self.path) and not any(self.path.iterdir())):
                return None
            raise KibitzError(f"{self.path} exists and isn't a folder of marks: name another folder with -o.") from None
        except (OSError, msgspec.DecodeError) as error:
            raise KibitzError(f"{self.path / STATE_FILE} cannot be read: name another folder with -o.") from error

    def begin(self) -> None:
        """Create the folder. Raises KibitzError if it cannot be written."""
        try:
            self.write_file(STATE_FILE, msgspec.json.encode(self.state))
        except OSError as error:
            raise KibitzError(f"{self.path} cannot be written: {cause(error)}.") from error

    def write_file(self, name: str, content: str | bytes) -> None:
        """Write a file of the folder, completely or not at all."""
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path / name, content, force=True)

    def write(self, sheets: Sequence[FeedbackSheet], files: Files, filled_in: Files = NO_FILES) -> None:
        """Write the files of all sheets, and delete files of the previous run that this run doesn't write.

        ``filled_in`` are files that people fill in, which are never deleted.
        """
        try:
            for name, content in (*files.items(), *filled_in.items()):
                self.write_file(name, content)
            for name in set(self.state.written) - set(files):
                with suppress(OSError, ValueError):
                    (self.path / name).resolve().relative_to(self.path.resolve())
                    (self.path / name).unlink()
            self.state.written, self.state.options = sorted(files), self.options
            lines = lines_of(sheets)
            self.state.changes = changes(self.state.lines, lines) if self.state.lines else []
            self.state.lines = lines
            self.write_file(STATE_FILE, msgspec.json.encode(self.state))
        except OSError as error:
            raise KibitzError(f"{self.path} cannot be written: {cause(error)}.") from error


# The class.


class WrittenFiles(NamedTuple):
    """What was written for a class: the sheets, the files, and the platform's table with the marks filled in."""

    sheets: tuple[FeedbackSheet, ...]
    files: Files
    table: FilledTable


@dataclass(frozen=True)
class ClassMarking:
    """A class to be marked: its submissions, and all adjustments to their marks."""

    plan: Plan
    submitted: Entries
    names: tuple[str, ...]
    adjustments: tuple[Adjustment, ...]
    assessments: tuple[RubricAssessment, ...]
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
        """Read the lecturer's files for the class at ``path``. Raises NotationError for an error in one of them."""
        names = shown_names(submitted.entries)
        assessments = read_rubric(rubric, plan, submitted.entries, names) if plan.rubric and rubric is not None else []
        changes = adjustments(submitted, path, overrides, marks, worksheet, standings)
        if assessments:
            changes = add_rubric_points(changes, assessments, plan)
        class_marking = cls(plan, submitted, tuple(names), tuple(changes), tuple(assessments), worksheet, column)
        # An error in the worksheet is found now, before anything is marked.
        files_of(class_marking.sheets([SubmissionResult()] * len(names)), submitted.layout, worksheet, column)
        return class_marking

    def notes(self, table: FilledTable) -> list[str]:
        """Sentences for the lecturer: names that look alike, files left out, and what the platform's table lacks."""
        notes = lookalikes(self.submitted.entries)[:MAX_NAMED]
        left_out = [*self.submitted.left_out, *(file for entry in self.submitted.entries for file in entry.left_out)]
        for words, items, most in (
            ("Left out", left_out, MAX_LEFT_OUT),
            (f"No row in {self.worksheet}, so the marks are only in marks.csv", table.missing, MAX_NAMED),
            (f"In {self.worksheet}, but without a submission", table.absent, MAX_NAMED),
        ):
            if items:
                more = f" and {len(items) - most} more" * (len(items) > most)
                notes.append(f"{words}: {'; '.join(map(str, items[:most]))}{more}.")
        return [*notes, table.note] if table.note else notes

    @property
    def unassessed(self) -> int:
        """The number of submissions without points for some criterion of the rubric."""
        return sum(len(assessment.points) < len(self.plan.rubric) for assessment in self.assessments)

    def sheets(self, results: Sequence[SubmissionResult]) -> tuple[FeedbackSheet, ...]:
        """The sheets of all submissions."""
        return tuple(
            FeedbackSheet(*fields)
            for fields in zip(self.names, self.submitted.entries, repeat(self.plan), results, self.adjustments)
        )

    def submission_of(self, student: str) -> FolderEntry:
        """One student's submission. Raises NotationError for an unknown or ambiguous name."""
        entries = zip(self.names, self.submitted.entries, strict=True)
        matching = [entry for name, entry in entries if student in (name, *entry.keys)]
        if len(matching) != 1:
            count = "there is no submission" if not matching else f"there are {len(matching)} submissions"
            raise NotationError(f"{count} by {short_repr(student)}: write the number or the name as in marks.csv.")
        return matching[0]

    def write(self, folder: MarkingFolder, results: Sequence[SubmissionResult]) -> WrittenFiles:
        """Write all files of the class into a folder, and return what was written."""
        sheets = self.sheets(results)
        files, table = files_of(sheets, self.submitted.layout, self.worksheet, self.column)
        folder.write(
            sheets, files, {RUBRIC: rubric_csv(sheets, self.assessments, self.plan)} if self.assessments else {}
        )
        return WrittenFiles(sheets, files, table)
