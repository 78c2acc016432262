"""Which account of a server submitted a version."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Not known of earlier versions: their owners sign in by invitation."""
    op.add_column("submissions", Column("account", String(80)))
