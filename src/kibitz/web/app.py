"""The server as an ASGI application: operations, pages, documentation and WebSockets, with guards around them.

page        a path, a template, and the operation whose answer it shows
context     what a template gets: ``base``, ``static``, ``csrf``, ``me``, ``page`` (its name) and ``data``
assets      the files that pages load; their paths contain a hash of all of them, so no such file ever changes
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from kibitz.arena.model import STAGE_NAMES, status_text
from kibitz.engine.registry import full_title
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.web.access import Identity
from kibitz.web.api import (
    finished_games,
    games,
    jobs,
    marks,
    matches,
    people,
    players,
    puzzles,
    server,
    tables,
    tournaments,
)
from kibitz.web.api.operation import JSON, Call, Operation, address, carry_out, logged, problem, read_query, with_cookie
from kibitz.web.api.server import document
from kibitz.web.app_state import AppState
from kibitz.web.guards import Guards
from kibitz.web.live_tables.websocket import live
from kibitz.web.problems import ApiError, error_response, missing

MODULES = (games, tables, finished_games, puzzles, people, tournaments, matches, players, jobs, marks, server)
OPERATIONS: tuple[Operation, ...] = tuple(operation for module in MODULES for operation in module.router)
"""All operations over HTTP."""


def application(app_state: AppState) -> ASGIApp:
    """The ASGI application of an open server."""
    inner = Starlette(routes=routes(app_state), exception_handlers=handlers(app_state))
    return Guards(compressed(inner), app_state.base, app_state.config.names)


MIN_COMPRESSED_SIZE = 1 << 10
COMPRESSED = ("/static/", "/docs/", "/api/games")
"""The paths whose answers are compressed: they contain no secrets, which compression could reveal (BREACH)."""
COMPRESSED_POSTS = ("/api/tables", "/api/tables/quick")
"""The same for POST requests, which no foreign site can have a browser send, because they need the CSRF code."""


def compressed(app: ASGIApp) -> ASGIApp:
    """The application, with answers compressed where that reveals nothing."""
    compressing_app = GZipMiddleware(app, MIN_COMPRESSED_SIZE)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_http, path = scope["type"] == "http", scope["path"]
        is_safe = is_http and (path.startswith(COMPRESSED) or (scope["method"] == "POST" and path in COMPRESSED_POSTS))
        await (compressing_app if is_safe else app)(scope, receive, send)

    return answer


def routes(app_state: AppState) -> list[BaseRoute]:
    """All routes of a server."""
    openapi = msgspec.json.encode(document(OPERATIONS, app_state.base))

    async def openapi_document(request: Request) -> Response:
        return Response(openapi, media_type=JSON)

    async def live_table(websocket: WebSocket) -> None:
        await live(app_state, websocket)

    all_routes: list[BaseRoute] = [operation.route(app_state) for operation in OPERATIONS]
    all_routes += [
        Route("/openapi.json", openapi_document, methods=["GET"]),
        WebSocketRoute("/tables/{table}/live", live_table),
        *(page_route(app_state, page) for page in PAGES),
        *docs_routes(app_state),
    ]
    all_routes.append(Mount("/static", ASSETS))
    return all_routes


def handlers(app_state: AppState) -> Any:
    """The handlers of requests without a route, and of errors, by status or exception class."""

    async def not_found(request: Request, error: Exception) -> Response:
        if wants_page(request):
            return await not_found_page(app_state, request)
        return problem(ApiError(404, "Not found: /openapi.json lists the addresses."))

    async def method_not_allowed(request: Request, error: Exception) -> Response:
        answer = problem(ApiError(405, f"{request.method} isn't allowed for this address: see /openapi.json."))
        for name, value in (getattr(error, "headers", None) or {}).items():
            answer.headers[name] = value
        return answer

    async def server_error(request: Request, error: Exception) -> Response:
        return problem(error)

    return {404: not_found, 405: method_not_allowed, Exception: server_error}


def wants_page(request: Request) -> bool:
    """Whether a browser asks for a page."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


# ---------------------------------------------------------------- the files that pages load

# Pages load files only from the path with the hash, so a browser never asks again for a file that it has. A module's
# imports are relative, so they stay below that path. For a file at a path without the hash, or with the hash of another
# version, browsers ask each time.

HASH = re.compile(r"[0-9a-f]{16}")
IMPORTED = re.compile(r"""\b(?:import|export)\b[^"'();]*["'](\.[^"']+)["']""")
"""The imports of a JavaScript module, without ``import(...)``, which loads a module later."""
CACHE_FOREVER, REVALIDATE = "public, max-age=31536000, immutable", "no-cache"


class Assets(StaticFiles):
    """Serves the files of a folder; their paths may begin with ``version``, the hash of all files."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self.folder = folder
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        digest = sha256()
        for path in files:
            digest.update(f"{path.relative_to(folder).as_posix()}\0".encode() + sha256(path.read_bytes()).digest())
        self.version = digest.hexdigest()[:16]

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with one file."""
        version, *rest = Path(path).parts
        has_hash = HASH.fullmatch(version) and rest
        answer = await super().get_response(str(Path(*rest)) if has_hash else path, scope)
        answer.headers["Cache-Control"] = CACHE_FOREVER if version == self.version else REVALIDATE
        return answer


@cache
def imported_modules(folder: Path, name: str) -> tuple[str, ...]:
    """A module below ``folder`` and all modules that it imports, directly or not, so that a page can preload them."""
    modules = [name]
    for module in modules:  # the list grows in this loop
        path = folder / module
        for relative_path in IMPORTED.findall(path.read_text(encoding="utf-8")):
            imported = (path.parent / relative_path).resolve().relative_to(folder.resolve()).as_posix()
            if imported not in modules:
                modules.append(imported)
    return tuple(modules)


