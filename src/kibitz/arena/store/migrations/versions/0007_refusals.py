"""Attempts that were refused before there was a version."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Double, ForeignKey, Integer, String, Text

revision = "0007"
down_revision = "0006"

Id = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """None was kept so far."""
    op.create_table(
        "refusals",
        Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("player", String(80), nullable=False),
        Column("owner", String(200), nullable=False),
        Column("file", String(255), nullable=False),
        Column("reason", Text, nullable=False),
        Column("at", Double, nullable=False),
        Column("crc", BigInteger, nullable=False, server_default="0"),
    )
