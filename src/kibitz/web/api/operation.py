"""One operation: a method and a path, the types of its input and output, and the handler that carries it out.

    call        one decoded request: the caller, the parts of the path, the query and the body as values

``kibitz.web.problems`` turns a handler's exceptions into answers. Invalid requests never reach the handler.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar, get_type_hints
from urllib.parse import quote

import msgspec
from starlette.datastructures import FormData
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from kibitz.remote.messages import encoded
from kibitz.web.access import COOKIE, HEADER, Identity, network
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import ApiError, error_response, read_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kibitz.web.app_state import AppState
    from kibitz.web.jobs import Jobs
    from kibitz.web.season import ServerSeason

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("kibitz.web")
JSON, CSV, PLAIN = "application/json", "text/csv; charset=utf-8", "text/plain; charset=utf-8"
SAFE_METHODS = ("GET", "HEAD")
YEAR = 60 * 60 * 24 * 365


class Nothing(msgspec.Struct, frozen=True):
    """An empty answer: the operation succeeded."""


@dataclass(frozen=True)
class Call:
    """One request.

    app_state       the state of the server
    path            the parts of the path by name
    query, body     the query and the body, as the types that the operation names
    """

    request: Request
    app_state: AppState
    identity: Identity
    path: Mapping[str, str]
    query: Any = None
    body: Any = None

    @property
    def person(self) -> Person:
        """The sender of the request."""
        return self.identity.person

    @property
    def season(self) -> ServerSeason:
        """The season of the server."""
        return self.app_state.season

    @property
    def jobs(self) -> Jobs:
        """The jobs of the server."""
        return self.app_state.jobs

    async def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that reads the server's store."""
        return await self.app_state.server_store.read(ask, *args, **kwargs)

    async def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that writes to the server's store."""
        return await self.app_state.server_store.write(act, *args, **kwargs)

    async def in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that reads games or the season's store, called in one of a few threads."""
        return await self.app_state.read_threads.run(work, *args, **kwargs)


class FormField(NamedTuple):
    """A field of a form: whether it holds ``files`` instead of a text, and whether it is ``optional``."""

    name: str
    files: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Operation:
    """A method and a path with their handler, a function of a Call. The summary is the handler's docstring.

    A handler that reads games or the season's store isn't a coroutine, and is called in one of a few threads. The
    answer is 404 if a part of the path names something that doesn't exist.

    returns         the type of the answer, if ``handler`` doesn't declare it
    query           the type of the query; None if there is none
    json_body       the type of the JSON body; None if there is none
    form            the fields of a form, if the body is a form
    status          the status of a successful answer
    rate            the kind of rate limit (``access.RATES``) for the request, in addition to the limit for all requests
    role            who may call it: "" for everybody, ``student`` for all accounts, or ``lecturer``
    refuses         the statuses of refusals, in addition to those that every operation can have
    media           the media type of the answer
    """

    method: str
    path: str
    handler: Callable[[Call], Any]
    returns: Any = None
    query: type[msgspec.Struct] | None = None
    json_body: type[msgspec.Struct] | None = None
    form: tuple[FormField, ...] = ()
    status: int = 200
    role: str = ""
    rate: str = ""
    refuses: tuple[int, ...] = ()
    media: str = JSON

    @property
    def summary(self) -> str:
        """What the operation does, in a sentence."""
        return (self.handler.__doc__ or "").partition("\n")[0]

    @cached_property
    def answer_type(self) -> Any:
        """The type of the answer; ``str`` if the handler returns a response."""
        answer_type = self.returns or get_type_hints(self.handler)["return"]
        if isinstance(answer_type, type) and issubclass(answer_type, Response):
            return str
        return Nothing if answer_type is type(None) else answer_type

    def route(self, app_state: AppState) -> Route:
        """The route of this operation."""

        async def endpoint(request: Request) -> Response:
            start = time.perf_counter()
            try:
                answer = await self.answer(app_state, request)
            except Exception as error:
                answer = problem(error)
            return logged(answer, self.method, self.path, time.perf_counter() - start)

        return Route(self.path, endpoint, methods=[self.method], name=f"{self.method} {self.path}")

    async def answer(self, app_state: AppState, request: Request) -> Response:
        """Decode a request, carry it out, and return the answer."""
        app_state.rates.check("request", address(request))
        identity = await app_state.identify(request)
        if self.method not in SAFE_METHODS:
            app_state.authenticator.check_csrf(identity, request.headers.get(HEADER, ""))
        self.check_role(identity.person)
        if self.rate:
            app_state.rates.check(self.rate, address(request))
        query = read_query(request, self.query) if self.query else None
        body = await self.read_body(request)
        call = Call(request, app_state, identity, request.path_params, query, body)
        try:
            result = await carry_out(self.handler, call)
        finally:
            if isinstance(body, FormData):
                await body.close()
        return with_cookie(self.response_of(result), identity, app_state, request)

    def response_of(self, result: Any) -> Response:
        """The HTTP response for a handler's result."""
        if isinstance(result, Response):
            return result
        if isinstance(result, bytes | str):
            return Response(result, self.status, media_type=self.media)
        return Response(encoded(Nothing() if result is None else result), self.status, media_type=JSON)

    def check_role(self, person: Person) -> None:
        """Raise ApiError 401 or 403 unless the caller may do this."""
        if self.role and person.guest:
            raise ApiError(401, "Sign in first: this needs an account.")
        if self.role == "lecturer" and "lecturer" not in person.roles:
            raise ApiError(403, "Only lecturers may do this.")

    async def read_body(self, request: Request) -> Any:
        """The body as a value, None if the operation takes none; ApiError 415 if it has another media type."""
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if self.form:
            if media_type != "multipart/form-data":
                raise ApiError(415, "Send a form with files (multipart/form-data).")
            return await form_of(request)
        if self.json_body is None:
            return None
        if media_type != JSON:
            raise ApiError(415, "Send JSON, with the header 'Content-Type: application/json'.")
        return read_json(await request.body(), self.json_body)


