"""Marks in the formats that learning platforms document; none was tested with the platform itself.

    plain       ``marks.csv``: a line for each submission, written for every platform
    Gradescope  ``results/FOLDER/results.json``, as its autograders write it
    Moodle      the grading worksheet, with only grades and comments changed, and a ZIP of feedback files
    Canvas      the gradebook, with only one column changed

Without the platform's own table, a new table is written, with what the export says about the students.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena.csv_files import APOSTROPHE, Cell, VerbatimCell, read_rows, write_rows
from kibitz.engine import file_io
from kibitz.engine.sentences import printable
from kibitz.errors import KibitzError, NotationError, cause
from kibitz.marking.feedback import (
    KINDS,
    FeedbackSheet,
    function_pieces,
    html_page,
    mark_text,
    right_text,
    text_lines,
    text_page,
)
from kibitz.marking.results import FunctionOutcome, Mark
from kibitz.players.files.sources import EPOCH

PARTICIPANT = "Participant "
IDENTIFIER, GRADE, MAXIMUM, COMMENTS = "Identifier", "Grade", "Maximum Grade", "Feedback comments"
CANVAS_HEAD = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "Points Possible"
LARGEST_TABLE = 64 << 20
Table = list[list[str]]


def csv_text(rows: Sequence[Sequence[Cell]]) -> str:
    """Rows as CSV; whole marks are written as whole numbers."""
    out = io.StringIO(newline="")
    write_rows(
        out, ([int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in row] for row in rows)
    )
    return out.getvalue()


def plain_csv(sheets: Sequence[FeedbackSheet]) -> str:
    """A line for each submission: the mark, every function's marks and right cases, and what is wrong."""
    functions = [function.name for function in sheets[0].plan.functions] if sheets else []
    headings = ["student", "id", "mark", "out of"]
    headings += [name for function in functions for name in (function, f"{function} right", f"{function} cases")]
    criteria = [f"rubric: {name}" for name in sheets[0].adjustment.rubric] if sheets else []
    headings += ["tournament", "place", *criteria, "before penalty", "penalty", "days late", "submitted"]
    rows: list[list[Cell]] = [[*headings, "note", "files", "sha256"]]
    for sheet in sheets:
        cells = [cell for mark in sheet.marks for cell in (round(mark.earned, 2), mark.right, mark.cases)]
        sources = sheet.entry.sources
        files = " ".join(name for name, _ in sources.files) if sources else ""
        rows.append(
            [
                *(sheet.name, sheet.entry.id, sheet.mark, sheet.out_of),
                *cells,
                *("" if sheet.adjustment.place_marks is None else sheet.adjustment.place_marks, sheet.adjustment.place),
                *("" if points is None else points for points, _ in sheet.adjustment.rubric.values()),
                *(sheet.before_penalty, sheet.penalty),
                *("" if sheet.adjustment.days_late is None else sheet.adjustment.days_late, sheet.adjustment.submitted),
                *(printable(sheet.lecturer_notes), files, sources.sha256 if sources else ""),
            ]
        )
    return csv_text(rows)


def results_json(sheet: FeedbackSheet) -> str:
    """The results that a Gradescope autograder writes for a submission: a test for every function."""
    outcomes = {outcome.name: outcome for outcome in sheet.result.outcomes}
    tests = [
        gradescope_test(number, mark, outcomes.get(mark.name), sheet)
        for number, mark in enumerate(sheet.marks, start=1)
    ]
    content: dict[str, Any] = {
        "score": sheet.mark,
        "execution_time": round(sheet.result.seconds, 2),
        "output": printable(sheet.note or f"{mark_text(sheet.mark)} of {mark_text(sheet.out_of)}"),
        "visibility": "visible",
        "tests": tests,
    }
    return msgspec.json.format(msgspec.json.encode(content)).decode() + "\n"


def gradescope_test(number: int, mark: Mark, outcome: FunctionOutcome | None, sheet: FeedbackSheet) -> dict[str, Any]:
    """One function as a test in Gradescope's format."""
    output = sheet.result.why
    if outcome is not None:
        output = f"{outcome.name}: {right_text(outcome)}.\n{function_output(outcome, sheet)}".removesuffix("\n")
    kinds = sorted({KINDS.get(case.kind, case.kind) for case in outcome.failing_cases}) if outcome is not None else []
    return {
        "name": mark.name,
        "number": str(number),
        "score": round(mark.earned, 2),
        "max_score": round(mark.worth, 2),
        "output": printable(output),
        "visibility": "visible",
        "tags": kinds,
    }


def function_output(outcome: FunctionOutcome, sheet: FeedbackSheet) -> str:
    """The feedback on one function, without the line that counts its right cases."""
    alone = msgspec.structs.replace(sheet, result=msgspec.structs.replace(sheet.result, outcomes=(outcome,)))
    _, *pieces = function_pieces(alone, outcome)
    return printable("\n".join(text_lines(pieces)))


