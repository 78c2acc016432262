"""The tables, for SQLite and PostgreSQL alike, and a checksum in every row.

    moment      a time, as UTC seconds since 1970
    seed        32 hexadecimal digits: 128 bits don't fit into an integer column
    holder      who has a block on lease; empty for nobody
    key         chosen by the inserting process, so that a repeated insertion is recognised
    crc         the checksum of a row, in every table; columns marked ``LOOSE`` aren't included

``migrations`` makes these tables; ``tests/arena/store/test_migrations.py`` compares the two.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

import msgspec
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    select,
    text,
    update,
)

# Checksums, so that damage is reported and never taken for a result.
#
# crc         the CRC-32 of a row's table and values; it finds every flipped bit, and is no seal: anybody who changes a
#             row can write it anew, which is what the log is for
# whole       a row that is as it was written
# damage      a row that is not; the store's sentence names its table and key
#
# Columns of bytes have checksums of their own: a file its SHA-256, a record that of its compression.  A row's number
# that the database gives is not in the checksum, since it is not known before; rows that point at it tell.


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
        raise Damage(f"in {called(table, row)}: its checksum doesn't match its values")
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


# The tables.


NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMES)

VERSION_TABLE = "kibitz_version"
"""Where a database says which revision it is of."""

LOOSE = {"loose": True}
"""Marks a column that changes all the time and follows from other rows, or decides nothing."""

Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only where the type is INTEGER."""


def one_of(column: str, *values: str) -> CheckConstraint:
    """The column holds one of these words."""
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=column)


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("game", String(200), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("phase", String(10), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("threshold_games", Integer, nullable=False),
    Column("threshold_share", Double, nullable=False),
    Column("limits", Text, nullable=False, server_default="{}"),
    Column("opened_at", Double, nullable=False),
    Column("goal", Text),
    one_of("kind", "standard", "bonus", "custom"),
    one_of("phase", "open", "frozen", "final", "closed"),
)

"""``goal``: JSON of when the tournament ends; NULL if its rounds have no end."""

seeds = Table(
    "seeds",
    metadata,
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), primary_key=True),
    Column("stage", String(10), primary_key=True),
    Column("seed", String(32), nullable=False),
    Column("commitment", String(64), nullable=False),
    one_of("stage", "season", "final"),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), nullable=False),
    Column("player", String(80), nullable=False),
    Column("version", Integer, nullable=False),
    Column("owner", String(200), nullable=False),
    Column("file", String(255), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("state", String(10), nullable=False),
    Column("reason", Text, nullable=False),
    Column("submitted_at", Double, nullable=False),
    Column("settled_at", Double),
    Column("account", String(80)),
    UniqueConstraint("tournament_id", "player", "version"),
    one_of("state", "waiting", "accepted", "refused"),
)
"""``account``: the id of the server's account that submitted it; NULL for the command line."""

