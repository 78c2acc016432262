"""Marking for the web pages: a class with a lecturer's files, or one student; each marking has a folder of its own.

    asked.json      a requested marking, until it is accepted or refused
    job.json        the marking as it was last begun, and its result
    news.json       the results of the last completed run
    uploads-*       the files that were uploaded with a request
    marks           the folder of ``kibitz mark``: a later run marks only what has changed
    settings        the uploaded TOML file with the assignment's deadline, as the last run used it
    NAME-marks.zip  everything, for the lecturer

A lecturer's folders are kept when the server stops. A student's folder has none of the JSON files, and is deleted then.
Beside lecturers' folders is a file ``ASSIGNMENT.toml`` for each assignment with a deadline. It has the only copy of the
deadline: when an uploaded TOML file with a deadline is accepted, that deadline is moved there.
"""

from __future__ import annotations

import re
import shutil
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kibitz.engine import file_io
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.marking.class_marking import ClassMarking, MarkingFolder, WrittenFiles
    from kibitz.marking.deadlines import Deadline
    from kibitz.marking.feedback import FeedbackSheet

MAX_LEFT_OUT = 5
"""The maximum number of reasons for leaving something out that are listed."""
REQUESTED, BEGUN, RESULTS = "asked.json", "job.json", "news.json"
MARKS, SETTINGS, UPLOADS, SIMILARITY_PAGE = "marks", "settings", "uploads-", "similar.html"
"""Files and folders in the folder of a marking; ``UPLOADS`` is the beginning of folders' names."""
UPLOAD_FIELDS = ("files", "plan", "worksheet", "overrides", "rubric", "table")


class Marking(msgspec.Struct, frozen=True):
    """A request to mark submissions.

    folder      the folder of the marking, whose name is never shown; the paths below are relative to it
    files       what was submitted: a file, an archive, or a folder
    plan        a TOML file with weights, cases and limits; this and each file below is "" if there is none
    worksheet   the learning platform's own table, into which the marks are filled
    column      the title of the assignment's column in the worksheet, for Canvas
    overrides   a table of a tutor's decisions
    rubric      the sheet with the points that a person has given
    table       a tournament's ranking, for the plan's rule on places
    single      whether exactly one submission is accepted
    student     a student who is marked again even if nothing has changed; "" for none
    """

    assignment: str
    folder: str = msgspec.field(name="place")
    files: str
    single: bool = msgspec.field(name="alone")
    hidden: int | None = None
    plan: str = ""
    worksheet: str = ""
    column: str | None = None
    overrides: str = ""
    rubric: str = ""
    table: str = ""
    student: str = msgspec.field(default="", name="again")

    def path_of(self, upload: str) -> Path | None:
        """The path of an upload; None if there is none."""
        return Path(self.folder) / upload if upload else None


class StoredMarking(msgspec.Struct, frozen=True):
    """A lecturer's marking; ``ended_at`` is 0 until a run has finished.

    ``owner`` is the id of the account that made it, and ``by`` the name of the lecturer who last had files marked. The
    fields after ``ended_at`` are from the last finished run; ``mean`` is the mean mark.
    """

    id: str
    owner: str
    by: str
    begun_at: float
    work: Marking
    ended_at: float = 0.0
    submissions: int = 0
    mean: float = 0.0
    out_of: float = 0.0
    changes: tuple[str, ...] = ()
    runs: int = 0


class ShownMark(msgspec.Struct, frozen=True):
    """The marks for one function: ``earned`` of ``worth``, since ``right`` of its ``cases`` are right."""

    function: str
    earned: float
    worth: float
    right: int
    cases: int


class ShownSheet(msgspec.Struct, frozen=True):
    """One submission's mark, with its parts and the page of feedback as text.

    penalty     the marks deducted for late work
    rubric      the points that a person has given; null if there is no rubric
    tournament  the marks for the player's place in a tournament; null if there are none to give
    by_hand     whether a tutor has set the mark
    """

    name: str
    mark: float
    out_of: float
    note: str
    marks: tuple[ShownMark, ...]
    page: str
    penalty: float = 0.0
    rubric: float | None = None
    tournament: float | None = None
    by_hand: bool = False


