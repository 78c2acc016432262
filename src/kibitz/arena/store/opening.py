"""Opens a store: by path or URL, migrated if it is older, from a copy if it is read-only, or temporary.

By default a season is one file in the user's data folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from sqlalchemy.engine import URL

from kibitz.arena.store import schema
from kibitz.arena.store.database import TEMPORARY, Database, url_of
from kibitz.arena.store.migrations import NEWEST, bring_up_to_date, revision
from kibitz.arena.store.store import Store
from kibitz.errors import StoreError, cause

VARIABLE = "KIBITZ_STORE"
"""The environment's word on where the season is."""
FILE = "arena.sqlite"


def is_path(where: str | Path) -> bool:
    """Whether an address is a file's."""
    return "://" not in str(where)


def default_store() -> Path:
    """Where a season is kept unless one says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("kibitz") / FILE


def make_private(path: Path) -> None:
    """Make a store that only its owner can read: what is secret until a game or a season is over is in it.

    One that is there keeps the rights that somebody has given it; what cannot be made is told when it is opened.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def prepare(path: Path) -> None:
    """Make the folder of the default store; other folders must be there."""
    try:
        if path == default_store():
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("refused", f"{path.parent} cannot be made: {cause(error)}.") from error


def open_store(
    where: str | Path, *, create: bool = True, retry_seconds: float = 30.0, clock: Callable[[], float] | None = None
) -> Store:
    """The store at a path (SQLite) or a ``postgresql://`` URL, brought up to date if it is older.

    ``retry_seconds``: seconds for which a locked database or a lost connection is tried again.  StoreError with one
    sentence where there is none and none may be made, it is newer than this Kibitz, no store, or cannot be reached.
    """
    url = url_of(where)
    new = url.drivername == "sqlite" and bool(url.database) and not os.path.exists(str(url.database))
    if new and not create:
        raise StoreError("missing", f"there is no store at {url.database}; the first 'kibitz arena submit' makes one.")
    if new:
        make_private(Path(str(url.database)))
    database = Database(url, retry_seconds, clock)
    try:
        database.connect()
        bring_up_to_date(database, create=create)
    except StoreError as error:
        database.close()
        if new and error.kind == "full":
            leave_nothing_empty(Path(str(url.database)))
        if not may_only_be_read(url) or error.kind not in ("missing", "refused"):
            raise
        return Store(only_to_read(url, retry_seconds, clock))
    except BaseException:
        database.close()
        raise
    return Store(database)


def leave_nothing_empty(file: Path) -> None:
    """Remove a new store's file if the disk had no room for anything in it."""
    if os.path.isfile(file) and not file.stat().st_size:
        file.unlink()


def temporary_store() -> Store:
    """A store that is gone when it is closed: in memory, and as far as that is short in a file that has no name.

    It is for one process and one thread.
    """
    database = Database(TEMPORARY, 0.0, None, "a temporary store")
    database.writing(schema.metadata.create_all)
    return Store(database)


def may_only_be_read(url: URL) -> bool:
    """Whether this is a file in a place where SQLite cannot write, and so cannot work as usual."""
    file = Path(str(url.database))
    places = (file, file.parent)
    return (
        url.drivername == "sqlite" and os.path.isfile(file) and not all(os.access(place, os.W_OK) for place in places)
    )


def never_changes(file: Path) -> bool:
    """Whether a file is in a file system that is read only; no where the system does not tell."""
    return hasattr(os, "statvfs") and hasattr(os, "ST_RDONLY") and bool(os.statvfs(file).f_flag & os.ST_RDONLY)


def only_to_read(url: URL, retry_seconds: float, clock: Callable[[], float] | None) -> Database:
    """A store where nothing may be written.

    On a read-only file system nobody else writes either, so the file is read as it is.  Otherwise, and where changes
    are still in a log beside the file or the store is older than this Kibitz, a copy is read.
    """
    file = Path(str(url.database))
    log = file.with_name(file.name + "-wal")
    if never_changes(file) and not (log.exists() and log.stat().st_size):
        database = Database(unchanging(file), retry_seconds, clock, str(file))
        if database.reading(revision) == NEWEST:
            return database
        database.close()
    folder = TemporaryDirectory(prefix="kibitz-store-")
    copy = Path(folder.name) / file.name
    for one, other in ((file, copy), (log, copy.with_name(log.name))):
        if one.exists():
            shutil.copyfile(one, other)
    database = Database(URL.create("sqlite", database=str(copy)), retry_seconds, clock, str(file))
    try:
        bring_up_to_date(database, create=False)
        database.keep_no_log()
    finally:
        database.close()
    database = Database(unchanging(copy), retry_seconds, clock, str(file))
    database.folder = folder
    return database


def unchanging(file: Path) -> URL:
    """The address of a file that is only read, and that nobody changes."""
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    return URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query=query)