qualifications = Table(
    "qualifications",
    metadata,
    Column("id", Id, primary_key=True),
    Column("submission_id", Id, ForeignKey(submissions.c.id), nullable=False, index=True),
    Column("passed", Integer, nullable=False),
    Column("report", Text, nullable=False),
    Column("at", Double, nullable=False),
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", Id, primary_key=True),
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("phase", String(10), nullable=False),
    Column("entrants", Text, nullable=False),
    Column("first_block", Integer, nullable=False),
    Column("blocks", Integer, nullable=False),
    Column("scheduled_at", Double, nullable=False),
    Column("closed_at", Double),
    UniqueConstraint("tournament_id", "number"),
    one_of("phase", "open", "frozen", "final"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), nullable=False),
    Column("round_id", Id, ForeignKey(rounds.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("deal_seed", String(32), nullable=False),
    Column("lineup", Text, nullable=False),
    Column("state", String(10), nullable=False, info=LOOSE),
    Column("voids", Integer, nullable=False, info=LOOSE),
    Column("not_before", Double, nullable=False, info=LOOSE),
    Column("holder", String(120), nullable=False, info=LOOSE),
    Column("expires", Double, nullable=False, info=LOOSE),
    Column("memory", Text, nullable=False, server_default="{}", info=LOOSE),
    UniqueConstraint("tournament_id", "number"),
    one_of("state", "queued", "leased", "played", "given-up"),
)
"""``not_before``: a block whose machine failed rests until then.  ``expires`` counts while the state is leased.

``memory``: what is remembered of attempts that a machine has spoilt, JSON by rotation; ``{}`` once it is played.
"""

Index(
    "ix_blocks_unplayed",
    blocks.c.round_id,
    blocks.c.state,
    sqlite_where=text("state IN ('queued', 'leased')"),
    postgresql_where=text("state IN ('queued', 'leased')"),
)

matches = Table(
    "matches",
    metadata,
    Column("block_id", Id, ForeignKey(blocks.c.id), primary_key=True),
    Column("rotation", Integer, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Column("tier", String(40), nullable=False),
    Column("engine", String(40), nullable=False),
    Column("seconds", Double, nullable=False),
    Column("played_at", Double, nullable=False),
    Column("holder", String(120), nullable=False),
)
"""The primary key is what makes a result count once.  ``record`` is text, compressed by zlib."""

seats = Table(
    "seats",
    metadata,
    Column("block_id", Id, ForeignKey(blocks.c.id), primary_key=True),
    Column("rotation", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("submission_id", Id, ForeignKey(submissions.c.id), nullable=False, index=True),
    Column("score", Double, nullable=False),
    Column("place", Integer, nullable=False),
    Column("win_share", Double, nullable=False),
    Column("forfeit", String(40)),
    Column("rule", Text),
    Column("moves", Integer),
    Column("detail", Text, nullable=False),
    Column("prints", Text, nullable=False),
)

voids = Table(
    "voids",
    metadata,
    Column("block_id", Id, ForeignKey(blocks.c.id), primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("rotation", Integer, nullable=False),
    Column("cause", Text, nullable=False),
    Column("holder", String(120), nullable=False),
    Column("at", Double, nullable=False),
)

disqualifications = Table(
    "disqualifications",
    metadata,
    Column("submission_id", Id, ForeignKey(submissions.c.id), primary_key=True),
    Column("round_id", Id, ForeignKey(rounds.c.id), nullable=False),
    Column("games", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("reason", Text, nullable=False),
)

withdrawals = Table(
    "withdrawals",
    metadata,
    Column("submission_id", Id, ForeignKey(submissions.c.id), primary_key=True),
    Column("at", Double, nullable=False),
)
"""A player has left: this is its newest version of that moment, and only a later one plays again."""

refusals = Table(
    "refusals",
    metadata,
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player", String(80), nullable=False),
    Column("owner", String(200), nullable=False),
    Column("file", String(255), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Double, nullable=False),
)
"""An attempt that was refused before there was a version: a file that cannot be read, or that might not come then."""

roster = Table(
    "roster",
    metadata,
    Column("player", String(80), primary_key=True),
    Column("owner", String(200), nullable=False),
    Column("number", String(40), nullable=False),
)
"""Whose a player's name is, in all tournaments, and the platform's number of its owner or nothing."""

runners = Table(
    "runners",
    metadata,
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), primary_key=True),
    Column("holder", String(120), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("process", Integer, nullable=False),
    Column("born", String(80), nullable=False),
    Column("started_at", Double, nullable=False),
    Column("expires", Double, nullable=False, info=LOOSE),
    Column("shown", Text, nullable=False, server_default="[]", info=LOOSE),
)
"""Who is playing a tournament: ``host``, ``process`` and ``born`` tell one process from all others.

``shown``: the matches that it is playing, as JSON, for spectators only.
"""

log = Table(
    "log",
    metadata,
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(12), nullable=False),
    Column("entry", Text, nullable=False),
    Column("head", String(64), nullable=False),
    Column("at", Double, nullable=False),
)
"""What was decided, in order: each ``head`` is the SHA-256 of the one before and of the ``entry``."""

for table in metadata.tables.values():
    table.append_column(column(table))
