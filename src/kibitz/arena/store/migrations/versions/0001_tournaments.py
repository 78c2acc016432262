"""Tournaments, submissions, rounds, blocks, matches and what became of them."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    text,
)

revision = "0001"
down_revision = None

Id = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """From nothing to the first store."""
    op.create_table(
        "tournaments",
        Column("id", Id, primary_key=True),
        Column("name", String(80), nullable=False, unique=True),
        Column("game", String(200), nullable=False),
        Column("kind", String(10), nullable=False),
        Column("phase", String(10), nullable=False),
        Column("seats", Integer, nullable=False),
        Column("rules", Integer, nullable=False),
        Column("threshold_games", Integer, nullable=False),
        Column("threshold_share", Double, nullable=False),
        Column("opened_at", Double, nullable=False),
        CheckConstraint("kind IN ('standard', 'bonus', 'custom')", name="kind"),
        CheckConstraint("phase IN ('open', 'frozen', 'final', 'closed')", name="phase"),
    )
    op.create_table(
        "seeds",
        Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
        Column("stage", String(10), primary_key=True),
        Column("seed", String(32), nullable=False),
        Column("commitment", String(64), nullable=False),
        CheckConstraint("stage IN ('season', 'final')", name="stage"),
    )
    op.create_table(
        "submissions",
        Column("id", Id, primary_key=True),
        Column("key", String(32), nullable=False, unique=True),
        Column("tournament_id", Id, ForeignKey("tournaments.id"), nullable=False),
        Column("player", String(80), nullable=False),
        Column("version", Integer, nullable=False),
        Column("owner", String(200), nullable=False),
        Column("file", String(255), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("content", LargeBinary, nullable=False),
        Column("state", String(10), nullable=False),
        Column("reason", Text, nullable=False),
        Column("submitted_at", Double, nullable=False),
        Column("settled_at", Double),
        UniqueConstraint("tournament_id", "player", "version"),
        CheckConstraint("state IN ('waiting', 'accepted', 'refused')", name="state"),
    )
    op.create_table(
        "qualifications",
        Column("id", Id, primary_key=True),
        Column("submission_id", Id, ForeignKey("submissions.id"), nullable=False),
        Column("passed", Integer, nullable=False),
        Column("report", Text, nullable=False),
        Column("at", Double, nullable=False),
    )
    op.create_table(
        "rounds",
        Column("id", Id, primary_key=True),
        Column("tournament_id", Id, ForeignKey("tournaments.id"), nullable=False),
        Column("number", Integer, nullable=False),
        Column("phase", String(10), nullable=False),
        Column("entrants", Text, nullable=False),
        Column("first_block", Integer, nullable=False),
        Column("blocks", Integer, nullable=False),
        Column("scheduled_at", Double, nullable=False),
        Column("closed_at", Double),
        UniqueConstraint("tournament_id", "number"),
        CheckConstraint("phase IN ('open', 'frozen', 'final')", name="phase"),
    )
    op.create_table(
        "blocks",
        Column("id", Id, primary_key=True),
        Column("tournament_id", Id, ForeignKey("tournaments.id"), nullable=False),
        Column("round_id", Id, ForeignKey("rounds.id"), nullable=False),
        Column("number", Integer, nullable=False),
        Column("deal_seed", String(32), nullable=False),
        Column("lineup", Text, nullable=False),
        Column("state", String(10), nullable=False),
        Column("voids", Integer, nullable=False),
        Column("not_before", Double, nullable=False),
        Column("holder", String(120), nullable=False),
        Column("expires", Double, nullable=False),
        UniqueConstraint("tournament_id", "number"),
        CheckConstraint("state IN ('queued', 'leased', 'played', 'given-up')", name="state"),
    )
    op.create_table(
        "matches",
        Column("block_id", Id, ForeignKey("blocks.id"), primary_key=True),
        Column("rotation", Integer, primary_key=True),
        Column("reason", Text, nullable=False),
        Column("record", LargeBinary, nullable=False),
        Column("tier", String(40), nullable=False),
        Column("engine", String(40), nullable=False),
        Column("seconds", Double, nullable=False),
        Column("played_at", Double, nullable=False),
        Column("holder", String(120), nullable=False),
    )
    op.create_table(
        "seats",
        Column("block_id", Id, ForeignKey("blocks.id"), primary_key=True),
        Column("rotation", Integer, primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("submission_id", Id, ForeignKey("submissions.id"), nullable=False),
        Column("score", Double, nullable=False),
        Column("place", Integer, nullable=False),
        Column("win_share", Double, nullable=False),
        Column("forfeit", String(40)),
        Column("rule", Text),
        Column("moves", Integer),
        Column("detail", Text, nullable=False),
        Column("prints", Text, nullable=False),
    )
    op.create_table(
        "voids",
        Column("block_id", Id, ForeignKey("blocks.id"), primary_key=True),
        Column("attempt", Integer, primary_key=True),
        Column("rotation", Integer, nullable=False),
        Column("cause", Text, nullable=False),
        Column("holder", String(120), nullable=False),
        Column("at", Double, nullable=False),
    )
    op.create_table(
        "disqualifications",
        Column("submission_id", Id, ForeignKey("submissions.id"), primary_key=True),
        Column("round_id", Id, ForeignKey("rounds.id"), nullable=False),
        Column("games", Integer, nullable=False),
        Column("failures", Integer, nullable=False),
        Column("reason", Text, nullable=False),
    )
    op.create_index(op.f("ix_qualifications_submission_id"), "qualifications", ["submission_id"])
    op.create_index(op.f("ix_seats_submission_id"), "seats", ["submission_id"])
    unplayed = text("state IN ('queued', 'leased')")
    op.create_index(
        op.f("ix_blocks_unplayed"), "blocks", ["round_id", "state"], sqlite_where=unplayed, postgresql_where=unplayed
    )
