"""Leases and their results; the runners of a tournament; refused files.

    void        a match that a machine failed to play, which is no player's fault
    attempt     a try at a block, numbered from 1: a void begins the next one, a lease that runs out doesn't
    memory      by match of a block, how long players have been idle and how they have failed in earlier attempts
    queued      nobody has the block; a leased one whose lease has run out counts as queued
    played      all its matches are in: they count, for good
    given up    too many of its attempts ended in a void: none of its matches counts

A block goes from queued to leased and back until it is played or given up, which is final.
"""

from __future__ import annotations

import os
import socket
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, delete, insert, or_, select, update

from kibitz.arena.model import Block, Lease, MatchInPlay, PlayedMatch, PlayedSeat, Refusal, Void
from kibitz.arena.schedule import seed_from
from kibitz.arena.store import log, participants
from kibitz.arena.store.scheduling import UNPLAYED
from kibitz.database import schema
from kibitz.database.schema import blocks, matches, refusals, rounds, runners, seats, voids
from kibitz.errors import StoreError
from kibitz.players.rated_game import Memory

MAX_VOIDS = 5
"""A block is given up after this many voids."""
FIRST_REST, LONGEST_REST = 1.0, 300.0
"""Seconds before a block is retried after its first void; four times as long after each further one."""


# leases


def is_free(now: float) -> ColumnElement[bool]:
    """Blocks that may be claimed at a given time."""
    rested = and_(blocks.c.state == "queued", blocks.c.not_before <= now)
    return or_(rested, and_(blocks.c.state == "leased", blocks.c.expires <= now))


