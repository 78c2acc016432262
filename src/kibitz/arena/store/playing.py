"""Leases and their results; the runners of a tournament; refused files.

    void        a match that the machine failed to play, through no fault of a player
    attempt     one try to play a block, numbered from 1; a void ends it, an expired lease doesn't
    memory      the history that the next attempt needs: for each match of a block, the time that players used between
                their moves and how they failed in earlier attempts
    queued      nobody has the block; a block whose lease has run out can be claimed like a queued block
    played      the results of all matches of the block are stored, and count
    given up    too many attempts at the block ended in a void: none of its matches counts

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
FIRST_DELAY, MAX_DELAY = 1.0, 300.0
"""Seconds before a block is played again: ``FIRST_DELAY`` after its first void, four times as long after each further
one, at most ``MAX_DELAY``."""


# leases


def is_free(now: float) -> ColumnElement[bool]:
    """The condition that a block may be claimed at the time ``now``."""
    queued = and_(blocks.c.state == "queued", blocks.c.not_before <= now)
    lease_ran_out = and_(blocks.c.state == "leased", blocks.c.expires <= now)
    return or_(queued, lease_ran_out)


def claim(
    connection: Connection, now: float, name: str, holder: str, n: int = 1, lease_s: float = 60.0
) -> tuple[Lease, ...]:
    """Lease up to ``n`` free blocks of open rounds for ``lease_s`` seconds, lowest number first.

    ``holder`` should be unique to one runner: it doesn't get blocks that it already holds. PostgreSQL skips rows that
    others are claiming.
    """
    query = (
        select(blocks, rounds.c.number.label("round"))
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(rounds.c.tournament_id == participants.tournament_id(connection, name), rounds.c.closed_at.is_(None))
        .where(UNPLAYED, is_free(now))
        .order_by(blocks.c.voids, blocks.c.number)
        .limit(n)
        .with_for_update(of=blocks, skip_locked=True)
    )
    rows = connection.execute(query).all()
    if rows:
        ids = [row.id for row in rows]
        values = {"state": "leased", "holder": holder, "expires": now + lease_s}
        connection.execute(update(blocks).where(blocks.c.id.in_(ids)).values(values))
    return tuple(as_lease(row, name, holder, now + lease_s) for row in rows)


def as_lease(row: Row[*tuple[Any, ...]], name: str, holder: str, expires: float) -> Lease:
    """The lease of a block, from the block's row."""
    memory = msgspec.json.decode(row.memory, type=dict[int, Memory])
    return Lease(row.id, holder, expires, row.voids + 1, as_block(row, name, row.round), memory)


def as_block(row: Row[*tuple[Any, ...]], name: str, number: int) -> Block:
    """A row of ``blocks`` as a Block of round ``number``."""
    lineup = msgspec.json.decode(row.lineup, type=tuple[int, ...])
    return Block(name, number, row.number, seed_from(row.deal_seed), lineup)


def heartbeat(connection: Connection, now: float, leases: Sequence[Lease], lease_s: float = 60.0) -> int:
    """Renew leases that their holder still has, even expired ones; returns their number."""
    own_leases = [and_(blocks.c.id == lease.id, blocks.c.holder == lease.holder) for lease in leases]
    if not own_leases:
        return 0
    renewal = update(blocks).where(blocks.c.state == "leased", or_(*own_leases)).values(expires=now + lease_s)
    return int(connection.execute(renewal).rowcount)


def save_memory(connection: Connection, lease: Lease) -> bool:
    """Store a lease's memory if its holder still has the lease; returns whether it has."""
    own_lease = blocks.c.id == lease.id, blocks.c.state == "leased", blocks.c.holder == lease.holder
    return connection.execute(update(blocks).where(*own_lease).values(memory=memory_text(lease))).rowcount > 0


def memory_text(lease: Lease) -> str:
    """A lease's memory, as a block's row stores it."""
    return msgspec.json.encode(lease.memory).decode()


def release(connection: Connection, holder: str) -> int:
    """Queue all blocks of a holder again; returns their number."""
    statement = update(blocks).where(blocks.c.state == "leased", blocks.c.holder == holder)
    return int(connection.execute(statement.values(state="queued", holder="", expires=0.0)).rowcount)


# results


