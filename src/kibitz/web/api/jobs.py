"""Long work and how far it is: reviews, files heard again, rounds, finals, custom games, proofs, marks."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.datastructures import UploadFile
from starlette.responses import FileResponse

from kibitz.engine.record import Record, parse
from kibitz.errors import NotationError
from kibitz.marking.assignments import TITLES
from kibitz.marking.assignments import assignment as find_assignment
from kibitz.players.files.archives import is_archive, is_code
from kibitz.players.files.entries import is_place
from kibitz.players.isolation.process import STRANGERS, unconfined
from kibitz.players.player_replay import Reply
from kibitz.web.api.finished_games import found as found_game
from kibitz.web.api.operation import Call, Operation
from kibitz.web.api.players import PRINTED, may_read, number
from kibitz.web.jobs import (
    AnyWork,
    FeedbackWork,
    HearWork,
    Job,
    MarkWork,
    ProveWork,
    ReviewWork,
    RunWork,
    ShownProof,
    ShownReview,
)
from kibitz.web.marking import ShownSheet
from kibitz.web.problems import Problem, missing
from kibitz.web.store.people import LECTURER

BYTES = "application/octet-stream"
MOST_DEALS, MOST_ROUNDS, MOST_REPLAYED = 20, 100, 1000
PlayerWords = Annotated[str, Meta(min_length=1, max_length=80)]


class ShownJob(msgspec.Struct, frozen=True):
    """Work on its way: ``done`` of ``of``, and in the end a sentence and what came of it.

    ``state`` is waiting, running, done or failed; ``file`` says whether there is an archive to be
    fetched, ``tables`` which files beside it.
    """

    job: str
    path: str
    title: str
    state: str
    done: int
    of: int
    sentence: str
    review: ShownReview | None
    said: tuple[Reply, ...]
    proofs: tuple[ShownProof, ...]
    sheets: tuple[ShownSheet, ...]
    file: bool
    tables: tuple[str, ...]


class CustomGames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Custom games: players of the tournament by name, a version as in Ann@2, or built-in ones; and how many deals."""

    players: Annotated[tuple[PlayerWords, ...], Meta(min_length=1, max_length=16)]
    deals: Annotated[int, Meta(ge=1, le=MOST_DEALS)] = 1


class MoreRounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many more rounds are to be played."""

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 1


class Final(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds a final has, or at most until no rating is less certain than ``interval`` points."""

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 10
    interval: Annotated[float, Meta(gt=0, le=1000)] | None = None


