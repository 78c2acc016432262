"""Leases and what comes of them.

    queued      nobody has the block; so too once a lease has run out, whatever the row says
    played      all its matches are in: they count, for good
    given up    its machine has failed too often: none of its matches counts

A block goes from queued to leased and back until it is played or given up; from there it never moves.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, insert, or_, select, update

from kibitz.arena.model import (
    Block,
    Lease,
    Played,
    PlayedSeat,
    Void,
)
from kibitz.arena.pairing.schedule import seed_from
from kibitz.arena.store import entering
from kibitz.arena.store.scheduling import UNPLAYED
from kibitz.arena.store.schema import blocks, matches, rounds, seats, voids
from kibitz.errors import StoreError
from kibitz.players.attempts import Memory

MOST_VOIDS = 5
"""A block is given up after so many voids."""
FIRST_REST, LONGEST_REST = 1.0, 300.0
"""Seconds for which a block rests after its first void; four times as long after each further one."""


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
    return tuple(as_lease(row, name, holder, now + lease_s) for row in found)


def as_lease(row: Row[*tuple[Any, ...]], name: str, holder: str, expires: float) -> Lease:
    """A claim on a block, with what is remembered of it."""
    memory = msgspec.json.decode(row.memory, type=dict[int, Memory])
    return Lease(row.id, holder, expires, row.voids + 1, as_block(row, name, row.round), memory)


def as_block(row: Row[*tuple[Any, ...]], name: str, number: int) -> Block:
    """A row as a value."""
    lineup = msgspec.json.decode(row.lineup, type=tuple[int, ...])
    return Block(name, number, row.number, seed_from(row.deal_seed), lineup)


def heartbeat(connection: Connection, leases: Sequence[Lease], expires: float) -> int:
    """Prolong leases that are still their holder's, even if they have run out meanwhile."""
    held = [and_(blocks.c.id == lease.id, blocks.c.holder == lease.holder) for lease in leases]
    if not held:
        return 0
    prolonged = update(blocks).where(blocks.c.state == "leased", or_(*held)).values(expires=expires)
    return int(connection.execute(prolonged).rowcount)


def remember(connection: Connection, lease: Lease) -> bool:
    """Keep what has been learnt of a block that is still its holder's."""
    held = blocks.c.id == lease.id, blocks.c.state == "leased", blocks.c.holder == lease.holder
    return connection.execute(update(blocks).where(*held).values(memory=memory_text(lease))).rowcount > 0


def memory_text(lease: Lease) -> str:
    """What a lease remembers, as a block's row keeps it."""
    return msgspec.json.encode(lease.memory).decode()


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
        values = {"state": "played", "holder": "", "expires": 0.0, "memory": "{}"}
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
        after |= {"not_before": now + rest, "holder": "", "expires": 0.0, "memory": memory_text(lease)}
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
