"""Opens a database by path or URL, and makes the tables of a new one.

A database that can't be written is read directly or from a copy.  A temporary database disappears when it is closed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from sqlalchemy import Connection, insert, inspect, select, text
from sqlalchemy.engine import URL

from kibitz.database.schema import VERSION, Damage, metadata, versions
from kibitz.database.transactions import TEMPORARY, Database, url_of
from kibitz.errors import StoreError, cause

LOCK = 0x6B6962697469
"""The number of PostgreSQL's advisory lock that lets one process at a time make the tables ("kibiti" in ASCII)."""
OLD_VERSION_TABLES = ("kibitz_version", "kibitz_web_version")
"""Tables in which databases stored their version before 0.1.0."""


def is_path(where: str | Path) -> bool:
    """Whether an address is the path of a file, not a URL."""
    return "://" not in str(where)


def make_folder(path: Path) -> None:
    """Make the folder of a store's file. Raises StoreError if that can't be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("refused", f"{path.parent} cannot be made: {cause(error)}.") from error


def make_private(path: Path) -> None:
    """Create a store that only its owner can read, since it holds the secrets of games and seasons in progress.

    An existing file keeps its permissions; if it can't be created, opening it reports that.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def open_database(
    where: str | Path, *, create: bool = True, retry_seconds: float = 30.0, clock: Callable[[], float] | None = None
) -> Database:
    """The database at a path (SQLite) or a ``postgresql://`` URL, with its tables.

    ``retry_seconds``: seconds for which a locked database or a lost connection is tried again. ``clock`` returns UTC
    seconds since 1970 (default: the system's or the database server's clock). Raises StoreError if the database doesn't
    exist and may not be created, belongs to another version of Kibitz, isn't a store, or can't be reached.
    """
    url = url_of(where)
    file = Path(str(url.database))
    new = url.drivername == "sqlite" and bool(url.database) and not file.exists()
    if new and not create:
        raise missing_store(str(file), "at")
    if new:
        make_private(file)
    database = Database(url, retry_seconds, clock)
    try:
        database.connect()
        make_or_check_tables(database, create=create)
    except BaseException as error:
        database.close()
        disk_full = isinstance(error, StoreError) and error.kind == "full"
        if new and disk_full and file.is_file() and not file.stat().st_size:
            file.unlink()
        raise
    return database


def missing_store(where: str, preposition: str) -> StoreError:
    """The error for a missing store, ``preposition`` ("at" or "in") ``where``."""
    return StoreError("missing", f"there is no store {preposition} {where}; the first 'kibitz arena submit' makes one.")


def make_or_check_tables(database: Database, *, create: bool) -> None:
    """Make the tables of a new database, or check those of an existing one.

    Raises StoreError if the database is new and ``create`` is False, or if it belongs to another version of Kibitz or
    another program.
    """
    if database.reading(lambda connection: has_our_tables(connection, database)):
        return
    if not create:
        raise missing_store(database.where, "in")
    database.writing(lambda connection: make_tables(connection, database))
    database.use_wal()


def has_our_tables(connection: Connection, database: Database) -> bool:
    """Whether our tables exist. Raises StoreError for tables of another version of Kibitz or of another program."""
    names = set(inspect(connection).get_table_names())
    if versions.name in names:
        check_version(connection, database)
        return True
    if names & {*OLD_VERSION_TABLES}:
        raise old_store_error(database)
    if clash := sorted(names & set(metadata.tables)):
        raise StoreError(
            "damaged", f"{database.where} holds another program's table {clash[0]!r}; give the store its own."
        )
    if names and not database.postgres:
        raise StoreError("damaged", f"{database.where} is another program's database; give the store its own.")
    return False


def old_store_error(database: Database) -> StoreError:
    """The error for a store from before the first release."""
    return StoreError(
        "version",
        f"the store {database.where} was made before Kibitz 0.1.0, which can't read it: "
        "move it away, or name another store with --store.",
    )


def check_version(connection: Connection, database: Database) -> None:
    """Raise StoreError if the tables have another version, Damage if the database doesn't name its version."""
    stored = connection.scalars(select(versions.c.version)).all()
    if len(stored) != 1 or stored[0] < 1:
        raise Damage(f"in table {versions.name}: it doesn't hold one version")
    version = stored[0]
    if version < VERSION:
        raise old_store_error(database)
    if version > VERSION:
        raise StoreError(
            "version",
            f"the store {database.where} is newer (version {version}) than this Kibitz (version {VERSION}); "
            "install the newest Kibitz.",
        )


def make_tables(connection: Connection, database: Database) -> None:
    """Make all tables, unless another process has already made them."""
    if database.postgres:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    if not has_our_tables(connection, database):
        metadata.create_all(connection, checkfirst=False)
        connection.execute(insert(versions).values(version=VERSION))


def temporary_database() -> Database:
    """A database that disappears when it is closed, for one process and one thread.

    It is in memory; parts that don't fit are in an unnamed file.
    """
    database = Database(TEMPORARY, 0.0, None, "a temporary store")
    database.writing(lambda connection: make_tables(connection, database))
    return database


def must_open_read_only(where: str | Path) -> bool:
    """Whether this is an SQLite file that this process can't write, or whose folder it can't write."""
    url = url_of(where)
    file = Path(str(url.database))
    if url.drivername != "sqlite" or not os.path.isfile(file):
        return False
    return not all(os.access(path, os.W_OK) for path in (file, file.parent))


def is_read_only(file: Path) -> bool:
    """Whether a file is on a read-only file system; False if that is unknown on this operating system."""
    return hasattr(os, "statvfs") and hasattr(os, "ST_RDONLY") and bool(os.statvfs(file).f_flag & os.ST_RDONLY)


def open_read_only(where: str | Path, retry_seconds: float, clock: Callable[[], float] | None) -> Database:
    """Open a store whose file or folder can't be written.

    On a read-only file system nobody else writes either, so the file is read directly. Otherwise, or if SQLite's
    write-ahead log beside the file still has changes, a copy is read.
    """
    file = Path(str(url_of(where).database))
    log = file.with_name(file.name + "-wal")
    if is_read_only(file) and not (log.exists() and log.stat().st_size):
        return check_tables(Database(immutable_url(file), retry_seconds, clock, str(file)))
    folder = TemporaryDirectory(prefix="kibitz-store-")
    copy = Path(folder.name) / file.name
    for original, duplicate in ((file, copy), (log, copy.with_name(log.name))):
        if original.exists():
            shutil.copyfile(original, duplicate)
    database = Database(URL.create("sqlite", database=str(copy)), retry_seconds, clock, str(file))
    try:
        database.leave_wal()
    finally:
        database.close()
    database = Database(immutable_url(copy), retry_seconds, clock, str(file))
    database.folder = folder
    return check_tables(database)


def check_tables(database: Database) -> Database:
    """Return the database; if it lacks our tables, or they have another version, close it and raise StoreError."""
    try:
        make_or_check_tables(database, create=False)
    except BaseException:
        database.close()
        raise
    return database


def immutable_url(file: Path) -> URL:
    """The URL that opens a file read-only; SQLite then assumes that the file doesn't change."""
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    return URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query=query)
