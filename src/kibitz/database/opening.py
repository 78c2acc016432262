"""Opens a database: by path or URL, with its tables made if it is new, from a copy if it is read-only, or temporary."""

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

LOCK = 0x6B6962697469  # "kibitz", as much of it as fits into a signed 64-bit number
"""PostgreSQL's advisory lock that lets one process at a time make the tables."""
OLD_VERSION_TABLES = ("kibitz_version", "kibitz_web_version")
"""Tables in which databases stored their version before 0.1.0."""


def is_path(where: str | Path) -> bool:
    """Whether an address is a file's."""
    return "://" not in str(where)


def make_folder(path: Path) -> None:
    """Make the folder of a store's file; StoreError if that can't be done."""
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

    ``retry_seconds``: seconds for which a locked database or a lost connection is tried again. StoreError, with one
    sentence, if it doesn't exist and may not be created, belongs to another version of Kibitz, isn't a store, or can't
    be reached.
    """
    url = url_of(where)
    file = Path(str(url.database))
    new = url.drivername == "sqlite" and bool(url.database) and not file.exists()
    if new and not create:
        raise missing(str(file), "at")
    if new:
        make_private(file)
    database = Database(url, retry_seconds, clock)
    try:
        database.connect()
        make_or_check_tables(database, create=create)
    except BaseException as error:
        database.close()
        full = isinstance(error, StoreError) and error.kind == "full"
        if new and full and file.is_file() and not file.stat().st_size:
            file.unlink()
        raise
    return database


def missing(where: str, at: str) -> StoreError:
    """The error for a missing store."""
    return StoreError("missing", f"there is no store {at} {where}; the first 'kibitz arena submit' makes one.")


def make_or_check_tables(database: Database, *, create: bool) -> None:
    """Make the tables of a new database; StoreError if it belongs to another version of Kibitz or another program."""
    if database.reading(lambda connection: has_our_tables(connection, database)):
        return
    if not create:
        raise missing(database.where, "in")
    database.writing(lambda connection: make_tables(connection, database))
    database.use_wal()


def has_our_tables(connection: Connection, database: Database) -> bool:
    """Whether the tables exist; StoreError if they are another version's, or another program's."""
    names = set(inspect(connection).get_table_names())
    if versions.name in names:
        check_version(connection, database)
        return True
    if names & {*OLD_VERSION_TABLES}:
        raise made_before_the_release(database)
    if clash := sorted(names & set(metadata.tables)):
        raise StoreError(
            "damaged", f"{database.where} holds another program's table {clash[0]!r}; give the store its own."
        )
    if names and not database.postgres:
        raise StoreError("damaged", f"{database.where} is another program's database; give the store its own.")
    return False


def made_before_the_release(database: Database) -> StoreError:
    """The error for a store that no release has written."""
    return StoreError(
        "version",
        f"the store {database.where} was made before Kibitz 0.1.0, which can't read it: "
        "move it away, or name another store with --store.",
    )


def check_version(connection: Connection, database: Database) -> None:
    """Raise StoreError if the tables are another version's, Damage if the database doesn't name its version."""
    found = connection.scalars(select(versions.c.version)).all()
    if len(found) != 1 or found[0] < 1:
        raise Damage(f"in table {versions.name}: it doesn't hold one version")
    if found[0] < VERSION:
        raise made_before_the_release(database)
    if found[0] > VERSION:
        raise StoreError(
            "version",
            f"the store {database.where} is newer (version {found[0]}) than this Kibitz (version {VERSION}); "
            "install the newest Kibitz.",
        )


def make_tables(connection: Connection, database: Database) -> None:
    """Make all tables, inside the transaction of ``connection``, unless another process was first."""
    if database.postgres:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    if not has_our_tables(connection, database):
        metadata.create_all(connection, checkfirst=False)
        connection.execute(insert(versions).values(version=VERSION))


def temporary_database() -> Database:
    """A database that disappears when it is closed: in memory, with an unnamed file for what doesn't fit.

    It is for one process and one thread.
    """
    database = Database(TEMPORARY, 0.0, None, "a temporary store")
    database.writing(lambda connection: make_tables(connection, database))
    return database


def may_only_be_read(where: str | Path) -> bool:
    """Whether this file is in a place where SQLite cannot write, and so cannot work as usual."""
    url = url_of(where)
    file = Path(str(url.database))
    places = (file, file.parent)
    return (
        url.drivername == "sqlite" and os.path.isfile(file) and not all(os.access(place, os.W_OK) for place in places)
    )


def is_read_only(file: Path) -> bool:
    """Whether a file is on a read-only file system; False if the system doesn't tell."""
    return hasattr(os, "statvfs") and hasattr(os, "ST_RDONLY") and bool(os.statvfs(file).f_flag & os.ST_RDONLY)


def open_to_read(where: str | Path, retry_seconds: float, clock: Callable[[], float] | None) -> Database:
    """Open a store in a place where nothing may be written.

    On a read-only file system nobody else writes either, so the file is read directly. Otherwise, or if changes are
    still in a log beside the file, a copy is read.
    """
    file = Path(str(url_of(where).database))
    log = file.with_name(file.name + "-wal")
    if is_read_only(file) and not (log.exists() and log.stat().st_size):
        return check_tables(Database(immutable_url(file), retry_seconds, clock, str(file)))
    folder = TemporaryDirectory(prefix="kibitz-store-")
    copy = Path(folder.name) / file.name
    for one, other in ((file, copy), (log, copy.with_name(log.name))):
        if one.exists():
            shutil.copyfile(one, other)
    database = Database(URL.create("sqlite", database=str(copy)), retry_seconds, clock, str(file))
    try:
        database.leave_wal()
    finally:
        database.close()
    database = Database(immutable_url(copy), retry_seconds, clock, str(file))
    database.folder = folder
    return check_tables(database)


def check_tables(database: Database) -> Database:
    """Return the database, if its tables are those of this version; StoreError otherwise."""
    try:
        make_or_check_tables(database, create=False)
    except BaseException:
        database.close()
        raise
    return database


def immutable_url(file: Path) -> URL:
    """The address of a file that is opened read-only and never changes."""
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    return URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query=query)
