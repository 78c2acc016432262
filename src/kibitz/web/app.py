"""The server as an ASGI application: every operation, every page, the tables' WebSockets, and guards around them."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from kibitz.web.api import (
    arena,
    catalogue,
    contestants,
    counting,
    health,
    marks,
    people,
    played,
    seasons,
    submissions,
    tables,
    watching,
    work,
)
from kibitz.web.api.operation import JSON, Operation, problem
from kibitz.web.app_state import AppState, static_folder
from kibitz.web.documentation import docs_routes
from kibitz.web.guards import Guards
from kibitz.web.live import live
from kibitz.web.openapi import document
from kibitz.web.pages import no_page, page_routes
from kibitz.web.problems import Problem

OPERATIONS: tuple[Operation, ...] = (
    *catalogue.OPERATIONS,
    *counting.OPERATIONS,
    *tables.OPERATIONS,
    *played.OPERATIONS,
    *people.OPERATIONS,
    *arena.OPERATIONS,
    *seasons.OPERATIONS,
    *watching.OPERATIONS,
    *contestants.OPERATIONS,
    *submissions.OPERATIONS,
    *work.OPERATIONS,
    *marks.OPERATIONS,
    *health.OPERATIONS,
)
"""Everything that can be asked for over HTTP."""


def application(app_state: AppState) -> ASGIApp:
    """An open server as an ASGI application."""
    inner = Starlette(routes=routes(app_state), exception_handlers=handlers(app_state))
    return Guards(inner, app_state.base, app_state.config.names)


def routes(app_state: AppState) -> list[BaseRoute]:
    """All routes of a server."""
    openapi = msgspec.json.encode(document(OPERATIONS, app_state.base))

    async def described(request: Request) -> Response:
        return Response(openapi, media_type=JSON)

    async def connected(websocket: WebSocket) -> None:
        await live(app_state, websocket)

    found: list[BaseRoute] = [operation.route(app_state) for operation in OPERATIONS]
    found += [
        Route("/openapi.json", described, methods=["GET"]),
        WebSocketRoute("/tables/{table}/live", connected),
        *page_routes(app_state),
        *docs_routes(app_state),
    ]
    if static_folder().is_dir():
        found.append(Mount("/static", StaticFiles(directory=static_folder())))
    return found


def handlers(app_state: AppState) -> Any:
    """What is answered where no route is."""

    async def nowhere(request: Request, error: Exception) -> Response:
        if wants_page(request):
            return await no_page(app_state, request)
        return problem(Problem(404, "There is no such thing here: /openapi.json says what there is."))

    async def other_method(request: Request, error: Exception) -> Response:
        answer = problem(Problem(405, f"{request.method} is not for this address: /openapi.json says what is."))
        for name, value in (getattr(error, "headers", None) or {}).items():
            answer.headers[name] = value
        return answer

    async def fault(request: Request, error: Exception) -> Response:
        return problem(error)

    return {404: nowhere, 405: other_method, Exception: fault}


def wants_page(request: Request) -> bool:
    """Whether it is a person with a browser who asks."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