class Proving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many matches are played again."""

    replay: Annotated[int, Meta(ge=0, le=MOST_REPLAYED)] = 0


class StartedCustom(msgspec.Struct, frozen=True):
    """Custom games that have begun: their tournament, and the work that plays them."""

    tournament: str
    job: ShownJob


def shown_job(call: Call, job: Job) -> ShownJob:
    """Work as it is shown."""
    news, state = job.news, job.state
    if news.ended and job.under_way:  # its process is about to end
        state = "done" if news.good else "failed"
    waits = "Queued." if job.state == "waiting" else "Running."
    return ShownJob(
        job=job.id,
        path=f"/api/jobs/{job.id}",
        title=job.title,
        state=state,
        done=news.done,
        of=news.of,
        sentence=news.sentence or ("" if news.ended else waits),
        review=news.review,
        said=news.said,
        proofs=news.proofs,
        sheets=news.sheets,
        file=bool(news.file),
        tables=news.tables,
    )


def begun(call: Call, work: AnyWork, title: str, key: str, *, open: bool = False) -> ShownJob:
    """Have work done."""
    return shown_job(call, call.app_state.jobs.take(work, call.person, title, key, open=open))


def job_of(call: Call) -> Job:
    """The job that a path names; Problem 404 unless the asker may look at it."""
    job = call.app_state.jobs.known.get(call.path["job"])
    if job is None or not (job.open or job.owner == call.person.id or LECTURER in call.person.roles):
        raise missing("work")
    return job


async def look(call: Call) -> ShownJob:
    """How far it is."""
    return shown_job(call, job_of(call))


async def stop(call: Call) -> None:
    """Break it off."""
    job = job_of(call)
    if job.owner != call.person.id and LECTURER not in call.person.roles:
        raise Problem(403, "Only its owner and lecturers can cancel this.")
    call.app_state.jobs.stop(job)


async def file(call: Call) -> FileResponse:
    """Its file."""
    job = job_of(call)
    if not job.news.file:
        raise missing("file")
    path = Path(job.news.file)
    return FileResponse(path, filename=path.name, media_type="application/zip")


async def table(call: Call) -> FileResponse:
    """One of the files beside its archive."""
    news, name = job_of(call).news, call.path["table"]
    if name not in news.tables:
        raise missing("file")
    return FileResponse(Path(news.file).parent / name, filename=name, media_type=BYTES)


# ---------------------------------------------------------------- games


async def review(call: Call) -> ShownJob:
    """Judge every decision of a finished game."""
    game = await found_game(call)
    if not isinstance(await call.app_state.reading.done(parse, game.record), Record):
        raise missing("finished game")
    return begun(call, ReviewWork(game.record), f"The review of {game.id}", f"review {game.id}", open=True)


async def hear(call: Call) -> ShownJob:
    """Let the asker's files in a match play again, and hear what they say."""
    name, match = call.path["name"], number(call.path["match"])
    season = call.app_state.season
    await check_confinement(call)

    def readable() -> tuple[int, ...]:
        season.tournament(name)
        store = season.arena().store
        result = next((one for one in store.results(name) if one.match == match), None)
        if result is None:
            raise missing("match")
        versions = [store.submission(seat.submission) for seat in result.seats]
        return tuple(p for p, one in enumerate(versions) if one.is_file and may_read(call, one))

    seats = await call.app_state.reading.done(readable)
    if not seats:
        raise Problem(403, PRINTED)
    work = HearWork(season.where, name, match, seats)
    return begun(call, work, f"What was said in {name}/{match}", f"hear {name}/{match} {seats} {call.person.id}")


# ---------------------------------------------------------------- the season


async def check_confinement(call: Call) -> None:
    """Problem 503 where player files cannot be confined."""
    if await call.app_state.reading.done(unconfined):
        raise Problem(503, STRANGERS)


async def custom(call: Call) -> StartedCustom:
    """Begin custom games and have them played."""
    name, asked = call.path["name"], call.body
    for words in asked.players:
        if is_place(words):
            raise NotationError(f"{words!r} is not a player of {name}: name players by their names, not files.")
    await check_confinement(call)
    season = call.app_state.season

    def begin() -> str:
        season.tournament(name)
        return season.arena().begin_custom(name, asked.players, deals=asked.deals).name

    with call.app_state.jobs.admission(call.person):
        made = await call.app_state.reading.done(begin)
    return StartedCustom(made, begun(call, RunWork(season.where, made), f"The games of {made}", f"run {made}"))


async def rounds(call: Call) -> ShownJob:
    """Have rounds played."""
    name = await known(call)
    work = RunWork(call.app_state.season.where, name, call.body.rounds)
    return begun(call, work, f"Rounds of {name}", f"run {name}")


async def final(call: Call) -> ShownJob:
    """Begin the final of a frozen tournament, play it, and close it."""
    name = await known(call)
    tournament = await call.app_state.reading.done(call.app_state.season.tournament, name)
    if tournament.phase not in ("frozen", "final"):
        raise Problem(409, f"{name} is {tournament.phase}: a final needs a frozen tournament.")
    work = RunWork(call.app_state.season.where, name, call.body.rounds, call.body.interval, final=True)
    return begun(call, work, f"The final of {name}", f"run {name}")


async def known(call: Call) -> str:
    """The tournament of a path, where files can be confined."""
    await check_confinement(call)
    await call.app_state.reading.done(call.app_state.season.tournament, call.path["name"])
    return call.path["name"]


