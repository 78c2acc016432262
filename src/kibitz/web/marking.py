"""Marks as the pages ask for them: a class or one student, with the weights and the worksheet that a lecturer gives."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.marking.feedback import Sheet
    from kibitz.marking.folder import Files
    from kibitz.marking.platforms import Filled

MOST_NAMED = 20


class Marking(msgspec.Struct, frozen=True):
    """What is to be marked, and how.

    place       a folder of uploads, whose name is never shown; the paths below are relative to it
    files       what was submitted: a file, an archive, or a folder
    plan        a TOML file with weights, cases and limits; none where empty
    worksheet   the platform's own table, to be filled in; none where empty
    column      the title of the assignment's column in it, for Canvas
    alone       whether it has to be one student's
    """

    assignment: str
    place: str
    files: str
    seed: int
    alone: bool
    hidden: int | None = None
    plan: str = ""
    worksheet: str = ""
    column: str | None = None


class ShownMark(msgspec.Struct, frozen=True):
    """What one function has earned."""

    function: str
    earned: float
    worth: float
    right: int
    cases: int


class ShownSheet(msgspec.Struct, frozen=True):
    """One submission's mark, and its page of feedback as text."""

    name: str
    mark: float
    out_of: float
    note: str
    marks: tuple[ShownMark, ...]
    page: str


class Done(NamedTuple):
    """Marks with all their files, and a sentence on them."""

    sentence: str
    sheets: tuple[ShownSheet, ...]
    files: Files


def marked(asked: Marking, tell: Callable[[int, int], object]) -> Done:
    """Mark what is asked for; KibitzError with a sentence that names uploads as their owners do."""
    try:
        return marked_in(Path(asked.place), asked, tell)
    except KibitzError as error:
        raise KibitzError(without_place(str(error), asked)) from error


def without_place(sentence: str, asked: Marking) -> str:
    """A sentence without the folder that uploads are kept in here."""
    for upload in (asked.plan, asked.worksheet, asked.files):
        if upload:
            sentence = sentence.replace(str(Path(asked.place) / upload), Path(upload).name)
    return sentence.replace(f"{asked.place}/", "")


def marked_in(place: Path, asked: Marking, tell: Callable[[int, int], object]) -> Done:
    """Mark what lies in a folder of uploads."""
    from kibitz.engine.sentences import counted
    from kibitz.marking.adjustments import adjustments
    from kibitz.marking.assignments import assignment, read_plan
    from kibitz.marking.feedback import Sheet, text_page
    from kibitz.marking.folder import WORKSHEETS, files_of
    from kibitz.marking.marker import Kept, lookalikes, mark_all, shown_names, submissions
    from kibitz.marking.results import Marked

    found = assignment(asked.assignment)
    plan = read_plan(found, place / asked.plan if asked.plan else None, asked.hidden)
    there = submissions(found, place / asked.files)
    if asked.alone and len(there.entries) != 1:
        raise KibitzError(f"there are {len(there.entries)} submissions in it: upload only your own files.")
    if asked.worksheet and there.layout not in WORKSHEETS:
        raise KibitzError("worksheets are for exports of Moodle and Canvas, and this is neither.")
    shown, worksheet = shown_names(there.entries), place / asked.worksheet if asked.worksheet else None
    unmarked = [Sheet(name, entry, plan, Marked()) for name, entry in zip(shown, there.entries, strict=True)]
    files_of(unmarked, there.layout, worksheet, asked.column)
    marks = place / asked.plan if asked.plan else None
    adjusted = adjustments(there, place / asked.files, (), marks, worksheet)
    results = mark_all(there.entries, plan, asked.seed, Kept(None), workers=1, progress=tell)
    done = [result for result in results if result is not None]
    sheets = [Sheet(*each) for each in zip(shown, there.entries, repeat(plan), done, adjusted)]
    files, table = files_of(sheets, there.layout, worksheet, asked.column)
    said = f"{counted(len(sheets), 'submission')} marked; seed {asked.seed} repeats the same hidden cases."
    told = " ".join([said, *strangers(table), *lookalikes(there.entries)[:MOST_NAMED]])
    return Done(told, tuple(shown_sheet(sheet, text_page(sheet)) for sheet in sheets), files)


def strangers(table: Filled) -> list[str]:
    """Sentences on students who are missing from a worksheet, and on those in it who submitted nothing."""
    from kibitz.engine.sentences import listed

    told = []
    if table.missing:
        told.append(f"No row in the worksheet: {listed(table.missing[:MOST_NAMED])}; their marks are in marks.csv.")
    if table.absent:
        told.append(f"In the worksheet, but without a submission: {listed(table.absent[:MOST_NAMED])}.")
    return told


def shown_sheet(sheet: Sheet, page: str) -> ShownSheet:
    """A sheet as it is shown."""
    each = tuple(ShownMark(one.name, one.earned, one.worth, one.right, one.cases) for one in sheet.marks)
    return ShownSheet(sheet.name, sheet.mark, sheet.out_of, sheet.remarks, each, page)
