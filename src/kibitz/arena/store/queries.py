"""Reads results as typed rows, records and failures; rows are checked, so that damage is reported and not rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from kibitz.arena.model import Failure, MatchResult, Phase, SeatResult, Stage, Submission
from kibitz.arena.schedule import is_filler, seed_from
from kibitz.arena.store import log, participants
from kibitz.database import schema
from kibitz.database.damage import record_of
from kibitz.database.schema import blocks, matches, rounds, seats
from kibitz.errors import StoreError

PHASES_OF: dict[Stage, tuple[Phase, ...]] = {"season": ("open", "frozen"), "final": ("final",)}

AnyRow = Row[Any]
Key = tuple[int, int]
"""A match: the database's own number of its block, and the rotation."""


def results(
    connection: Connection,
    name: str,
    *,
    stage: Stage | None = None,
    player: str | None = None,
    numbers: range | None = None,
    closed: bool = False,
) -> tuple[MatchResult, ...]:
    """Results in order of match; Damage if a row can't be right, or one of a played block is missing."""
    entrants = {
        one.id: one for one in participants.all_submissions(connection, name, player=None, owner=None, state=None)
    }
    by_id = rounds_by_id(connection, name, stage, numbers, closed=closed)
    places = blocks_by_id(connection, by_id)
    within = blocks.c.round_id.in_(
        select(rounds.c.id).where(*round_conditions(connection, name, stage, numbers, closed=closed))
    )
    seated = seats_by_match(connection, within)
    count = participants.read_tournament(connection, name).seats
    found = []
    for row in match_rows(connection, within):
        block = places.get(row.block_id)
        if block is None:
            continue
        taken = seated.pop((row.block_id, row.rotation), [])
        if not schema.are_consecutive([seat.seat for seat in taken], 0, count):
            raise schema.Damage(f"in table seats: {schema.row_name(matches, row)} has {len(taken)} of {count} seats")
        found.append(as_result(name, by_id[block.round_id], block, row, taken, entrants))
    check_blocks(places.values(), by_id, found, count)
    if player is not None:
        found = [one for one in found if any(seat.player == player for seat in one.seats)]
    return tuple(sorted(found, key=lambda one: one.match))


def round_conditions(
    connection: Connection, name: str, stage: Stage | None, numbers: range | None, *, closed: bool
) -> list[ColumnElement[bool]]:
    """Conditions that rounds must meet to be read."""
    where: list[ColumnElement[bool]] = [rounds.c.tournament_id == participants.tournament_id(connection, name)]
    if stage is not None:
        where.append(rounds.c.phase.in_(PHASES_OF[stage]))
    if numbers is not None:
        where += [rounds.c.number >= numbers.start, rounds.c.number < numbers.stop]
    if closed:
        where.append(rounds.c.closed_at.is_not(None))
    return where


def rounds_by_id(
    connection: Connection, name: str, stage: Stage | None, numbers: range | None, *, closed: bool
) -> dict[int, AnyRow]:
    """The rounds by their own number in the database."""
    check_rounds(connection, participants.tournament_id(connection, name))
    wanted = select(rounds).where(*round_conditions(connection, name, stage, numbers, closed=closed))
    return {row.id: schema.check_types(rounds, row) for row in connection.execute(wanted.order_by(rounds.c.number))}


def check_rounds(connection: Connection, tournament: int) -> None:
    """Raise Damage unless the log has exactly these rounds, with as many closed."""
    mine = rounds.c.tournament_id == tournament
    total, over, last = connection.execute(
        select(func.count(), func.count(rounds.c.closed_at), func.max(rounds.c.number)).where(mine)
    ).one()
    log.check_count(connection, tournament, "rounds", total, "scheduled")
    log.check_count(connection, tournament, "rounds (closed ones)", over, "closed")
    if total != (last or 0):
        raise schema.Damage(f"in table rounds: there are {total}, and the last is number {last}")


def blocks_by_id(connection: Connection, by_id: Mapping[int, AnyRow]) -> dict[int, AnyRow]:
    """The blocks of these rounds by their own number in the database."""
    if not by_id:
        return {}
    wanted = select(blocks).where(blocks.c.round_id.in_(by_id)).order_by(blocks.c.number)
    found = {row.id: schema.check_types(blocks, row) for row in connection.execute(wanted)}
    for row in by_id.values():
        numbers = [block.number for block in found.values() if block.round_id == row.id]
        if not schema.are_consecutive(numbers, row.first_block, row.blocks):
            raise schema.Damage(
                f"in table blocks: round {row.number} has the blocks from {row.first_block} to "
                f"{row.first_block + row.blocks - 1}, and not all of them are there once"
            )
    return found


def match_rows(connection: Connection, within: ColumnElement[bool]) -> list[AnyRow]:
    """The matches of these blocks, without their records."""
    wanted = select(*schema.readable(matches)).join(blocks, matches.c.block_id == blocks.c.id).where(within)
    return [schema.check_types(matches, row) for row in connection.execute(wanted)]


