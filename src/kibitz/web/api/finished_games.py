"""Finished games: lists, replays, downloads, verification and uploads."""

from __future__ import annotations

import secrets
import time
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace
from sqlalchemy import Connection
from starlette.datastructures import UploadFile
from starlette.responses import Response

from kibitz.engine.record import Record, parse, text
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted, printable
from kibitz.errors import KibitzError, NotationError, RecordError, SeatError
from kibitz.table.table import notes_by_step
from kibitz.web.api.operation import PLAIN, Call, FormField, Router, attachment
from kibitz.web.live_tables.table_task import NOT_WATCHABLE
from kibitz.web.problems import ApiError, missing
from kibitz.web.replay import OPEN_HANDS, ShownFinishedGame, Step, phh_of, replay_of, shown_finished_game
from kibitz.web.store import tables
from kibitz.web.store.tables import FinishedGame, GameNote

router = Router()
PATH = "/api/played/{id}"

MAX_GAMES, MAX_FAVOURITES, MAX_STEPS = 200, 100, 100
RECORD = "record"
"""The kind of all seats in a game that was uploaded as a record."""
MAX_RECORD_BYTES = 2 << 20
"""The maximum size of an uploaded file: about 60 000 moves. A replay takes ten times as much memory."""


class StepsQuery(msgspec.Struct, frozen=True):
    """The view (``open`` for all hands, ``spectator`` or a seat's number), the first step, and the number of steps."""

    view: Annotated[str, Meta(pattern="^(open|spectator|1?[0-9])$")] = "open"
    first: Annotated[int, Meta(ge=0, le=1 << 31)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=MAX_STEPS)] = 50


class ShownSteps(msgspec.Struct, frozen=True):
    """Some steps of a game, in order."""

    first: int = msgspec.field(name="from")
    steps: tuple[Step, ...] = ()


class ListedGame(msgspec.Struct, frozen=True):
    """A finished game in a list."""

    game_id: str
    path: str
    game: str
    title: str
    names: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    steps: int
    rated: bool
    at: float
    favourite: bool


class ListedGames(msgspec.Struct, frozen=True):
    """Finished games: favourites first, each part with the latest first."""

    games: tuple[ListedGame, ...]


class RecordVerification(msgspec.Struct, frozen=True):
    """Whether replaying a record gives its result, and a sentence on it."""

    true: bool
    sentence: str


class UploadedGames(msgspec.Struct, frozen=True):
    """The result of an upload: the ids of the games, a sentence on each record that was refused, and a summary."""

    games: tuple[str, ...]
    refused: tuple[str, ...]
    sentence: str


async def finished_game_of(call: Call) -> FinishedGame:
    """The finished game that a path names, from a table or the arena. Raises SeatError if the caller may not see it."""
    id = call.path["id"]
    game = await call.read(tables.game_of, id)
    game = game or await call.app_state.arena_match(id)
    if game is None:
        raise missing("game")
    table = await call.read(tables.table_of, id)
    if table is not None and not table.shows(call.person.id):
        raise SeatError(NOT_WATCHABLE)
    return game


@router.operation("GET", "/api/played")
async def list_games(call: Call) -> ListedGames:
    """Your finished games: favourites first, then the newest."""
    games = await call.read(tables.games_for, call.person.id, MAX_GAMES)
    return ListedGames(tuple(listed_game(game, favourite, call.app_state.base) for game, favourite in games))


def listed_game(game: FinishedGame, favourite: bool, base: str) -> ListedGame:
    """A finished game for a list."""
    return ListedGame(
        game_id=game.id,
        path=f"{base}/games/{game.id}",
        game=game.game,
        title=title_of(game.game),
        names=game.names,
        scores=game.scores,
        winners=game.winners,
        steps=game.steps,
        rated=game.rated,
        at=game.at,
        favourite=favourite,
    )


def title_of(game: str) -> str:
    """The title of a game; its name if it is no longer installed."""
    try:
        return find_game(game).title
    except KibitzError:
        return game


@router.operation("GET", PATH)
async def get_game(call: Call) -> ShownFinishedGame:
    """A finished game, without its steps."""
    stored = await finished_game_of(call)
    game = await call.in_thread(shown_finished_game, stored)
    person = call.person.id
    favourite = await call.read(tables.is_favourite, person, stored.id)
    return replace(game, favourite=favourite)


@router.operation("PUT", f"{PATH}/favourite", refuses=(409,))
async def add_favourite(call: Call) -> None:
    """Add a game played at a table here to your favourites."""
    game, person = await finished_game_of(call), call.person.id

    def add(connection: Connection) -> None:
        is_favourite = tables.is_favourite(connection, person, game.id)
        if is_favourite is None:
            raise ApiError(409, "Matches of the arena can't be favourites, only games of this server's tables.")
        if not is_favourite and tables.count_favourites(connection, person) >= MAX_FAVOURITES:
            raise ApiError(409, f"You already have {MAX_FAVOURITES} favourites: remove one first.")
        if not is_favourite:
            tables.add_favourite(connection, person, game.id)

    await call.write(add)


