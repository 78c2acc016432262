"""The players of a tournament: submissions, checks, versions, matches, ratings and failures."""

from __future__ import annotations

import msgspec
from starlette.datastructures import UploadFile
from starlette.responses import Response

from kibitz.arena.csv_files import Cell, as_text
from kibitz.arena.model import Failure, MatchResult, Submission
from kibitz.arena.player_reports import DEFAULT_FAILURES, report
from kibitz.errors import NotationError
from kibitz.players.files.notebooks import is_notebook
from kibitz.players.files.sources import LARGEST_PLAYER
from kibitz.players.findings import Finding
from kibitz.web.api.games import catalogue
from kibitz.web.api.operation import CSV, PLAIN, Call, FormField, Router, attachment
from kibitz.web.api.uploads import check_sandbox, text_of
from kibitz.web.jobs import SubmissionCheck
from kibitz.web.problems import ApiError, missing
from kibitz.web.season import INVITED_ONLY, CurvePoint, ServerSeason, is_invited, may_submit
from kibitz.web.store.people import LECTURER

router = Router()
TOURNAMENT = "/api/arena/{name}"
PLAYER = f"{TOURNAMENT}/players/{{player}}"

MAX_GAMES = 200
OUTPUT_REFUSAL = "Only a player's owner and lecturers may see what it printed: sign in first."


class ShownVersion(msgspec.Struct, frozen=True):
    """One version of a player; ``out`` is the reason why it is excluded, or ""."""

    version: int
    state: str
    reason: str
    file: str
    at: float
    rating: float | None
    margin: float | None
    games: int
    out: str


class ShownFailure(msgspec.Struct, frozen=True):
    """A failure of a player, by which it forfeited a match."""

    match: int
    path: str
    version: int
    seat: int
    kind: str
    rule: str
    moves: int


class ShownMatch(msgspec.Struct, frozen=True):
    """A rated match; ``place`` is the player's place in it, and ``forfeit`` the kind of its failure, or ""."""

    match: int
    path: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    place: int
    forfeit: str


class ShownPlayer(msgspec.Struct, frozen=True):
    """A player's page; ``mine`` says whether the caller may read what the player printed."""

    player: str
    tournament: str
    game: str
    mine: bool
    versions: tuple[ShownVersion, ...]
    failures: tuple[ShownFailure, ...]
    games: tuple[ShownMatch, ...]
    rating: tuple[CurvePoint, ...]


@router.operation("GET", PLAYER)
def get_player(call: Call) -> ShownPlayer:
    """A player's versions, ratings and results."""
    season, tournament, name = call.season, call.path["name"], call.path["player"]
    game, arena = season.tournament(tournament).game, season.arena()
    versions = arena.history(name, tournament)
    ranked = season.ranked_tournament(tournament)
    results = [result for result in ranked.results if any(seat.player == name for seat in result.seats)]
    return ShownPlayer(
        player=name,
        tournament=tournament,
        game=game,
        mine=may_read(call, *(version.submission for version in versions)),
        versions=tuple(
            ShownVersion(
                version=version.submission.version,
                state=version.submission.state,
                reason=version.submission.reason,
                file=version.submission.file,
                at=version.submission.submitted_at,
                rating=version.rating.points if version.rating else None,
                margin=version.rating.margin if version.rating else None,
                games=version.rating.games if version.rating else 0,
                out=version.disqualification.reason if version.disqualification else "",
            )
            for version in reversed(versions)
        ),
        failures=tuple(shown_failure(call, failure) for failure in arena.failures(name, tournament, newest=MAX_GAMES)),
        games=tuple(shown_match(call, result, name) for result in reversed(results[-MAX_GAMES:])),
        rating=season.curve(tournament, name),
    )


def match_path(call: Call, tournament: str, match: int) -> str:
    """The path of a match's page."""
    return f"{call.app_state.base}/games/{tournament}.{match}"


def shown_failure(call: Call, failure: Failure) -> ShownFailure:
    """A failure as everybody sees it."""
    path = match_path(call, failure.tournament, failure.match) + f"#{failure.moves}"
    return ShownFailure(failure.match, path, failure.version, failure.seat, failure.kind, failure.rule, failure.moves)


def shown_match(call: Call, result: MatchResult, player: str) -> ShownMatch:
    """A match on a player's page."""
    own_seat = next(seat for seat in result.seats if seat.player == player)
    return ShownMatch(
        match=result.match,
        path=match_path(call, result.tournament, result.match),
        players=tuple(seat.player for seat in result.seats),
        scores=tuple(seat.score for seat in result.seats),
        place=own_seat.place,
        forfeit=own_seat.rule or "",
    )


@router.operation("GET", f"{PLAYER}/rating.csv", media=CSV)
def rating_csv(call: Call) -> Response:
    """A player's rating over time."""
    curve = call.season.curve(call.path["name"], call.path["player"])
    rows: list[tuple[Cell, ...]] = [
        ("round", "rating", "margin"),
        *((p.round, p.rating, p.margin or "") for p in curve),
    ]
    return Response(as_text(rows), media_type=CSV)


@router.operation("GET", f"{PLAYER}/feedback.txt", media=PLAIN)
def get_feedback(call: Call) -> Response:
    """A page of text about a player, for its owner and lecturers."""
    arena, player, name = call.season.arena(), call.path["player"], call.season.tournament(call.path["name"]).name
    if not may_read(call, *(version.submission for version in arena.history(player, name))):
        raise ApiError(403, OUTPUT_REFUSAL)
    return attachment(report(arena, player, name, DEFAULT_FAILURES), f"{player}.txt")


