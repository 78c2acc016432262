"""What lecturers do with tournaments: they begin them, open and close them for submissions, and keep the roster."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from starlette.datastructures import UploadFile

from kibitz.errors import KibitzError, NotationError
from kibitz.web.api.arena import ShownTournament, shown_tournament
from kibitz.web.api.operation import Call, Operation


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to be begun; with a name it is one more of its game."""

    game: str
    name: str | None = None


async def begin(call: Call) -> ShownTournament:
    """Begin a tournament."""
    asked: NewTournament = call.body
    season = call.house.season
    return await season.ask(lambda arena: shown_tournament(season, arena.begin(asked.game, name=asked.name)))


async def freeze(call: Call) -> ShownTournament:
    """Take no more submissions."""
    return await changed(call, "freeze")


async def thaw(call: Call) -> ShownTournament:
    """Take submissions again."""
    return await changed(call, "thaw")


async def changed(call: Call, what: str) -> ShownTournament:
    """A tournament after something was done with it."""
    season, name = call.house.season, call.path["name"]

    def act() -> ShownTournament:
        season.tournament(name)
        return shown_tournament(season, getattr(season.arena(), what)(name))

    return await call.house.reading.done(act)


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
                raise NotationError(str(error).replace(str(file), "The roster")) from error
        if found.wrong:
            raise NotationError(" ".join(found.wrong[:5]))
        call.house.season.arena().replace_roster(found.people)

    await call.house.reading.done(read)


ONE = "/api/arena/{name}"
OPERATIONS = (
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
