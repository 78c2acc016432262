"""Tables over HTTP: making a table, sitting down, and, for programs, playing.

A program reads ``/api/tables/{table}/stream``, one message per line, and posts its requests; a WebSocket carries the
same messages in both directions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import StreamingResponse

from kibitz.engine.record import parse
from kibitz.engine.registry import game as find_game
from kibitz.errors import MachineError
from kibitz.remote.messages import (
    AnyMessage,
    AnyRequest,
    Hello,
    Message,
    NewTable,
    PlayerName,
    Refused,
    Request,
    SeatNumber,
    State,
    TableRequest,
)
from kibitz.web.api.finished_games import finished_game_of
from kibitz.web.api.operation import Call, Router, address
from kibitz.web.api.people import check_name
from kibitz.web.live_tables import requests
from kibitz.web.live_tables.connection import Connection
from kibitz.web.live_tables.lobby import free_seats, join_table
from kibitz.web.live_tables.table_task import TableTask
from kibitz.web.problems import ApiError, missing
from kibitz.web.store import tables as table_store
from kibitz.web.store.tables import StoredTable

router = Router()
PATH = "/api/tables/{table}"

MAX_LISTED = 100
KEEP_ALIVE_SECONDS, REQUEST_SECONDS = 15.0, 120.0
"""Seconds after which a stream sends an empty line as a sign of life, and after which a request times out."""
NDJSON = "application/x-ndjson"


class ShownTable(msgspec.Struct, frozen=True):
    """An unfinished table.

    ``mine`` says whether the caller has made it, and ``seat`` is the caller's seat, -1 for none. ``others`` are the
    names at the other seats, ``people`` and ``computers`` those of each kind. ``waiting`` are the seats that are to
    choose (empty if the game isn't loaded), and ``open`` is the number of people who may still sit down without an
    invitation.
    """

    table: str
    path: str
    game: str
    title: str
    names: tuple[str, ...]
    others: tuple[str, ...]
    people: tuple[str, ...]
    computers: tuple[str, ...]
    started: bool
    over: bool
    mine: bool
    seat: int
    waiting: tuple[int, ...]
    open: int


class ShownTables(msgspec.Struct, frozen=True):
    """Unfinished tables: the caller's own, tables that wait for people, and tables that everybody may watch."""

    tables: tuple[ShownTable, ...]


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name, and the code of an invitation; tables that everybody may join need no code."""

    invite: Annotated[str, Meta(max_length=80)] = ""
    name: PlayerName | None = None


class PlayOnRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of actions after which to play on, the caller's seat, and the level of the computer players."""

    step: Annotated[int, Meta(ge=0, le=1 << 31)]
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)]


class SeatAnswer(msgspec.Struct, frozen=True):
    """A seat at a table."""

    seat: int


class StreamQuery(msgspec.Struct, frozen=True):
    """The part of the log that the caller already has: its epoch, and its number of lines.

    Each state includes the seat's view as plain data if ``views``, and with the fields of the game's own struct if
    ``exact``.
    """

    epoch: Annotated[int, Meta(ge=-1, le=1 << 31)] = -1
    since: Annotated[int, Meta(ge=0, le=1 << 31)] = 0
    views: bool = False
    exact: bool = False


class TablePageData(msgspec.Struct, frozen=True):
    """Data sent with a table's page, so that the table is shown before the connection is open.

    refused     why the invitation in the page's address isn't valid; "" if it is valid, or if there is none
    account     whether the caller has an account: hints and undo then keep the game from counting for their rating
    """

    hello: Hello
    state: State
    refused: str
    account: bool


class CreatedTable(NewTable, frozen=True):
    """A new table with the data of its page, so that the start page can show it without another request."""

    page: TablePageData


async def table_task_of(call: Call) -> TableTask:
    """The task of the table that a path names; ApiError 404 if there is none."""
    table_task = await call.app_state.lobby.find(call.path["table"])
    if table_task is None:
        raise missing("table")
    return table_task


