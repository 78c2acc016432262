"""Rounds, leases and what comes of them.

    queued      nobody has the block; so too once a lease has run out, whatever the row says
    played      all its matches are in: they count, for good
    given up    its machine has failed too often: none of its matches counts

A block goes from queued to leased and back until it is played or given up; from there it never moves.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, or_, select, update

from kibitz.arena.model import (
    Block,
    Disqualification,
    Entrant,
    Lease,
    Lineup,
    Phase,
    Played,
    PlayedSeat,
    Round,
    Stage,
    Tally,
    Void,
    stage,
)
from kibitz.arena.schedule import deal_seed
from kibitz.arena.store import entering
from kibitz.arena.store.schema import blocks, disqualifications, matches, rounds, seats, submissions, voids
from kibitz.errors import StoreError

MOST_VOIDS = 5
"""A block is given up after so many voids."""
FIRST_REST, LONGEST_REST = 1.0, 300.0
"""Seconds for which a block rests after its first void; four times as long after each further one."""
PHASES_OF: dict[Stage, tuple[Phase, ...]] = {"season": ("open", "frozen"), "final": ("final",)}
UNPLAYED = blocks.c.state.in_(("queued", "leased"))


# rounds


def all_rounds(connection: Connection, name: str, newest: int | None = None) -> tuple[Round, ...]:
    """The rounds of a tournament in order, or the newest so many of them."""
    left = select(func.count()).where(blocks.c.round_id == rounds.c.id, UNPLAYED).scalar_subquery()
    wanted = select(rounds, left.label("unplayed")).where(
        rounds.c.tournament_id == entering.tournament_id(connection, name)
    )
    found = connection.execute(wanted.order_by(rounds.c.number.desc()).limit(newest)).all()
    return tuple(as_round(row, name) for row in reversed(found))


def as_round(row: Row[*tuple[Any, ...]], name: str) -> Round:
    """A row as a value."""
    return Round(
        tournament=name,
        number=row.number,
        phase=row.phase,
        entrants=msgspec.json.decode(row.entrants, type=tuple[Entrant, ...]),
        first_block=row.first_block,
        blocks=row.blocks,
        unplayed=row.unplayed,
        scheduled_at=row.scheduled_at,
        closed_at=row.closed_at,
    )


def tally(connection: Connection, name: str, wanted: Stage) -> Tally:
    """How much of a stage is over and counts."""
    this = (rounds.c.tournament_id == entering.tournament_id(connection, name)) & rounds.c.phase.in_(PHASES_OF[wanted])
    closed = this & rounds.c.closed_at.is_not(None)
    over = connection.scalar(select(func.count()).select_from(rounds).where(closed))
    played = connection.scalar(
        select(func.count())
        .select_from(blocks)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(closed, blocks.c.state == "played")
    )
    seats_each = entering.tournament(connection, name).seats
    return Tally(over or 0, played or 0, (played or 0) * seats_each)


def schedule_round(
    connection: Connection,
    name: str,
    number: int,
    phase: Phase | None,
    entrants: Sequence[Entrant],
    lineups: Sequence[Lineup],
    now: float,
) -> Round | None:
    """Insert a round and its blocks, if nothing has changed since it was computed."""
    owner = entering.tournament_id(connection, name, lock=True)
    tournament = entering.tournament(connection, name)
    if tournament.phase == "closed":
        raise StoreError("refused", f"{name} is closed; nothing more is played in it.")
    before = all_rounds(connection, name, newest=1)
    last = before[0].number if before else 0
    if last + 1 != number or (before and before[0].closed_at is None) or phase not in (None, tournament.phase):
        return None
    if tuple(entrants) != entering.entrants(connection, name):
        return None
    check_lineups(lineups, entrants, tournament.seats)
    seed = entering.seed(connection, name, stage(tournament.phase))
    first = before[0].first_block + before[0].blocks if before else 1
    row = {
        "tournament_id": owner,
        "number": number,
        "phase": tournament.phase,
        "entrants": msgspec.json.encode(entrants).decode(),
        "first_block": first,
        "blocks": len(lineups),
        "scheduled_at": now,
        "closed_at": None,
    }
    made = entering.inserted(connection, insert(rounds).values(row))
    lines = [
        {
            "tournament_id": owner,
            "round_id": made,
            "number": block,
            "deal_seed": f"{deal_seed(seed, block):032x}",
            "lineup": msgspec.json.encode(lineup).decode(),
            "state": "queued",
            "voids": 0,
            "not_before": 0.0,
            "holder": "",
            "expires": 0.0,
        }
        for block, lineup in enumerate(lineups, start=first)
    ]
    connection.execute(insert(blocks), lines)
    return all_rounds(connection, name, newest=1)[0]


def check_lineups(lineups: Sequence[Lineup], entrants: Sequence[Entrant], seats: int) -> None:
    """StoreError unless these can be played."""
    known = {entrant.submission for entrant in entrants}
    if not lineups:
        raise StoreError("refused", "a round needs at least one block.")
    for lineup in lineups:
        if len(lineup) != seats or not known.issuperset(lineup):
            raise StoreError("refused", f"{lineup} is no lineup: it takes {seats} of the round's entrants.")


def close_round(connection: Connection, name: str, number: int, now: float) -> tuple[Disqualification, ...] | None:
    """Decide the disqualifications of a round whose blocks are all played or given up."""
    entering.tournament_id(connection, name, lock=True)
    found = next((one for one in all_rounds(connection, name) if one.number == number), None)
    if found is None:
        raise StoreError("missing", f"{name} has no round {number}.")
    if found.unplayed:
        return None
    if found.closed_at is None:
        row = select(rounds.c.id).where(rounds.c.tournament_id == entering.tournament_id(connection, name))
        this = connection.scalars(row.where(rounds.c.number == number)).one()
        decisions = decided(connection, name, number)
        for out in decisions:
            values = {"submission_id": out.submission, "round_id": this, "games": out.games}
            values |= {"failures": out.failures, "reason": out.reason}
            connection.execute(insert(disqualifications).values(values))
        connection.execute(update(rounds).where(rounds.c.id == this).values(closed_at=now))
    return tuple(out for out in all_disqualifications(connection, name) if out.round == number)


def decided(connection: Connection, name: str, number: int) -> Iterable[Disqualification]:
    """Whose failures are too many now, and were not before."""
    tournament = entering.tournament(connection, name)
    if tournament.kind == "custom":
        return
    out = set(connection.scalars(select(disqualifications.c.submission_id)))
    tallies = connection.execute(
        select(
            submissions.c.id,
            submissions.c.player,
            submissions.c.version,
            func.count().label("games"),
            func.count(seats.c.forfeit).label("failures"),
        )
        .join(seats, seats.c.submission_id == submissions.c.id)
        .where(submissions.c.tournament_id == tournament.id)
        .group_by(submissions.c.id, submissions.c.player, submissions.c.version)
        .order_by(submissions.c.player, submissions.c.version)
    ).all()
    for row in tallies:
        if row.id not in out and tournament.threshold.passed(row.failures, row.games):
            reason = (
                f"{row.player} (version {row.version}) is out of the tournament: it has lost {row.failures} of "
                f"{row.games} games by failures of its own, and {tournament.threshold.games} that are more than "
                f"{100 * tournament.threshold.share:g} % are too many."
            )
            yield Disqualification(name, number, row.id, row.player, row.version, row.games, row.failures, reason)


def all_disqualifications(connection: Connection, name: str) -> tuple[Disqualification, ...]:
    """Who is out, in the order of the decisions."""
    wanted = (
        select(disqualifications, rounds.c.number, submissions.c.player, submissions.c.version)
        .join(rounds, disqualifications.c.round_id == rounds.c.id)
        .join(submissions, disqualifications.c.submission_id == submissions.c.id)
        .where(rounds.c.tournament_id == entering.tournament_id(connection, name))
        .order_by(rounds.c.number, submissions.c.player, submissions.c.version)
    )
    return tuple(
        Disqualification(
            name, row.number, row.submission_id, row.player, row.version, row.games, row.failures, row.reason
        )
        for row in connection.execute(wanted)
    )


# leases


def free(now: float) -> ColumnElement[bool]:
    """Blocks that may be claimed at a moment."""
    rested = and_(blocks.c.state == "queued", blocks.c.not_before <= now)
    return or_(rested, and_(blocks.c.state == "leased", blocks.c.expires <= now))


def claim(connection: Connection, name: str, holder: str, n: int, lease_s: float, now: float) -> tuple[Lease, ...]:
    """Lease free blocks of the running round; PostgreSQL passes over rows that others are just claiming."""
    wanted = (
        select(blocks, rounds.c.number.label("round"))
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(rounds.c.tournament_id == entering.tournament_id(connection, name), rounds.c.closed_at.is_(None))
        .where(UNPLAYED, free(now))
        .order_by(blocks.c.voids, blocks.c.number)
        .limit(n)
        .with_for_update(of=blocks, skip_locked=True)
    )
    found = connection.execute(wanted).all()
    if found:
        numbers = [row.id for row in found]
        values = {"state": "leased", "holder": holder, "expires": now + lease_s}
        connection.execute(update(blocks).where(blocks.c.id.in_(numbers)).values(values))
    return tuple(Lease(row.id, holder, now + lease_s, row.voids + 1, as_block(row, name, row.round)) for row in found)


def as_block(row: Row[*tuple[Any, ...]], name: str, number: int) -> Block:
    """A row as a value."""
    lineup = msgspec.json.decode(row.lineup, type=tuple[int, ...])
    return Block(name, number, row.number, int(row.deal_seed, 16), lineup)


def heartbeat(connection: Connection, leases: Sequence[Lease], expires: float) -> int:
    """Prolong leases that are still their holder's, even if they have run out meanwhile."""
    held = [and_(blocks.c.id == lease.id, blocks.c.holder == lease.holder) for lease in leases]
    if not held:
        return 0
    prolonged = update(blocks).where(blocks.c.state == "leased", or_(*held)).values(expires=expires)
    return int(connection.execute(prolonged).rowcount)