def feedback_zip(sheets: Sequence[FeedbackSheet]) -> bytes:
    """A ZIP archive of feedback files, in folders with the names of the export's folders, as Moodle requires."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for sheet in sheets:
            for name, content in (("feedback.html", html_page(sheet)), ("feedback.txt", text_page(sheet))):
                member = zipfile.ZipInfo(f"{sheet.entry.folder}/{name}", EPOCH)
                member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3
                archive.writestr(member, content)
    return out.getvalue()


def read_table(path: Path) -> Table:
    """A platform's own table, cell by cell unchanged. Raises NotationError if it isn't one."""
    try:
        with file_io.open_binary(path) as file:
            content = file.read(LARGEST_TABLE).decode("utf-8-sig")
        rows = [row for _, row in read_rows(io.StringIO(content, newline=""), str(path))]
    except OSError as error:
        raise NotationError(f"{path} cannot be read: {cause(error)}.") from error
    except UnicodeDecodeError as error:
        raise NotationError(f"{path} isn't UTF-8 text: download it again.") from error
    if not rows:
        raise NotationError(f"{path} is empty: download it again.")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]) and row:
            raise NotationError(f"{path}: row {number} has {len(row)} cells, but the first one has {len(rows[0])}.")
    return [row for row in rows if row]


def gradebook_names(worksheet: Path | None) -> dict[str, str]:
    """The students' names in Canvas's gradebook, by number; empty for other tables.

    Canvas's export writes names without spaces.
    """
    headings, *rows = read_table(worksheet) if worksheet is not None else [[]]
    columns = [heading.strip() for heading in headings]
    if not {"Student", "ID"} <= set(columns):
        return {}
    name_column, id_column = columns.index("Student"), columns.index("ID")
    return {row[id_column].strip(): row[name_column].strip() for row in rows if row[id_column].strip()}


def column_index(headings: Sequence[str], column: str, path: Path, platform: str) -> int:
    """The index of a column. Raises NotationError unless it is there exactly once."""
    indices = [i for i, name in enumerate(headings) if name.strip() == column]
    if len(indices) != 1:
        times = f"{len(indices)} columns" if indices else "no column"
        columns = {name.strip() for name in headings}
        actual_platform = "Canvas" if {"Student", "ID"} <= columns else "Moodle" if IDENTIFIER in columns else platform
        if actual_platform != platform:
            raise NotationError(
                f"{path} is a table of {actual_platform}'s, but the submissions are {platform}'s export."
            )
        raise NotationError(f"{path} has {times} {column!r}, but {platform} writes one: download it again.")
    return indices[0]


class FilledTable(msgspec.Struct, frozen=True):
    """A platform's table with marks.

    ``missing`` are the submissions without a row, ``absent`` the rows without a submission. ``note`` is a sentence for
    the lecturer if the table's maximum differs from the marks'.
    """

    text: str
    missing: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    note: str = ""


def moodle_worksheet(sheets: Sequence[FeedbackSheet], worksheet: Path | None = None) -> FilledTable:
    """The grading worksheet with marks; in a ``worksheet`` from Moodle, only grade and comments are changed."""
    if worksheet is None:
        rows: list[list[Cell]] = [[IDENTIFIER, "Full name", GRADE, MAXIMUM, COMMENTS]]
        for sheet in sheets:
            rows.append(
                [
                    f"{PARTICIPANT}{sheet.entry.id}",
                    printable(sheet.entry.name),
                    sheet.mark,
                    sheet.out_of,
                    comment(sheet),
                ]
            )
        return FilledTable(csv_text(rows))
    table = read_table(worksheet)
    identifier, grade = (column_index(table[0], name, worksheet, "Moodle") for name in (IDENTIFIER, GRADE))
    comment_columns = [i for i, name in enumerate(table[0]) if name.strip() == COMMENTS][:1]
    maximum_columns = [i for i, name in enumerate(table[0]) if name.strip() == MAXIMUM][:1]

    def fill(row: list[Cell], sheet: FeedbackSheet) -> float | None:
        scale = scale_of(sheet, str(row[maximum_columns[0]]) if maximum_columns else "")
        row[grade] = scaled_mark(sheet, scale)
        for index in comment_columns:
            row[index] = comment(sheet, scale)
        return scale

    name_column = next((i for i, name in enumerate(table[0]) if name.strip() == "Full name"), identifier)
    return fill_table(table, lambda row: row[identifier].strip().removeprefix(PARTICIPANT), name_column, sheets, fill)


def fill_table(
    table: Table,
    number_in_row: Callable[[list[str]], str],
    name_column: int,
    sheets: Sequence[FeedbackSheet],
    fill: Callable[[list[Cell], FeedbackSheet], float | None],
) -> FilledTable:
    """A table with marks filled in for students who have submitted; other cells stay as they are.

    ``number_in_row`` returns the student's number in a row; ``name_column`` is the index of the column of names.
    ``fill`` writes a mark into a row, and returns the maximum in that row if it differs from the marks'.
    """
    by_id: Mapping[str, FeedbackSheet] = {sheet.entry.id: sheet for sheet in sheets}
    rows: list[list[Cell]] = []
    found_ids, absent, note = set(), [], ""
    for number, row in enumerate(table):
        cells: list[Cell] = [VerbatimCell(cell) for cell in row]
        sheet = by_id.get(number_in_row(row)) if number else None
        if sheet is not None:
            found_ids.add(sheet.entry.id)
            if scale := fill(cells, sheet):
                note = (
                    f"Marks are out of {mark_text(sheet.out_of)}; the platform's table has them out of"
                    f" {mark_text(scale)}, its maximum."
                )
        elif number and number_in_row(row):
            absent.append(row[name_column].strip() or number_in_row(row))
        rows.append(cells)
    missing = tuple(sheet.name for sheet in sheets if sheet.entry.id not in found_ids)
    return FilledTable(csv_text(rows), missing, tuple(absent), note)


def scale_of(sheet: FeedbackSheet, maximum: str) -> float | None:
    """The maximum in a platform's table as a number; None if it isn't one, or is the marks' own maximum."""
    try:
        scale = float(maximum.strip().replace(",", "."))
    except ValueError:
        return None
    return scale if 0 < scale < 1e9 and scale != sheet.out_of else None