@router.operation("POST", "/api/tables", json_body=TableRequest, status=201, rate="table", refuses=(404, 409))
async def create_table(call: Call) -> CreatedTable:
    """Make a table; it begins when every seat is taken."""
    if any(seat.kind == "me" for seat in call.body.seats) or not call.body.seats:
        await check_name(call, call.body.name)
    return created_table(call, await call.app_state.lobby.make(call.body, call.person))


@router.operation("POST", "/api/tables/quick", json_body=TableRequest, status=201, rate="table", refuses=(404, 409))
async def quick_match(call: Call) -> CreatedTable:
    """Join a table where somebody is waiting for the same game, or a new one that everybody may join."""
    await check_name(call, call.body.name)
    return created_table(call, await call.app_state.lobby.quick_match(call.body, call.person))


@router.operation(
    "POST", "/api/played/{id}/table", json_body=PlayOnRequest, status=201, rate="table", refuses=(404, 409)
)
async def play_on(call: Call) -> NewTable:
    """Make a table at which you play on from a position of a finished game; it isn't rated."""
    await check_name(call, None)
    game = await finished_game_of(call)
    record = await call.in_thread(parse, game.record)
    position: PlayOnRequest = call.body
    table_task = await call.app_state.lobby.play_on(record, position.step, position.seat, position.level, call.person)
    return new_table(call, table_task)


def new_table(call: Call, table_task: TableTask) -> NewTable:
    """A table with its path and invitations, for a person who has a seat there."""
    id = table_task.stored.id
    return NewTable(id, f"{call.app_state.base}/tables/{id}", table_task.invitations())


def created_table(call: Call, table_task: TableTask) -> CreatedTable:
    """A table with the data of its page, for a person who has a seat there."""
    table = new_table(call, table_task)
    return CreatedTable(table.table, table.path, table.invitations, page_data(call, table_task))


@router.operation("GET", "/api/tables")
async def list_tables(call: Call) -> ShownTables:
    """Open tables: yours, and those that everybody may watch."""
    person, table_tasks = call.person.id, call.app_state.lobby.table_tasks
    own = await call.read(table_store.tables_for, person, MAX_LISTED)
    own_ids = {stored.id for stored in own}
    waiting = [task.stored for task in call.app_state.lobby.waiting() if task.stored.id not in own_ids]
    others = [task.stored for task in table_tasks.values() if task.stored.id not in own_ids]
    watchable = [stored for stored in others if stored.settings.watching == "listed" and stored.phase == "playing"]
    shown_tables = []
    for stored in (*own, *waiting[:MAX_LISTED], *watchable[:MAX_LISTED]):
        table_task = table_tasks.get(stored.id)
        session = table_task.session if table_task else None
        own_seat = next((p for p, seat in enumerate(stored.seats) if seat.person == person), -1)
        shown_tables.append(
            ShownTable(
                table=stored.id,
                path=f"{call.app_state.base}/tables/{stored.id}",
                game=stored.game,
                title=find_game(stored.game).title,
                names=tuple(seat.name for seat in stored.seats),
                others=tuple(seat.name for p, seat in enumerate(stored.seats) if p != own_seat and seat.kind != "open"),
                people=names_of(stored, "person", except_seat=own_seat),
                computers=names_of(stored, "computer", "file"),
                started=stored.phase != "gathering",
                over=stored.phase == "finished",
                mine=stored.maker == person,
                seat=own_seat,
                waiting=session.table.waiting if session else (),
                open=free_seats(stored),
            )
        )
    return ShownTables(tuple(shown_tables))


def names_of(stored: StoredTable, *kinds: str, except_seat: int = -1) -> tuple[str, ...]:
    """The names at the seats of some kinds, without one seat."""
    return tuple(seat.name for p, seat in enumerate(stored.seats) if seat.kind in kinds and p != except_seat)