def release(connection: Connection, holder: str, numbers: Sequence[int] | None) -> int:
    """Give a holder's blocks back, all or some."""
    given = update(blocks).where(blocks.c.state == "leased", blocks.c.holder == holder)
    if numbers is not None:
        given = given.where(blocks.c.id.in_(numbers))
    return int(connection.execute(given.values(state="queued", holder="", expires=0.0)).rowcount)


# results


def complete(
    connection: Connection, finished: Sequence[tuple[Lease, Sequence[Played]]], now: float
) -> tuple[bool, ...]:
    """Insert the matches of blocks that have not counted yet."""
    for lease, played in finished:
        check_played(lease.block, played)
    numbers = sorted(lease.id for lease, _ in finished)
    locked = select(blocks.c.id, blocks.c.state).where(blocks.c.id.in_(numbers)).order_by(blocks.c.id)
    open_ones = {row.id for row in connection.execute(locked.with_for_update()) if row.state in ("queued", "leased")}
    counted = []
    match_rows: list[dict[str, object]] = []
    seat_rows: list[dict[str, object]] = []
    for lease, played in finished:
        counted.append(lease.id in open_ones)
        if counted[-1]:
            open_ones.discard(lease.id)
            match_rows += [match_row(lease, match, now) for match in played]
            seat_rows += [seat_row(lease, match, k, seat) for match in played for k, seat in enumerate(match.seats)]
    if match_rows:
        connection.execute(insert(matches), match_rows)
        connection.execute(insert(seats), seat_rows)
        done = [lease.id for (lease, _), counts in zip(finished, counted, strict=True) if counts]
        values = {"state": "played", "holder": "", "expires": 0.0}
        connection.execute(update(blocks).where(blocks.c.id.in_(done)).values(values))
    return tuple(counted)


