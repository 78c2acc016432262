"""What lecturers do with tournaments: they begin them, open and close them for submissions, and keep the roster."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

import msgspec
from starlette.datastructures import UploadFile
from starlette.responses import Response

from kibitz.arena.filling import HOUSE
from kibitz.arena.sheets import write_rows
from kibitz.errors import KibitzError, NotationError
from kibitz.web.api.arena import ShownTournament, shown_tournament
from kibitz.web.api.operation import CSV, Call, Operation


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to be begun; with a name it is one more of its game."""

    game: str
    name: str | None = None


async def begin(call: Call) -> ShownTournament:
    """Begin a tournament."""
    asked: NewTournament = call.body
    season = call.app_state.season
    return await season.ask(lambda arena: shown_tournament(season, arena.begin(asked.game, name=asked.name)))


async def freeze(call: Call) -> ShownTournament:
    """Take no more submissions."""
    return await changed(call, "freeze")


async def thaw(call: Call) -> ShownTournament:
    """Take submissions again."""
    return await changed(call, "thaw")


async def changed(call: Call, what: str) -> ShownTournament:
    """A tournament after something was done with it."""
    season, name = call.app_state.season, call.path["name"]

    def act() -> ShownTournament:
        season.tournament(name)
        return shown_tournament(season, getattr(season.arena(), what)(name))

    return await call.app_state.reading.done(act)


async def roster(call: Call) -> None:
    """Put a roster, a CSV file, in place of the one that is there."""
    from kibitz.arena.entry.owners import read_roster

    uploads = [upload for upload in call.body.getlist("roster") if isinstance(upload, UploadFile)]
    if len(uploads) != 1:
        raise NotationError("The field 'roster' should hold one CSV file with a name and an owner in each line.")
    content = await uploads[0].read()

    def read() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "roster.csv"
            file.write_bytes(content)
            try:
                found = read_roster(file)
            except KibitzError as error:
                raise NotationError(in_the_roster(str(error), file)) from error
        if found.wrong:
            raise NotationError(" ".join(in_the_roster(wrong, file) for wrong in found.wrong[:5]))
        call.app_state.season.arena().replace_roster(found.people)

    await call.app_state.reading.done(read)


def in_the_roster(sentence: str, file: Path) -> str:
    """A sentence about a roster as its owner reads it, who knows nothing of the file that it is kept in here.

    >>> in_the_roster("/tmp/x/roster.csv:3: a name is missing.", Path("/tmp/x/roster.csv"))
    'The roster, line 3: a name is missing.'
    """
    place = re.escape(str(file))
    return re.sub(rf"{place}:(\d+):", r"The roster, line \1:", sentence).replace(str(file), "The roster")


async def invitations(call: Call) -> Response:
    """For every owner of players a link, by which its name can be had; to be sent to that person alone."""
    owners = await call.app_state.reading.done(call.app_state.season.owners)
    url, door = call.request.url, call.app_state.door
    place = f"{url.scheme}://{url.netloc}{call.app_state.base}/welcome"
    out = io.StringIO(newline="")
    rows = [(owner, f"{place}/{door.invitation(owner)}") for owner in sorted(owners.values()) if owner != HOUSE]
    write_rows(out, [("owner", "link"), *rows])
    headers = {"Content-Disposition": 'attachment; filename="invitations.csv"'}
    return Response(out.getvalue(), headers=headers, media_type=CSV)


ONE = "/api/arena/{name}"
OPERATIONS = (
    Operation(
        "GET",
        "/api/invitations",
        invitations,
        "A link for every owner of players, by which its name can be had: a CSV file (lecturers).",
        str,
        role="lecturer",
        media=CSV,
    ),
    Operation(
        "POST",
        "/api/arena",
        begin,
        "Begin a tournament (lecturers).",
        ShownTournament,
        takes=NewTournament,
        status=201,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "PUT",
        "/api/roster",
        roster,
        "Say whose players there are, by a CSV file (lecturers).",
        files=("roster",),
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/freeze",
        freeze,
        "Take no more submissions (lecturers).",
        ShownTournament,
        role="lecturer",
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        f"{ONE}/thaw",
        thaw,
        "Take submissions again (lecturers).",
        ShownTournament,
        role="lecturer",
        refuses=(404, 409),
    ),
)
