"""Finds damage: checks the file, the schema, and every row, file and record of a store.

    damage      something that can't be right, in words that name the table and the row

Whether plausible values are also true is checked by ``kibitz arena verify``, from the records, seeds and logs.
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
"""How many rows lie between two reports of progress."""
MAX_REPORTED = 5
"""How many of SQLite's own findings are reported."""

TRIGGERS = {
    "sqlite": "SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'view')",
    "postgresql": """
        SELECT 'trigger', t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
        UNION SELECT 'rule', rulename, tablename FROM pg_rules WHERE schemaname = current_schema()
        UNION SELECT 'policy', policyname, tablename FROM pg_policies WHERE schemaname = current_schema()
    """,
}
"""Queries, by dialect, for triggers and the like, which act when a row is written: kind, name and table."""

STORED_SCHEMA = """
    SELECT type, name, CAST(sql AS BLOB) FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
"""
"""Tables and indexes as SQLite keeps them: the statements that made them, as bytes, since damage may leave no text."""
WORD = re.compile(r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|\S""", re.DOTALL)
"""A token of a statement: a comment, a quoted text or name, a plain word or a sign."""

Rows = Callable[[int], object]


def first_damage(connection: Connection) -> str | None:
    """The first damage found, if there is any."""
    return next(all_damage(connection), None)


def sizes(connection: Connection, tournament: int) -> tuple[int, int]:
    """How many rows the store has, and how many matches a tournament."""
    tables = schema.metadata.sorted_tables
    rows = sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables)
    mine = select(func.count()).select_from(schema.matches).join(schema.blocks)
    return rows, connection.scalar(mine.where(schema.blocks.c.tournament_id == tournament)) or 0


def all_damage(connection: Connection, progress: Rows = lambda count: None) -> Iterator[str]:
    """All damage of a store; ``progress`` is called at times with the number of rows checked."""
    wrong = list(file_damage(connection)) or list(schema_damage(connection))
    yield from wrong
    done = 0
    for table in () if wrong else schema.metadata.sorted_tables:
        for found in row_damage(connection, table):
            done += 1
            yield from found
            if done % PROGRESS_STEP == 0:
                progress(done)
    progress(done)
    if not wrong:
        yield from reference_damage(connection)


def file_damage(connection: Connection) -> Iterator[str]:
    """What SQLite finds wrong with the pages of its file."""
    if connection.dialect.name == "sqlite":
        for (words,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_REPORTED})"):
            if words != "ok":
                yield f"in its file: {' '.join(str(words).split()).rstrip('.')}"


def schema_damage(connection: Connection) -> Iterator[str]:
    """Missing tables, triggers and the like, and on SQLite statements that differ from this Kibitz's.

    A trigger, a default, a computed column or a key that replaces would change rows before they are in the log.
    """
    tables = schema.metadata.tables
    names = set(inspect(connection).get_table_names())
    yield from (f"in its schema: there is no table {name}" for name in tables if name not in names)
    sqlite = connection.dialect.name == "sqlite"
    for what, name, table in connection.exec_driver_sql(TRIGGERS[connection.dialect.name]):
        if sqlite or table in tables:
            yield f"in its schema: there is a {what} {name} on table {table}, which Kibitz hasn't made"
    if sqlite:
        stored = connection.exec_driver_sql(STORED_SCHEMA)
        kept = {(what, name): words(sql.decode(errors="replace")) for what, name, sql in stored}
        wanted = dict(statements(connection))
        ours = {one for one in kept if one[0] == "index" or one in wanted}
        for what, name in sorted(one for one in ours | {*wanted} if kept.get(one) != wanted.get(one)):
            yield f"in its schema: {what} {name} isn't the one that Kibitz has made"


def statements(connection: Connection) -> Iterator[tuple[tuple[str, str], list[str]]]:
    """Every table and index with the words of the statement that makes it."""
    for table in schema.metadata.sorted_tables:
        yield ("table", table.name), words(str(CreateTable(table).compile(dialect=connection.dialect)))
        for index in table.indexes:
            yield ("index", str(index.name)), words(str(CreateIndex(index).compile(dialect=connection.dialect)))


def words(statement: str) -> list[str]:
    """The words of a statement, sorted, since versions of SQLAlchemy may write its clauses in another order.

    >>> words("CREATE TABLE t (a TEXT DEFAULT 'A')") == words("create table t (a text default 'a')")
    False
    >>> words("CREATE TABLE t (a TEXT NOT NULL UNIQUE)") == words("create  table t (a text unique not null)")
    True
    """
    return sorted(word if word[0] in "'\"`[" else word.lower() for word in WORD.findall(statement))


def reference_damage(connection: Connection) -> Iterator[str]:
    """Rows with references to missing rows."""
    for table in schema.metadata.sorted_tables:
        for column in table.columns:
            for key in column.foreign_keys:
                there = select(key.column)
                lost = select(*table.primary_key).where(column.is_not(None), column.not_in(there))
                for row in connection.execute(lost):
                    yield f"in {schema.row_name(table, row)}: its {column.name} refers to a missing row"
    those = schema.tournaments
    for row in connection.execute(select(those.c.id).where(those.c.id.not_in(select(schema.log.c.tournament_id)))):
        yield f"in {schema.row_name(those, row)}: the tournament has no log"


def row_damage(connection: Connection, table: Table) -> Iterator[list[str]]:
    """What is wrong with each row; a table that cannot be read at once is read row by row."""
    try:
        yield from [list(damage_in_row(table, row)) for row in connection.execute(select(table))]
        return
    except (SQLAlchemyError, ValueError, TypeError):
        if connection.dialect.name != "sqlite":
            raise
    keys = list(table.primary_key)
    for key in connection.execute(select(*keys)).all():
        try:
            mine = [column == value for column, value in zip(keys, key, strict=True)]
            yield list(damage_in_row(table, connection.execute(select(table).where(*mine)).one()))
        except (SQLAlchemyError, ValueError, TypeError):
            yield [f"in {schema.row_name(table, key)}: its values cannot be read"]


def damage_in_row(table: Table, row: Row[Any]) -> Iterator[str]:
    """What is wrong with one row."""
    try:
        schema.check_types(table, row)
        for column, read in UNPACKED.items():
            if column.table is table:
                read(row)
    except schema.Damage as wrong:
        yield str(wrong)


def file_of(row: Row[Any]) -> bytes:
    """The file of a submission's row; Damage unless it is the one whose SHA-256 the row has."""
    found = bytes(row.content) if isinstance(row.content, bytes | memoryview) else None
    if found is None or digest(found) != row.sha256:
        raise schema.Damage(
            f"in {schema.row_name(schema.submissions, row)}: its file is not the one whose SHA-256 stands there"
        )
    return found


def digest(content: bytes) -> str:
    """The SHA-256 of a file; empty for the empty one of a built-in strategy."""
    return hashlib.sha256(content).hexdigest() if content else ""


def record_of(row: Row[Any]) -> str:
    """The record of a match's row; Damage if it cannot be unpacked."""
    try:
        return zlib.decompress(row.record).decode()
    except (zlib.error, UnicodeDecodeError, TypeError) as error:
        raise schema.Damage(f"in {schema.row_name(schema.matches, row)}: its record can't be unpacked") from error


UNPACKED: dict[Column[Any], Callable[[Row[Any]], object]] = {
    schema.submissions.c.content: file_of,
    schema.matches.c.record: record_of,
}
"""How each column of bytes is checked."""