class MarkingResult(NamedTuple):
    """Marks, a sentence on them, the archive of all files, and the names of files to download one by one."""

    sentence: str
    sheets: tuple[ShownSheet, ...]
    archive: Path
    tables: tuple[str, ...]
    changes: tuple[str, ...]


def mark_submissions(marking: Marking, progress: Callable[[int, int], object]) -> MarkingResult:
    """Mark the submissions. All sentences, even those of a KibitzError, name uploads without the server's paths."""
    from kibitz.marking.class_marking import MarkingFolder
    from kibitz.marking.deadlines import without_deadline
    from kibitz.marking.marker import key_of, mark_all

    folder, uploaded = Path(marking.folder), marking.path_of(marking.plan)
    try:
        new_deadline, marking = (None, marking) if marking.single else with_deadline(marking)
        class_marking = read_class(marking)
        marked_again = [class_marking.submission_of(marking.student)] if marking.student else []
    except KibitzError as error:
        refuse_request(folder)
        raise KibitzError(without_paths(str(error), marking)) from error
    if new_deadline is not None and uploaded is not None:
        put_deadline(folder.parent, marking.assignment, new_deadline)
        file_io.write_atomically(uploaded, without_deadline(uploaded.read_text("utf-8")), force=True)
    accept_request(folder)
    try:
        marks_folder = MarkingFolder(folder / MARKS, marking.assignment, None)
        copy_overrides(marks_folder, marking)
        for entry in marked_again:
            marks_folder.kept.forget(key_of(entry, class_marking.plan, marks_folder.seed))
        entries = class_marking.submitted.entries
        results = mark_all(
            entries, class_marking.plan, marks_folder.seed, marks_folder.kept, workers=1, progress=progress
        )
        written = class_marking.write(marks_folder, [result for result in results if result is not None])
        return report_marks(marking, class_marking, marks_folder, written)
    except KibitzError as error:
        raise KibitzError(without_paths(str(error), marking)) from error


def with_deadline(marking: Marking) -> tuple[Deadline | None, Marking]:
    """The deadline in a marking's new TOML file, if any, and the marking with a TOML file that has its deadline.

    Without a new deadline, that is the stored deadline of the assignment. A deadline that isn't new was moved from the
    TOML file before.
    """
    from kibitz.marking.deadlines import deadline_text, read_deadline, without_deadline

    folder, uploaded = Path(marking.folder), marking.path_of(marking.plan)
    new_deadline = read_deadline(uploaded)
    deadline = new_deadline or stored_deadline(folder.parent, marking.assignment)
    if deadline is None:
        return None, marking
    settings = uploaded.read_text("utf-8") if uploaded else ""
    if new_deadline is not None:
        settings = without_deadline(settings)
    path = f"{SETTINGS}/marks/{uploaded.name if uploaded else 'marks.toml'}"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    file_io.write_atomically(folder / path, f"{settings.rstrip()}\n\n{deadline_text(deadline)}".lstrip(), force=True)
    return new_deadline, msgspec.structs.replace(marking, plan=path)


def stored_deadline(marks: Path, assignment: str) -> Deadline | None:
    """The deadline of an assignment, from the folder of all markings; None if it has none."""
    from kibitz.marking.deadlines import read_deadline

    file = marks / f"{assignment}.toml"
    return read_deadline(file) if file.exists() else None


def put_deadline(marks: Path, assignment: str, deadline: Deadline) -> None:
    """Store the deadline of an assignment."""
    from kibitz.marking.deadlines import deadline_text

    marks.mkdir(mode=0o700, parents=True, exist_ok=True)
    file_io.write_atomically(marks / f"{assignment}.toml", deadline_text(deadline), force=True)


def without_paths(sentence: str, marking: Marking) -> str:
    """A sentence without the paths of the marking's folder."""
    for upload in UPLOAD_FIELDS:
        if path := marking.path_of(getattr(marking, upload)):
            sentence = sentence.replace(str(path), path.name)
    return sentence.replace(f"{marking.folder}/{MARKS}/", "").replace(f"{marking.folder}/", "")


