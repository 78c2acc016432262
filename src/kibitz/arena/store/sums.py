"""A checksum in every row, so that damage is told and never taken for a result.

    crc         the CRC-32 of a row's table and values; it finds every flipped bit, and is no seal: whoever changes a
                row can write it anew, which is what the log is for
    whole       a row that is as it was written
    damage      a row that is not; the store's sentence names its table and key

Columns of bytes have checksums of their own: a file its SHA-256, a record that of its compression.  A row's number
that the database gives is not in the checksum, since it is not known before; rows that point at it tell.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Double, Integer, LargeBinary, Table, select, update

NAME = "crc"
NO_SENSE = (ValueError, TypeError, ArithmeticError, RecursionError, MemoryError, msgspec.MsgspecError)
"""What values raise that nobody has written."""
R = TypeVar("R")
T = TypeVar("T")


class Damage(Exception):
    """A row of the store is not as it was written; the message says which one and why, and ends without a stop."""


def column(table: Table) -> Column[int]:
    """The column of checksums for a table: whatever is inserted gets its own."""

    def fresh(context: Any) -> int:
        return checksum(table, context.get_current_parameters())

    return Column(NAME, BigInteger, nullable=False, default=fresh, server_default="0")


@cache
def covered(table: Table) -> tuple[tuple[str, Callable[[Any], object]], ...]:
    """The columns that a checksum is made of, each with the type that its values are brought to."""
    own = [key.name for key in table.primary_key if key.name == "id"]
    return tuple(
        (str(found.name), float if isinstance(found.type, Double) else int if isinstance(found.type, Integer) else str)
        for found in table.columns
        if found.name not in (NAME, *own) and not found.info.get("loose") and not isinstance(found.type, LargeBinary)
    )


def checksum(table: Table, values: Mapping[str, Any]) -> int:
    """The checksum of a row with these values; what is not given is NULL."""
    return of_values(table, [values.get(name) for name, _ in covered(table)])


def of_values(table: Table, values: Iterable[Any]) -> int:
    """The checksum of a row whose covered values these are, in order."""
    return of_brought(
        table, [None if v is None else kind(v) for v, (_, kind) in zip(values, covered(table), strict=True)]
    )


def of_brought(table: Table, values: Sequence[Any]) -> int:
    """The checksum of a row whose covered values are of the types that they should be."""
    return zlib.crc32(msgspec.json.encode([str(table.name), *values]))


@cache
def readable(table: Table) -> tuple[Column[Any], ...]:
    """All columns but those of bytes, which are read where they are needed."""
    return tuple(found for found in table.columns if not isinstance(found.type, LargeBinary))


@cache
def values_of(table: Table) -> Callable[[Any], tuple[Any, ...]]:
    """Takes the covered values from a row."""
    names = [name for name, _ in covered(table)]
    return attrgetter(*names) if len(names) > 1 else lambda row: (getattr(row, names[0]),)


def whole(table: Table, row: R) -> R:
    """The row, if it is as it was written; Damage otherwise."""
    values = values_of(table)(row)
    right = all(v is None or type(v) is kind for v, (_, kind) in zip(values, covered(table), strict=True))
    if not right or cast(Any, row).crc != of_brought(table, values):
        raise Damage(f"in {called(table, row)}: its checksum is not that of its values")
    return row


def called(table: Table, row: Any) -> str:
    """What people call a row.

    >>> from types import SimpleNamespace
    >>> from kibitz.arena.store.schema import matches
    >>> called(matches, SimpleNamespace(block_id=3, rotation=1))
    'table matches, row block_id 3, rotation 1'
    """
    keys = ", ".join(f"{key.name} {getattr(row, key.name)!r}".replace("'", "") for key in table.primary_key)
    return f"table {table.name}, row {keys}"


def understood(table: Table, row: Any, read: Callable[[], T]) -> T:
    """What ``read`` makes of a row; Damage where its values make no sense."""
    try:
        return read()
    except NO_SENSE as error:
        raise Damage(f"in {called(table, row)}: its values make no sense") from error


def counts_on(found: Sequence[int], first: int, count: int) -> bool:
    """Whether these are ``count`` numbers from ``first`` on, each one more than the last; however many there should be.

    >>> counts_on([4, 5, 6], 4, 3), counts_on([4, 6], 4, 2), counts_on([4], 4, 1 << 60)
    (True, False, False)
    """
    return len(found) == count and all(number == first + k for k, number in enumerate(found))


def rewrite(connection: Connection, table: Table, number: int, values: Mapping[str, Any]) -> None:
    """Change the row ``number`` of a table, and its checksum with it; a damaged row stays as it is: Damage."""
    mine = table.c.id == number
    row = whole(table, connection.execute(select(*readable(table)).where(mine)).one())
    new = dict(values) | {NAME: checksum(table, {**row._mapping, **values})}
    connection.execute(update(table).where(mine).values(new))


def renew(connection: Connection, table: Table) -> None:
    """Give every row of a table the checksum of what stands there."""
    keys = list(table.primary_key)
    for row in connection.execute(select(*readable(table))).all():
        mine = [key == getattr(row, key.name) for key in keys]
        connection.execute(update(table).where(*mine).values({NAME: of_values(table, values_of(table)(row))}))