@router.operation("GET", f"{TOURNAMENT}/failures/{{match}}/{{seat}}")
def get_failure(call: Call) -> ShownFinding:
    """Why a player failed in a match: for its owner and lecturers."""
    match, seat = number_in_path(call.path["match"]), number_in_path(call.path["seat"])
    arena, tournament = call.season.arena(), call.season.tournament(call.path["name"])
    for failure in arena.store.failures(tournament.name):
        if (failure.match, failure.seat) == (match, seat):
            if not may_read(call, arena.store.submission(failure.submission)):
                raise ApiError(403, OUTPUT_REFUSAL)
            return shown_finding(arena.failure_report(failure))
    raise missing("failure")


def number_in_path(text: str) -> int:
    """A number from a path; ApiError 404 if the text isn't a number."""
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise missing("match")
    return int(text)


# ---------------------------------------------------------------- findings


class ShownFinding(msgspec.Struct, frozen=True):
    """A finding about a player file.

    title       its subject
    sentence    what is wrong
    reproduce   the command that repeats the game
    alone       the command that repeats the call by itself
    """

    ok: bool
    warning: bool
    title: str
    sentence: str
    kind: str
    position: str
    detail: str
    reproduce: str
    alone: str


def shown_finding(finding: Finding) -> ShownFinding:
    """A finding as it is shown."""
    return ShownFinding(
        ok=finding.ok,
        warning=finding.warning,
        title=finding.what,
        sentence=finding.sentence,
        kind=finding.kind,
        position=finding.position,
        detail=finding.detail,
        reproduce=finding.reproduce,
        alone=finding.alone,
    )


def may_read(call: Call, *versions: Submission) -> bool:
    """Whether the caller may read what these versions of a player printed.

    Lecturers may, and the person who submitted all of them or was invited as their owner.
    """
    person = call.person
    return LECTURER in person.roles or all(
        version.account == person.id or is_invited(person, version.owner) for version in versions
    )


# ---------------------------------------------------------------- submitting


class ShownCheck(msgspec.Struct, frozen=True):
    """A submission in progress."""

    submission: str
    path: str
    tournament: str
    player: str
    state: str
    done: int
    of: int
    sentence: str
    findings: tuple[ShownFinding, ...]


@router.operation(
    "POST",
    f"{TOURNAMENT}/submissions",
    form=(FormField("player"), FormField("files", files=True)),
    status=202,
    role="student",
    rate="upload",
    refuses=(409,),
)
async def submit_player(call: Call) -> ShownCheck:
    """Submit a player: .py files, a notebook or a ZIP archive."""
    await check_sandbox(call)
    player = text_of(call, "player")
    if not player:
        raise NotationError("The field 'player' should hold the player's name.")
    tournament = call.path["name"]
    if not await call.in_thread(takes_submissions, call.season, tournament):
        raise missing("tournament")
    if not await call.season.in_thread(lambda arena: may_submit(arena, call.person)):
        raise ApiError(403, INVITED_ONLY)
    files = []
    for upload in call.body.getlist("files"):
        if not isinstance(upload, UploadFile):
            raise NotationError("The field 'files' should hold files: .py files, a notebook or a ZIP archive.")
        files.append(((upload.filename or "player.py")[-200:], await upload.read()))
    contents = [content for name, content in files if not is_notebook(name)]
    if sum(map(len, contents)) > 2 * LARGEST_PLAYER:  # an archive may be somewhat larger than the files that count
        raise NotationError(f"A player's files may be at most {LARGEST_PLAYER >> 20} MiB in total.")
    if not files:
        raise NotationError("No file found: choose .py files, a notebook or a ZIP archive.")
    return shown_check(call, call.app_state.submission_checks.submit(tournament, player, call.person, files))


def takes_submissions(season: ServerSeason, name: str) -> bool:
    """Whether this names a tournament, or a game without options, whose tournament begins with the first submission."""
    return any(tournament.name == name for tournament in season.arena().tournaments()) or any(
        game.name == name for family in catalogue().families for game in family.games
    )


@router.operation("GET", "/api/submissions/{submission}")
async def get_check(call: Call) -> ShownCheck:
    """A submission's progress."""
    submission = call.app_state.submission_checks.by_id.get(call.path["submission"])
    if submission is None or not (submission.owner == call.person.id or LECTURER in call.person.roles):
        raise missing("submission")
    return shown_check(call, submission)


SUBMISSION_STATES = {"waiting": "waiting", "running": "checking", "done": "accepted", "failed": "refused"}
"""By state of a job, the state of a submission."""


def shown_check(call: Call, check: SubmissionCheck) -> ShownCheck:
    """A submission in progress, as its owner sees it."""
    status = check.status
    if check.state == "waiting":
        before = call.app_state.submission_checks.before(check)
        progress = f"Waiting for its check: {before} before it." if before else "Waiting for its check."
    else:
        progress = f"Checking it: {status.done} of {status.of} games played." if status.of else "Checking it."
    return ShownCheck(
        submission=check.id,
        path=f"/api/submissions/{check.id}",
        tournament=check.tournament,
        player=check.player,
        state=SUBMISSION_STATES[check.state],
        done=status.done,
        of=status.of,
        sentence=status.sentence or progress,
        findings=tuple(map(shown_finding, status.findings)),
    )
