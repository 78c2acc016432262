"""Errors that databases report become sentences."""

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from kibitz.database import transactions
from kibitz.database.schema import Damage, are_consecutive
from kibitz.database.transactions import POSTGRES_ERRORS, POSTGRES_WORDS, as_store_error, from_postgres, from_sqlite

CODES = {
    "SQLITE_BUSY": (transactions.BUSY, "locked"),
    "SQLITE_LOCKED": (transactions.LOCKED, "locked"),
    "SQLITE_READONLY": (transactions.READ_ONLY, "refused"),
    "SQLITE_IOERR": (transactions.IO, "full"),
    "SQLITE_CORRUPT": (transactions.CORRUPT, "damaged"),
    "SQLITE_FULL": (transactions.FULL, "full"),
    "SQLITE_CANTOPEN": (transactions.CANNOT_OPEN, "missing"),
    "SQLITE_NOTADB": (transactions.NOT_A_DATABASE, "damaged"),
}


class Reported(Exception):
    """An error with the database's own error code."""

    def __init__(self, *, lite=None, state=None, text=""):
        super().__init__(text)
        if lite is not None:
            self.sqlite_errorcode = lite
        self.sqlstate = state


def test_sqlite_codes_match_the_standard_library_with_extensions():
    for name, (ours, kind) in CODES.items():
        assert ours == getattr(sqlite3, name)
        for code in (ours, ours | 1 << 8, ours | 17 << 8):
            assert from_sqlite(Reported(lite=code))[0] == kind
    for other in (sqlite3.SQLITE_CONSTRAINT, 0, None):
        assert from_sqlite(Reported(lite=other)) is None, "an internal error"


def test_postgres_errors_are_classified_by_their_state_or_without_one_by_the_server_message():
    for state, found in POSTGRES_ERRORS.items():
        assert all(from_postgres(Reported(state=state), lost=lost) == found for lost in (True, False))
    for state, words in POSTGRES_WORDS.items():
        refusal = Reported(text=f"connection failed: FATAL:\n {words} for somebody")
        assert from_postgres(refusal, lost=False) == POSTGRES_ERRORS[state]


def test_lost_connections_are_distinguished_from_internal_errors():
    gone = "lost", "cannot be reached: the server is gone."
    for state in ("57P01", "57P03", "08006", "08000"):
        assert from_postgres(Reported(state=state, text="the server\n is gone."), lost=False) == gone
    assert from_postgres(Reported(state="42P01", text="the server is gone?"), lost=True) == gone
    assert from_postgres(Reported(state="42P01", text="no such table"), lost=False) is None
    assert from_postgres(Reported(text="anything"), lost=False) is None
    operational = type("OperationalError", (Reported,), {"__module__": "psycopg.errors"})
    other = type("DataError", (Reported,), {"__module__": "psycopg.errors"})
    ours = type("OperationalError", (Reported,), {"__module__": "kibitz.x"})
    assert from_postgres(operational(text="the server is gone"), lost=False) == gone
    assert from_postgres(operational(state="42P01", text="x"), lost=False) is None
    assert from_postgres(other(text="x"), lost=False) is from_postgres(ours(text="x"), lost=False) is None
    _, words = from_postgres(operational(text="x" * 300), lost=False)
    assert words == f"cannot be reached: {'x' * 200}."


def test_database_errors_become_store_errors_or_internal_errors():
    locked = Reported(lite=sqlite3.SQLITE_BUSY)
    told = as_store_error(OperationalError("SELECT 1", {}, locked), "here.db")
    assert (told.kind, str(told)) == (
        "locked",
        "the store here.db is locked by another process; try again when that one is done.",
    )
    assert as_store_error(locked, "here.db").kind == "locked"
    assert as_store_error(ValueError("x"), "here.db") is None
    broken = as_store_error(Damage("in table x"), "here.db")
    assert str(broken) == "the store here.db is damaged in table x; use an undamaged copy."
    lost = OperationalError("SELECT 1", {}, Reported(state="42P01", text="gone"), connection_invalidated=True)
    assert as_store_error(lost, "there").kind == "lost"


@pytest.mark.parametrize(
    ("found", "first", "count", "holds"),
    [
        ([], 1, 0, True),
        ([], 1, 1, False),
        ([1], 1, 0, False),
        ([1, 2, 3], 1, 3, True),
        ([0, 1, 2], 0, 3, True),
        ([1, 2, 2], 1, 3, False),
        ([2, 1, 3], 1, 3, False),
        ([1, 2, 3], 0, 3, False),
        ([1, 2, 3, 4], 1, 3, False),
    ],
)
def test_consecutive_numbers_are_recognised(found, first, count, holds):
    assert are_consecutive(found, first, count) == holds
