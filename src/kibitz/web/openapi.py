"""/openapi.json: made from the operations and their types, so it cannot say anything else than they do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kibitz import __version__
from kibitz.web.api.operation import JSON, SAFE, Operation
from kibitz.web.identity import COOKIE, HEADER
from kibitz.web.problems import KINDS, Refusal

REF = "#/components/schemas/{name}"
EVERY = (400, 401, 403, 405, 429)
"""Statuses that any operation can be refused with."""


def document(operations: Sequence[Operation], base: str) -> dict[str, Any]:
    """The whole document."""
    types = sorted({kind for each in operations for kind in types_of(each)}, key=str)
    schemas, components = msgspec.json.schema_components([*types, Refusal], ref_template=REF)
    schema = dict(zip([*types, Refusal], schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = described(each, schema)
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
    """The types of what goes in and out as JSON."""
    return [kind for kind in (operation.takes, operation.gives) if kind is not None and kind is not str]


def described(operation: Operation, schema: dict[Any, Any]) -> dict[str, Any]:
    """One operation."""
    found: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": f"{operation.method.lower()}{re.sub(r'[^a-z]+', '_', operation.path.lower())}".rstrip("_"),
        "parameters": [*path_parameters(operation), *query_parameters(operation)],
        "responses": responses(operation, schema),
    }
    if operation.takes is not None:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": schema[operation.takes]}}}
    elif operation.files:
        found["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form(operation)}}}
    if operation.method in SAFE and not operation.role:
        found["security"] = [{}, {"token": []}, {"cookie": []}]
    return found


def form(operation: Operation) -> dict[str, Any]:
    """The schema of a form whose last field holds files."""
    *texts, files = operation.files
    properties: dict[str, Any] = {name: {"type": "string"} for name in texts}
    properties[files] = {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1}
    return {"type": "object", "properties": properties, "required": list(operation.files)}


def path_parameters(operation: Operation) -> list[dict[str, Any]]:
    """The parts of the path."""
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", operation.path)
    ]


def query_parameters(operation: Operation) -> list[dict[str, Any]]:
    """The fields of the query."""
    if operation.asks is None:
        return []
    (_,), components = msgspec.json.schema_components([operation.asks], ref_template=REF)
    (whole,) = [part for name, part in components.items() if name == operation.asks.__name__]
    required = whole.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": part}
        for name, part in whole["properties"].items()
    ]


def responses(operation: Operation, schema: dict[Any, Any]) -> dict[str, Any]:
    """What can be answered."""
    content: dict[str, Any] = {"schema": {"type": "string"} if operation.gives is str else schema[operation.gives]}
    good = {str(operation.status): {"description": "Done.", "content": {operation.media: content}}}
    body_refused = (408, 413, 415) if operation.takes is not None or operation.files else ()
    refused = sorted({*EVERY, *body_refused, *operation.refuses, 503})
    return good | {
        str(status): {"description": KINDS[status], "content": {JSON: {"schema": schema[Refusal]}}}
        for status in refused
    }