def complete_all(
    connection: Connection, now: float, finished: Sequence[tuple[Lease, Sequence[PlayedMatch]]]
) -> tuple[bool, ...]:
    """Store all matches of finished blocks; returns for each block whether its matches count.

    They don't count if the block was already played or given up. They do if the lease has run out: the first results
    to arrive are kept, since every runner gets the same.
    """
    for lease, played in finished:
        check_played(lease.block, played)
    ids = sorted(lease.id for lease, _ in finished)
    query = select(blocks.c.id, blocks.c.state).where(blocks.c.id.in_(ids)).order_by(blocks.c.id)
    open_blocks = {row.id for row in connection.execute(query.with_for_update()) if row.state in ("queued", "leased")}
    counted = []
    match_rows: list[dict[str, object]] = []
    seat_rows: list[dict[str, object]] = []
    for lease, played in finished:
        counted.append(lease.id in open_blocks)
        if counted[-1]:
            open_blocks.discard(lease.id)  # a block may appear twice
            match_rows += [match_row(lease, match, now) for match in played]
            seat_rows += [seat_row(lease, match, k, seat) for match in played for k, seat in enumerate(match.seats)]
    if match_rows:
        connection.execute(insert(matches), match_rows)
        connection.execute(insert(seats), seat_rows)
        counted_blocks = [lease.id for (lease, _), counts in zip(finished, counted, strict=True) if counts]
        values = {"state": "played", "holder": "", "expires": 0.0, "memory": "{}"}
        connection.execute(update(blocks).where(blocks.c.id.in_(counted_blocks)).values(values))
    return tuple(counted)


def check_played(block: Block, played: Sequence[PlayedMatch]) -> None:
    """Raise StoreError unless these are all the matches of the block, in order."""
    lineups = [tuple(seat.submission for seat in match.seats) for match in played]
    numbers = [match.rotation for match in played]
    if numbers != list(range(len(block.lineup))) or tuple(lineups) != block.rotations():
        raise StoreError("refused", f"block {block.number} must come with all its matches, in order.")


def match_row(lease: Lease, match: PlayedMatch, now: float) -> dict[str, object]:
    """A match as a row of ``matches``."""
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
    """One seat of a match as a row of ``seats``."""
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
    """The text, with the characters that a database or a log can't hold (NUL and surrogates) replaced."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode(errors="replace").decode()


def void(connection: Connection, now: float, lease: Lease, rotation: int, cause: str) -> Void | None:
    """Store a void with its cause, and queue the block again after a delay, or give it up after ``MAX_VOIDS`` voids.

    None if the holder doesn't have the lease any more; a repeated call returns the same void.
    """
    row = connection.execute(select(blocks).where(blocks.c.id == lease.id).with_for_update()).one()
    stored_void = connection.execute(
        select(voids).where(voids.c.block_id == lease.id, voids.c.attempt == lease.attempt)
    ).one_or_none()
    if stored_void is None:
        if row.state != "leased" or row.holder != lease.holder or row.voids != lease.attempt - 1:
            return None
        values = {"block_id": lease.id, "attempt": lease.attempt, "rotation": rotation, "cause": storable(cause)}
        connection.execute(insert(voids).values(values | {"holder": lease.holder, "at": now}))
        delay = min(MAX_DELAY, FIRST_DELAY * 4**row.voids)
        block_values: dict[str, object] = {
            "state": "given-up" if lease.attempt >= MAX_VOIDS else "queued",
            "voids": lease.attempt,
        }
        block_values |= {"not_before": now + delay, "holder": "", "expires": 0.0, "memory": memory_text(lease)}
        connection.execute(update(blocks).where(blocks.c.id == lease.id).values(block_values))
    elif stored_void.holder != lease.holder:
        return None
    return next(
        stored
        for stored in all_voids(connection, lease.block.tournament)
        if (stored.block, stored.attempt) == (lease.block.number, lease.attempt)
    )


def all_voids(connection: Connection, name: str) -> tuple[Void, ...]:
    """Every void, in order of the matches' numbers and then of the attempts."""
    query = (
        select(voids, blocks.c.number, blocks.c.lineup, blocks.c.deal_seed, rounds.c.number.label("round"))
        .join(blocks, voids.c.block_id == blocks.c.id)
        .join(rounds, blocks.c.round_id == rounds.c.id)
        .where(rounds.c.tournament_id == participants.tournament_id(connection, name))
    )
    voids_found = []
    for row in connection.execute(query):
        match = as_block(row, name, row.round).match(row.rotation)
        fields = {"tournament": name, "block": row.number, "match": match, "given_up": row.attempt >= MAX_VOIDS}
        voids_found.append(schema.from_row(Void, row, **fields))
    return tuple(sorted(voids_found, key=lambda one: (one.match, one.attempt)))


# The runners of a tournament are registered, so that a second runner is refused, and a dead runner's blocks are queued
# again.
#
# runner      a process that claims blocks and submits results
# born        identifies a process even after its number has been reused: boot, process namespace and start time
# join        whether a runner may share the work of runners that are registered already
#
# A runner shows that it is alive by renewing its row.  The death of a runner on the same machine is noticed at once.


