"""What a database's errors mean, in a sentence.

    passing     locked, full, lost: the same may go well later

SQLite's codes are in sqlite.org/rescode.html, PostgreSQL's in appendix A of its manual.
"""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from kibitz.arena.store.sums import Damage
from kibitz.errors import StoreError

BUSY, LOCKED, READ_ONLY, IO, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE = 5, 6, 8, 10, 11, 13, 14, 26
"""SQLite's primary codes: the low byte of what it reports."""

SQLITE = {
    BUSY: ("locked", "is locked by another process; it will go on once that one is done."),
    LOCKED: ("locked", "is locked by another process; it will go on once that one is done."),
    READ_ONLY: ("refused", "may not be written; look at the permissions of the file and its folder."),
    IO: ("full", "cannot be written or read: the disk is full or fails; make room or look at the disk."),
    FULL: ("full", "cannot be written: the disk is full; make room there."),
    CANNOT_OPEN: ("missing", "cannot be opened; look at the path and its permissions."),
    CORRUPT: ("damaged", "is damaged; take a copy of it that is not."),
    NOT_A_DATABASE: ("damaged", "is no store; give the path of one, or of a new file."),
}

POSTGRES = {
    "40001": ("locked", "was changed by others at the same time."),
    "40P01": ("locked", "was changed by others at the same time."),
    "55P03": ("locked", "is locked by another process; it will go on once that one is done."),
    "53100": ("full", "cannot be written: the server's disk is full; make room there."),
    "53200": ("full", "cannot be written: the server is out of memory."),
    "53300": ("lost", "takes no more connections; close some, or allow more (max_connections)."),
    "25006": ("refused", "may not be written: the database is read-only."),
    "42501": ("refused", "may not be used by this user; look at the rights in the database."),
    "28P01": ("refused", "refuses this user's password."),
    "28000": ("refused", "refuses this user."),
    "3D000": ("missing", "is not there: the server has no such database; make it with createdb."),
}


def damage(where: str, what: str) -> StoreError:
    """The sentence on a damaged store: ``what`` names the table and the row."""
    return StoreError("damaged", f"the store {where} is damaged {what}; take a copy of it that is not.")


def meaning(error: Exception, where: str) -> StoreError | None:
    """The error as a sentence about the store called ``where``; None if it is a fault of ours."""
    if isinstance(error, Damage):
        return damage(where, str(error))
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    found = from_sqlite(cause) or from_postgres(cause, lost=lost)
    if found is None:
        return None
    kind, words = found
    return StoreError(kind, f"the store {where} {words}")


def from_sqlite(error: BaseException) -> tuple[str, str] | None:
    """What SQLite reports."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else SQLITE.get(code & 0xFF)


def from_postgres(error: BaseException, *, lost: bool) -> tuple[str, str] | None:
    """What PostgreSQL reports; an error without a code comes from the connection itself."""
    code = getattr(error, "sqlstate", None)
    if code in POSTGRES:
        return POSTGRES[code]
    detail = " ".join(str(error).split())[:200]
    for known, found in POSTGRES.items():
        if known in ("28P01", "3D000", "53300") and SAID[known] in detail:
            return found
    if (
        lost
        or (code or "").startswith(("57P", "08"))
        or (
            code is None and type(error).__module__.startswith("psycopg") and type(error).__name__ == "OperationalError"
        )
    ):
        return "lost", f"cannot be reached: {detail.rstrip('.?')}."
    return None


SAID = {"28P01": "password authentication failed", "3D000": "does not exist", "53300": "too many clients"}
"""When a connection is refused, psycopg passes on the server's words but not its code."""