def check_played(block: Block, played: Sequence[Played]) -> None:
    """StoreError unless these are all the matches of the block, in order."""
    found = [tuple(seat.submission for seat in match.seats) for match in played]
    numbers = [match.rotation for match in played]
    if numbers != list(range(len(block.lineup))) or tuple(found) != block.rotations():
        raise StoreError("refused", f"block {block.number} counts with all its matches in order, or not at all.")


def match_row(lease: Lease, match: Played, now: float) -> dict[str, object]:
    """A match as a row."""
    return {
        "block_id": lease.id,
        "rotation": match.rotation,
        "reason": match.reason,
        "record": zlib.compress(match.record.encode()),
        "tier": match.tier,
        "engine": match.engine,
        "seconds": match.seconds,
        "played_at": now,
        "holder": lease.holder,
    }


def seat_row(lease: Lease, match: Played, seat: int, played: PlayedSeat) -> dict[str, object]:
    """One seat of a match as a row; PostgreSQL has no room for the character NUL in a text."""
    return {
        "block_id": lease.id,
        "rotation": match.rotation,
        "seat": seat,
        "submission_id": played.submission,
        "score": played.score,
        "place": played.place,
        "win_share": played.win_share,
        "forfeit": played.forfeit,
        "rule": None if played.rule is None else plain(played.rule),
        "moves": played.moves,
        "detail": plain(played.detail),
        "prints": plain(played.prints),
    }


