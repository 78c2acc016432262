"""The log of what was decided, and a checksum in every row."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Integer,
    String,
    Text,
)

revision = "0004"
down_revision = "0003"

Id = BigInteger().with_variant(Integer, "sqlite")
TABLES = (
    *("tournaments", "seeds", "submissions", "qualifications", "rounds", "blocks"),
    *("matches", "seats", "voids", "disqualifications", "runners"),
)


def upgrade() -> None:
    """Checksums and logs themselves are made when all revisions are through."""
    for table in TABLES:
        op.add_column(table, Column("crc", BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "log",
        Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("kind", String(12), nullable=False),
        Column("entry", Text, nullable=False),
        Column("head", String(64), nullable=False),
        Column("at", Double, nullable=False),
        Column("crc", BigInteger, nullable=False, server_default="0"),
    )
