"""Marking one student's files or a class's, and lecturers' markings, which are stored and can be repeated."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from starlette.responses import FileResponse

from kibitz.arena.api import Arena
from kibitz.arena.schedule import FILLER_OWNER
from kibitz.errors import NotationError
from kibitz.marking.assignments import TITLES
from kibitz.marking.assignments import assignment as find_assignment
from kibitz.marking.deadlines import deadline_of
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, why_no_sandbox
from kibitz.web.api.jobs import ShownJob, ShownMarking, shown_marking, start_job
from kibitz.web.api.operation import Call, FormField, Router
from kibitz.web.api.tournaments import TournamentList, list_tournaments
from kibitz.web.api.uploads import check_fields, check_sandbox, save_one, save_uploads, text_of, uploads_of
from kibitz.web.job_process import MarkWork, SimilarWork
from kibitz.web.marking import (
    SIMILARITY_PAGE,
    UPLOAD_FIELDS,
    UPLOADS,
    Marking,
    StoredMarking,
    put_deadline,
    record_request,
    stored_deadline,
)
from kibitz.web.problems import ApiError, missing
from kibitz.web.store.people import LECTURER, invited_names, name_skeleton

router = Router()
SETTING_FIELDS = tuple(
    FormField(name, files=name not in ("column", "hidden"), optional=True)
    for name in ("marks", "worksheet", "column", "hidden", "overrides", "rubric", "table")
)
MARKING = "/api/marks/{job}"
DEADLINE = "/api/deadlines/{assignment}"

MAX_HIDDEN_CASES = 1000
LECTURER_FIELDS = tuple(field.name for field in SETTING_FIELDS)
"""The fields of a form that only lecturers may fill in."""
PAGE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy of a page that contains students' texts, and its own style sheet."""


class AssignmentDeadline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When an assignment's work is due, and the per cent of all marks that late work loses.

    ``grace`` is in minutes. ``extensions`` has other due times by the student's number on the learning platform, or by
    name; only lecturers see them.
    """

    due: datetime
    grace: float = 0.0
    per_day: float = 0.0
    most: float = 100.0
    extensions: Mapping[str, datetime] = {}


class MarksPage(msgspec.Struct, frozen=True):
    """The assignments that can be marked here, and for lecturers all markings.

    ``assignments`` has their titles by name, and ``deadlines`` their deadlines. ``confined`` says whether files can run
    confined here; if not, ``why`` gives the reason.
    """

    confined: bool
    why: str
    assignments: dict[str, str]
    deadlines: dict[str, AssignmentDeadline]
    markings: tuple[ShownMarking, ...]


class RosterLine(msgspec.Struct, frozen=True):
    """A line of the class's roster; ``joined``: whether the invitation for its owner has been used."""

    player: str
    owner: str
    number: str
    joined: bool
    unlisted: bool = False
    """Whether this isn't a line of the roster, but a player in a tournament whose name the roster lacks."""


class CoursePage(TournamentList, frozen=True):
    """The tournaments, the assignments' deadlines by title, and for lecturers the roster and all markings."""

    deadlines: Mapping[str, datetime] = {}
    roster: tuple[RosterLine, ...] = ()
    markings: tuple[ShownMarking, ...] = ()


@router.operation("GET", "/api/marks")
def marks_page(call: Call) -> MarksPage:
    """What can be marked here; for lecturers, all markings."""
    why = SANDBOX_NEEDS_LINUX if why_no_sandbox() else ""
    return MarksPage(not why, why, dict(TITLES), shown_deadlines(call), shown_markings(call))


def shown_deadlines(call: Call) -> dict[str, AssignmentDeadline]:
    """The deadlines by assignment, with extensions for lecturers only."""
    folder, with_extensions = call.jobs.marks, LECTURER in call.person.roles
    stored = {name: stored_deadline(folder, name) for name in TITLES}
    return {
        name: AssignmentDeadline(
            deadline.due,
            deadline.grace / timedelta(minutes=1),
            round(100 * deadline.per_day, 6),
            round(100 * deadline.most, 6),
            deadline.extensions if with_extensions else {},
        )
        for name, deadline in stored.items()
        if deadline is not None
    }


