"""Goals: tournaments that follow a course to an end."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Tournaments that have begun have no end."""
    op.add_column("tournaments", Column("goal", Text))
