"""How an older database of the server becomes the newest: Alembic revisions, applied when it is opened.

To change the schema, change ``schema.py``, add a revision, and name it in ``REVISIONS``; a test holds all three
together.  A database may hold a season of the arena as well, which has revisions of its own.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect

from kibitz.arena.store.connection import Database
from kibitz.arena.store.migrations import lock, seen, stepped
from kibitz.errors import StoreError
from kibitz.web.store import schema

REVISIONS = ("0001",)
NEWEST = REVISIONS[-1]
VERSION_TABLE = "kibitz_web_version"


def bring_up_to_date(database: Database) -> None:
    """Apply the revisions that the database lacks; StoreError if it is newer, or another program's."""
    if database.reading(lambda connection: seen(connection, VERSION_TABLE)) != NEWEST:
        database.writing(lambda connection: upgrade(connection, database))
    database.let_readers_be()


def upgrade(connection: Connection, database: Database) -> None:
    """Apply what is missing, inside the transaction of ``connection``."""
    lock(connection, database)
    found = seen(connection, VERSION_TABLE)
    if found is None:
        if clash := sorted(set(inspect(connection).get_table_names()) & set(schema.metadata.tables)):
            raise StoreError("damaged", f"{database.where} holds a table {clash[0]!r} that is not Kibitz's.")
    elif found not in REVISIONS:
        raise StoreError(
            "newer",
            f"the store {database.where} is newer (revision {found}) than this Kibitz (revision {NEWEST}); "
            "install the newest Kibitz.",
        )
    if found != NEWEST:
        stepped(connection, Path(__file__).parent, VERSION_TABLE, schema.metadata, NEWEST)