async def carry_out(handler: Callable[[Call], Any], call: Call) -> Any:
    """The result of a handler; one that isn't a coroutine is called in a thread."""
    return await (handler(call) if iscoroutinefunction(handler) else call.in_thread(handler, call))


Function = TypeVar("Function", bound=Callable[[Call], Any])


class Router(list[Operation]):
    """The operations of a module."""

    def operation(self, method: str, path: str, **more: Any) -> Callable[[Function], Function]:
        """A decorator that adds a function as an operation; ``more`` are further fields of the Operation."""

        def add(function: Function) -> Function:
            self.append(Operation(method, path, function, **more))
            return function

        return add


def logged(answer: Response, method: str, path: str, seconds: float) -> Response:
    """Log a request and return its answer; the log has the route, not the path, which can contain codes and ids."""
    fields = {"method": method, "path": path, "status": answer.status_code, "ms": round(1000 * seconds, 1)}
    log.info("request", extra={"fields": fields})
    return answer


async def form_of(request: Request) -> FormData:
    """The fields of a form; ApiError 400 if it cannot be read."""
    from starlette.exceptions import HTTPException

    try:
        return await request.form(max_files=1000, max_fields=20, max_part_size=1 << 16)
    except HTTPException as error:
        raise ApiError(400, f"The form cannot be read: {error.detail}") from error


def read_query(request: Request, query_type: type[T]) -> T:
    """The query as a value of a type; ApiError 400 if a field is repeated."""
    names = [name for name, _ in request.query_params.multi_items()]
    if repeated := next((name for name in names if names.count(name) > 1), ""):
        raise ApiError(400, f"The query has {repeated[:40]!r} twice.")
    return msgspec.convert(dict(request.query_params), query_type, strict=False)


def address(connection: HTTPConnection) -> str:
    """The network address of a client, as ``access.network`` shortens it."""
    return network(connection.client.host if connection.client else "")


def problem(error: Exception) -> Response:
    """The HTTP response for an error."""
    status, body = error_response(error)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Response(encoded(body), status, headers, JSON)


def attachment(content: str, name: str, media_type: str = PLAIN) -> Response:
    """An answer that browsers save as a file called ``name``."""
    ascii_name = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    disposition = f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response(content, headers={"Content-Disposition": disposition}, media_type=media_type)


def with_cookie(response: Response, identity: Identity, app_state: AppState, request: Request) -> Response:
    """The response, after adding the caller's new cookie to it, if there is one."""
    if identity.new_cookie:
        secure = request.url.scheme == "https"
        path = f"{app_state.base}/" if app_state.base else "/"
        response.set_cookie(
            COOKIE, identity.new_cookie, max_age=YEAR, path=path, secure=secure, httponly=True, samesite="lax"
        )
    return response
