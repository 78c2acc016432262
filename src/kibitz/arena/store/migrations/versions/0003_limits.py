"""Limits: what the player files of a tournament may use up."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Tournaments that have begun keep the standard limits."""
    op.add_column("tournaments", Column("limits", Text, nullable=False, server_default="{}"))
