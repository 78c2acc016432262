"""Long work and its progress: reviews, replays of player files, rounds, finals, custom games, verification."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import FileResponse

from kibitz.engine.record import Record, parse
from kibitz.errors import NotationError
from kibitz.marking.assignments import TITLES
from kibitz.players.files.entries import is_player_path
from kibitz.players.player_replay import Reply
from kibitz.web.api.finished_games import finished_game_of, title_of
from kibitz.web.api.operation import Call, FormField, Router
from kibitz.web.api.players import OUTPUT_REFUSAL, may_read, number_in_path
from kibitz.web.api.uploads import check_fields, check_sandbox, save_one, save_uploads, uploads_of
from kibitz.web.job_process import (
    AnyWork,
    ClassWork,
    FeedbackWork,
    JobStatus,
    ReplayPlayersWork,
    ReviewWork,
    RunWork,
    ShownReview,
    VerificationResult,
    VerifyWork,
)
from kibitz.web.jobs import Job
from kibitz.web.marking import MARKS, SIMILARITY_PAGE, UPLOAD_FIELDS, ShownSheet, StoredMarking
from kibitz.web.problems import ApiError, missing
from kibitz.web.store.people import LECTURER

router = Router()
TOURNAMENT = "/api/arena/{name}"
JOB = "/api/jobs/{job}"

BYTES = "application/octet-stream"
MAX_DEALS, MAX_ROUNDS, MAX_REPLAYED, MAX_CUSTOM_PLAYERS = 20, 100, 1000, 16
PlayerReference = Annotated[str, Meta(min_length=1, max_length=80)]


class ShownMarking(msgspec.Struct, frozen=True):
    """A class that a lecturer marks, with the marks of its last completed run, and what that run changed.

    ``state`` is waiting, running, done or interrupted. ``given`` has the names of the uploaded files, by the fields of
    the form. ``similar`` says whether the submissions have been compared.
    """

    job: str
    path: str
    assignment: str
    title: str
    by: str
    begun_at: float
    state: str
    runs: int
    submissions: int
    mean: float
    out_of: float
    changes: tuple[str, ...]
    given: dict[str, str]
    hidden: int | None
    column: str | None
    similar: bool


class ShownJob(msgspec.Struct, frozen=True):
    """A job's progress, ``done`` of ``of``, and after its end a sentence and the result.

    ``state`` is waiting, running, done or failed. ``file`` says whether there is an archive to download, and ``tables``
    names the files that can be downloaded by themselves. ``marking`` is a lecturer's stored marking; null for others.
    """

    job: str
    path: str
    title: str
    state: str
    done: int
    of: int
    sentence: str
    review: ShownReview | None
    replies: tuple[Reply, ...]
    proofs: tuple[VerificationResult, ...]
    sheets: tuple[ShownSheet, ...]
    file: bool
    tables: tuple[str, ...]
    marking: ShownMarking | None = None


class CustomGamesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Custom games: the names of players (Ann, or Ann@2 for version 2) or built-in players, and the number of deals."""

    players: tuple[PlayerReference, ...]
    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)] = 1


class RoundsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many more rounds to play."""

    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 1


class FinalRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The maximum number of rounds; fewer once the margin of every rating is at most ``interval`` points."""

    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 10
    interval: Annotated[float, Meta(gt=0, le=1000)] | None = None


class VerifyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many matches to replay, to verify them."""

    replay: Annotated[int, Meta(ge=0, le=MAX_REPLAYED)] = 0


class StartedCustomGames(msgspec.Struct, frozen=True):
    """Custom games that have begun: their tournament, and the job that plays them."""

    tournament: str
    job: ShownJob


def shown_job(call: Call, job: Job) -> ShownJob:
    """A job as pages show it."""
    status, state, jobs = job.status, job.state, call.jobs
    stored = jobs.stored_marking(job.id)
    if status.ended:  # the job's state is changed only when its process ends, a moment later
        state = "done" if status.good else "failed"
    progress = "Queued." if job.state == "waiting" else "Running."
    latest = jobs.last_status(job.id) if stored and state == "failed" else status
    return ShownJob(
        job=job.id,
        path=f"/api/jobs/{job.id}",
        title=job.title,
        state=state,
        done=status.done,
        of=status.of,
        sentence=status.sentence or ("" if status.ended else progress),
        review=status.review,
        replies=status.replies,
        proofs=status.proofs,
        sheets=latest.sheets,
        file=bool(latest.file),
        tables=latest.tables,
        marking=shown_marking(call, stored) if stored else None,
    )


def shown_marking(call: Call, stored: StoredMarking) -> ShownMarking:
    """A marking as pages show it."""
    job = call.jobs.by_id.get(stored.id)
    work, folder = stored.work, Path(stored.work.folder)
    fields = {"marks" if upload == "plan" else upload: getattr(work, upload) for upload in UPLOAD_FIELDS}
    return ShownMarking(
        job=stored.id,
        path=f"/api/marks/{stored.id}",
        assignment=work.assignment,
        title=TITLES[work.assignment],
        by=stored.by,
        begun_at=stored.begun_at,
        state=job.state if job is not None and job.is_under_way else "done" if stored.ended_at else "interrupted",
        runs=stored.runs,
        submissions=stored.submissions,
        mean=round(stored.mean, 2),
        out_of=stored.out_of,
        changes=stored.changes,
        given={field: Path(upload).name for field, upload in fields.items() if upload},
        hidden=work.hidden,
        column=work.column,
        similar=(folder / SIMILARITY_PAGE).exists(),
    )


def start_job(
    call: Call, work: AnyWork, title: str, key: str, *, is_public: bool = False, id: str | None = None
) -> ShownJob:
    """Start a job."""
    return shown_job(call, call.jobs.submit(work, call.person, title, key, is_public=is_public, id=id))


async def job_of(call: Call) -> Job:
    """The job that a path names; ApiError 404 unless the caller may look at it."""
    job = await call.in_thread(call.jobs.find, call.path["job"])
    if job is None or not (job.is_public or job.owner == call.person.id or LECTURER in call.person.roles):
        raise missing("job")
    return job


@router.operation("GET", JOB)
async def get_job(call: Call) -> ShownJob:
    """A job's progress, and its result."""
    return shown_job(call, await job_of(call))


@router.operation("DELETE", JOB)
async def cancel_job(call: Call) -> None:
    """Cancel a job."""
    job = await job_of(call)
    if job.owner != call.person.id and LECTURER not in call.person.roles:
        raise ApiError(403, "Only its owner and lecturers can cancel this.")
    call.jobs.stop(job)


@router.operation("GET", f"{JOB}/file", media="application/zip")
async def get_archive(call: Call) -> FileResponse:
    """Download the archive that a job wrote."""
    status = await status_with_files(call)
    if not status.file:
        raise missing("file")
    path = Path(status.file)
    return FileResponse(path, filename=path.name, media_type="application/zip")


@router.operation("GET", f"{JOB}/files/{{table}}", media=BYTES)
async def get_file(call: Call) -> FileResponse:
    """Download one file that a job wrote."""
    status, name = await status_with_files(call), call.path["table"]
    if name not in status.tables:
        raise missing("file")
    return FileResponse(Path(status.file).parent / MARKS / name, filename=name, media_type=BYTES)


async def status_with_files(call: Call) -> JobStatus:
    """The status of a job; while files are marked again, the status of the last completed run."""
    job, jobs = await job_of(call), call.jobs
    if job.status.file or jobs.stored_marking(job.id) is None:
        return job.status
    return await call.in_thread(jobs.last_status, job.id)


# ---------------------------------------------------------------- games


@router.operation("POST", "/api/played/{id}/review", status=202, rate="upload")
async def start_review(call: Call) -> ShownJob:
    """Judge every decision of a finished game."""
    game = await finished_game_of(call)
    if not isinstance(await call.in_thread(parse, game.record), Record):
        raise missing("finished game")
    title, key = f"Review of {title_of(game.game)}", f"review {game.id}"
    return start_job(call, ReviewWork(game.record), title, key, is_public=True)


@router.operation("POST", f"{TOURNAMENT}/matches/{{match}}/calls", status=202, rate="upload")
async def replay_players(call: Call) -> ShownJob:
    """Replay your files in a match: each call, with what it returned and printed."""
    name, match = call.path["name"], number_in_path(call.path["match"])
    season = call.season
    await check_sandbox(call)

    def readable_seats() -> tuple[int, ...]:
        season.tournament(name)
        store = season.arena().store
        result = next((result for result in store.results(name) if result.match == match), None)
        if result is None:
            raise missing("match")
        versions = [store.submission(seat.submission) for seat in result.seats]
        return tuple(seat for seat, version in enumerate(versions) if version.is_file and may_read(call, version))

    seats = await call.in_thread(readable_seats)
    if not seats:
        raise ApiError(403, OUTPUT_REFUSAL)
    work = ReplayPlayersWork(season.where, name, match, seats)
    title, key = f"Replay of player files in {name}/{match}", f"replay {name}/{match} {seats} {call.person.id}"
    return start_job(call, work, title, key)


# ---------------------------------------------------------------- the season


