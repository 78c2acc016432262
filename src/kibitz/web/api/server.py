"""The server's health, its metrics, and /openapi.json.

The OpenAPI document is made from the operations and their types, so it always agrees with them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import text

from kibitz import __version__
from kibitz.web.access import COOKIE, HEADER
from kibitz.web.api.operation import JSON, SAFE_METHODS, Call, Operation, Router
from kibitz.web.problems import KINDS, ErrorBody
from kibitz.web.store.server_store import store_id

router = Router()

PLAIN = "text/plain; version=0.0.4; charset=utf-8"


class Health(msgspec.Struct, frozen=True):
    """The state of a healthy server; for an unhealthy one, the answer is 503.

    ``store`` is a digest that distinguishes stores, ``lines`` the number of open connections to tables, and ``seconds``
    the time since the server was started.
    """

    ok: bool
    version: str
    store: str
    tables: int
    lines: int
    seconds: float


@router.operation("GET", "/healthz")
async def healthz(call: Call) -> Health:
    """Whether the server is healthy."""
    app_state = call.app_state
    await app_state.server_store.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
    lobby = app_state.lobby
    return Health(
        True,
        __version__,
        store_id(app_state.config.store),
        len(lobby.table_tasks),
        lobby.connected,
        round(time.time() - app_state.started_at, 1),
    )


@router.operation("GET", "/metrics", media=PLAIN)
async def metrics(call: Call) -> str:
    """Metrics of the server."""
    app_state = call.app_state
    numbers = {
        "kibitz_tables": ("gauge", "Tables in play or being watched.", len(app_state.lobby.table_tasks)),
        "kibitz_lines": ("gauge", "Open connections to tables.", app_state.lobby.connected),
        "kibitz_requests_total": (
            "counter",
            "Requests of people at tables.",
            app_state.lobby.services.counts["requests"],
        ),
        "kibitz_entries_total": ("counter", "Entries saved.", app_state.lobby.services.counts["entries"]),
        "kibitz_started_seconds": ("gauge", "When the server was started.", round(app_state.started_at, 3)),
    }
    lines = []
    for name, (kind, meaning, value) in numbers.items():
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}", f"{name} {value}"]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- /openapi.json

REF = "#/components/schemas/{name}"
COMMON_STATUSES = (400, 401, 403, 405, 429)
"""Statuses with which any operation can be refused."""


def document(operations: Sequence[Operation], base: str) -> dict[str, Any]:
    """The OpenAPI document for all operations, as a value for JSON."""
    types = sorted({json_type for operation in operations for json_type in types_of(operation)}, key=str)
    schemas, components = msgspec.json.schema_components([*types, ErrorBody], ref_template=REF)
    schema = dict(zip([*types, ErrorBody], schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = operation_schema(operation, schema)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kibitz",
            "version": __version__,
            "description": "Card games over HTTP: tables, finished games, the arena.",
        },
        "servers": [{"url": base or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "csrf": {"type": "apiKey", "in": "header", "name": HEADER},
            },
        },
        "security": [{"token": []}, {"cookie": [], "csrf": []}],
    }


def types_of(operation: Operation) -> Iterable[Any]:
    """The types of an operation's JSON input and output."""
    types = (operation.json_body, operation.answer_type)
    return [json_type for json_type in types if json_type is not None and json_type is not str]


def operation_schema(operation: Operation, schema: dict[Any, Any]) -> dict[str, Any]:
    """The description of one operation."""
    result: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": f"{operation.method.lower()}{re.sub(r'[^a-z]+', '_', operation.path.lower())}".rstrip("_"),
        "parameters": [*path_parameters(operation), *query_parameters(operation)],
        "responses": responses(operation, schema),
    }
    if operation.json_body is not None:
        result["requestBody"] = {"required": True, "content": {JSON: {"schema": schema[operation.json_body]}}}
    elif operation.form:
        result["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form(operation)}}}
    if operation.method in SAFE_METHODS and not operation.role:
        result["security"] = [{}, {"token": []}, {"cookie": []}]
    return result


def form(operation: Operation) -> dict[str, Any]:
    """The schema of a form."""
    files = {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1}
    properties = {field.name: files if field.files else {"type": "string"} for field in operation.form}
    required = [field.name for field in operation.form if not field.optional]
    return {"type": "object", "properties": properties, "required": required}


def path_parameters(operation: Operation) -> list[dict[str, Any]]:
    """The parameters in the path."""
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", operation.path)
    ]


def query_parameters(operation: Operation) -> list[dict[str, Any]]:
    """The fields of the query."""
    if operation.query is None:
        return []
    (_,), components = msgspec.json.schema_components([operation.query], ref_template=REF)
    (schema,) = [part for name, part in components.items() if name == operation.query.__name__]
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": part}
        for name, part in schema["properties"].items()
    ]


def responses(operation: Operation, schema: dict[Any, Any]) -> dict[str, Any]:
    """The possible answers by status."""
    content: dict[str, Any] = {
        "schema": {"type": "string"} if operation.answer_type is str else schema[operation.answer_type]
    }
    success = {str(operation.status): {"description": "Done.", "content": {operation.media: content}}}
    body_statuses = (408, 413, 415) if operation.json_body is not None or operation.form else ()
    path_statuses = (404,) if "{" in operation.path else ()
    error_statuses = sorted({*COMMON_STATUSES, *body_statuses, *path_statuses, *operation.refuses, 503})
    return success | {
        str(status): {"description": KINDS[status], "content": {JSON: {"schema": schema[ErrorBody]}}}
        for status in error_statuses
    }