def plain(text: str) -> str:
    """Text that every database and every log can hold."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode(errors="replace").decode()


def void(connection: Connection, lease: Lease, rotation: int, cause: str, now: float) -> Void | None:
    """Keep the cause of a failure of the machine, and queue the block again or give it up."""
    row = connection.execute(select(blocks).where(blocks.c.id == lease.id).with_for_update()).one()
    known = connection.execute(
        select(voids).where(voids.c.block_id == lease.id, voids.c.attempt == lease.attempt)
    ).one_or_none()
    if known is None:
        if row.state != "leased" or row.holder != lease.holder or row.voids != lease.attempt - 1:
            return None
        values = {"block_id": lease.id, "attempt": lease.attempt, "rotation": rotation, "cause": plain(cause)}
        connection.execute(insert(voids).values(values | {"holder": lease.holder, "at": now}))
        rest = min(LONGEST_REST, FIRST_REST * 4**row.voids)
        after: dict[str, object] = {
            "state": "given-up" if lease.attempt >= MOST_VOIDS else "queued",
            "voids": lease.attempt,
        }
        after |= {"not_before": now + rest, "holder": "", "expires": 0.0}
        connection.execute(update(blocks).where(blocks.c.id == lease.id).values(after))
    elif known.holder != lease.holder:
        return None
    return next(
        one
        for one in all_voids(connection, lease.block.tournament)
        if (one.block, one.attempt) == (lease.block.number, lease.attempt)
    )


def all_voids(connection: Connection, name: str) -> tuple[Void, ...]:
    """Every match that a machine has failed, in order of match and attempt."""
    wanted = (
        select(voids, blocks.c.number, blocks.c.lineup, rounds.c.number.label("round"))
        .join(blocks, voids.c.block_id == blocks.c.id)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(rounds.c.tournament_id == entering.tournament_id(connection, name))
    )
    found = []
    for row in connection.execute(wanted):
        block = Block(name, row.round, row.number, 0, msgspec.json.decode(row.lineup, type=tuple[int, ...]))
        out = row.attempt >= MOST_VOIDS
        match = block.match(row.rotation)
        found.append(Void(name, row.round, row.number, match, row.attempt, row.cause, row.holder, row.at, out))
    return tuple(sorted(found, key=lambda one: (one.match, one.attempt)))
