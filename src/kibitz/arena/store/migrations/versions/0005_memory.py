"""Memory: what is remembered of attempts at a match that a machine has spoilt."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Blocks that wait have nothing to remember."""
    op.add_column("blocks", Column("memory", Text, nullable=False, server_default="{}"))
