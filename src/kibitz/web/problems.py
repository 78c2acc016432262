"""Errors as HTTP answers: a status, a kind for programs, and a sentence for people.

400 notation    it can't be read           409 rule       not possible now
401 stranger    not signed in              413 large      too large
403 seat        not allowed                415 type       wrong type of content
404 missing     it doesn't exist           429 often      too many requests
405 method      not at this address        500 fault      a bug in Kibitz
408 late        it took too long to arrive 503 machine    this server can't do it, or can't now
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from kibitz.errors import KibitzError, MachineError, RuleError, SeatError, StoreError

log = logging.getLogger("kibitz.web")

KINDS = {
    400: "notation",
    401: "stranger",
    403: "seat",
    404: "missing",
    405: "method",
    408: "late",
    409: "rule",
    413: "large",
    415: "type",
    429: "often",
    500: "fault",
    503: "machine",
}
NESTED = "This can't be read: it is nested too deeply."
STORE_STATUSES = {"missing": 404, "refused": 409, "running": 409}
"""The status for each kind of StoreError; 503 for all others."""


class ApiError(KibitzError):
    """An error that is answered with a status of its own."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.status, str(self)), self.__dict__


class ErrorDetail(msgspec.Struct, frozen=True):
    """An error: its kind, for programs, and a sentence for people that also says what would be right."""

    kind: str
    sentence: str


class ErrorBody(msgspec.Struct, frozen=True):
    """The body of every answer that reports an error."""

    error: ErrorDetail


def read_json(content: bytes | str, value_type: Any) -> Any:
    """Decode JSON to a value of a type; msgspec.MsgspecError or ApiError 400 if that is impossible."""
    try:
        return msgspec.json.decode(content, type=value_type)
    except RecursionError as error:
        raise ApiError(400, NESTED) from error


def missing(thing: str) -> ApiError:
    """The error for something that doesn't exist, such as "tournament"."""
    return ApiError(404, f"There is no such {thing} here: check the address.")


def status_of(error: Exception) -> int:
    """The status of the answer to an error."""
    match error:
        case ApiError():
            return error.status
        case SeatError():
            return 403
        case RuleError():
            return 409
        case StoreError():
            return STORE_STATUSES.get(error.kind, 503)
        case MachineError():
            return 503
        case KibitzError() | msgspec.MsgspecError():
            return 400
    return 500


def error_response(error: Exception) -> tuple[int, ErrorBody]:
    """The status and body for an error; an unexpected error is logged, and its text isn't sent."""
    status = status_of(error)
    if status == 500:
        log.error("unexpected error in a request", exc_info=error)
        sentence = "This is a bug in Kibitz, and nothing has changed: please report it."
    elif isinstance(error, msgspec.MsgspecError):
        sentence = f"This can't be read: {str(error)[:300].rstrip('.')}."
    else:
        sentence = str(error)
    return status, ErrorBody(ErrorDetail(KINDS.get(status, "fault"), sentence[:1].upper() + sentence[1:]))
