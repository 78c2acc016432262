"""A table or an index as SQLite keeps it: the words of the statement that made it.

What SQLAlchemy reads of a schema leaves out what acts unseen: how texts are compared, what becomes of a row that is
there already, the values of a check.  The statement has it all.

    clause      what stands between the commas of a statement's brackets, and what stands around the brackets
    key         its words in order of the alphabet, since versions of SQLAlchemy may write them in another one
"""

from __future__ import annotations

import re

from sqlalchemy import Connection, Table
from sqlalchemy.schema import CreateIndex, CreateTable

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