@router.operation(
    "POST",
    f"{TOURNAMENT}/custom",
    json_body=CustomGamesRequest,
    status=202,
    role="student",
    rate="upload",
    refuses=(409,),
)
async def start_custom_games(call: Call) -> StartedCustomGames:
    """Play unrated games between chosen players."""
    name, request = call.path["name"], call.body
    if not 1 <= len(request.players) <= MAX_CUSTOM_PLAYERS:
        raise NotationError(f"Choose from 1 to {MAX_CUSTOM_PLAYERS} players.")
    for player in request.players:
        if is_player_path(player):
            raise NotationError(f"{player!r} is not a player of {name}: name players by their names, not files.")
    await check_sandbox(call)
    season = call.season

    def begin() -> str:
        season.tournament(name)
        return season.arena().begin_custom(name, request.players, deals=request.deals).name

    with call.jobs.admission(call.person):
        custom_name = await call.in_thread(begin)
    work = RunWork(season.where, custom_name)
    return StartedCustomGames(custom_name, start_job(call, work, f"The games of {custom_name}", f"run {custom_name}"))


@router.operation("POST", f"{TOURNAMENT}/rounds", json_body=RoundsRequest, status=202, role="lecturer", refuses=(409,))
async def start_rounds(call: Call) -> ShownJob:
    """Play rounds (lecturers)."""
    name = await playable_tournament(call)
    work = RunWork(call.season.where, name, call.body.rounds)
    return start_job(call, work, f"Rounds of {name}", f"run {name}")


@router.operation("POST", f"{TOURNAMENT}/final", json_body=FinalRequest, status=202, role="lecturer", refuses=(409,))
async def start_final(call: Call) -> ShownJob:
    """Play the final, then close the tournament (lecturers)."""
    name = await playable_tournament(call)
    tournament = await call.in_thread(call.season.tournament, name)
    phase = tournament.phase_at(call.season.arena().store.now())
    if phase not in ("frozen", "final"):
        why = "is finished" if phase == "closed" else "still takes submissions; close them first"
        raise ApiError(409, f"{name} {why}.")
    work = RunWork(call.season.where, name, call.body.rounds, call.body.interval, final=True)
    return start_job(call, work, f"The final of {name}", f"run {name}")


async def playable_tournament(call: Call) -> str:
    """The name of the path's tournament.

    Raises ApiError if there is none, or if this machine has no sandbox for player files.
    """
    await check_sandbox(call)
    await call.in_thread(call.season.tournament, call.path["name"])
    return call.path["name"]


@router.operation("POST", f"{TOURNAMENT}/proof", json_body=VerifyRequest, status=202, role="lecturer", refuses=(409,))
async def start_verification(call: Call) -> ShownJob:
    """Verify a tournament: derive it again from its records, files, seeds and log (lecturers)."""
    name = call.path["name"]
    await call.in_thread(call.season.tournament, name)
    if call.body.replay:
        await check_sandbox(call)
    work = VerifyWork(call.season.where, name, call.body.replay)
    return start_job(call, work, f"Verification of {name}", f"verify {name} {call.body.replay}")


@router.operation("POST", f"{TOURNAMENT}/feedback", status=202, role="lecturer")
async def start_feedback(call: Call) -> ShownJob:
    """Write an archive with a page of text about each player, for its owner (lecturers)."""
    name = call.path["name"]
    await call.in_thread(call.season.tournament, name)
    work = FeedbackWork(call.season.where, name)
    return start_job(call, work, f"Feedback in {name}", f"feedback {name} {call.person.id}")


@router.operation(
    "POST",
    f"{TOURNAMENT}/class",
    form=(FormField("files", files=True), FormField("overrides", files=True, optional=True)),
    status=202,
    role="lecturer",
    rate="upload",
    refuses=(409,),
)
async def enter_class(call: Call) -> ShownJob:
    """Enter a whole class; a table can say which of a student's files plays (lecturers)."""
    name, jobs = await playable_tournament(call), call.jobs
    check_fields(call, ("files", "overrides"))
    if not (chosen := uploads_of(call, "files")):
        raise NotationError("No file found: choose the class's export or a ZIP archive.")
    with jobs.admission(call.person):
        folder = jobs.job_folder(f"class-{secrets.token_hex(8)}")
        try:
            files = folder / await save_uploads(folder / "uploads", "files", chosen)
            overrides = await save_one(call, folder / "uploads", "overrides")
        except BaseException:
            shutil.rmtree(folder)
            raise
    table = str(folder / overrides) if overrides else ""
    work = ClassWork(call.season.where, name, str(files), table)
    return start_job(call, work, f"The class in {name}", f"class {name}")