@router.operation("DELETE", f"{PATH}/favourite")
async def drop_favourite(call: Call) -> None:
    """Remove a game from your favourites."""
    id, person = call.path["id"], call.person.id
    await call.write(tables.drop_favourite, person, id)


@router.operation("GET", f"{PATH}/steps", query=StepsQuery)
async def get_steps(call: Call) -> ShownSteps:
    """Some steps of a finished game."""
    game, query = await finished_game_of(call), call.query
    replay = await call.in_thread(replay_of, game.record)
    viewer = {"open": OPEN_HANDS, "spectator": -1}.get(query.view)
    if viewer is None:
        viewer = int(query.view)
    if viewer >= replay.game.seats:
        raise NotationError(f"The game has the seats 0 to {replay.game.seats - 1}, not {viewer}.")
    shown_steps = await call.in_thread(lambda: tuple(replay.steps(viewer, query.first, query.count)))
    return ShownSteps(query.first, shown_steps)


@router.operation("GET", f"{PATH}/record.game", media=PLAIN)
async def get_record(call: Call) -> Response:
    """The record of a finished game."""
    game = await finished_game_of(call)
    return attachment(game.record, f"{game.game.partition(':')[0]}-{game.id}.game")


@router.operation("GET", f"{PATH}/record.phh", media=PLAIN)
async def get_phh(call: Call) -> Response:
    """The record of a finished game as PHH."""
    game = await finished_game_of(call)
    content = await call.in_thread(lambda: phh_of(parse(game.record)))
    if content is None:
        raise missing("PHH file: only single hands of no-limit and fixed-limit hold'em have one")
    return attachment(content, f"{game.id}.phh")


@router.operation("POST", f"{PATH}/verify")
async def verify_record(call: Call) -> RecordVerification:
    """Verify the record of a finished game."""
    game = await finished_game_of(call)
    try:
        record = await call.in_thread(parse, game.record)
    except KibitzError as error:
        return RecordVerification(False, str(error))
    moves = len(record.actions)
    moves_sentence = f"All {moves} moves are legal and give this result"
    if RECORD in game.kinds:
        return RecordVerification(True, f"{moves_sentence}. The game was uploaded, so the seed may have been chosen.")
    return RecordVerification(True, f"{moves_sentence}, and the seed is the one whose SHA-256 was shown at the deal.")


@router.operation("POST", "/api/played", form=(FormField("record", files=True),), status=201, rate="upload")
async def upload_records(call: Call) -> UploadedGames:
    """Upload records, or hands in PHH, to replay them."""
    game_ids: list[str] = []
    refused: list[str] = []
    fields = call.body.getlist("record")
    uploads = [upload for upload in fields if isinstance(upload, UploadFile)]
    if len(uploads) < len(fields):
        raise NotationError("The field 'record' should hold files: records (.game) or hands in PHH (.phh).")
    for upload in uploads:
        name, content = (upload.filename or "record")[:80], await upload.read()
        records, errors = await call.in_thread(records_in, name, content)
        refused += map(printable, errors)
        for record in records:
            game = uploaded_game(record)
            await call.write(tables.add_game, game, call.person.id)
            game_ids.append(game.id)
    if not game_ids and not refused:
        raise NotationError("No file found: choose a record (.game) or hands in PHH (.phh).")
    failures = f"; {len(refused)} couldn't be read" if refused else ""
    return UploadedGames(
        tuple(game_ids), tuple(refused), f"{counted(len(game_ids), 'game')} can be replayed now{failures}."
    )


def records_in(name: str, content: bytes) -> tuple[list[Record], list[str]]:
    """The records in a file, and a sentence on each record that cannot be read."""
    if len(content) > MAX_RECORD_BYTES:
        return [], [f"{name}: this is larger than {MAX_RECORD_BYTES >> 20} MiB: upload it in parts."]
    try:
        decoded = content.decode()
    except UnicodeDecodeError:
        return [], [f"{name}: this is not a record: it is not UTF-8 text."]
    try:
        if not name.lower().endswith((".phh", ".phhs")):
            return [parse(decoded)], []
        return phh_records(name, decoded)
    except KibitzError as error:
        return [], [f"{name}: {error}"]


def phh_records(name: str, text: str) -> tuple[list[Record], list[str]]:
    """The hands of a PHH text as records, with notes on unknown cards, and a sentence on each invalid hand."""
    from kibitz.games.poker.phh import hands_of, record_of_fields

    records, errors = [], []
    for hand, fields in hands_of(text).items():
        try:
            records.append(record_of_fields(fields)[0])
        except RecordError as error:
            errors.append(f"{name}, {hand[:40]}: {error}")
    return records, errors


def uploaded_game(record: Record) -> FinishedGame:
    """An uploaded record as a finished game."""
    return FinishedGame(
        id=secrets.token_hex(8),
        game=record.game,
        names=record.seats,
        kinds=(RECORD,) * len(record.seats),
        scores=record.outcome.scores,
        winners=record.outcome.winners,
        steps=len(record.actions),
        rated=False,
        notes=tuple(GameNote(step, -1, "record", note) for step, note in notes_by_step(record.notes)),
        at=time.time(),
        record=text(record),
    )
