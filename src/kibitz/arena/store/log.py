r"""The log of a tournament: every decision, each hashed with the one before.

    entry       one line of JSON (``entries``)
    head        the SHA-256, in hexadecimal digits, of the head before, a line feed and the entry
    chain       the heads in order; who knows one of them can tell whether anything before it is another now

The first head is made with ``NOTHING``.  Anybody can compute a head: ``printf '%s\n%s' HEAD ENTRY | sha256sum``.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, func, insert, select

from kibitz.arena.store import entries, sums
from kibitz.arena.store.schema import log, metadata, tournaments

NOTHING = "0" * 64


class Head(msgspec.Struct, frozen=True):
    """One entry of a log and the head that it makes."""

    number: int
    kind: str
    entry: str
    head: str
    at: float


def next_head(before: str, entry: str) -> str:
    """The head that an entry makes after another.

    >>> next_head(NOTHING, "{}")[:16]
    '5649d09ed68c1715'
    """
    return entries.sha256(f"{before}\n{entry}".encode())


def note(connection: Connection, tournament: int, entry: entries.Entry, now: float) -> None:
    """Put a decision at the end of a tournament's log; its row must be locked."""
    last = connection.execute(
        select(*sums.readable(log)).where(log.c.tournament_id == tournament).order_by(log.c.number.desc()).limit(1)
    ).one_or_none()
    if last is not None:
        sums.whole(log, last)
    said = entries.text(entry)
    number, before = (0, NOTHING) if last is None else (last.number, last.head)
    row = {"number": number + 1, "kind": entries.kind(entry), "entry": said, "head": next_head(before, said)}
    connection.execute(insert(log).values(tournament_id=tournament, at=now, **row))


def heads(connection: Connection, tournament: int) -> tuple[Head, ...]:
    """A tournament's log, oldest entry first."""
    wanted = select(*sums.readable(log)).where(log.c.tournament_id == tournament).order_by(log.c.number)
    found = [sums.whole(log, row) for row in connection.execute(wanted)]
    return tuple(Head(row.number, row.kind, row.entry, row.head, row.at) for row in found)


def check_count(connection: Connection, tournament: int, what: str, found: int, *kinds: str) -> None:
    """Damage if there are fewer or more rows than the log has entries of these kinds on them."""
    wanted = select(func.count()).where(log.c.tournament_id == tournament, log.c.kind.in_(kinds))
    told = connection.scalar(wanted)
    if told != found:
        raise sums.Damage(f"in table {what}: there are {found} rows of the tournament, and its log tells of {told}")


def begin_logs(connection: Connection, revision: str, now: float) -> None:
    """Bring a store of an older revision up to date: checksums for all rows, logs for tournaments without one."""
    for table in metadata.sorted_tables:
        sums.renew(connection, table)
    without = select(tournaments.c.id).where(~tournaments.c.id.in_(select(log.c.tournament_id)))
    for tournament in connection.scalars(without.order_by(tournaments.c.id)).all():
        for entry in entries.of_tournament(connection, tournament):
            note(connection, tournament, entry, now)
        note(connection, tournament, entries.TakenOver(revision), now)