def claim(connection: Connection, name: str, holder: str, n: int, lease_s: float, now: float) -> tuple[Lease, ...]:
    """Lease free blocks of the running round; PostgreSQL skips rows that others are claiming."""
    wanted = (
        select(blocks, rounds.c.number.label("round"))
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(rounds.c.tournament_id == participants.tournament_id(connection, name), rounds.c.closed_at.is_(None))
        .where(UNPLAYED, is_free(now))
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
    """A lease of a block, with what is known of earlier attempts at its matches (``Lease.memory``)."""
    memory = msgspec.json.decode(row.memory, type=dict[int, Memory])
    return Lease(row.id, holder, expires, row.voids + 1, as_block(row, name, row.round), memory)


def as_block(row: Row[*tuple[Any, ...]], name: str, number: int) -> Block:
    """A row as a value."""
    lineup = msgspec.json.decode(row.lineup, type=tuple[int, ...])
    return Block(name, number, row.number, seed_from(row.deal_seed), lineup)


def heartbeat(connection: Connection, leases: Sequence[Lease], expires: float) -> int:
    """Prolong leases that their holder still has, even expired ones."""
    held = [and_(blocks.c.id == lease.id, blocks.c.holder == lease.holder) for lease in leases]
    if not held:
        return 0
    prolonged = update(blocks).where(blocks.c.state == "leased", or_(*held)).values(expires=expires)
    return int(connection.execute(prolonged).rowcount)


def remember(connection: Connection, lease: Lease) -> bool:
    """Store the memory of a lease that its holder still has; False if it is over."""
    held = blocks.c.id == lease.id, blocks.c.state == "leased", blocks.c.holder == lease.holder
    return connection.execute(update(blocks).where(*held).values(memory=memory_text(lease))).rowcount > 0


def memory_text(lease: Lease) -> str:
    """A lease's memory, as a block's row stores it."""
    return msgspec.json.encode(lease.memory).decode()


def release(connection: Connection, holder: str, numbers: Sequence[int] | None) -> int:
    """Return a holder's blocks, all or some."""
    given = update(blocks).where(blocks.c.state == "leased", blocks.c.holder == holder)
    if numbers is not None:
        given = given.where(blocks.c.id.in_(numbers))
    return int(connection.execute(given.values(state="queued", holder="", expires=0.0)).rowcount)


# results


def complete(
    connection: Connection, finished: Sequence[tuple[Lease, Sequence[PlayedMatch]]], now: float
) -> tuple[bool, ...]:
    """Store the matches of finished blocks; by block, whether they count (not if it was played or given up before)."""
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


def check_played(block: Block, played: Sequence[PlayedMatch]) -> None:
    """StoreError unless these are all the matches of the block, in order."""
    found = [tuple(seat.submission for seat in match.seats) for match in played]
    numbers = [match.rotation for match in played]
    if numbers != list(range(len(block.lineup))) or tuple(found) != block.rotations():
        raise StoreError("refused", f"block {block.number} must come with all its matches, in order.")


def match_row(lease: Lease, match: PlayedMatch, now: float) -> dict[str, object]:
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


def seat_row(lease: Lease, match: PlayedMatch, seat: int, played: PlayedSeat) -> dict[str, object]:
    """One seat of a match as a row; PostgreSQL can't store NUL characters in text."""
    return {
        "block_id": lease.id,
        "rotation": match.rotation,
        "seat": seat,
        "submission_id": played.submission,
        "score": played.score,
        "place": played.place,
        "win_share": played.win_share,
        "forfeit": played.forfeit,
        "rule": None if played.rule is None else storable(played.rule),
        "moves": played.moves,
        "detail": storable(played.detail),
        "prints": storable(played.prints),
    }


def storable(text: str) -> str:
    """Text that every database and every log can hold."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode(errors="replace").decode()


def void(connection: Connection, lease: Lease, rotation: int, cause: str, now: float) -> Void | None:
    """Store the cause of a machine's failure, and queue the block again or give it up."""
    row = connection.execute(select(blocks).where(blocks.c.id == lease.id).with_for_update()).one()
    known = connection.execute(
        select(voids).where(voids.c.block_id == lease.id, voids.c.attempt == lease.attempt)
    ).one_or_none()
    if known is None:
        if row.state != "leased" or row.holder != lease.holder or row.voids != lease.attempt - 1:
            return None
        values = {"block_id": lease.id, "attempt": lease.attempt, "rotation": rotation, "cause": storable(cause)}
        connection.execute(insert(voids).values(values | {"holder": lease.holder, "at": now}))
        rest = min(LONGEST_REST, FIRST_REST * 4**row.voids)
        after: dict[str, object] = {
            "state": "given-up" if lease.attempt >= MAX_VOIDS else "queued",
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
    """Every void, in order of the matches' numbers and then of the attempts."""
    wanted = (
        select(voids, blocks.c.number, blocks.c.lineup, rounds.c.number.label("round"))
        .join(blocks, voids.c.block_id == blocks.c.id)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(rounds.c.tournament_id == participants.tournament_id(connection, name))
    )
    found = []
    for row in connection.execute(wanted):
        block = Block(name, row.round, row.number, 0, msgspec.json.decode(row.lineup, type=tuple[int, ...]))
        out = row.attempt >= MAX_VOIDS
        match = block.match(row.rotation)
        found.append(Void(name, row.round, row.number, match, row.attempt, row.cause, row.holder, row.at, out))
    return tuple(sorted(found, key=lambda one: (one.match, one.attempt)))


# The runners of a tournament, so that a second one is refused and a dead one's blocks come back at once.
#
# runner      one process that claims blocks and submits results
# born        identifies a process even when its number is used again: boot, process namespace and start time
# beside      whether to play together with the runners that are registered already
#
# A runner shows that it is alive by prolonging its row.  On its own machine, a dead runner is noticed at once.


def enter_runner(connection: Connection, name: str, holder: str, expires: float, now: float, *, beside: bool) -> int:
    """Register a runner; returns how many blocks of dead ones came back. StoreError (running) if another plays it."""
    number = participants.tournament_id(connection, name, lock=True)
    back = 0
    for row in connection.execute(select(runners).where(runners.c.tournament_id == number)).all():
        if row.holder == holder:
            leave_runner(connection, holder)
        elif not is_alive(row, now):
            back += release(connection, row.holder, None)
            leave_runner(connection, row.holder)
        elif not beside:
            raise StoreError(
                "running",
                f"process {row.process} on {row.host} is playing {name} already; wait for it, stop it, or start "
                "this one beside it (--beside).",
            )
    values = {
        "tournament_id": number,
        "holder": holder,
        "host": socket.gethostname()[:255],
        "process": os.getpid(),
        "born": process_start(os.getpid()) or "",
        "started_at": now,
        "expires": expires,
    }
    connection.execute(insert(runners).values(values))
    return back


def keep_runner(connection: Connection, holder: str, expires: float) -> bool:
    """Show that a runner is alive; False if it is no longer registered."""
    prolonged = update(runners).where(runners.c.holder == holder).values(expires=expires)
    return connection.execute(prolonged).rowcount > 0


def show(connection: Connection, holder: str, shown: Sequence[MatchInPlay]) -> None:
    """Replace the state of the matches that a runner is playing."""
    report = msgspec.json.encode(shown).decode()
    connection.execute(update(runners).where(runners.c.holder == holder).values(shown=report))


def matches_in_play(connection: Connection, name: str, now: float) -> tuple[MatchInPlay, ...]:
    """The matches that runners are playing in a tournament, as last reported, in order of their numbers."""
    mine = runners.c.tournament_id == participants.tournament_id(connection, name)
    wanted = select(runners.c.shown).where(mine, runners.c.expires > now)
    found = [one for (report,) in connection.execute(wanted) for one in read_report(report)]
    return tuple(sorted(found, key=lambda one: one.match))


def read_report(report: str) -> tuple[MatchInPlay, ...]:
    """A runner's report; empty if it can't be read, since nothing depends on it."""
    try:
        return msgspec.json.decode(report, type=tuple[MatchInPlay, ...])
    except msgspec.MsgspecError:
        return ()


def leave_runner(connection: Connection, holder: str) -> None:
    """Remove a runner."""
    connection.execute(delete(runners).where(runners.c.holder == holder))


def is_alive(row: Row[*tuple[Any, ...]], now: float) -> bool:
    """Whether a registered runner may still be at work."""
    if row.expires <= now:
        return False
    mine = process_start(os.getpid())
    if not mine or not row.born or process_namespace(mine) != process_namespace(row.born):
        return True
    return bool(process_start(row.process) == row.born)


def process_namespace(name: str) -> str:
    """The part of ``born`` that processes share if they can see each other."""
    return name.rpartition("/")[0]


def process_start(process: int) -> str | None:
    """Boot, process namespace and start of a process; None if it is gone or the system doesn't say."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else f"{boot}/{space}/{fields[19]}"


# Files that were refused before they became versions: unreadable ones, and those that might not be submitted then.
#
# refusal     the player's name, its owner, the file or folder, and the reason in a sentence
#
# A file that failed its check is not a refusal here but a version of its player, with its report.


def refuse(connection: Connection, name: str, player: str, owner: str, file: str, reason: str, now: float) -> None:
    """Store a refusal, unless it repeats the player's last one or the tournament is closed."""
    for what, word in (("player", player), ("owner", owner)):
        participants.check_word(what, word)
    number = participants.tournament_id(connection, name, lock=True)
    tournament = participants.read_tournament(connection, name)
    before = all_refusals(connection, name)
    mine = [one for one in before if one.player == player]
    file, reason = storable(file)[: participants.MAX_LENGTHS["file"]], storable(reason)
    if tournament.kind == "custom" or tournament.phase == "closed":
        return
    if mine and (mine[-1].file, mine[-1].reason) == (file, reason):
        return
    row = {"player": player, "owner": owner, "file": file, "reason": reason, "at": now}
    connection.execute(insert(refusals).values(tournament_id=number, number=len(before) + 1, **row))
    this = select(refusals).where(refusals.c.tournament_id == number, refusals.c.number == len(before) + 1)
    log.note(connection, number, log.refused(connection.execute(this).one()), now)


def all_refusals(connection: Connection, name: str) -> tuple[Refusal, ...]:
    """The refusals of a tournament, oldest first."""
    number = participants.tournament_id(connection, name)
    wanted = select(refusals).where(refusals.c.tournament_id == number).order_by(refusals.c.number)
    rows = [schema.check_types(refusals, row) for row in connection.execute(wanted)]
    log.check_count(connection, number, "refusals", len(rows), "refused")
    return tuple(Refusal(name, row.number, row.player, row.owner, row.file, row.reason, row.at) for row in rows)