@router.operation("PUT", DEADLINE, json_body=AssignmentDeadline, role="lecturer", refuses=(404,))
def set_deadline(call: Call) -> None:
    """Set or change the deadline of an assignment (lecturers)."""
    if not all(student and student.isprintable() for student in call.body.extensions):
        raise NotationError("Give a student's number or name for each extension, without control characters.")
    deadline = deadline_of(msgspec.structs.asdict(call.body))
    put_deadline(call.jobs.marks, assignment_of(call), deadline)


@router.operation("DELETE", DEADLINE, role="lecturer")
def drop_deadline(call: Call) -> None:
    """Remove the deadline of an assignment (lecturers)."""
    (call.jobs.marks / f"{assignment_of(call)}.toml").unlink(missing_ok=True)


def assignment_of(call: Call) -> str:
    """The name of the assignment that a path names; ApiError 404 if there is none."""
    if (name := call.path["assignment"]) not in TITLES:
        raise missing("assignment")
    return name


def shown_markings(call: Call) -> tuple[ShownMarking, ...]:
    """All lecturers' markings, for lecturers."""
    if LECTURER not in call.person.roles:
        return ()
    return tuple(shown_marking(call, marking) for marking in call.jobs.stored_markings())


async def course_page(call: Call) -> CoursePage:
    """The data of a course's page."""
    page = msgspec.structs.asdict(await call.in_thread(list_tournaments, call))
    deadlines = await call.in_thread(shown_deadlines, call)
    page["deadlines"] = {TITLES[name]: deadline.due for name, deadline in deadlines.items()}
    if LECTURER not in call.person.roles:
        return CoursePage(**page)
    joined = await call.read(invited_names)
    roster = await call.in_thread(lambda: tuple(roster_lines(call.season.arena(), joined)))
    return CoursePage(**page, roster=roster, markings=await call.in_thread(shown_markings, call))


def roster_lines(arena: Arena, joined: Collection[str]) -> Iterator[RosterLine]:
    """The roster, then the players in tournaments that aren't on it; ``joined`` are the skeletons of invited names."""
    entries = arena.roster()
    for entry in entries:
        yield RosterLine(entry.player, entry.owner, entry.number, name_skeleton(entry.owner) in joined)
    players = {
        (submission.player, submission.owner)
        for tournament in arena.tournaments()
        for submission in arena.store.submissions(tournament.name)
        if submission.owner != FILLER_OWNER
    }
    listed = {entry.player for entry in entries}
    for player, owner in sorted(players):
        if player not in listed:
            yield RosterLine(player, owner, "", joined=True, unlisted=True)


@router.operation(
    "POST",
    "/api/marks",
    form=(FormField("assignment"), FormField("files", files=True), *SETTING_FIELDS),
    status=202,
    role="student",
    rate="upload",
)
async def mark_files(call: Call) -> ShownJob:
    """Mark your files against an assignment's published and hidden cases; a class, for lecturers."""
    await check_sandbox(call)
    assignment = find_assignment(text_of(call, "assignment"))
    is_lecturer = LECTURER in call.person.roles
    settings = [name for name in LECTURER_FIELDS if text_of(call, name) or uploads_of(call, name)]
    if settings and not is_lecturer:
        raise ApiError(403, f"Only lecturers may change how files are marked: leave {settings[0]!r} empty.")
    if not uploads_of(call, "files"):
        raise NotationError("No file found: choose .py files, a notebook or a ZIP archive.")
    jobs, id = call.jobs, secrets.token_hex(8)
    with jobs.admission(call.person):
        folder = jobs.marks / id if is_lecturer else jobs.job_folder(f"marks-{id}")
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            work = await with_uploads(call, Marking(assignment.name, str(folder), "", single=not is_lecturer))
        except BaseException:
            shutil.rmtree(folder)
            raise
    return start_marking(call, work, id)


@router.operation(
    "POST",
    MARKING,
    form=(FormField("student", optional=True), FormField("files", files=True, optional=True), *SETTING_FIELDS),
    status=202,
    role="lecturer",
    rate="upload",
    refuses=(409,),
)
async def mark_again(call: Call) -> ShownJob:
    """Mark again what has changed: new files or settings, or one student (lecturers)."""
    await check_sandbox(call)
    stored, jobs = marking_of(call), call.jobs
    check_fields(call, ("student", "files", *LECTURER_FIELDS))
    with jobs.reserve(stored.id), jobs.admission(call.person):
        work = msgspec.structs.replace(stored.work, student=text_of(call, "student"))
        work = await with_uploads(call, work)
    return start_marking(call, work, stored.id)