def scaled_mark(sheet: FeedbackSheet, scale: float | None) -> float:
    """A mark, converted if the platform's table has another maximum, ``scale``."""
    return sheet.mark if scale is None else round(sheet.mark / sheet.out_of * scale, 2)


def comment(sheet: FeedbackSheet, scale: float | None = None) -> Cell:
    """The comment on a grade: the mark of every function, and what is wrong with the submission as a whole.

    If the grade is on another scale, the comment begins with the mark.
    """
    mark = f"{mark_text(sheet.mark)} of {mark_text(sheet.out_of)} marks" if scale else ""
    if sheet.result.why:
        remarks = " ".join(filter(None, (sheet.note, *sheet.student_notes)))
        return shown_comment(". ".join(filter(None, (mark, remarks))))
    function_marks = [f"{mark.name}: {mark_text(mark.earned)} of {mark_text(mark.worth)}" for mark in sheet.marks]
    details = "; ".join(filter(None, ("; ".join(function_marks), sheet.note.removesuffix("."))))
    return shown_comment(". ".join(filter(None, (mark, details, " ".join(sheet.student_notes)))))


def shown_comment(text: str) -> Cell:
    """A comment as a cell that people read on the platform: a ' is put in front only of what looks like a formula."""
    return VerbatimCell(printable(text)) if text.startswith(APOSTROPHE) else printable(text)


def canvas_gradebook(
    sheets: Sequence[FeedbackSheet], gradebook: Path | None = None, column: str | None = None
) -> FilledTable:
    """The gradebook with one column of marks; in a ``gradebook`` from Canvas, only that column is changed.

    ``column`` is that column's title, with or without the number that Canvas appends.
    """
    title = column or (sheets[0].title if sheets else "marks")
    if gradebook is None:
        rows: list[list[Cell]] = [[*CANVAS_HEAD, title]]
        rows.append([f"    {POINTS_POSSIBLE}", "", "", "", "", sheets[0].out_of if sheets else 0])
        rows += [
            [printable(sheet.entry.name), platform_number(sheet.entry.id), "", "", "", sheet.mark] for sheet in sheets
        ]
        return FilledTable(csv_text(rows))
    table = read_table(gradebook)
    id_column = column_index(table[0], "ID", gradebook, "Canvas")
    mark_column = assignment_column(table[0], column, gradebook)
    points = next((row[mark_column] for row in table[1:] if row[0].strip().startswith(POINTS_POSSIBLE)), "")

    def fill(row: list[Cell], sheet: FeedbackSheet) -> float | None:
        scale = scale_of(sheet, points)
        row[mark_column] = scaled_mark(sheet, scale)
        return scale

    return fill_table(table, lambda row: row[id_column].strip(), 0, sheets, fill)


def platform_number(text: str) -> Cell:
    """A student's number on the platform as an int, if it is a number."""
    return int(text) if text.isascii() and text.isdigit() else text


def assignment_column(headings: Sequence[str], column: str | None, path: Path) -> int:
    """The index of an assignment's column, by its title; without a title there must be only one assignment."""
    candidates = {i: name.strip() for i, name in enumerate(headings) if re.fullmatch(r".+ \(\d+\)", name.strip())}
    if column is not None:
        title = column.strip()
        candidates = {i: name for i, name in candidates.items() if title in (name, re.sub(r" \(\d+\)$", "", name))} or {
            i: name.strip() for i, name in enumerate(headings) if name.strip() == title
        }
    if len(candidates) == 1:
        return next(iter(candidates))
    titles = ", ".join(repr(name.strip()) for name in headings if re.fullmatch(r".+ \(\d+\)", name.strip()))
    problem = (
        "name the assignment's column with --column" if column is None else f"there is no single column {column!r}"
    )
    raise KibitzError(
        f"{path}: {problem}; columns of assignments: {titles or 'none with a number, as Canvas writes them'}."
    )
