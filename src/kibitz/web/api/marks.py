"""Marks for the functions of an assignment: one's own files, or for lecturers a class with weights and a worksheet."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

import msgspec
from starlette.datastructures import UploadFile

from kibitz.errors import NotationError
from kibitz.marking.assignments import TITLES
from kibitz.marking.assignments import assignment as find_assignment
from kibitz.players.archives import is_archive
from kibitz.players.processes import STRANGERS, unconfined
from kibitz.web.api.operation import Call, Operation
from kibitz.web.api.work import ShownJob, begun, check_confinement
from kibitz.web.job import MarkWork
from kibitz.web.problems import Problem
from kibitz.web.store.people import LECTURER

LARGEST_CLASS, MOST_HIDDEN = 20 << 20, 1000
BY_LECTURERS = ("marks", "worksheet", "column", "hidden")
"""The fields of a form that only lecturers may fill in."""


class Marking(msgspec.Struct, frozen=True):
    """What can be marked here: assignments by name with their titles, and whether files can be confined."""

    confined: bool
    why: str
    assignments: dict[str, str]


async def marking(call: Call) -> Marking:
    """What can be marked here."""
    why = await call.app_state.reading.done(unconfined)
    return Marking(not why, STRANGERS if why else "", dict(TITLES))


async def mark(call: Call) -> ShownJob:
    """Mark one's own files, or, for lecturers, a class."""
    await check_confinement(call)
    assignment = find_assignment(words_of(call, "assignment"))
    lecturer = LECTURER in call.person.roles
    given = [name for name in BY_LECTURERS if words_of(call, name) or uploads_of(call, name)]
    if given and not lecturer:
        raise Problem(403, f"Only lecturers may say how is marked: leave {given[0]!r} empty.")
    files = uploads_of(call, "files")
    if not files:
        raise NotationError("There is no file in it: choose .py files, or a ZIP archive.")
    hidden, id = hidden_cases(words_of(call, "hidden")), secrets.token_hex(8)
    with call.app_state.jobs.admission(call.person):
        place = call.app_state.jobs.place(f"handed-in-{id}")
        try:
            work = MarkWork(
                assignment=assignment.name,
                place=str(place),
                files=await kept(place, "handed-in", files),
                seed=secrets.randbits(32),
                alone=not lecturer,
                hidden=hidden,
                plan=await kept_one(call, place, "marks"),
                worksheet=await kept_one(call, place, "worksheet"),
                column=words_of(call, "column") or None,
            )
        except BaseException:
            shutil.rmtree(place)
            raise
    return begun(call, work, f"Marks for {TITLES[assignment.name]}", f"mark {id}")


def words_of(call: Call, field: str) -> str:
    """What stands in a field of the form; empty where there is nothing, or a file."""
    value = call.body.get(field)
    return value.strip() if isinstance(value, str) else ""


def uploads_of(call: Call, field: str) -> list[UploadFile]:
    """The files of a field; a browser sends one without a name where none was chosen."""
    return [one for one in call.body.getlist(field) if isinstance(one, UploadFile) and one.filename]


def hidden_cases(words: str) -> int | None:
    """How many hidden cases are asked for, None for the plan's own; NotationError for what is no such number."""
    if not words:
        return None
    if not words.isascii() or not words.isdigit() or len(words) > 9 or not 1 <= int(words) <= MOST_HIDDEN:
        raise NotationError(f"The field 'hidden' should be a whole number from 1 to {MOST_HIDDEN}, or empty.")
    return int(words)


async def kept_one(call: Call, place: Path, field: str) -> str:
    """The only file of a field in a folder of uploads, by its path there; empty where there is none."""
    files = uploads_of(call, field)
    if len(files) > 1:
        raise NotationError(f"The field {field!r} should hold one file.")
    return await kept(place, field, files) if files else ""


async def kept(place: Path, called: str, files: list[UploadFile]) -> str:
    """Uploads in a folder of their own below a place, as the path there: of the folder, or of what is there alone.

    A ``.py`` file or an archive that is alone stands for itself.
    """
    inside = place / called
    inside.mkdir()
    whole = 0
    for at, upload in enumerate(files):
        content = await upload.read()
        whole += len(content)
        if whole > LARGEST_CLASS:
            raise Problem(413, f"This is too large: send {LARGEST_CLASS >> 20} MiB at most, as a ZIP archive.")
        plain = "".join(c if c.isalnum() or c in "._- " else "_" for c in Path(upload.filename or "").name)[-80:]
        name = plain.lstrip(". ") or f"file{at}.py"
        (inside / name).write_bytes(content)
    found = sorted(inside.iterdir())
    alone = len(found) == 1 and (called != "handed-in" or is_archive(found[0].name) or found[0].suffix == ".py")
    return str((found[0] if alone else inside).relative_to(place))


OPERATIONS = (
    Operation("GET", "/api/marks", marking, "Which assignments can be marked here.", Marking),
    Operation(
        "POST",
        "/api/marks",
        mark,
        "Mark your files against an assignment's published and hidden cases; a class, for lecturers.",
        ShownJob,
        files=("assignment", "files", *BY_LECTURERS),
        status=202,
        role="student",
        rate="upload",
    ),
)
