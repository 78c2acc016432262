"""Reads results, records and failures from the database; rows are checked, so that damaged ones are never rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from kibitz.arena.model import REGULAR, Failure, MatchResult, Phase, SeatResult, Stage, Submission
from kibitz.arena.schedule import is_filler, seed_from
from kibitz.arena.store import log, participants
from kibitz.database import schema
from kibitz.database.damage import record_of
from kibitz.database.schema import blocks, matches, rounds, seats
from kibitz.errors import StoreError

PHASES_OF: dict[Stage, tuple[Phase, ...]] = {REGULAR: ("open", "frozen"), "final": ("final",)}
"""The phases of the tournament in which the rounds of a stage are played."""

AnyRow = Row[Any]
Key = tuple[int, int]
"""A match: the id of its block in the database, and the rotation."""


def results(
    connection: Connection,
    name: str,
    *,
    stage: Stage | None = None,
    rounds: range | None = None,
    closed: bool = False,
) -> tuple[MatchResult, ...]:
    """Results in order of match number, of a stage, of a range of rounds, or only of closed rounds.

    Raises Damage if a row can't be right, or a row of a played block is missing.
    """
    submissions = participants.all_submissions(connection, name)
    entrants = {submission.id: submission for submission in submissions}
    conditions = round_conditions(connection, name, stage, rounds, closed=closed)
    by_id = rounds_by_id(connection, name, conditions)
    blocks_of = blocks_by_id(connection, by_id)
    of_rounds = blocks.c.round_id.in_(select(schema.rounds.c.id).where(*conditions))
    seats_of = seats_by_match(connection, of_rounds)
    seat_count = participants.read_tournament(connection, name).seats
    result_list = []
    for row in match_rows(connection, of_rounds):
        block = blocks_of.get(row.block_id)
        if block is None:
            continue
        seat_rows = seats_of.pop((row.block_id, row.rotation), [])
        if not schema.are_consecutive([seat.seat for seat in seat_rows], 0, seat_count):
            raise schema.Damage(
                f"in table seats: {schema.row_name(matches, row)} has {len(seat_rows)} of {seat_count} seats"
            )
        result_list.append(as_result(name, by_id[block.round_id], block, row, seat_rows, entrants))
    check_blocks(blocks_of.values(), by_id, result_list, seat_count)
    return tuple(sorted(result_list, key=lambda result: result.match))


def round_conditions(
    connection: Connection,
    name: str,
    stage: Stage | None = None,
    round_numbers: range | None = None,
    *,
    closed: bool = False,
) -> list[ColumnElement[bool]]:
    """The conditions of a query for the tournament's rounds, in a stage, with these numbers, or only closed ones."""
    conditions: list[ColumnElement[bool]] = [rounds.c.tournament_id == participants.tournament_id(connection, name)]
    if stage is not None:
        conditions.append(rounds.c.phase.in_(PHASES_OF[stage]))
    if round_numbers is not None:
        conditions += [rounds.c.number >= round_numbers.start, rounds.c.number < round_numbers.stop]
    if closed:
        conditions.append(rounds.c.closed_at.is_not(None))
    return conditions


def rounds_by_id(connection: Connection, name: str, conditions: Sequence[ColumnElement[bool]]) -> dict[int, AnyRow]:
    """The tournament's rounds that meet these conditions, by their id in the database."""
    check_rounds(connection, participants.tournament_id(connection, name))
    query = select(rounds).where(*conditions)
    return {row.id: schema.check_types(rounds, row) for row in connection.execute(query.order_by(rounds.c.number))}


def check_rounds(connection: Connection, tournament: int) -> None:
    """Raise Damage unless there are as many rounds, and as many closed ones, as the log has."""
    of_tournament = rounds.c.tournament_id == tournament
    total, closed, last = connection.execute(
        select(func.count(), func.count(rounds.c.closed_at), func.max(rounds.c.number)).where(of_tournament)
    ).one()
    log.check_count(connection, tournament, "rounds", total, "scheduled")
    log.check_count(connection, tournament, "rounds (closed ones)", closed, "closed")
    if total != (last or 0):
        raise schema.Damage(f"in table rounds: there are {total}, and the last is number {last}")


def blocks_by_id(connection: Connection, by_id: Mapping[int, AnyRow]) -> dict[int, AnyRow]:
    """The blocks of these rounds by their id in the database."""
    if not by_id:
        return {}
    query = select(blocks).where(blocks.c.round_id.in_(by_id)).order_by(blocks.c.number)
    rows = {row.id: schema.check_types(blocks, row) for row in connection.execute(query)}
    for row in by_id.values():
        numbers = [block.number for block in rows.values() if block.round_id == row.id]
        if not schema.are_consecutive(numbers, row.first_block, row.blocks):
            raise schema.Damage(
                f"in table blocks: round {row.number} should have each of the blocks {row.first_block} to "
                f"{row.first_block + row.blocks - 1} exactly once"
            )
    return rows


def match_rows(connection: Connection, of_rounds: ColumnElement[bool]) -> list[AnyRow]:
    """The matches in blocks that meet a condition, without their records."""
    query = select(*schema.readable(matches)).join(blocks, matches.c.block_id == blocks.c.id).where(of_rounds)
    return [schema.check_types(matches, row) for row in connection.execute(query)]


