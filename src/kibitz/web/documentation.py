"""The documentation at ``/docs``: pages that ``make docs`` has built, under the same policy as all others.

A distribution has them inside; a clone has none before ``make docs``.  Then a sentence says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from kibitz.web.pages import error_page
from kibitz.web.problems import Problem

if TYPE_CHECKING:
    from kibitz.web.app_state import AppState

NOT_BUILT = (
    "The documentation is not built here: run 'make docs' in a clone of Kibitz, and start the server again; its pages"
    " can be read in the folder docs as well."
)


def site_folder() -> Path:
    """Where the site is looked for, and put by ``make docs``."""
    return Path(__file__).parent / "site"


def docs_routes(app_state: AppState, site: Path | None = None) -> list[BaseRoute]:
    """The routes of the documentation, or of the sentence that tells how to get it."""
    folder = site_folder() if site is None else site

    async def start(request: Request) -> Response:
        return RedirectResponse(f"{app_state.base}/docs/index.html")

    async def missing(request: Request) -> Response:
        return error_page(app_state, request, await app_state.identify(request), Problem(404, NOT_BUILT))

    if (folder / "index.html").is_file():
        return [
            Route("/docs", start, methods=["GET"]),
            Route("/docs/", start, methods=["GET"]),
            Mount("/docs", StaticFiles(directory=folder)),
        ]
    return [Route("/docs", missing, methods=["GET"]), Route("/docs/{path:path}", missing, methods=["GET"])]