def seats_by_match(connection: Connection, within: ColumnElement[bool]) -> dict[Key, list[AnyRow]]:
    """The seats of these blocks by match, in order."""
    wanted = select(*schema.readable(seats)).join(blocks, seats.c.block_id == blocks.c.id).where(within)
    found: dict[Key, list[AnyRow]] = {}
    for row in connection.execute(wanted):
        found.setdefault((row.block_id, row.rotation), []).append(schema.check_types(seats, row))
    for taken in found.values():
        taken.sort(key=lambda row: row.seat)
    return found


def check_blocks(
    its_blocks: Iterable[AnyRow], by_id: Mapping[int, AnyRow], played: Sequence[MatchResult], count: int
) -> None:
    """Raise Damage unless every played block, and every block of a closed round, has all its matches or none."""
    have = Counter(result.block for result in played)
    for block in its_blocks:
        over = block.state == "played" or (by_id[block.round_id].closed_at is not None and block.state != "given-up")
        if have[block.number] != (count if over else 0):
            raise schema.Damage(
                f"in table matches: block {block.number}, which is {block.state}, has {have[block.number]} matches, "
                f"not {count if over else 0}"
            )


def as_result(
    name: str,
    round_row: AnyRow,
    block: AnyRow,
    row: AnyRow,
    its_seats: Sequence[AnyRow],
    entrants: Mapping[int, Any],
) -> MatchResult:
    """The rows of one match as a value."""
    return MatchResult(
        tournament=name,
        phase=round_row.phase,
        round=round_row.number,
        block=block.number,
        match=(block.number - 1) * len(its_seats) + row.rotation + 1,
        rotation=row.rotation,
        deal_seed=schema.decoded(blocks, block, lambda: seed_from(block.deal_seed)),
        status="disqualified" if any(seat.forfeit for seat in its_seats) else "finished",
        seats=tuple(as_seat(seat, entrants) for seat in its_seats),
        tier=row.tier,
        engine=row.engine,
    )


def as_seat(row: AnyRow, entrants: Mapping[int, Any]) -> SeatResult:
    """The row of one seat as a value."""
    one = entrants.get(row.submission_id)
    if one is None:
        raise schema.Damage(f"in {schema.row_name(seats, row)}: the tournament has no submission {row.submission_id}")
    fields = row.score, row.place, row.win_share, row.forfeit, row.rule
    return SeatResult(one.id, one.player, one.version, *fields, is_filler(one.owner, one.sha256))


def record(connection: Connection, name: str, match: int) -> str:
    """The record of a match."""
    number = participants.tournament_id(connection, name)
    block, rotation = divmod(match - 1, participants.read_tournament(connection, name).seats)
    wanted = select(matches).join(blocks, matches.c.block_id == blocks.c.id)
    found = connection.execute(
        wanted.where(blocks.c.tournament_id == number, blocks.c.number == block + 1, matches.c.rotation == rotation)
    ).one_or_none()
    if found is None:
        raise StoreError("missing", f"match {match} of {name} has not been played.")
    return record_of(schema.check_types(matches, found))


def failures(connection: Connection, name: str, *, player: str | None, newest: int | None) -> tuple[Failure, ...]:
    """Games lost by failures, in order of match."""
    count = participants.read_tournament(connection, name).seats
    entrants = {
        one.id: one for one in participants.all_submissions(connection, name, player=player, owner=None, state=None)
    }
    rounds_of = rounds_by_id(connection, name, None, None, closed=False)
    wanted = (
        select(*schema.readable(seats), blocks.c.id, blocks.c.number, blocks.c.deal_seed, blocks.c.round_id)
        .join(blocks, seats.c.block_id == blocks.c.id)
        .where(blocks.c.tournament_id == participants.tournament_id(connection, name), seats.c.forfeit.is_not(None))
        .where(seats.c.submission_id.in_(entrants))
        .order_by(blocks.c.number.desc(), seats.c.rotation.desc(), seats.c.seat.desc())
        .limit(newest)
    )
    rows: Any = connection.execute(wanted).all()
    found = [schema.check_types(seats, row) for row in rows]
    return tuple(as_failure(name, row, count, rounds_of, entrants) for row in reversed(found))


def as_failure(
    name: str, row: AnyRow, count: int, rounds_of: Mapping[int, AnyRow], entrants: Mapping[int, Submission]
) -> Failure:
    """The row of a seat that failed as a value."""
    round_row, one = rounds_of[row.round_id], entrants[row.submission_id]
    return Failure(
        tournament=name,
        phase=round_row.phase,
        round=round_row.number,
        match=(row.number - 1) * count + row.rotation + 1,
        deal_seed=schema.decoded(blocks, row, lambda: seed_from(row.deal_seed)),
        submission=one.id,
        player=one.player,
        version=one.version,
        seat=row.seat,
        kind=row.forfeit,
        rule=row.rule or "",
        moves=row.moves or 0,
        detail=row.detail,
        prints=row.prints,
    )
