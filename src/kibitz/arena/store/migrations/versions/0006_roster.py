"""Withdrawals, and the roster: whose players there are."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Double, ForeignKey, Integer, String

revision = "0006"
down_revision = "0005"

Id = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Nobody has withdrawn so far, and no roster is known."""
    op.create_table(
        "withdrawals",
        Column("submission_id", Id, ForeignKey("submissions.id"), primary_key=True),
        Column("at", Double, nullable=False),
        Column("crc", BigInteger, nullable=False, server_default="0"),
    )
    op.create_table(
        "roster",
        Column("player", String(80), primary_key=True),
        Column("owner", String(200), nullable=False),
        Column("number", String(40), nullable=False),
        Column("crc", BigInteger, nullable=False, server_default="0"),
    )