# ---------------------------------------------------------------- pages

TEMPLATES = Path(__file__).parent / "templates"
ASSETS = Assets(Path(__file__).parent / "static")


def scripts_of(*names: str | None) -> list[str]:
    """A page's scripts and the modules that they import, each once."""
    scripts = [f"js/{name}.js" for name in names if name]
    return list(dict.fromkeys(module for script in scripts for module in imported_modules(ASSETS.folder, script)))


def has_layout(family: str) -> bool:
    """Whether a family of games has a style sheet of its own."""
    return (ASSETS.folder / "css" / "layouts" / f"{family}.css").is_file()


@dataclass(frozen=True)
class Page:
    """A page: its path, its template, and the handler of the operation whose answer it shows."""

    path: str
    template: str
    shows: Any


PAGES = (
    Page("/", "start.html", games.list_games),
    Page("/tables/{table}", "table.html", tables.table_page),
    Page("/games/{id}", "game.html", finished_games.get_game),
    Page("/games", "games.html", finished_games.list_games),
    Page("/profile", "profile.html", people.get_me),
    Page("/puzzles", "puzzles.html", puzzles.list_puzzles),
    Page("/puzzles/{game}", "puzzle.html", puzzles.get_puzzle),
    Page("/arena", "arena.html", marks.course_page),
    Page("/arena/{name}", "tournament.html", tournaments.get_ranking),
    Page("/arena/{name}/watch", "watch.html", matches.list_live_matches),
    Page("/arena/{name}/players/{player}", "player.html", players.get_player),
    Page("/submit", "submit.html", tournaments.list_tournaments),
    Page("/count", "count.html", games.count_hand),
    Page("/marks", "marks.html", marks.marks_page),
    Page("/account", "account.html", people.get_me),
    Page("/welcome/{code}", "welcome.html", people.get_me),
)
_environment = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(default=True, default_for_string=True)
)
_environment.globals |= {
    "least_password": people.MIN_PASSWORD_LENGTH,
    "counted": counted,
    "status": status_text,
    "stages": STAGE_NAMES,
    "modules": scripts_of,
    "has_layout": has_layout,
    "game_title": lambda name: full_title(find_game(name)),
}


def page_route(app_state: AppState, page: Page) -> Route:
    """The route of a page."""

    async def endpoint(request: Request) -> Response:
        start = time.perf_counter()
        return logged(await answer(request), "GET", page.path, time.perf_counter() - start)

    async def answer(request: Request) -> Response:
        identity: Identity | None = None
        try:
            app_state.rates.check("request", address(request))
            identity = await app_state.identify(request)
            query_type = query_type_of(page.shows)
            query = read_query(request, query_type) if query_type else None
            data = await carry_out(page.shows, Call(request, app_state, identity, request.path_params, query))
            return render(app_state, request, identity, page.template, msgspec.to_builtins(data))
        except Exception as error:
            return error_page(app_state, request, identity, error)

    return Route(page.path, endpoint, methods=["GET"], name=page.path)


def query_type_of(function: Any) -> type[msgspec.Struct] | None:
    """The type of the query that an operation's handler takes; None if it takes none."""
    return next((operation.query for operation in OPERATIONS if operation.handler is function), None)


def render(
    app_state: AppState, request: Request, identity: Identity, template: str, data: Any, status: int = 200
) -> Response:
    """A page from its template."""
    context: Mapping[str, Any] = {
        "base": app_state.base,
        "static": f"{app_state.base}/static/{ASSETS.version}",
        "csrf": identity.csrf,
        "me": msgspec.to_builtins(people.me_of(identity)),
        "page": template.removesuffix(".html"),
        "data": data,
        "documented": (site_folder() / "index.html").is_file(),
    }
    text = _environment.get_template(template).render(**context)
    return with_cookie(HTMLResponse(text, status), identity, app_state, request)


def error_page(app_state: AppState, request: Request, identity: Identity | None, error: Exception) -> Response:
    """An error as a page."""
    status, body = error_response(error)
    data = {"status": status, "sentence": body.error.sentence}
    return render(app_state, request, identity or app_state.authenticator.guest(), "error.html", data, status)


async def not_found_page(app_state: AppState, request: Request) -> Response:
    """The page for an unknown address."""
    try:
        return error_page(app_state, request, await app_state.identify(request), missing("page"))
    except ApiError as error:
        return error_page(app_state, request, None, error)


# ---------------------------------------------------------------- documentation

# A distribution includes the built site; a clone has none before ``make docs``, and says so.

DOCS_NOT_BUILT = (
    "The documentation isn't built here: run 'make docs' in a clone of Kibitz and restart the server, or read the"
    " pages in its folder docs."
)


def site_folder() -> Path:
    """The folder of the site, which ``make docs`` fills."""
    return Path(__file__).parent / "site"


def docs_routes(app_state: AppState, site: Path | None = None) -> list[BaseRoute]:
    """The routes of the documentation; if it isn't built, they lead to a page that says how to build it."""
    folder = site_folder() if site is None else site

    async def start(request: Request) -> Response:
        return RedirectResponse(f"{app_state.base}/docs/index.html")

    async def missing(request: Request) -> Response:
        return error_page(app_state, request, await app_state.identify(request), ApiError(404, DOCS_NOT_BUILT))

    if (folder / "index.html").is_file():
        return [
            Route("/docs", start, methods=["GET"]),
            Route("/docs/", start, methods=["GET"]),
            Mount("/docs", StaticFiles(directory=folder)),
        ]
    return [Route("/docs", missing, methods=["GET"]), Route("/docs/{path:path}", missing, methods=["GET"])]