def read_class(marking: Marking) -> ClassMarking:
    """Read and check the submissions and all the lecturer's files."""
    from kibitz.marking.adjustments import OVERRIDES, choices_of, read_overrides
    from kibitz.marking.assignments import assignment, read_plan
    from kibitz.marking.class_marking import ClassMarking, check_worksheet
    from kibitz.marking.marker import submissions
    from kibitz.marking.platforms import gradebook_names
    from kibitz.marking.rubric import RUBRIC

    folder, plan_file, worksheet = (
        Path(marking.folder),
        marking.path_of(marking.plan),
        marking.path_of(marking.worksheet),
    )
    assignment_ = assignment(marking.assignment)
    plan = read_plan(assignment_, plan_file, marking.hidden)
    earlier_overrides = folder / MARKS / OVERRIDES
    overrides = marking.path_of(marking.overrides) or (earlier_overrides if earlier_overrides.exists() else None)
    override_rows = read_overrides(overrides)
    submitted = submissions(assignment_, folder / marking.files, choices_of(override_rows), gradebook_names(worksheet))
    if marking.single and len(submitted.entries) != 1:
        raise KibitzError(f"the upload contains {len(submitted.entries)} submissions: upload only your own files.")
    check_worksheet(submitted.layout, worksheet, marking.column)
    return ClassMarking.read(
        plan,
        submitted,
        folder / marking.files,
        overrides=override_rows,
        rubric=marking.path_of(marking.rubric) or folder / MARKS / RUBRIC,
        marks=plan_file,
        worksheet=worksheet,
        column=marking.column,
        standings=marking.path_of(marking.table),
    )


def copy_overrides(marks_folder: MarkingFolder, marking: Marking) -> None:
    """Copy a tutor's decisions into the folder of marks, where ``kibitz mark`` finds them too."""
    from kibitz.marking.adjustments import OVERRIDES

    if path := marking.path_of(marking.overrides):
        marks_folder.write_file(OVERRIDES, path.read_bytes())


def report_marks(
    marking: Marking, class_marking: ClassMarking, marks_folder: MarkingFolder, written: WrittenFiles
) -> MarkingResult:
    """Write the archive of a marking's files, and return the marking's result with sentences on it."""
    from kibitz.engine.sentences import counted
    from kibitz.marking.adjustments import adjustment_notes
    from kibitz.marking.feedback import text_page
    from kibitz.marking.rubric import RUBRIC

    sheets, files, table = written
    sentences = [
        f"{counted(len(sheets), 'submission')} marked; seed {marks_folder.seed} repeats the same hidden cases."
    ]
    sentences += class_marking.notes(table)
    sentences += adjustment_notes(class_marking.submitted, class_marking.adjustments, marking.path_of(marking.plan))
    if class_marking.unassessed:
        missing = counted(class_marking.unassessed, "submission")
        sentences.append(
            f"Points are missing for {missing}: fill in {RUBRIC} and upload it; until then they count as 0."
        )
    shown_sheets = tuple(shown_sheet(sheet, text_page(sheet)) for sheet in sheets)
    tables = [name for name in files if "/" not in name] + [RUBRIC] * bool(class_marking.assessments)
    archive = write_archive(marking, None if not marking.single else list(files))
    sentence = without_paths(" ".join(sentences), marking)
    return MarkingResult(sentence, shown_sheets, archive, tuple(tables), tuple(marks_folder.state.changes))


def write_archive(marking: Marking, names: list[str] | None) -> Path:
    """Write an archive and return its path.

    It has the files called ``names`` in the folder of marks; if ``names`` is None, all files there and the uploads.
    """
    folder = Path(marking.folder)
    marks, archive = folder / MARKS, folder / f"{marking.assignment}-marks.zip"
    with_uploads = names is None
    if names is None:
        names = [str(path.relative_to(marks)) for path in marks.rglob("*") if path.is_file()]
    with file_io.atomic_file(archive, True) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name in sorted(names):
            zip_file.write(marks / name, name)
        for upload in UPLOAD_FIELDS if with_uploads else ():
            path = marking.path_of(getattr(marking, upload))
            for file in [] if path is None else [path] if path.is_file() else path.iterdir():
                zip_file.write(file, Path("uploads", *file.relative_to(folder).parts[1:]))
    return archive