@router.operation("GET", PATH)
async def get_table(call: Call) -> Hello:
    """The facts about a table that don't change during its game."""
    return hello_of(call, await table_task_of(call))


def hello_of(call: Call, table_task: TableTask) -> Hello:
    """The facts about a table for the caller."""
    return table_task.hello(Connection(call.person, call.app_state.lobby.seat_of(table_task, call.person)))


async def table_page(call: Call) -> TablePageData:
    """The data that is sent with a table's page."""
    return page_data(call, await table_task_of(call))


def page_data(call: Call, table_task: TableTask) -> TablePageData:
    """The data of a table's page for the caller."""
    hello = hello_of(call, table_task)
    refused = requests.refused_invitation(table_task, call.request.query_params.get("invite", ""))
    return TablePageData(hello, table_task.state(hello.seat), refused, not call.person.guest)


@router.operation("POST", f"{PATH}/seat", json_body=SeatRequest, refuses=(409,))
async def take_seat(call: Call) -> SeatAnswer:
    """Take an open seat."""
    await check_name(call, call.body.name)
    table_task = await table_task_of(call)
    name = call.body.name or call.person.name
    return SeatAnswer(await table_task.call(lambda: requests.sit(table_task, call.person, call.body.invite, name)))


@router.operation("POST", f"{PATH}/fill", refuses=(409,))
async def fill_seats(call: Call) -> None:
    """Give the open seats to computer players."""
    table_task = await table_task_of(call)
    await table_task.call(lambda: requests.fill(table_task, call.person))


class RemoveRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's seat and, during a game, the level of the computer player that plays on; by default the easiest."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] = ""


@router.operation("POST", f"{PATH}/remove", json_body=RemoveRequest, refuses=(409,))
async def remove_person(call: Call) -> None:
    """Remove somebody from a seat; only the table's host may."""
    table_task = await table_task_of(call)
    request: RemoveRequest = call.body
    await table_task.call(lambda: requests.remove(table_task, call.person, request.seat, request.level))


@router.operation("GET", f"{PATH}/stream", returns=AnyMessage, query=StreamQuery, media=NDJSON)
async def stream_messages(call: Call) -> StreamingResponse:
    """The messages for your seat, one per line, without end; empty lines keep the connection alive."""
    limit, client = call.app_state.connection_limit, address(call.request)
    limit.check(client)
    table_task = await table_task_of(call)
    seat = call.app_state.lobby.seat_of(table_task, call.person)
    query, identity = call.query, call.identity
    connection = Connection(
        call.person,
        seat,
        query.epoch,
        query.since,
        wants_view=query.views,
        wants_exact=query.exact,
        key=identity.key,
        ends_at=identity.ends_at,
    )
    await join_table(call.app_state.lobby, table_task, connection)

    async def lines() -> AsyncIterator[bytes]:
        try:
            with limit.connection(client):
                async for message in connection.messages(KEEP_ALIVE_SECONDS):
                    yield message + b"\n"
        finally:
            table_task.post(lambda: table_task.disconnect(connection))

    return StreamingResponse(lines(), media_type=NDJSON, headers={"Cache-Control": "no-store"})


@router.operation("POST", f"{PATH}/requests", returns=AnyMessage, json_body=AnyRequest, refuses=(409,))
async def send_request(call: Call) -> Message:
    """One request of your seat: an action, a hint, a phrase."""
    table_task = await table_task_of(call)
    connection = Connection(call.person, call.app_state.lobby.seat_of(table_task, call.person))
    call.app_state.rates.check("message", call.person.id)
    request: Request = call.body
    try:
        answer = await asyncio.wait_for(requests.ask(table_task, connection, request), REQUEST_SECONDS)  # type: ignore[arg-type]
    except TimeoutError as error:
        raise MachineError("The table is busy: ask again in a moment, with the same id.") from error
    if isinstance(answer, Refused):
        raise ApiError(409, answer.sentence)
    return answer
