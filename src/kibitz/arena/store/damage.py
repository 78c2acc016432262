"""Finds damage: checks every row, file and record of a store, in all its tournaments.

    damage      a difference from what was written, in words that name the table and the row
    first       the first damage found

SQLite's own check finds rows that its pages have lost; each row's checksum finds changed values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sqlalchemy import Column, Connection, LargeBinary, Row, Table, UniqueConstraint, func, inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.types import TypeEngine

from kibitz.arena.store import participants, queries, schema

# A table or an index as SQLite keeps it: the words of the statement that made it.
#
# What SQLAlchemy reads of a schema leaves out what acts unseen: how texts are compared, what becomes of a row that is
# there already, the values of a check.  The statement has it all.
#
# clause      what stands between the commas of a statement's brackets, and what stands around the brackets
# key         its words in order of the alphabet, since versions of SQLAlchemy may write them in another one


WORD = re.compile(r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|\S""", re.DOTALL)
KEPT = "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL AND name IN ({})"


def clauses(statement: str) -> dict[str, str]:
    """The clauses of a statement by their keys.

    >>> clauses("CREATE TABLE t (a INTEGER NOT NULL, CHECK (a IN (1, 2)))")["a integer not null"]
    'a integer not null'
    """
    found: list[list[str]] = [[]]
    around: list[str] = []
    depth = 0
    for word in WORD.findall(statement):
        depth -= word == ")"
        if depth == 0:
            around.append(word)
        elif depth == 1 and word == ",":
            found.append([])
        else:
            found[-1].append(word)
        depth += word == "("
    return {key(words): " ".join(lowered(words)) for words in (around, *found) if words}


def lowered(words: list[str]) -> list[str]:
    """Words as SQLite takes them; texts in quotes stay as they are."""
    return [word if word[0] in "'\"`[" else word.lower() for word in words]


def key(words: list[str]) -> str:
    """What a clause is known by."""
    return " ".join(sorted(lowered(words)))


def differences(connection: Connection, table: Table) -> list[tuple[str, bool]]:
    """The clauses of a table and its indexes that are there and should not be, or (True) are missing."""
    dialect = connection.dialect
    wanted = clauses(str(CreateTable(table).compile(dialect=dialect)))
    for index in table.indexes:
        wanted |= clauses(str(CreateIndex(index).compile(dialect=dialect)))
    names = ", ".join(f"'{name}'" for name in (table.name, *(index.name for index in table.indexes)))
    there: dict[str, str] = {}
    for (sql,) in connection.exec_driver_sql(KEPT.format(names)):
        there |= clauses(sql)
    missing = [(wanted[one], True) for one in wanted if one not in there]
    return [(there[one], False) for one in there if one not in wanted] + missing


STEP = 1000
"""How many rows lie between two reports of progress."""
MOST = 5
"""How many of SQLite's own findings are reported."""

ACTING = {
    "sqlite": "SELECT type, name, tbl_name FROM sqlite_schema WHERE type = 'trigger'",
    "postgresql": """
        SELECT 'trigger', t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
        UNION SELECT 'rule', rulename, tablename FROM pg_rules WHERE schemaname = current_schema()
        UNION SELECT 'policy', policyname, tablename FROM pg_policies WHERE schemaname = current_schema()
    """,
}
"""Triggers and rules, which act by themselves when a row is written: by dialect, a query for kind, name and table.

An SQLite file belongs to one store, and SQLite spells the table as the trigger's author did, so it may have no
trigger at all.
"""

TYPE = re.compile(r"::[a-z ]+\Z")
"""What PostgreSQL puts behind a value that is a default."""

Rows = Callable[[int], object]


def first(connection: Connection) -> str | None:
    """The first damage that is found, if there is any."""
    return next(all_of_it(connection), None)


def sizes(connection: Connection, tournament: int) -> tuple[int, int]:
    """How many rows the store has, and how many matches a tournament."""
    tables = schema.metadata.sorted_tables
    rows = sum(connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables)
    mine = select(func.count()).select_from(schema.matches).join(schema.blocks)
    return rows, connection.scalar(mine.where(schema.blocks.c.tournament_id == tournament)) or 0


def all_of_it(connection: Connection, seen: Rows = lambda count: None) -> Iterator[str]:
    """All damage of a store; ``seen`` is told now and then how many rows have been looked at."""
    wrong = list(of_the_file(connection))
    yield from wrong
    if not wrong:
        wrong = list(of_the_tables(connection))
        yield from wrong
    done = 0
    for table in () if wrong else schema.metadata.sorted_tables:
        for found in of_the_rows(connection, table):
            done += 1
            yield from found
            if done % STEP == 0:
                seen(done)
    seen(done)
    if not wrong:
        yield from of_the_references(connection)


def of_the_file(connection: Connection) -> Iterator[str]:
    """What SQLite finds wrong with the pages of its file."""
    if connection.dialect.name == "sqlite":
        for (words,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})"):
            if words != "ok":
                yield f"in its file: {' '.join(str(words).split()).rstrip('.')}"


def of_the_tables(connection: Connection) -> Iterator[str]:
    """Tables, columns, checks and indexes that are not what they should be."""
    found = inspect(connection)
    names = set(found.get_table_names())
    sqlite = connection.dialect.name == "sqlite"
    for table in schema.metadata.sorted_tables:
        if table.name not in names:
            yield f"in its schema: there is no table {table.name}"
            continue
        for what, there, wanted in parts(found, table):
            for name in sorted(there ^ wanted):
                yield f"in its schema: {what} {name} of table {table.name} is {'not ' * (name in wanted)}there"
        if sqlite:
            for clause, missing in differences(connection, table):
                yield f"in its schema: the words {clause!r} of table {table.name} are {'not ' * missing}there"
    for what, name, table in connection.exec_driver_sql(ACTING[connection.dialect.name]):
        if sqlite or table in schema.metadata.tables or table == schema.VERSION_TABLE:
            yield f"in its schema: {what} {name} of table {table} is there, and changes rows by itself"