async def prove(call: Call) -> ShownJob:
    """Derive a tournament again from its records, files, seeds and log."""
    name = call.path["name"]
    await call.app_state.reading.done(call.app_state.season.tournament, name)
    if call.body.replay:
        await check_confinement(call)
    work = ProveWork(call.app_state.season.where, name, call.body.replay)
    return begun(call, work, f"The proof of {name}", f"prove {name} {call.body.replay}")


async def feedback(call: Call) -> ShownJob:
    """Write a text for every player of a tournament."""
    name = call.path["name"]
    await call.app_state.reading.done(call.app_state.season.tournament, name)
    work = FeedbackWork(call.app_state.season.where, name)
    return begun(call, work, f"Feedback in {name}", f"feedback {name} {call.person.id}")


ONE = "/api/arena/{name}"
JOB = "/api/jobs/{job}"


# ---------------------------------------------------------------- marks

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
        raise Problem(403, f"Only lecturers may set how files are marked: leave {given[0]!r} empty.")
    files = uploads_of(call, "files")
    if not files:
        raise NotationError("No file found: choose .py files, a notebook or a ZIP archive.")
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
    """How many hidden cases to ask, None for the plan's own number; NotationError if it isn't a valid number."""
    if not words:
        return None
    if not words.isascii() or not words.isdigit() or len(words) > 9 or not 1 <= int(words) <= MOST_HIDDEN:
        raise NotationError(f"The field 'hidden' should be a whole number from 1 to {MOST_HIDDEN}, or empty.")
    return int(words)


async def kept_one(call: Call, place: Path, field: str) -> str:
    """The path of a field's only file in a folder of uploads; empty without one."""
    files = uploads_of(call, field)
    if len(files) > 1:
        raise NotationError(f"The field {field!r} should hold one file.")
    return await kept(place, field, files) if files else ""


async def kept(place: Path, called: str, files: list[UploadFile]) -> str:
    """Uploads in a folder of their own below a place, as the path there: of the folder, or of what is there alone.

    A ``.py`` file, a notebook or an archive that is alone stands for itself.
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
    alone = len(found) == 1 and (called != "handed-in" or is_archive(found[0].name) or is_code(found[0].name))
    return str((found[0] if alone else inside).relative_to(place))


OPERATIONS = (
    Operation("GET", JOB, look, "A job's progress, and its result.", ShownJob, refuses=(404,)),
    Operation("DELETE", JOB, stop, "Cancel a job.", refuses=(404,)),
    Operation("GET", f"{JOB}/file", file, "The file that it wrote.", str, refuses=(404,), media="application/zip"),
    Operation("GET", f"{JOB}/files/{{table}}", table, "A file beside it.", str, refuses=(404,), media=BYTES),
    Operation(
        "POST",
        "/api/played/{id}/review",
        review,
        "Judge every decision of a finished game.",
        ShownJob,
        status=202,
        rate="upload",
        refuses=(404,),
    ),
    Operation(
        "POST",
        f"{ONE}/matches/{{match}}/words",
        hear,
        "Replay your files in a match: what they were asked, returned and printed at each step.",
        ShownJob,
        status=202,
        rate="upload",
        refuses=(404,),
    ),
    Operation(
        "POST",
        f"{ONE}/custom",
        custom,
        "Games between chosen players, which never count.",
        StartedCustom,
        takes=CustomGames,
        status=202,
        role="student",
        rate="upload",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/rounds",
        rounds,
        "Play rounds (lecturers).",
        ShownJob,
        takes=MoreRounds,
        status=202,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/final",
        final,
        "Play the final, then close the tournament (lecturers).",
        ShownJob,
        takes=Final,
        status=202,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/proof",
        prove,
        "Prove a tournament: derive it again from its records, files, seeds and log (lecturers).",
        ShownJob,
        takes=Proving,
        status=202,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/feedback",
        feedback,
        "An archive with a page of text about each player, for its owner (lecturers).",
        ShownJob,
        status=202,
        role="lecturer",
        refuses=(404,),
    ),
    Operation("GET", "/api/marks", marking, "The assignments that can be marked here.", Marking),
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