def seats_by_match(connection: Connection, of_rounds: ColumnElement[bool]) -> dict[Key, list[AnyRow]]:
    """By match, the seats of the matches in blocks that meet a condition, in order."""
    query = select(*schema.readable(seats)).join(blocks, seats.c.block_id == blocks.c.id).where(of_rounds)
    by_match: dict[Key, list[AnyRow]] = {}
    for row in connection.execute(query):
        by_match.setdefault((row.block_id, row.rotation), []).append(schema.check_types(seats, row))
    for seat_rows in by_match.values():
        seat_rows.sort(key=lambda row: row.seat)
    return by_match


def check_blocks(
    block_rows: Iterable[AnyRow], by_id: Mapping[int, AnyRow], played: Sequence[MatchResult], seat_count: int
) -> None:
    """Raise Damage unless every block has as many matches as its state requires.

    A played block has ``seat_count`` matches, one for each rotation of its players; a block that was given up has none,
    and any other block has none as long as its round is open.
    """
    matches_of = Counter(result.block for result in played)
    for block in block_rows:
        closed = by_id[block.round_id].closed_at is not None
        expected = seat_count if block.state == "played" or (closed and block.state != "given-up") else 0
        if matches_of[block.number] != expected:
            raise schema.Damage(
                f"in table matches: block {block.number}, which is {block.state}, has {matches_of[block.number]} "
                f"matches, not {expected}"
            )


def as_result(
    name: str,
    round_row: AnyRow,
    block: AnyRow,
    row: AnyRow,
    seat_rows: Sequence[AnyRow],
    entrants: Mapping[int, Any],
) -> MatchResult:
    """The result of one match, from its rows."""
    return MatchResult(
        tournament=name,
        phase=round_row.phase,
        round=round_row.number,
        block=block.number,
        match=(block.number - 1) * len(seat_rows) + row.rotation + 1,
        rotation=row.rotation,
        deal_seed=schema.decoded(blocks, block, lambda: seed_from(block.deal_seed)),
        status="forfeited" if any(seat.forfeit for seat in seat_rows) else "finished",
        seats=tuple(as_seat(seat, entrants) for seat in seat_rows),
        tier=row.tier,
        engine=row.engine,
    )


def as_seat(row: AnyRow, entrants: Mapping[int, Any]) -> SeatResult:
    """The result of one seat, from its row."""
    entrant = entrants.get(row.submission_id)
    if entrant is None:
        raise schema.Damage(f"in {schema.row_name(seats, row)}: the tournament has no submission {row.submission_id}")
    fields = row.score, row.place, row.win_share, row.forfeit, row.rule
    return SeatResult(entrant.id, entrant.player, entrant.version, *fields, is_filler(entrant.owner, entrant.sha256))


def record(connection: Connection, name: str, match: int) -> str:
    """The whole record of a match as text. Raises StoreError (missing) if it has not been played."""
    number = participants.tournament_id(connection, name)
    block, rotation = divmod(match - 1, participants.read_tournament(connection, name).seats)
    query = select(matches).join(blocks, matches.c.block_id == blocks.c.id)
    row = connection.execute(
        query.where(blocks.c.tournament_id == number, blocks.c.number == block + 1, matches.c.rotation == rotation)
    ).one_or_none()
    if row is None:
        raise StoreError("missing", f"match {match} of {name} has not been played.")
    return record_of(schema.check_types(matches, row))


def failures(
    connection: Connection, name: str, *, player: str | None = None, newest: int | None = None
) -> tuple[Failure, ...]:
    """Games lost by failures, in order of match; if ``newest`` is given, only the latest ``newest``."""
    seat_count = participants.read_tournament(connection, name).seats
    entrants = {
        submission.id: submission for submission in participants.all_submissions(connection, name, player=player)
    }
    rounds_of = rounds_by_id(connection, name, round_conditions(connection, name))
    query = (
        select(*schema.readable(seats), blocks.c.id, blocks.c.number, blocks.c.deal_seed, blocks.c.round_id)
        .join(blocks, seats.c.block_id == blocks.c.id)
        .where(blocks.c.tournament_id == participants.tournament_id(connection, name), seats.c.forfeit.is_not(None))
        .where(seats.c.submission_id.in_(entrants))
        .order_by(blocks.c.number.desc(), seats.c.rotation.desc(), seats.c.seat.desc())
        .limit(newest)
    )
    rows: Any = connection.execute(query).all()
    seat_rows = [schema.check_types(seats, row) for row in rows]
    return tuple(as_failure(name, row, seat_count, rounds_of, entrants) for row in reversed(seat_rows))


def as_failure(
    name: str, row: AnyRow, seat_count: int, rounds_of: Mapping[int, AnyRow], entrants: Mapping[int, Submission]
) -> Failure:
    """A failure, from the row of the seat that failed."""
    round_row, submission = rounds_of[row.round_id], entrants[row.submission_id]
    return Failure(
        tournament=name,
        phase=round_row.phase,
        round=round_row.number,
        match=(row.number - 1) * seat_count + row.rotation + 1,
        deal_seed=schema.decoded(blocks, row, lambda: seed_from(row.deal_seed)),
        submission=submission.id,
        player=submission.player,
        version=submission.version,
        seat=row.seat,
        kind=row.forfeit,
        rule=row.rule or "",
        moves=row.moves or 0,
        detail=row.detail,
        prints=row.prints,
    )
