"""The tables, for SQLite and PostgreSQL alike.

    moment      a time, as UTC seconds since 1970
    person      the id of an account (``p_...``) or of a guest (``g_...``)
    digest      the SHA-256 of a secret, which itself is not kept
    JSON        text, made and read by msgspec types in ``entries``

``migrations`` makes these tables; a test holds the two against each other.
"""

from __future__ import annotations

from sqlalchemy import (
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
)

metadata = MetaData()
WHERE = ("gathering", "playing", "finished")
"""How far a table is: chairs are open, it is being played, it is over."""

facts = Table(
    "web_facts",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Single facts of this server, such as the key that signs cookies."""

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
    CheckConstraint("stands IN ('gathering', 'playing', 'finished')", name="ck_web_tables_stands"),
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
"""Who sat where, at tables and in finished games; seat -1 is whoever has handed a record in."""
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
"""``looks``: what the name looks like, so that no two accounts can be taken for one another."""

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
