"""Schedules rounds, counts their games, and closes them with the decisions on who is excluded.

    entrants    the submissions that take part; they are stored with the round, so anybody can recompute its lineups
    closed      a round is closed once all its blocks are played or given up, and exclusions are decided

A round is inserted only if nothing has changed since it was computed. If another process has already inserted it, that
process computed the same round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, insert, select, update

from kibitz.arena.model import (
    Disqualification,
    Entrant,
    Extent,
    GameCounts,
    Lineup,
    Phase,
    Round,
    Stage,
    Tournament,
    stage,
)
from kibitz.arena.schedule import round_entrants, seed_of_block, seed_text
from kibitz.arena.store import log, participants, queries
from kibitz.database import schema
from kibitz.database.schema import blocks, disqualifications, rounds, seats, submissions
from kibitz.errors import StoreError

UNPLAYED = blocks.c.state.in_(("queued", "leased"))


def all_rounds(connection: Connection, name: str, *, newest: int | None = None) -> tuple[Round, ...]:
    """The rounds of a tournament in order; if ``newest`` is given, only the latest ``newest``."""
    number = participants.tournament_id(connection, name)
    unplayed = select(func.count()).where(blocks.c.round_id == rounds.c.id, UNPLAYED).scalar_subquery()
    query = select(rounds, unplayed.label("unplayed")).where(rounds.c.tournament_id == number)
    rows = connection.execute(query.order_by(rounds.c.number.desc()).limit(newest)).all()
    queries.check_rounds(connection, number)
    return tuple(as_round(schema.check_types(rounds, row), name) for row in reversed(rows))


def as_round(row: Row[*tuple[Any, ...]], name: str) -> Round:
    """A row of ``rounds``, with the number of unplayed blocks, as a Round."""
    entrants = schema.decoded(rounds, row, lambda: msgspec.json.decode(row.entrants, type=tuple[Entrant, ...]))
    return schema.from_row(Round, row, tournament=name, entrants=entrants)


def extent(connection: Connection, name: str, of_stage: Stage, *, closed: bool = True) -> Extent:
    """How many rounds of a stage are closed, and how many of their blocks and matches count, or those of all rounds."""
    of_this_stage = (rounds.c.tournament_id == participants.tournament_id(connection, name)) & rounds.c.phase.in_(
        queries.PHASES_OF[of_stage]
    )
    counted = of_this_stage & rounds.c.closed_at.is_not(None) if closed else of_this_stage
    counted_rounds = connection.scalar(select(func.count()).select_from(rounds).where(counted))
    played = connection.scalar(
        select(func.count())
        .select_from(blocks)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(counted, blocks.c.state == "played")
    )
    seats_each = participants.read_tournament(connection, name).seats
    return Extent(counted_rounds or 0, played or 0, (played or 0) * seats_each)


def counts(connection: Connection, name: str, number: int) -> dict[int, GameCounts]:
    """For each submission in a round, how many games it has played, has lost by failures, and still has to play."""
    of_round = rounds.c.tournament_id == participants.tournament_id(connection, name), rounds.c.number == number
    played = (
        select(seats.c.submission_id, func.count(), func.count(seats.c.forfeit))
        .join(blocks, seats.c.block_id == blocks.c.id)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(*of_round)
        .group_by(seats.c.submission_id)
    )
    result = {submission: GameCounts(games, failures) for submission, games, failures in connection.execute(played)}
    unplayed = select(blocks.c.lineup).join(rounds, blocks.c.round_id == rounds.c.id).where(*of_round, UNPLAYED)
    for text in connection.scalars(unplayed):
        lineup = msgspec.json.decode(text, type=list[int])
        for submission in lineup:
            count = result.get(submission, GameCounts())
            result[submission] = msgspec.structs.replace(count, playing=count.playing + len(lineup))
    return result


def lineups(connection: Connection, name: str, number: int) -> list[Lineup]:
    """The lineups of a round, in order of blocks."""
    of_round = rounds.c.tournament_id == participants.tournament_id(connection, name), rounds.c.number == number
    query = select(blocks).join(rounds, blocks.c.round_id == rounds.c.id).where(*of_round).order_by(blocks.c.number)
    rows = [schema.check_types(blocks, row) for row in connection.execute(query)]
    return [schema.decoded(blocks, row, partial(msgspec.json.decode, row.lineup, type=Lineup)) for row in rows]


def schedule_round(
    connection: Connection,
    now: float,
    name: str,
    number: int,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    *,
    phase: Phase | None = None,
) -> Round | None:
    """Insert round ``number`` with its blocks, with deals from the stage's seed.

    Returns None and changes nothing unless ``number`` is the next round, the round before is closed, and ``entrants``
    (and ``phase``, if given) are still the tournament's; the caller must then compute the round again. In a tournament
    with an end condition, earlier rounds may be open if none of their games can change who is excluded.
    """
    tournament_number = participants.tournament_id(connection, name, lock=True)
    tournament = participants.read_tournament(connection, name)
    if tournament.phase == "closed":
        raise StoreError("refused", f"{name} is finished, so no more rounds can be scheduled.")
    latest = all_rounds(connection, name, newest=1)
    last = latest[0].number if latest else 0
    if last + 1 != number or phase not in (None, tournament.phase):
        return None
    if tuple(entrants) != next_entrants(connection, tournament, last):
        return None
    check_lineups(lineups, entrants, tournament.seats)
    seed = participants.seed(connection, name, stage(tournament.phase))
    first_block = latest[0].first_block + latest[0].blocks if latest else 1
    row = {
        "tournament_id": tournament_number,
        "number": number,
        "phase": tournament.phase,
        "entrants": msgspec.json.encode(entrants).decode(),
        "first_block": first_block,
        "blocks": len(lineups),
        "scheduled_at": now,
        "closed_at": None,
    }
    round_id = participants.insert_row(connection, insert(rounds).values(row))
    block_rows = [
        {
            "tournament_id": tournament_number,
            "round_id": round_id,
            "number": block,
            "deal_seed": seed_text(seed_of_block(seed, block, tournament.goal)),
            "lineup": msgspec.json.encode(lineup).decode(),
            "state": "queued",
            "voids": 0,
            "not_before": 0.0,
            "holder": "",
            "expires": 0.0,
        }
        for block, lineup in enumerate(lineups, start=first_block)
    ]
    connection.execute(insert(blocks), block_rows)
    round_row = connection.execute(select(rounds).where(rounds.c.id == round_id)).one()
    log.append(connection, tournament_number, log.read_round_scheduled(connection, round_row), now)
    return all_rounds(connection, name, newest=1)[0]


def next_entrants(connection: Connection, tournament: Tournament, last: int) -> tuple[Entrant, ...] | None:
    """The entrants of the round after ``last``; None while unplayed games could change them.

    In a tournament with an end condition, unplayed games matter only if they decide who is excluded.
    """
    open_rounds = [stored for stored in all_rounds(connection, tournament.name) if stored.closed_at is None]
    if not open_rounds or tournament.goal is None:
        return None if open_rounds else participants.entrants(connection, tournament.name)
    totals: dict[int, list[int]] = {}
    for number in range(1, last + 1):
        for submission, count in counts(connection, tournament.name, number).items():
            games, failures, unplayed = totals.get(submission, (0, 0, 0))
            totals[submission] = [games + count.games, failures + count.failures, unplayed + count.playing]
    is_excluded = {
        submission: tournament.threshold.is_excluded(failures, games, unplayed)
        for submission, (games, failures, unplayed) in totals.items()
    }
    eligible = participants.eligible_entrants(connection, tournament.name)
    if any(is_excluded.get(entrant.submission, False) is None for entrant in eligible if not entrant.fills):
        return None
    entrants = [entrant for entrant in eligible if not is_excluded.get(entrant.submission)]
    return round_entrants(entrants, tournament.seats, tournament.goal)


def check_lineups(lineups: Sequence[Lineup], entrants: Sequence[Entrant], seats: int) -> None:
    """Raise StoreError unless these lineups have the right number of seats and consist of entrants."""
    known = {entrant.submission for entrant in entrants}
    if not lineups:
        raise StoreError("refused", "a round needs at least one block.")
    for lineup in lineups:
        if len(lineup) != seats or not known.issuperset(lineup):
            raise StoreError("refused", f"{lineup} isn't a lineup: it needs {seats} of the round's entrants.")


def close_round(connection: Connection, now: float, name: str, number: int) -> tuple[Disqualification, ...] | None:
    """Close a round and decide who is excluded; returns these decisions, even if it was closed before.

    None if a block of this round is unplayed, or an earlier round isn't closed.
    """
    tournament = participants.tournament_id(connection, name, lock=True)
    stored_rounds = all_rounds(connection, name)
    closing = next((stored for stored in stored_rounds if stored.number == number), None)
    if closing is None:
        raise StoreError("missing", f"{name} has no round {number}.")
    earlier_rounds = (earlier for earlier in stored_rounds if earlier.number < number)
    if closing.unplayed or any(earlier.closed_at is None for earlier in earlier_rounds):
        return None
    if closing.closed_at is None:
        store_closing(connection, tournament, closing, now)
    return tuple(exclusion for exclusion in all_disqualifications(connection, name) if exclusion.round == number)


def store_closing(connection: Connection, tournament: int, closing: Round, now: float) -> None:
    """Store and log the closing of a round, and its exclusions."""
    name, number = closing.tournament, closing.number
    row = select(rounds).where(rounds.c.tournament_id == tournament, rounds.c.number == number)
    round_row = connection.execute(row).one()
    queries.results(connection, name, rounds=range(number, number + 1))
    exclusions = list(new_exclusions(connection, name, number))
    connection.execute(update(rounds).where(rounds.c.id == round_row.id).values(closed_at=now))
    log.append(connection, tournament, log.read_round_closed(connection, round_row), now)
    for exclusion in exclusions:
        values = {"submission_id": exclusion.submission, "round_id": round_row.id, "games": exclusion.games}
        values |= {"failures": exclusion.failures, "reason": exclusion.reason}
        connection.execute(insert(disqualifications).values(values))
        log.append(connection, tournament, exclusion, now)


def new_exclusions(connection: Connection, name: str, number: int) -> Iterable[log.SubmissionExcluded]:
    """The submissions that are excluded after round ``number``, since they failed too often, as log entries."""
    tournament = participants.read_tournament(connection, name)
    if tournament.kind == "custom" and tournament.goal is None:
        return
    already_excluded = participants.excluded_submissions(connection, tournament.id)
    tallies = connection.execute(
        select(
            submissions.c.id,
            submissions.c.player,
            submissions.c.version,
            func.count().label("games"),
            func.count(seats.c.forfeit).label("failures"),
        )
        .join(seats, seats.c.submission_id == submissions.c.id)
        .join(blocks, seats.c.block_id == blocks.c.id)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(submissions.c.tournament_id == tournament.id, rounds.c.number <= number)
        .group_by(submissions.c.id, submissions.c.player, submissions.c.version)
        .order_by(submissions.c.player, submissions.c.version)
    ).all()
    for row in tallies:
        if row.id not in already_excluded and tournament.threshold.exceeded(row.failures, row.games):
            player = f"{row.player} (version {row.version})"
            reason = tournament.threshold.sentence(player, row.failures, row.games)
            yield log.SubmissionExcluded(row.id, number, row.games, row.failures, reason)


def all_disqualifications(connection: Connection, name: str) -> tuple[Disqualification, ...]:
    """The excluded submissions, in the order of the decisions."""
    number = participants.tournament_id(connection, name)
    query = (
        select(disqualifications, rounds.c.number, submissions.c.player, submissions.c.version)
        .join(rounds, disqualifications.c.round_id == rounds.c.id)
        .join(submissions, disqualifications.c.submission_id == submissions.c.id)
        .where(rounds.c.tournament_id == number)
        .order_by(rounds.c.number, submissions.c.player, submissions.c.version)
    )
    rows = [schema.check_types(disqualifications, row) for row in connection.execute(query)]
    log.check_count(connection, number, "disqualifications", len(rows), "out")
    return tuple(
        schema.from_row(Disqualification, row, tournament=name, round=row.number, submission=row.submission_id)
        for row in rows
    )
