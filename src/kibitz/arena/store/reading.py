"""Results as typed rows, records, failures."""

from __future__ import annotations

import zlib
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, select

from kibitz.arena.model import Failure, MatchResult, SeatResult, Stage
from kibitz.arena.store import entering
from kibitz.arena.store.scheduling import PHASES_OF
from kibitz.arena.store.schema import blocks, matches, rounds, seats, submissions
from kibitz.errors import StoreError


def results(
    connection: Connection,
    name: str,
    *,
    stage: Stage | None,
    player: str | None,
    numbers: range | None,
    closed: bool,
) -> tuple[MatchResult, ...]:
    """Results in order of match."""
    where: list[ColumnElement[bool]] = []
    if stage is not None:
        where.append(rounds.c.phase.in_(PHASES_OF[stage]))
    if numbers is not None:
        where += [rounds.c.number >= numbers.start, rounds.c.number < numbers.stop]
    if closed:
        where.append(rounds.c.closed_at.is_not(None))
    if player is not None:
        theirs = select(seats.c.block_id, seats.c.rotation).join(submissions).where(submissions.c.player == player)
        mine = theirs.subquery()
        where.append(
            select(mine.c.block_id)
            .where(mine.c.block_id == matches.c.block_id, mine.c.rotation == matches.c.rotation)
            .exists()
        )
    rows = connection.execute(played(connection, name).where(*where))
    return tuple(as_result(name, list(group)) for _, group in groupby(rows, key=lambda row: (row.block, row.rotation)))


def played(connection: Connection, name: str) -> Select[Any]:
    """One row for every seat of every match of a tournament, in order."""
    return (
        select(
            rounds.c.phase,
            rounds.c.number.label("round"),
            blocks.c.number.label("block"),
            blocks.c.deal_seed,
            matches.c.rotation,
            matches.c.tier,
            matches.c.engine,
            seats.c.seat,
            seats.c.submission_id,
            seats.c.score,
            seats.c.place,
            seats.c.win_share,
            seats.c.forfeit,
            seats.c.rule,
            submissions.c.player,
            submissions.c.version,
        )
        .join(blocks, matches.c.block_id == blocks.c.id)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .join(seats, and_(seats.c.block_id == matches.c.block_id, seats.c.rotation == matches.c.rotation))
        .join(submissions, seats.c.submission_id == submissions.c.id)
        .where(rounds.c.tournament_id == entering.tournament_id(connection, name))
        .order_by(blocks.c.number, matches.c.rotation, seats.c.seat)
    )


def as_result(name: str, rows: list[Row[*tuple[Any, ...]]]) -> MatchResult:
    """The rows of one match as a value."""
    first = rows[0]
    return MatchResult(
        tournament=name,
        phase=first.phase,
        round=first.round,
        block=first.block,
        match=(first.block - 1) * len(rows) + first.rotation + 1,
        rotation=first.rotation,
        deal_seed=int(first.deal_seed, 16),
        status="disqualified" if any(row.forfeit for row in rows) else "finished",
        seats=tuple(
            SeatResult(
                row.submission_id,
                row.player,
                row.version,
                row.score,
                row.place,
                row.win_share,
                row.forfeit,
                row.rule,
            )
            for row in rows
        ),
        tier=first.tier,
        engine=first.engine,
    )


def record(connection: Connection, name: str, match: int) -> str:
    """The record of a match."""
    number = entering.tournament_id(connection, name)
    block, rotation = divmod(match - 1, entering.tournament(connection, name).seats)
    wanted = select(matches.c.record).join(blocks, matches.c.block_id == blocks.c.id)
    found = connection.scalar(
        wanted.where(blocks.c.tournament_id == number, blocks.c.number == block + 1, matches.c.rotation == rotation)
    )
    if found is None:
        raise StoreError("missing", f"match {match} of {name} has not been played.")
    return zlib.decompress(found).decode()


def failures(connection: Connection, name: str, *, player: str | None, newest: int | None) -> tuple[Failure, ...]:
    """Games lost by failures, in order of match."""
    wanted = played(connection, name).add_columns(seats.c.moves, seats.c.detail, seats.c.prints)
    wanted = wanted.where(seats.c.forfeit.is_not(None))
    if player is not None:
        wanted = wanted.where(submissions.c.player == player)
    if newest is not None:
        wanted = wanted.order_by(None).order_by(blocks.c.number.desc(), matches.c.rotation.desc(), seats.c.seat.desc())
        wanted = wanted.limit(newest)
    count = entering.tournament(connection, name).seats
    found = [
        Failure(
            tournament=name,
            phase=row.phase,
            round=row.round,
            match=(row.block - 1) * count + row.rotation + 1,
            deal_seed=int(row.deal_seed, 16),
            submission=row.submission_id,
            player=row.player,
            version=row.version,
            seat=row.seat,
            kind=row.forfeit,
            rule=row.rule or "",
            moves=row.moves or 0,
            detail=row.detail,
            prints=row.prints,
        )
        for row in connection.execute(wanted)
    ]
    return tuple(sorted(found, key=lambda failure: (failure.match, failure.seat)))
