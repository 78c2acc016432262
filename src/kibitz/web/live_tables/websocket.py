"""Tables over WebSocket: requests come in, messages go out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.errors import KibitzError, SeatError
from kibitz.remote.messages import Refused, read_request
from kibitz.web.api.operation import address
from kibitz.web.live_tables.connection import Connection
from kibitz.web.live_tables.lobby import join_table
from kibitz.web.live_tables.requests import ask
from kibitz.web.live_tables.table_task import TableTask
from kibitz.web.problems import NESTED, ApiError, error_response

if TYPE_CHECKING:
    from kibitz.web.app_state import AppState

CONNECT_AGAIN, NOT_SIGNED_IN, NOT_ALLOWED, NO_TABLE, TOO_MUCH, TOO_LARGE = 4000, 4001, 4003, 4004, 4008, 1009
"""The codes with which connections are closed; CONNECT_AGAIN if the server stops, or the client is too slow."""
MAX_MESSAGE = 16 << 10
"""The maximum length of a message from a client."""
MAX_BAD_MESSAGES = 20
"""The number of unreadable messages that are answered; the next one ends the connection."""


class CloseConnection(Exception):
    """Raised to close the connection, with a code and a sentence."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


async def live(app_state: AppState, websocket: WebSocket) -> None:
    """Handle one connection, from its first to its last message."""
    await websocket.accept()
    try:
        with app_state.connection_limit.connection(address(websocket)):
            await serve(app_state, websocket)
    except CloseConnection as closed:
        await close(websocket, closed)
    except ApiError as error:
        await close(websocket, CloseConnection(TOO_MUCH, str(error)))
    except KibitzError as error:
        await close(websocket, CloseConnection(CONNECT_AGAIN, str(error)))


async def serve(app_state: AppState, websocket: WebSocket) -> None:
    """Admit a connection and serve it until its end. Raises CloseConnection or KibitzError if it must be closed."""
    table_task, connection = await admit(app_state, websocket)
    await join_table(app_state.lobby, table_task, connection)
    send_task = asyncio.create_task(send(websocket, connection))
    try:
        await receive(app_state, websocket, table_task, connection)
    except WebSocketDisconnect:
        pass
    finally:
        table_task.post(lambda: table_task.disconnect(connection))
        send_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await send_task


async def admit(app_state: AppState, websocket: WebSocket) -> tuple[TableTask, Connection]:
    """Check a new connection; returns its table's task and the Connection. Raises CloseConnection if it is refused."""
    if not is_from_own_page(websocket):
        raise CloseConnection(NOT_ALLOWED, "Only this server's own pages may connect.")
    try:
        identity = await app_state.identify(websocket)
        if identity.new_cookie:  # a new guest, whose cookie a WebSocket can't set
            raise CloseConnection(NOT_SIGNED_IN, "Load the page first, which signs you in as a guest.")
        if not app_state.rates.admits("request", address(websocket)):
            raise CloseConnection(TOO_MUCH, "Too many connections. Try again in a moment.")
        table_task = await app_state.lobby.find(websocket.path_params["table"])
        if table_task is None:
            raise CloseConnection(NO_TABLE, "No such table.")
        seat = app_state.lobby.seat_of(table_task, identity.person)
    except ApiError as error:
        raise CloseConnection(NOT_SIGNED_IN, str(error)) from error
    except SeatError as error:
        raise CloseConnection(NOT_ALLOWED, str(error)) from error
    except KibitzError as error:
        raise CloseConnection(NO_TABLE, str(error)) from error
    query = websocket.query_params
    epoch, since = query_number(query.get("epoch", ""), -1), query_number(query.get("since", ""), 0)
    views, exact = (query.get(name) in ("1", "true") for name in ("views", "exact"))
    return table_task, Connection(
        identity.person,
        seat,
        epoch,
        since,
        wants_view=views,
        wants_exact=exact,
        key=identity.key,
        ends_at=identity.ends_at,
    )


def query_number(text: str, default: int) -> int:
    """The number in a field of a query; the default if the text isn't a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


def is_from_own_page(websocket: WebSocket) -> bool:
    """Whether a connection comes from a page of this server, or from a program, which sends no origin."""
    origin = websocket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == websocket.headers.get("host")


async def send(websocket: WebSocket, connection: Connection) -> None:
    """Send the messages of the connection; ``receive`` notices a client that has disappeared."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        async for message in connection.messages():
            await websocket.send_text(message.decode())
    await close(websocket, CloseConnection(NOT_SIGNED_IN if connection.expelled else CONNECT_AGAIN, connection.why_cut))


async def receive(app_state: AppState, websocket: WebSocket, table_task: TableTask, connection: Connection) -> None:
    """Read requests, and have them carried out one after the other."""
    bad_messages = 0
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if not app_state.rates.admits("message", connection.person.id):
            raise CloseConnection(TOO_MUCH, "Too many requests. Try again in a moment.")
        data = message.get("text") or message.get("bytes") or b""
        if len(data) > MAX_MESSAGE:
            raise CloseConnection(TOO_LARGE, f"A message has {MAX_MESSAGE} characters at most.")
        try:
            request = read_request(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            bad_messages += 1
            if bad_messages > MAX_BAD_MESSAGES:
                raise CloseConnection(TOO_MUCH, "Too many unreadable messages.") from error
            connection.send(Refused("", sentence_of(error)))
            continue
        await ask(table_task, connection, request)


def sentence_of(error: Exception) -> str:
    """Why a message cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return "The message isn't valid UTF-8."
    if isinstance(error, RecursionError):
        return NESTED
    return error_response(error)[1].error.sentence


async def close(websocket: WebSocket, closed: CloseConnection) -> None:
    """Close a connection with a code and a sentence, unless it is closed already."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close(closed.code, str(closed)[:120])
