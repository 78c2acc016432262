"""All tables, for both SQLite and PostgreSQL, and the checks of rows that are read.

    moment      a time, as UTC seconds since 1970
    seed        32 hexadecimal digits: 128 bits don't fit into an integer column
    holder      the process that has a block on lease; empty if none
    key         chosen by the inserting process, so that a repeated insertion is recognised
    person      the id of an account (``p_...``) or of a guest (``g_...``)

The arena uses the tables of the first part. The server uses the tables of the second part and, for its seasons, the
arena's tables too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
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
    text,
)

# Rows are checked when they are read, so that damage is reported and never becomes part of a result.


DECODE_ERRORS = (ValueError, TypeError, ArithmeticError, RecursionError, MemoryError, msgspec.MsgspecError)
"""The errors that decoding may raise for values that Kibitz hasn't written."""
R = TypeVar("R")
S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")


class Damage(Exception):
    """A row of the store can't be right; the message says which row and why, and ends without a full stop."""


@cache
def column_types(table: Table) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """The ``readable`` columns of a table: pairs of a name and the types that its values may have."""
    types = []
    for column in readable(table):
        type_ = float if isinstance(column.type, Double) else int if isinstance(column.type, Integer) else str
        types.append((column.name, (type_, type(None)) if column.nullable else (type_,)))
    return tuple(types)


@cache
def readable(table: Table) -> tuple[Column[Any], ...]:
    """All columns except columns of bytes, which are read only where they are needed."""
    return tuple(column for column in table.columns if not isinstance(column.type, LargeBinary))


@cache
def values_getter(table: Table) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the values of the ``readable`` columns of a row."""
    names = [column.name for column in readable(table)]
    return attrgetter(*names) if len(names) > 1 else lambda row: (getattr(row, names[0]),)


def check_types(table: Table, row: R) -> R:
    """Return the row, if its values have their columns' types, which SQLite doesn't check. Raises Damage otherwise."""
    for value, (name, types) in zip(values_getter(table)(row), column_types(table), strict=True):
        if type(value) not in types:
            actual, expected = type(value).__name__, types[0].__name__
            raise Damage(f"in {row_name(table, row)}: its {name} is of type {actual}, not {expected}")
    return row


def row_name(table: Table, row: Any) -> str:
    """A row as people read it: its table and primary key.

    >>> from types import SimpleNamespace
    >>> from kibitz.database.schema import matches
    >>> row_name(matches, SimpleNamespace(block_id=3, rotation=1))
    'table matches, row block_id 3, rotation 1'
    """
    keys = ", ".join(f"{key.name} {getattr(row, key.name)!r}".replace("'", "") for key in table.primary_key)
    return f"table {table.name}, row {keys}"


def decoded(table: Table, row: Any, read: Callable[[], T]) -> T:
    """The result of ``read()``, which decodes values of a row.

    Raises Damage if it raises an error of ``DECODE_ERRORS``.
    """
    try:
        return read()
    except DECODE_ERRORS as error:
        raise Damage(f"in {row_name(table, row)}: its values make no sense") from error


def from_row(kind: type[S], row: Any, **fields: Any) -> S:
    """A struct made from ``fields``, and for its other fields from the row's columns of the same names."""
    return kind(**{name: getattr(row, name) for name in kind.__struct_fields__ if name not in fields}, **fields)


def are_consecutive(numbers: Sequence[int], first: int, count: int) -> bool:
    """Whether these are ``count`` consecutive numbers from ``first`` on.

    >>> are_consecutive([4, 5, 6], 4, 3), are_consecutive([4, 6], 4, 2), are_consecutive([4], 4, 1 << 60)
    (True, False, False)
    """
    return len(numbers) == count and all(number == first + k for k, number in enumerate(numbers))


# The tables of the arena.


NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING_CONVENTION)

VERSION = 3
"""The version of these tables."""

versions = Table("kibitz_store", metadata, Column("version", Integer, primary_key=True, autoincrement=False))
"""One row: the version of the tables in this database."""

Id = BigInteger().with_variant(Integer, "sqlite")
"""The type of ids: SQLite numbers rows by itself only if the type is INTEGER."""


