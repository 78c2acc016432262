"""Players that are handed in: files taken, tried in their turn, and what has come of it so far."""

from __future__ import annotations

import msgspec
from starlette.datastructures import UploadFile

from kibitz.errors import NotationError
from kibitz.players.processes import STRANGERS, unconfined
from kibitz.players.sources import LARGEST_PLAYER
from kibitz.web.api.catalogue import catalogue
from kibitz.web.api.findings import ShownFinding, shown_finding
from kibitz.web.api.operation import Call, Operation
from kibitz.web.problems import Problem, missing
from kibitz.web.season import INVITED_ONLY, Season, may_submit
from kibitz.web.store.people import LECTURER
from kibitz.web.submission_trials import SubmissionTrial


class ShownTrial(msgspec.Struct, frozen=True):
    """A submission on its way."""

    submission: str
    path: str
    tournament: str
    player: str
    state: str
    done: int
    of: int
    sentence: str
    findings: tuple[ShownFinding, ...]


async def submit(call: Call) -> ShownTrial:
    """Take a player's files, to be tried."""
    if await call.app_state.reading.done(unconfined):
        raise Problem(503, STRANGERS)
    name, called = call.path["name"], str(call.body.get("player") or "").strip()
    if not called:
        raise NotationError("The field 'player' should say what the player is called.")
    try:
        tournament = await call.app_state.reading.done(known_tournament, call.app_state.season, name)
    except NotationError as error:
        raise missing("tournament") from error
    if not await call.app_state.season.ask(lambda arena: may_submit(arena, call.person)):
        raise Problem(403, INVITED_ONLY)
    files = []
    for upload in call.body.getlist("files"):
        if not isinstance(upload, UploadFile):
            raise NotationError("The field 'files' should hold files: one or more .py files, or a ZIP archive.")
        files.append(((upload.filename or "player.py")[-200:], await upload.read()))
    if sum(len(content) for _, content in files) > 2 * LARGEST_PLAYER:  # an archive may have a little more
        raise NotationError(f"A player has {LARGEST_PLAYER >> 20} MiB at most, all its files together.")
    if not files:
        raise NotationError("There is no file in it: choose one or more .py files, or a ZIP archive.")
    return shown_trial(call, call.app_state.trials.take(tournament, called, call.person, files))


def known_tournament(season: Season, name: str) -> str:
    """The name of a tournament, or of a game whose tournament begins with its first submission."""
    if any(one.name == name for one in season.arena().tournaments()):
        return name
    if not any(game.name == name for family in catalogue().families for game in family.games):
        raise NotationError(f"{name!r} is no tournament and no game of the list: lecturers begin those with options.")
    return name


async def trial(call: Call) -> ShownTrial:
    """How far a submission is."""
    found = call.app_state.trials.known.get(call.path["submission"])
    if found is None or not (found.owner == call.person.id or LECTURER in call.person.roles):
        raise missing("submission")
    return shown_trial(call, found)


def shown_trial(call: Call, trial: SubmissionTrial) -> ShownTrial:
    """A submission on its way, as its owner sees it."""
    news = trial.news
    waits = "It waits for its turn." if trial.state == "waiting" else "It is being tried."
    return ShownTrial(
        submission=trial.id,
        path=f"/api/submissions/{trial.id}",
        tournament=trial.tournament,
        player=trial.player,
        state=trial.state,
        done=news.done,
        of=news.of,
        sentence=news.sentence or waits,
        findings=tuple(map(shown_finding, news.findings)),
    )


ONE = "/api/arena/{name}"
OPERATIONS = (
    Operation(
        "POST",
        f"{ONE}/submissions",
        submit,
        "Hand in a player: .py files, or a ZIP archive.",
        ShownTrial,
        files=("player", "files"),
        status=202,
        role="student",
        rate="upload",
        refuses=(404, 409),
    ),
    Operation("GET", "/api/submissions/{submission}", trial, "How far a submission is.", ShownTrial, refuses=(404,)),
)
