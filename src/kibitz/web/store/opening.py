"""Opening the server's store: a file (SQLite) or a ``postgresql://`` URL, brought up to date."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from kibitz.arena.store.connection import Database, url_of
from kibitz.arena.store.home import is_path, make_private
from kibitz.errors import StoreError, cause
from kibitz.table.saved import Lock
from kibitz.web.store.keeping import Keeper
from kibitz.web.store.migrations import bring_up_to_date

FILE = "server.sqlite"
CLAIM = 0x6B6962776562
"""PostgreSQL's advisory lock of the one server of a database."""
BUSY = "is the store of another server that runs: use that one, end it first, or give this one a --store of its own."


def default_store() -> Path:
    """Where a server keeps what it keeps, unless one says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / FILE


def mark_of(where: str | Path) -> str:
    """What tells one store from another without telling where it is."""
    place = os.path.realpath(where) if is_path(where) else str(where)
    return hashlib.sha256(f"kibitz store {place}".encode()).hexdigest()[:16]


def open_store(where: str | Path, wait_times: float = 10.0) -> Keeper:
    """The store at a path or a URL; StoreError with one sentence where it cannot be had."""
    if is_path(where):
        try:
            Path(where).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError("refused", f"{Path(where).parent} cannot be made: {cause(error)}.") from error
    database = Database(url_of(where), wait_times, None)
    lock: Lock | Claim | None = None
    try:
        lock = None if database.postgres else Lock(Path(where), BUSY)
        if lock:
            make_private(Path(where))
        database.connect()
        if database.postgres:
            lock = Claim(database)
        bring_up_to_date(database)
    except BaseException:
        database.close()
        if lock:
            lock.release()
        raise
    return Keeper(database, lock)


class Claim:
    """A PostgreSQL database that is one server's while its connection lasts; StoreError if it is another's."""

    def __init__(self, database: Database) -> None:
        self.connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self.connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": CLAIM}):
            self.connection.close()
            raise StoreError("refused", f"{database.where} {BUSY}")

    def release(self) -> None:
        """Let others have it from now on: PostgreSQL sees only some time later that a connection was closed."""
        try:
            self.connection.scalar(text("SELECT pg_advisory_unlock(:key)"), {"key": CLAIM})
        except DBAPIError:  # the connection is lost, and the claim with it
            pass
        finally:
            self.connection.close()