def check_one_of(column: str, *values: str) -> CheckConstraint:
    """The constraint that a column holds one of these words."""
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
    check_one_of("kind", "standard", "bonus", "custom"),
    check_one_of("phase", "open", "frozen", "final", "closed"),
)
"""``goal``: the tournament's end condition as JSON; NULL if it has none."""

seeds = Table(
    "seeds",
    metadata,
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), primary_key=True),
    Column("stage", String(10), primary_key=True),
    Column("seed", String(32), nullable=False),
    Column("commitment", String(64), nullable=False),
    check_one_of("stage", "season", "final"),
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
    check_one_of("state", "waiting", "accepted", "refused"),
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
    check_one_of("phase", "open", "frozen", "final"),
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
    Column("state", String(10), nullable=False),
    Column("voids", Integer, nullable=False),
    Column("not_before", Double, nullable=False),
    Column("holder", String(120), nullable=False),
    Column("expires", Double, nullable=False),
    Column("memory", Text, nullable=False, server_default="{}"),
    UniqueConstraint("tournament_id", "number"),
    check_one_of("state", "queued", "leased", "played", "given-up"),
)
"""``not_before``: when a block may be claimed again after a failure of the machine.

``expires``: when the lease runs out, if the state is leased. ``memory``: what is known of void attempts, as JSON by
rotation; ``{}`` once the block is played.
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
"""The primary key ensures that a match has only one result.  ``record``: the record's text, compressed by zlib."""

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
"""A player's withdrawal: its newest version at that moment. Only later versions of the player play again."""

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
"""A file that was refused before it became a version: it was unreadable, or couldn't be submitted at the time."""

roster = Table(
    "roster",
    metadata,
    Column("player", String(80), primary_key=True),
    Column("owner", String(200), nullable=False),
    Column("number", String(40), nullable=False),
)
"""The owner of a player's name, in all tournaments, and the owner's number on a platform, if any."""

runners = Table(
    "runners",
    metadata,
    Column("tournament_id", Id, ForeignKey(tournaments.c.id), primary_key=True),
    Column("holder", String(120), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("process", Integer, nullable=False),
    Column("born", String(80), nullable=False),
    Column("started_at", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("shown", Text, nullable=False, server_default="[]"),
)
"""The processes that play a tournament; ``host``, ``process`` and ``born`` identify a process.

``shown``: the matches in play, as JSON, for spectators only.
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
"""The decisions, in order: each ``head`` is the SHA-256 of the previous head and the ``entry``."""

# The tables of the server.


facts = Table(
    "web_facts",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single facts about this server, such as the key that signs cookies."""

tables = Table(
    "web_tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("seed", String(32), nullable=False),
    Column("maker", String(80), nullable=False),
    Column("chairs", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("stands", String(10), nullable=False),
    Column("rematch", String(32), nullable=False, server_default=""),
    Column("made_at", Double, nullable=False),
    check_one_of("stands", "gathering", "playing", "finished"),
)

journal = Table(
    "web_journal",
    metadata,
    Column("table_id", String(32), ForeignKey(tables.c.id), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("entry", Text, nullable=False),
    Column("at", Double, nullable=False),
)

games = Table(
    "web_games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("names", Text, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("notes", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Column("at", Double, nullable=False),
)
"""``record``: the record's text, compressed by zlib."""

seatings = Table(
    "web_seatings",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(80), nullable=False),
)
"""The seats at tables and in finished games; seat -1 is the person who submitted a record."""
favourites = Table(
    "web_favourites",
    metadata,
    Column("person", String(80), primary_key=True),
    Column("game_id", String(32), ForeignKey(games.c.id), primary_key=True),
)
"""The finished games that people have marked as favourites."""
Index("ix_web_seatings_person", seatings.c.person)
Index("ix_web_tables_stands", tables.c.stands)

people = Table(
    "web_people",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("looks", String(400), nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("made_at", Double, nullable=False),
)
"""``looks``: the name's skeleton, so that no two accounts can be confused."""

sessions = Table(
    "web_sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person", String(80), ForeignKey(people.c.id), nullable=False),
    Column("ends_at", Double, nullable=False),
)

tokens = Table(
    "web_tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person", String(80), nullable=False),
    Column("name", String(40), nullable=False),
    Column("label", String(80), nullable=False),
    Column("made_at", Double, nullable=False),
    Column("ends_at", Double, nullable=False),
)
