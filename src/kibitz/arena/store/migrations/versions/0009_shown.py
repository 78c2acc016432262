"""What runners show of the matches that they are playing."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Nothing is shown so far."""
    op.add_column("runners", Column("shown", Text, nullable=False, server_default="[]"))