def parts(found: Any, table: Table) -> Iterator[tuple[str, set[str], set[str]]]:
    """What a table is made of, as it is there and as it should be."""
    wanted = {
        column_words(column.name, column.type, default_of(column), nullable=bool(column.nullable))
        for column in table.columns
    }
    columns = found.get_columns(table.name)
    there = {column_words(one["name"], one["type"], plain(one["default"]), nullable=one["nullable"]) for one in columns}
    computed = {f"{one['name']} (computed)" for one in columns if "computed" in one or "identity" in one}
    yield "column", there | computed, wanted
    keys = {column.name for column in table.primary_key}
    yield "key", set(found.get_pk_constraint(table.name)["constrained_columns"]), keys
    dialect = found.dialect.name
    indexes = {
        index_words(one["name"], one["column_names"], one.get("dialect_options", {}).get(f"{dialect}_where"))
        for one in found.get_indexes(table.name)
        if not one.get("duplicates_constraint")
    }
    those = {index_words(one.name, one.columns.keys(), one.dialect_options[dialect]["where"]) for one in table.indexes}
    yield "index", indexes, those
    alone = {"+".join(one["column_names"]) for one in found.get_unique_constraints(table.name)}
    sets = [one.columns.keys() for one in table.constraints if isinstance(one, UniqueConstraint)]
    yield "unique key", alone, {"+".join(one) for one in sets}
    checks = {str(one.name) for one in table.constraints if type(one).__name__ == "CheckConstraint"}
    yield "check", {str(one["name"]) for one in found.get_check_constraints(table.name)}, checks
    pairs = {f"{'+'.join(key.column_keys)} to {key.referred_table.name}" for key in table.foreign_key_constraints}
    those = {
        f"{'+'.join(one['constrained_columns'])} to {one['referred_table']}{', which acts' * bool(one['options'])}"
        for one in found.get_foreign_keys(table.name)
    }
    yield "reference", those, pairs


def column_words(name: str, kind: TypeEngine[Any], default: str, *, nullable: bool) -> str:
    """A column with the kind of its values, and what it holds where nothing is given."""
    try:
        holds = kind.python_type.__name__
    except NotImplementedError:
        holds = "unknown"
    compared = getattr(kind, "collation", None)
    more = ", NOT NULL" * (not nullable) + f", {default} by itself" * bool(default)
    return f"{name} ({holds}{more}{f', compared by {compared}' if compared else ''})"


def default_of(column: Column[Any]) -> str:
    """What a column should hold where nothing is given; empty for NULL."""
    return str(getattr(column.server_default, "arg", ""))


def plain(default: str | None) -> str:
    """A default as the database writes it, without quotes and type; empty for a number that it gives itself."""
    if default is None or default.startswith("nextval("):
        return ""
    return TYPE.sub("", default).strip("'")


def index_words(name: object, columns: Iterable[str | None], where: object) -> str:
    """An index with its columns, and whether it is of all rows."""
    return f"{name} ({', '.join(map(str, columns))}{', of some rows' * (where is not None)})"


def of_the_references(connection: Connection) -> Iterator[str]:
    """Rows that point at rows that are not there."""
    for table in schema.metadata.sorted_tables:
        for column in table.columns:
            for key in column.foreign_keys:
                there = select(key.column)
                lost = select(*table.primary_key).where(column.is_not(None), column.not_in(there))
                for row in connection.execute(lost):
                    yield f"in {schema.called(table, row)}: its {column.name} refers to a missing row"
    those = schema.tournaments
    for row in connection.execute(select(those.c.id).where(those.c.id.not_in(select(schema.log.c.tournament_id)))):
        yield f"in {schema.called(those, row)}: the tournament has no log"


def of_the_rows(connection: Connection, table: Table) -> Iterator[list[str]]:
    """For each row what is wrong with it; where a table cannot be read at once, it is read row by row."""
    try:
        yield from [list(of_one(table, row)) for row in connection.execute(select(table))]
        return
    except (SQLAlchemyError, ValueError, TypeError):
        if connection.dialect.name != "sqlite":
            raise
    keys = list(table.primary_key)
    for key in connection.execute(select(*keys)).all():
        try:
            mine = [column == value for column, value in zip(keys, key, strict=True)]
            yield list(of_one(table, connection.execute(select(table).where(*mine)).one()))
        except (SQLAlchemyError, ValueError, TypeError):
            yield [f"in {schema.called(table, key)}: its values cannot be read"]


def of_one(table: Table, row: Row[Any]) -> Iterator[str]:
    """What is wrong with one row."""
    try:
        schema.whole(table, row)
        for column in table.columns:
            if isinstance(column.type, LargeBinary):
                UNPACKED[column](row)
    except schema.Damage as wrong:
        yield str(wrong)


def file_of(row: Row[Any]) -> bytes:
    """The file of a submission's row."""
    return participants.file_of(row, row.content)


UNPACKED: dict[Column[Any], Callable[[Row[Any]], object]] = {
    schema.submissions.c.content: file_of,
    schema.matches.c.record: queries.record_of,
}
"""How each column of bytes is checked."""
