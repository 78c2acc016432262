"""Pages: a template each, with the data that the operation of the same thing gives.

    page        a path, a template, and the operation whose answer it shows
    context     ``base``, ``csrf``, ``me``, ``page`` (the template's name) and ``data``

A page whose template is not there is not there either.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2 import Environment, FileSystemLoader, TemplateNotFound, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from kibitz.engine.sentences import counted
from kibitz.web.api import arena, catalogue, contestants, counting, marks, people, played, tables, watching
from kibitz.web.api.operation import Call, Operation, address, noted, read_query, with_cookie
from kibitz.web.identity import Identity
from kibitz.web.problems import Problem, missing, refusal

if TYPE_CHECKING:
    from kibitz.web.app_state import AppState

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Page:
    """A page: its path, its template, and the function of the operation whose answer it shows."""

    path: str
    template: str
    shows: Any


PAGES = (
    Page("/", "start.html", catalogue.games),
    Page("/tables/{table}", "table.html", tables.about),
    Page("/games/{id}", "game.html", played.about),
    Page("/games", "games.html", played.mine),
    Page("/arena", "arena.html", arena.listed),
    Page("/arena/{name}", "tournament.html", arena.table),
    Page("/arena/{name}/watch", "watch.html", watching.live),
    Page("/arena/{name}/players/{player}", "player.html", contestants.player),
    Page("/submit", "submit.html", arena.listed),
    Page("/count", "count.html", counting.counted),
    Page("/marks", "marks.html", marks.marking),
    Page("/account", "account.html", people.me),
    Page("/welcome/{code}", "welcome.html", people.me),
)
_environment = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(default=True, default_for_string=True)
)
_environment.globals |= {"least_password": people.LEAST_PASSWORD, "counted": counted}


def known(template: str) -> bool:
    """Whether there is such a template."""
    return (TEMPLATES / template).is_file()


def page_routes(app_state: AppState, pages: tuple[Page, ...] = PAGES) -> list[Route]:
    """The routes of all pages that have a template."""
    return [route(app_state, page) for page in pages if known(page.template)]


def route(app_state: AppState, page: Page) -> Route:
    """The route of a page."""

    async def endpoint(request: Request) -> Response:
        began = time.perf_counter()
        return noted(await answer(request), "GET", page.path, time.perf_counter() - began)

    async def answer(request: Request) -> Response:
        identity: Identity | None = None
        try:
            app_state.rates.refuse("request", address(request))
            identity = await app_state.identify(request)
            asks = operation_of(page.shows)
            asked = read_query(request, asks) if asks else None
            data = await page.shows(Call(request, app_state, identity, request.path_params, asked))
            return shown(app_state, request, identity, page.template, msgspec.to_builtins(data))
        except Exception as error:
            return error_page(app_state, request, identity, error)

    return Route(page.path, endpoint, methods=["GET"], name=page.path)


def operation_of(function: Any) -> type[msgspec.Struct] | None:
    """The type of the query that an operation's function needs."""
    from kibitz.web.app import OPERATIONS

    found: list[Operation] = [each for each in OPERATIONS if each.does is function]
    return found[0].asks if found else None


def shown(
    app_state: AppState, request: Request, identity: Identity, template: str, data: Any, status: int = 200
) -> Response:
    """A page."""
    from kibitz.web.documentation import site_folder

    context: Mapping[str, Any] = {
        "base": app_state.base,
        "csrf": identity.csrf,
        "me": msgspec.to_builtins(people.me_of(identity)),
        "page": template.removesuffix(".html"),
        "data": data,
        "documented": (site_folder() / "index.html").is_file(),
    }
    text = _environment.get_template(template).render(**context)
    return with_cookie(HTMLResponse(text, status), identity, app_state, request)


def error_page(app_state: AppState, request: Request, identity: Identity | None, error: Exception) -> Response:
    """An error as a page, or as plain text where there is no template for it."""
    status, body = refusal(error)
    sentence = body.error.sentence
    try:
        return shown(
            app_state,
            request,
            identity or app_state.door.guest(),
            "error.html",
            {"status": status, "sentence": sentence},
            status,
        )
    except TemplateNotFound:
        return Response(f"{sentence}\n", status, media_type="text/plain; charset=utf-8")


async def no_page(app_state: AppState, request: Request) -> Response:
    """The page for an address that leads nowhere."""
    try:
        return error_page(app_state, request, await app_state.identify(request), missing("page"))
    except Problem as error:
        return error_page(app_state, request, None, error)
