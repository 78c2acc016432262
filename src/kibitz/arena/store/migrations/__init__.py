"""How an older database becomes the newest: Alembic revisions, applied when a store is opened.

    revision    ``versions/0001_...``: one step; a database keeps the name of the last one it has seen
    NEWEST      the revision that this Kibitz works with

All steps that a database lacks are one transaction, so it is never between two revisions.  To change the schema,
change ``schema.py``, add a revision, and name it in ``REVISIONS``; the tests hold all three together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, MetaData, inspect, text

from kibitz.arena.store import schema
from kibitz.arena.store.damage import of_the_tables
from kibitz.arena.store.database import Database
from kibitz.arena.store.log import begin_logs
from kibitz.arena.store.schema import VERSION_TABLE, Damage
from kibitz.cards import shown
from kibitz.errors import StoreError

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010")
NEWEST = REVISIONS[-1]
NAME = re.compile("[0-9]{4}")
"""What revisions are called."""
LOCK = 0x6B6962697469  # "kibitz", as far as a signed 64-bit number holds it
"""PostgreSQL's advisory lock that lets one process at a time bring a database up to date."""


def bring_up_to_date(database: Database, *, create: bool) -> None:
    """Apply the revisions that the database lacks; StoreError if it is newer, or no store."""
    found = database.reading(revision)
    if found != NEWEST and (found is not None or create):
        database.writing(lambda connection: upgrade(connection, database))
        database.let_readers_be()
    elif found is None:
        raise StoreError(
            "missing", f"there is no store in {database.where}; the first 'kibitz arena submit' makes one."
        )


def revision(connection: Connection) -> str | None:
    """The last revision that the database has seen; None for one without our tables."""
    return seen(connection, VERSION_TABLE)


def seen(connection: Connection, version_table: str) -> str | None:
    """The last revision that a table of versions names; None if there is no such table.  Damage if it names none."""
    if not inspect(connection).has_table(version_table):
        return None
    sqlite = connection.dialect.name == "sqlite"
    column = "hex(version_num)" if sqlite else "version_num"  # SQLite's text may be no text, which Python cannot read
    found = [str(row[0]) for row in connection.execute(text(f"SELECT {column} FROM {version_table}"))]
    names = [bytes.fromhex(one).decode(errors="replace") for one in found] if sqlite else found
    for name in names:
        if len(names) > 1 or not NAME.fullmatch(name):
            raise Damage(f"in table {version_table}: it says {', '.join(map(shown, names))}, which isn't a revision")
    return names[0] if names else None


def check(connection: Connection, database: Database) -> None:
    """Refuse a database that is not ours to change."""
    found = revision(connection)
    if found is None:
        names = inspect(connection).get_table_names()
        if clash := sorted(set(names) & set(schema.metadata.tables)):
            raise StoreError(
                "damaged", f"{database.where} holds another program's table {clash[0]!r}; give the store its own."
            )
        if names and not database.postgres:
            raise StoreError("damaged", f"{database.where} is another program's database; give the store its own.")
        return
    check_known(found, REVISIONS, database)
    if found != NEWEST and not list(of_the_tables(connection)):
        raise Damage(f"in table {VERSION_TABLE}: it says {found}, and the tables are those of {NEWEST}")


def check_known(found: str, revisions: Sequence[str], database: Database) -> None:
    """StoreError for a revision that is none of those of this Kibitz."""
    if found not in revisions:
        raise StoreError(
            "newer",
            f"the store {database.where} is newer (revision {found}) than this Kibitz (revision {revisions[-1]}); "
            "install the newest Kibitz.",
        )


def upgrade(connection: Connection, database: Database, target: str = NEWEST) -> None:
    """Apply what is missing up to ``target``, inside the transaction of ``connection``."""
    lock(connection, database)
    before = revision(connection)
    check(connection, database)
    if before == NEWEST:
        return
    stepped(connection, Path(__file__).parent, VERSION_TABLE, schema.metadata, target)
    if target == NEWEST:
        begin_logs(connection, before or "", database.clock())


def lock(connection: Connection, database: Database) -> None:
    """Let no other process bring this database up to date until the transaction ends."""
    if database.postgres:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def stepped(connection: Connection, home: Path, version_table: str, metadata: MetaData, target: str) -> None:
    """Apply the revisions in the folder ``home`` that the database lacks, up to ``target``."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(home))
    steps = EnvironmentContext(Config(), script, fn=lambda before, _: script._upgrade_revs(target, before))
    with steps:
        steps.configure(connection=connection, version_table=version_table, target_metadata=metadata)
        steps.run_migrations()
