"""Runners: who is playing a tournament."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Integer,
    String,
)

revision = "0002"
down_revision = "0001"

Id = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the table of runners."""
    op.create_table(
        "runners",
        Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
        Column("holder", String(120), primary_key=True),
        Column("host", String(255), nullable=False),
        Column("process", Integer, nullable=False),
        Column("born", String(80), nullable=False),
        Column("started_at", Double, nullable=False),
        Column("expires", Double, nullable=False),
    )