def shown_sheet(sheet: FeedbackSheet, page: str) -> ShownSheet:
    """A sheet as the browser shows it; ``page`` is its page of feedback as text."""
    marks = tuple(ShownMark(mark.name, mark.earned, mark.worth, mark.right, mark.cases) for mark in sheet.marks)
    change = sheet.adjustment
    rubric = sum(points or 0.0 for points, _ in change.rubric.values()) if change.rubric else None
    by_hand = change.mark is not None
    note, mark, out_of = sheet.lecturer_notes, sheet.mark, sheet.out_of
    return ShownSheet(sheet.name, mark, out_of, note, marks, page, sheet.penalty, rubric, change.place_marks, by_hand)


def compare_submissions(marking: Marking, starter: str) -> str:
    """Compare the submissions of a marking, and write the page on shared code; returns a sentence on it."""
    from kibitz.engine.sentences import counted
    from kibitz.marking.assignments import TITLES
    from kibitz.marking.similarity import similarity
    from kibitz.marking.similarity_page import similarity_page

    folder = Path(marking.folder)
    try:
        result = similarity(folder / marking.files, marking.path_of(starter))
    except KibitzError as error:
        with_starter = msgspec.structs.replace(marking, table=starter)  # so that its path is removed too
        raise KibitzError(without_paths(str(error), with_starter)) from error
    file_io.write_atomically(folder / SIMILARITY_PAGE, similarity_page(result, TITLES[marking.assignment]), force=True)
    submissions, pairs = (
        counted(len(result.submissions), "submission"),
        counted(len(result.pairs) + result.more, "pair"),
    )
    groups = counted(len(result.identical), "group")
    sentences = [f"{submissions} compared: {pairs} with shared code, {groups} of identical files."]
    sentences += [f"Not compared: {why.removesuffix('.')}." for why in result.left_out[:MAX_LEFT_OUT]]
    return " ".join(sentences)


# ---------------------------------------------------------------- folders of markings


def record_request(stored: StoredMarking) -> None:
    """Record that a marking was requested."""
    file_io.write_atomically(Path(stored.work.folder) / REQUESTED, msgspec.json.encode(stored), force=True)


def accept_request(folder: Path) -> None:
    """Begin the requested marking, and delete the earlier requests' uploads that it doesn't use."""
    if (folder / REQUESTED).exists():
        (folder / REQUESTED).replace(folder / BEGUN)
        delete_unused_uploads(folder)


def refuse_request(folder: Path) -> None:
    """Refuse the requested marking: an earlier marking stays as it was; if there is none, the folder is deleted."""
    if (folder / REQUESTED).exists():
        (folder / REQUESTED).unlink()
        if (folder / BEGUN).exists():
            delete_unused_uploads(folder)
        else:
            shutil.rmtree(folder)


def delete_unused_uploads(folder: Path) -> None:
    """Delete uploads that the marking doesn't need."""
    stored = read_marking(folder)
    needed = {getattr(stored.work, upload).partition("/")[0] for upload in UPLOAD_FIELDS} if stored else set()
    for uploads in folder.glob(f"{UPLOADS}*"):
        if stored is not None and uploads.name not in needed:
            shutil.rmtree(uploads, ignore_errors=True)


def store_result(marking: Marking, result: MarkingResult, status: bytes) -> None:
    """Record the result of a lecturer's marking; ``status`` is its last status message, as JSON."""
    folder = Path(marking.folder)
    stored = read_marking(folder)
    if stored is None:
        return
    file_io.write_atomically(folder / RESULTS, status, force=True)
    marks = [sheet.mark for sheet in result.sheets]
    finished = msgspec.structs.replace(
        stored,
        ended_at=time.time(),
        submissions=len(marks),
        mean=sum(marks) / len(marks),
        out_of=result.sheets[0].out_of,
        changes=result.changes,
        runs=stored.runs + 1,
    )
    file_io.write_atomically(folder / BEGUN, msgspec.json.encode(finished), force=True)


def read_marking(folder: Path) -> StoredMarking | None:
    """The requested marking of a folder, or else the marking last begun; None if there is neither."""
    for name in (REQUESTED, BEGUN):
        with suppress(OSError, msgspec.DecodeError):
            stored = msgspec.json.decode((folder / name).read_bytes(), type=StoredMarking)
            work = msgspec.structs.replace(stored.work, folder=str(folder))
            return msgspec.structs.replace(stored, work=work)
    return None


def is_id(id: str) -> bool:
    """Whether a text has the form of a marking's id, the name of its folder."""
    return re.fullmatch("[0-9a-f]{16}", id) is not None