def register_runner(
    connection: Connection, now: float, name: str, holder: str, lease_s: float = 60.0, *, join: bool = False
) -> int:
    """Register a runner; returns how many blocks of dead runners were queued again.

    Raises StoreError (running) if another runner is alive, unless ``join``.
    """
    tournament = participants.tournament_id(connection, name, lock=True)
    queued = 0
    for row in connection.execute(select(runners).where(runners.c.tournament_id == tournament)).all():
        if row.holder == holder:
            remove_runner(connection, holder)
        elif not is_alive(row, now):
            queued += release(connection, row.holder)
            remove_runner(connection, row.holder)
        elif not join:
            raise StoreError(
                "running",
                f"process {row.process} on {row.host} is already playing {name}; wait for it, stop it, or share "
                "its work (--join).",
            )
    values = {
        "tournament_id": tournament,
        "holder": holder,
        "host": socket.gethostname()[:255],
        "process": os.getpid(),
        "born": process_start(os.getpid()) or "",
        "started_at": now,
        "expires": now + lease_s,
    }
    connection.execute(insert(runners).values(values))
    return queued


def renew_runner(connection: Connection, now: float, holder: str, lease_s: float = 60.0) -> bool:
    """Show that a runner is alive; False if it is no longer registered."""
    renewal = update(runners).where(runners.c.holder == holder).values(expires=now + lease_s)
    return connection.execute(renewal).rowcount > 0


def save_matches_in_play(connection: Connection, holder: str, in_play: Sequence[MatchInPlay]) -> None:
    """Store a runner's report on the matches that it is playing, in place of its last one."""
    report = msgspec.json.encode(in_play).decode()
    connection.execute(update(runners).where(runners.c.holder == holder).values(shown=report))


def matches_in_play(connection: Connection, now: float, name: str) -> tuple[MatchInPlay, ...]:
    """The matches in play that runners have reported, in order of their numbers; short matches aren't reported."""
    of_tournament = runners.c.tournament_id == participants.tournament_id(connection, name)
    query = select(runners.c.shown).where(of_tournament, runners.c.expires > now)
    in_play = [match for (report,) in connection.execute(query) for match in read_report(report)]
    return tuple(sorted(in_play, key=lambda one: one.match))


def read_report(text: str) -> tuple[MatchInPlay, ...]:
    """A runner's report; empty if it can't be read, since nothing depends on it."""
    try:
        return msgspec.json.decode(text, type=tuple[MatchInPlay, ...])
    except msgspec.MsgspecError:
        return ()


def remove_runner(connection: Connection, holder: str) -> None:
    """Remove a runner."""
    connection.execute(delete(runners).where(runners.c.holder == holder))


def is_alive(row: Row[*tuple[Any, ...]], now: float) -> bool:
    """Whether a registered runner may still be alive."""
    if row.expires <= now:
        return False
    own_start = process_start(os.getpid())
    if not own_start or not row.born or process_namespace(own_start) != process_namespace(row.born):
        return True
    return bool(process_start(row.process) == row.born)


def process_namespace(born: str) -> str:
    """The boot and process namespace in ``born``, which are the same for processes that can see each other."""
    return born.rpartition("/")[0]


def process_start(process: int) -> str | None:
    """The boot, process namespace and start time of a process; None if it has ended, or on systems without /proc."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else f"{boot}/{space}/{fields[19]}"


# Refusals: files that couldn't be read, or weren't allowed to be submitted at the time, and so didn't become versions.
#
# refusal     the player's name, its owner, the file or folder, and the reason in a sentence
#
# A file that failed its check is a version of its player with a report, not a refusal.


def refuse(connection: Connection, now: float, name: str, player: str, owner: str, file: str, reason: str) -> None:
    """Store a refusal, unless it repeats the player's last one or the tournament is closed."""
    for column, word in (("player", player), ("owner", owner)):
        participants.check_word(column, word)
    tournament_id = participants.tournament_id(connection, name, lock=True)
    tournament = participants.read_tournament(connection, name)
    earlier = all_refusals(connection, name)
    of_player = [refusal for refusal in earlier if refusal.player == player]
    file, reason = storable(file)[: participants.MAX_LENGTHS["file"]], storable(reason)
    if tournament.kind == "custom" or tournament.phase == "closed":
        return
    if of_player and (of_player[-1].file, of_player[-1].reason) == (file, reason):
        return
    row = {"player": player, "owner": owner, "file": file, "reason": reason, "at": now}
    connection.execute(insert(refusals).values(tournament_id=tournament_id, number=len(earlier) + 1, **row))
    query = select(refusals).where(refusals.c.tournament_id == tournament_id, refusals.c.number == len(earlier) + 1)
    log.append(connection, tournament_id, log.file_refused(connection.execute(query).one()), now)


def all_refusals(connection: Connection, name: str) -> tuple[Refusal, ...]:
    """The refusals of a tournament, oldest first."""
    tournament_id = participants.tournament_id(connection, name)
    query = select(refusals).where(refusals.c.tournament_id == tournament_id).order_by(refusals.c.number)
    rows = [schema.check_types(refusals, row) for row in connection.execute(query)]
    log.check_count(connection, tournament_id, "refusals", len(rows), "refused")
    return tuple(schema.from_row(Refusal, row, tournament=name) for row in rows)
