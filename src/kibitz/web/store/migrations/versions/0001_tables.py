"""Tables with journals, finished games, people."""

from __future__ import annotations

from alembic import op
from sqlalchemy import CheckConstraint, Column, Double, ForeignKey, Integer, LargeBinary, String, Text

revision = "0001"
down_revision = None


def upgrade() -> None:
    """All that there was in the beginning."""
    op.create_table(
        "web_facts",
        Column("name", String(40), primary_key=True),
        Column("value", Text, nullable=False),
    )
    op.create_table(
        "web_tables",
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
    op.create_index("ix_web_tables_stands", "web_tables", ["stands"])
    op.create_table(
        "web_journal",
        Column("table_id", String(32), ForeignKey("web_tables.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("entry", Text, nullable=False),
        Column("at", Double, nullable=False),
    )
    op.create_table(
        "web_games",
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
    op.create_table(
        "web_seatings",
        Column("table_id", String(32), primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("person", String(80), nullable=False),
    )
    op.create_index("ix_web_seatings_person", "web_seatings", ["person"])
    people()


def people() -> None:
    """Accounts, and what opens them."""
    op.create_table(
        "web_people",
        Column("id", String(80), primary_key=True),
        Column("name", String(40), nullable=False),
        Column("looks", String(400), nullable=False, unique=True),
        Column("password", Text, nullable=False),
        Column("roles", Text, nullable=False),
        Column("made_at", Double, nullable=False),
    )
    op.create_table(
        "web_sessions",
        Column("digest", String(64), primary_key=True),
        Column("person", String(80), ForeignKey("web_people.id"), nullable=False),
        Column("ends_at", Double, nullable=False),
    )
    op.create_table(
        "web_tokens",
        Column("digest", String(64), primary_key=True),
        Column("person", String(80), nullable=False),
        Column("name", String(40), nullable=False),
        Column("label", String(80), nullable=False),
        Column("made_at", Double, nullable=False),
        Column("ends_at", Double, nullable=False),
    )