def start_marking(call: Call, work: Marking, id: str) -> ShownJob:
    """Have files marked; a lecturer's request is stored first."""
    jobs = call.jobs
    if not work.single:
        now = time.time()
        stored = jobs.stored_marking(id) or StoredMarking(id, call.person.id, call.person.name, now, work)
        record_request(msgspec.structs.replace(stored, begun_at=now, ended_at=0.0, by=call.person.name, work=work))
    return start_job(call, MarkWork(work), f"Marks for {TITLES[work.assignment]}", f"mark {id}", id=id)


def marking_of(call: Call) -> StoredMarking:
    """The marking that a path names; ApiError 404 if there is none."""
    stored = call.jobs.stored_marking(call.path["job"])
    if stored is None:
        raise missing("marking")
    return stored


@router.operation("DELETE", MARKING, role="lecturer", refuses=(409,))
async def delete_marking(call: Call) -> None:
    """Delete marks with all files (lecturers)."""
    stored, jobs = marking_of(call), call.jobs
    with jobs.reserve(stored.id):
        await call.in_thread(shutil.rmtree, stored.work.folder)
        jobs.by_id.pop(stored.id, None)


@router.operation(
    "POST",
    f"{MARKING}/similar",
    form=(FormField("starter", files=True, optional=True),),
    status=202,
    role="lecturer",
    rate="upload",
    refuses=(409,),
)
async def compare_submissions(call: Call) -> ShownJob:
    """Compare the submissions with each other (lecturers)."""
    stored, jobs = marking_of(call), call.jobs
    check_fields(call, ("starter",))
    with jobs.reserve(stored.id), jobs.admission(call.person):
        starter = await save_one(call, new_uploads(stored.work), "starter")
    return start_job(
        call,
        SimilarWork(stored.work, starter),
        f"Similar work in {TITLES[stored.work.assignment]}",
        f"similar {stored.id}",
    )


@router.operation("GET", f"{MARKING}/similar", role="lecturer", media="text/html")
def get_similarity_report(call: Call) -> FileResponse:
    """The page on similar submissions (lecturers)."""
    page = Path(marking_of(call).work.folder) / SIMILARITY_PAGE
    if not page.exists():
        raise missing("page")
    return FileResponse(page, media_type="text/html", headers={"Content-Security-Policy": PAGE_POLICY})


# ---------------------------------------------------------------- uploads


async def with_uploads(call: Call, work: Marking) -> Marking:
    """A marking with the fields of a form, and with its files, which are saved in a new folder.

    Whatever the form leaves out stays as it is in ``work``.
    """
    hidden = hidden_cases(text_of(call, "hidden")) if "hidden" in call.body else work.hidden
    column = text_of(call, "column") or None if "column" in call.body else work.column
    uploads, form_fields = new_uploads(work), {"plan": "marks", **{name: name for name in UPLOAD_FIELDS[2:]}}
    try:
        files = await save_uploads(uploads, "files", chosen) if (chosen := uploads_of(call, "files")) else work.files
        paths = {name: path for name, field in form_fields.items() if (path := await save_one(call, uploads, field))}
    except BaseException:
        shutil.rmtree(uploads, ignore_errors=True)
        raise
    return msgspec.structs.replace(work, files=files, hidden=hidden, column=column, **paths)


def new_uploads(work: Marking) -> Path:
    """The path of a new folder for uploads, which is created with the first file."""
    return Path(work.folder) / f"{UPLOADS}{secrets.token_hex(8)}"


def hidden_cases(text: str) -> int | None:
    """The number of hidden cases, None for the plan's own number.

    Raises NotationError if the text isn't a valid number.
    """
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= MAX_HIDDEN_CASES:
        raise NotationError(f"The field 'hidden' should be a whole number from 1 to {MAX_HIDDEN_CASES}, or empty.")
    return int(text)
