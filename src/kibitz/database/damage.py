"""Finds damage: checks the file, the schema, and every row, player file and record of a store.

    damage      a sentence without its full stop, on what can't be right in which table and row

``kibitz arena verify`` also checks whether plausible values are true, from the records, seeds and logs.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, func, inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

from kibitz.database import schema

PROGRESS_STEP = 1000
"""The number of rows between two reports of progress."""
MAX_REPORTED = 5
"""The maximum number of findings of SQLite's own check that are reported."""

TRIGGERS = {
    "sqlite": "SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'view')",
    "postgresql": """
        SELECT 'trigger', t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
        UNION SELECT 'rule', rulename, tablename FROM pg_rules WHERE schemaname = current_schema()
        UNION SELECT 'policy', policyname, tablename FROM pg_policies WHERE schemaname = current_schema()
    """,
}
"""Queries, by dialect, for the kind, name and table of triggers and the like, which act when a row is written."""

STORED_SCHEMA = """
    SELECT type, name, CAST(sql AS BLOB) FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
"""
"""A query for the statements that made the tables and indexes of an SQLite file, as bytes in case they are damaged."""
TOKEN = re.compile(r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|\S""", re.DOTALL)
"""A token of a statement: a comment, a quoted text or name, a plain word or a sign."""

Progress = Callable[[int], object]
"""Called with the number of rows checked so far."""


def first_damage(connection: Connection) -> str | None:
    """The first damage found; None if the store is undamaged."""
    return next(all_damage(connection), None)


def row_counts(connection: Connection, tournament: int) -> tuple[int, int]:
    """The number of rows in the store, and the number of matches in the tournament with this id."""
    tables = schema.metadata.sorted_tables
    rows = sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables)
    matches = select(func.count()).select_from(schema.matches).join(schema.blocks)
    return rows, connection.scalar(matches.where(schema.blocks.c.tournament_id == tournament)) or 0


def all_damage(connection: Connection, progress: Progress = lambda count: None) -> Iterator[str]:
    """All damage of a store; ``progress`` is called from time to time with the number of rows checked.

    Rows are checked only if the file and the schema are undamaged.
    """
    basic_damage = list(file_damage(connection)) or list(schema_damage(connection))
    yield from basic_damage
    checked = 0
    for table in () if basic_damage else schema.metadata.sorted_tables:
        for damages in row_damage(connection, table):
            checked += 1
            yield from damages
            if checked % PROGRESS_STEP == 0:
                progress(checked)
    progress(checked)
    if not basic_damage:
        yield from reference_damage(connection)


def file_damage(connection: Connection) -> Iterator[str]:
    """The damage that SQLite finds in the pages of its file."""
    if connection.dialect.name == "sqlite":
        for (words,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_REPORTED})"):
            if words != "ok":
                yield f"in its file: {' '.join(str(words).split()).rstrip('.')}"


def schema_damage(connection: Connection) -> Iterator[str]:
    """Missing tables, unexpected triggers and the like; on SQLite, also tables and indexes that differ from Kibitz's.

    A trigger, a default, a computed column or a key that replaces rows would change rows before they are in the log.
    """
    tables = schema.metadata.tables
    names = set(inspect(connection).get_table_names())
    yield from (f"in its schema: there is no table {name}" for name in tables if name not in names)
    sqlite = connection.dialect.name == "sqlite"
    for kind, name, table in connection.exec_driver_sql(TRIGGERS[connection.dialect.name]):
        if sqlite or table in tables:
            yield f"in its schema: there is a {kind} {name} on table {table}, which Kibitz hasn't made"
    if sqlite:
        rows = connection.exec_driver_sql(STORED_SCHEMA)
        stored = {(kind, name): tokens_of(sql.decode(errors="replace")) for kind, name, sql in rows}
        expected = dict(creation_statements(connection))
        # Other tables don't matter; every index counts, since it could be on one of our tables.
        relevant = {key for key in stored if key[0] == "index" or key in expected} | {*expected}
        for kind, name in sorted(key for key in relevant if stored.get(key) != expected.get(key)):
            yield f"in its schema: {kind} {name} differs from the one that Kibitz makes"


def creation_statements(connection: Connection) -> Iterator[tuple[tuple[str, str], list[str]]]:
    """The kind and name of every table and index, with the tokens of the statement that makes it."""
    for table in schema.metadata.sorted_tables:
        yield ("table", table.name), tokens_of(str(CreateTable(table).compile(dialect=connection.dialect)))
        for index in table.indexes:
            yield ("index", str(index.name)), tokens_of(str(CreateIndex(index).compile(dialect=connection.dialect)))


def tokens_of(statement: str) -> list[str]:
    """The tokens of a statement, sorted, since versions of SQLAlchemy may write its clauses in another order.

    >>> tokens_of("CREATE TABLE t (a TEXT DEFAULT 'A')") == tokens_of("create table t (a text default 'a')")
    False
    >>> tokens_of("CREATE TABLE t (a TEXT NOT NULL UNIQUE)") == tokens_of("create  table t (a text unique not null)")
    True
    """
    return sorted(token if token[0] in "'\"`[" else token.lower() for token in TOKEN.findall(statement))


def reference_damage(connection: Connection) -> Iterator[str]:
    """Rows with references to missing rows."""
    for table in schema.metadata.sorted_tables:
        for column in table.columns:
            for key in column.foreign_keys:
                existing = select(key.column)
                query = select(*table.primary_key).where(column.is_not(None), column.not_in(existing))
                for row in connection.execute(query):
                    yield f"in {schema.row_name(table, row)}: its {column.name} refers to a missing row"
    tournaments = schema.tournaments
    logged = select(schema.log.c.tournament_id)
    for row in connection.execute(select(tournaments.c.id).where(tournaments.c.id.not_in(logged))):
        yield f"in {schema.row_name(tournaments, row)}: the tournament has no log"


def row_damage(connection: Connection, table: Table) -> Iterator[list[str]]:
    """The damage in each row, as one list per row; a table that can't be read in one query is read row by row."""
    try:
        yield from [list(damage_in_row(table, row)) for row in connection.execute(select(table))]
        return
    except (SQLAlchemyError, ValueError, TypeError):
        if connection.dialect.name != "sqlite":
            raise
    keys = list(table.primary_key)
    for key in connection.execute(select(*keys)).all():
        try:
            has_key = [column == value for column, value in zip(keys, key, strict=True)]
            yield list(damage_in_row(table, connection.execute(select(table).where(*has_key)).one()))
        except (SQLAlchemyError, ValueError, TypeError):
            yield [f"in {schema.row_name(table, key)}: its values cannot be read"]


def damage_in_row(table: Table, row: Row[Any]) -> Iterator[str]:
    """The damage in one row, if any."""
    try:
        schema.check_types(table, row)
        for column, read in BYTES_READERS.items():
            if column.table is table:
                read(row)
    except schema.Damage as damage:
        yield str(damage)


def file_of(row: Row[Any]) -> bytes:
    """The file of a submission's row. Raises Damage unless its SHA-256 is the one in the row."""
    content = bytes(row.content) if isinstance(row.content, bytes | memoryview) else None
    if content is None or digest(content) != row.sha256:
        raise schema.Damage(
            f"in {schema.row_name(schema.submissions, row)}: its file is not the one whose SHA-256 the row has"
        )
    return content


def digest(content: bytes) -> str:
    """The SHA-256 of a file; empty for a built-in strategy, whose file is empty."""
    return hashlib.sha256(content).hexdigest() if content else ""


def record_of(row: Row[Any]) -> str:
    """The record of a match's row. Raises Damage if it cannot be unpacked."""
    try:
        return zlib.decompress(row.record).decode()
    except (zlib.error, UnicodeDecodeError, TypeError) as error:
        raise schema.Damage(f"in {schema.row_name(schema.matches, row)}: its record can't be unpacked") from error


BYTES_READERS: dict[Column[Any], Callable[[Row[Any]], object]] = {
    schema.submissions.c.content: file_of,
    schema.matches.c.record: record_of,
}
"""For each column of bytes, the function that reads it from a row, and raises Damage if it can't be right."""
