r"""The log of a tournament: all decisions, in a chain of hashes.

    entry       one line of JSON for one decision, derived from the decision's rows in the database
    head        the hash after an entry: the SHA-256, in hexadecimal digits, of the previous head, a line feed and the
                entry
    chain       the heads in order; a head reveals any change to the entries before it

The head before the first entry is ``FIRST_HEAD``.  Anybody can compute a head:
``printf '%s\n%s' HEAD ENTRY | sha256sum``.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, insert, select

from kibitz.database import schema
from kibitz.database.schema import blocks, log, matches, seats

# Entries.
#
# A submission is settled when it is accepted or refused. Some kinds (``tag``) and fields (``name``) have older names in
# the log than here, so that old logs stay valid.
#
# The same functions derive an entry from rows when the log is written and when it is verified, so the two can't differ.
# Entries have no times of matches, and list results in order of match, so they don't depend on the number of workers.


AnyRow = Row[Any]


class TournamentBegun(msgspec.Struct, frozen=True, tag_field="what", tag="begun", omit_defaults=True):
    """A tournament begins.

    ``rules`` is the version of the game's rules.  A submission is excluded once it has forfeited ``threshold_games`` of
    its games or more, and more than the share ``threshold_share`` of them.  ``commitment`` is the SHA-256 of the seed
    of the tournament's regular rounds, and ``goal`` is its end condition as JSON, if it has one.
    """

    tournament: str
    game: str
    kind: str
    seats: int
    rules: int
    threshold_games: int = msgspec.field(name="lost")
    threshold_share: float = msgspec.field(name="share")
    limits: str
    commitment: str = msgspec.field(name="seal")
    at: float
    goal: str | None = None


class PhaseEntered(msgspec.Struct, frozen=True, tag_field="what", tag="moved"):
    """A tournament enters a phase."""

    phase: str


class DeadlineSet(msgspec.Struct, frozen=True, tag_field="what", tag="deadline"):
    """Submissions will close at ``closes_at``, in UTC seconds since 1970; None if the deadline was removed."""

    closes_at: float | None


class FinalBegun(msgspec.Struct, frozen=True, tag_field="what", tag="final"):
    """The final begins; ``commitment`` is the SHA-256 of its seed."""

    commitment: str = msgspec.field(name="seal")


class VersionSubmitted(msgspec.Struct, frozen=True, tag_field="what", tag="submitted", omit_defaults=True):
    """A version of a player is submitted; ``account`` is the id of the server's account that submitted it."""

    submission: int
    player: str
    version: int
    owner: str
    file: str
    sha256: str
    at: float
    account: str | None = None


class VersionChecked(msgspec.Struct, frozen=True, tag_field="what", tag="tried"):
    """A version has been checked; ``report`` is the SHA-256 of the report."""

    submission: int
    passed: int
    report: str
    at: float


class VersionSettled(msgspec.Struct, frozen=True, tag_field="what", tag="settled"):
    """A version is accepted or refused."""

    submission: int
    state: str
    reason: str
    at: float | None


class PlayerWithdrawn(msgspec.Struct, frozen=True, tag_field="what", tag="withdrawn"):
    """A player withdraws; ``submission`` is its newest version."""

    submission: int
    at: float


class FileRefused(msgspec.Struct, frozen=True, tag_field="what", tag="refused"):
    """A file is refused before it becomes a version."""

    number: int
    player: str
    owner: str
    file: str
    reason: str
    at: float


class RosterReplaced(msgspec.Struct, frozen=True, tag_field="what", tag="roster"):
    """A new roster: the number of its names, and the SHA-256 of the sorted list."""

    names: int
    sha256: str


class RoundScheduled(msgspec.Struct, frozen=True, tag_field="what", tag="scheduled"):
    """A round is scheduled, with its entrants and its blocks' lineups as they are stored."""

    round: int
    phase: str
    entrants: str
    first_block: int
    lineups: tuple[str, ...]


class RoundClosed(msgspec.Struct, frozen=True, tag_field="what", tag="closed"):
    """A round is closed: how many matches count, the SHA-256 of their results, and the blocks that were given up."""

    round: int
    matches: int
    results: str
    given_up: tuple[int, ...]


class SubmissionExcluded(msgspec.Struct, frozen=True, tag_field="what", tag="out"):
    """A submission is excluded from all rounds after ``round``."""

    submission: int
    round: int
    games: int
    failures: int
    reason: str


LogEntry = (
    TournamentBegun
    | PhaseEntered
    | DeadlineSet
    | FinalBegun
    | VersionSubmitted
    | VersionChecked
    | VersionSettled
    | FileRefused
    | PlayerWithdrawn
    | RosterReplaced
    | RoundScheduled
    | RoundClosed
    | SubmissionExcluded
)


def entry_kind(entry: LogEntry) -> str:
    """The kind of an entry, as in its field ``what``.

    >>> entry_kind(PhaseEntered("frozen"))
    'moved'
    """
    return str(type(entry).__struct_config__.tag)


def entry_text(entry: LogEntry) -> str:
    """An entry as the log stores it."""
    return msgspec.json.encode(entry).decode()


def parse_entry(text: str) -> LogEntry:
    """An entry of the log. Raises msgspec.MsgspecError for an invalid text."""
    entry: LogEntry = msgspec.json.decode(text, type=LogEntry)
    return entry


# Entries from rows.


def tournament_begun(tournament: AnyRow, commitment: str) -> TournamentBegun:
    """The entry for the beginning of a tournament."""
    fields = {"tournament": tournament.name, "commitment": commitment, "at": tournament.opened_at}
    return schema.from_row(TournamentBegun, tournament, **fields)


def version_submitted(row: AnyRow) -> VersionSubmitted:
    """The entry for a submission."""
    return schema.from_row(VersionSubmitted, row, submission=row.id, at=row.submitted_at)


def version_checked(row: AnyRow) -> VersionChecked:
    """The entry for a check."""
    return VersionChecked(row.submission_id, row.passed, sha256(row.report.encode()), row.at)


def version_settled(row: AnyRow) -> VersionSettled:
    """The entry for the acceptance or refusal of a submission."""
    return schema.from_row(VersionSettled, row, submission=row.id, at=row.settled_at)


def file_refused(row: AnyRow) -> FileRefused:
    """The entry for a file that was refused before it became a version."""
    return schema.from_row(FileRefused, row)


def player_withdrawn(row: AnyRow) -> PlayerWithdrawn:
    """The entry for a withdrawal."""
    return PlayerWithdrawn(row.submission_id, row.at)


def roster_replaced(rows: Iterable[AnyRow]) -> RosterReplaced:
    """The entry for a roster; the order of its rows doesn't matter."""
    lines = sorted(msgspec.json.encode([row.player, row.owner, row.number]) for row in rows)
    return RosterReplaced(len(lines), sha256(b"\n".join(lines)))


def round_scheduled(row: AnyRow, block_rows: Iterable[AnyRow]) -> RoundScheduled:
    """The entry for a scheduled round; ``block_rows`` are its blocks in order."""
    lineups = tuple(block.lineup for block in block_rows)
    return RoundScheduled(row.number, row.phase, row.entrants, row.first_block, lineups)


def round_closed(
    number: int, block_rows: Sequence[AnyRow], match_rows: Iterable[AnyRow], seat_rows: Iterable[AnyRow]
) -> RoundClosed:
    """The entry for the end of a round, from its blocks, its matches with their records, and the matches' seats."""
    by_match: dict[tuple[int, int], list[AnyRow]] = {}
    for seat in sorted(seat_rows, key=lambda row: (row.block_id, row.rotation, row.seat)):
        by_match.setdefault((seat.block_id, seat.rotation), []).append(seat)
    numbers = {block.id: block.number for block in block_rows}
    lines = [
        msgspec.json.encode(
            match_line(numbers[match.block_id], match, by_match.get((match.block_id, match.rotation), []))
        )
        for match in sorted(match_rows, key=lambda row: (numbers[row.block_id], row.rotation))
    ]
    given_up = tuple(block.number for block in block_rows if block.state == "given-up")
    return RoundClosed(number, len(lines), sha256(b"\n".join(lines)), given_up)


def match_line(block: int, match: AnyRow, seat_rows: Sequence[AnyRow]) -> list[object]:
    """A match as a line of a round's results, without times, machines, or details that only owners may see."""
    record = sha256(zlib.decompress(match.record))
    return [block, match.rotation, match.reason, match.tier, match.engine, record, *map(seat_line, seat_rows)]


def seat_line(row: AnyRow) -> list[object]:
    """A seat as part of a match's line."""
    return [row.submission_id, row.score, row.place, row.win_share, row.forfeit, row.rule, row.moves]


def submission_excluded(row: AnyRow, round_number: int) -> SubmissionExcluded:
    """The entry for an exclusion."""
    return schema.from_row(SubmissionExcluded, row, submission=row.submission_id, round=round_number)


def sha256(content: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


# Entries from the database.


def read_round_closed(connection: Connection, row: AnyRow) -> RoundClosed:
    """The entry for the end of a stored round."""
    block_rows = connection.execute(select(blocks).where(blocks.c.round_id == row.id).order_by(blocks.c.number)).all()
    block_ids = select(blocks.c.id).where(blocks.c.round_id == row.id)
    match_rows = connection.execute(select(matches).where(matches.c.block_id.in_(block_ids)))
    seat_rows = connection.execute(select(seats).where(seats.c.block_id.in_(block_ids)))
    return round_closed(row.number, block_rows, match_rows, seat_rows)


def read_round_scheduled(connection: Connection, row: AnyRow) -> RoundScheduled:
    """The entry for a stored round, when it is scheduled."""
    return round_scheduled(
        row, connection.execute(select(blocks).where(blocks.c.round_id == row.id).order_by(blocks.c.number))
    )


def roster_applies(tournament: AnyRow) -> bool:
    """Whether the current roster applies to a tournament: unless that is closed or custom (see ``arena.model``)."""
    return bool(tournament.kind != "custom" and tournament.phase != "closed")


# The chain.


FIRST_HEAD = "0" * 64


class LoggedEntry(msgspec.Struct, frozen=True):
    """An entry as the log stores it, with its number, kind and time, and the head after it."""

    number: int
    kind: str
    entry: str
    head: str
    at: float


def next_head(previous_head: str, entry: str) -> str:
    """The head after an entry.

    >>> next_head(FIRST_HEAD, "{}")[:16]
    '5649d09ed68c1715'
    """
    return sha256(f"{previous_head}\n{entry}".encode())


def append(connection: Connection, tournament: int, entry: LogEntry, now: float) -> None:
    """Append an entry to a tournament's log; the tournament's row must be locked."""
    last = connection.execute(
        select(*schema.readable(log)).where(log.c.tournament_id == tournament).order_by(log.c.number.desc()).limit(1)
    ).one_or_none()
    if last is not None:
        schema.check_types(log, last)
    entry_line = entry_text(entry)
    number, previous_head = (0, FIRST_HEAD) if last is None else (last.number, last.head)
    head = next_head(previous_head, entry_line)
    row = {"number": number + 1, "kind": entry_kind(entry), "entry": entry_line, "head": head}
    connection.execute(insert(log).values(tournament_id=tournament, at=now, **row))


def logged_entries(connection: Connection, tournament: int) -> tuple[LoggedEntry, ...]:
    """A tournament's log, oldest entry first."""
    query = select(*schema.readable(log)).where(log.c.tournament_id == tournament).order_by(log.c.number)
    return tuple(schema.from_row(LoggedEntry, schema.check_types(log, row)) for row in connection.execute(query))


def check_count(connection: Connection, tournament: int, table_name: str, rows: int, *kinds: str) -> None:
    """Raise Damage unless there are as many rows as the log has entries of these kinds."""
    query = select(func.count()).where(log.c.tournament_id == tournament, log.c.kind.in_(kinds))
    logged = connection.scalar(query)
    if logged != rows:
        raise schema.Damage(f"in table {table_name}: there are {rows} rows of the tournament, and its log has {logged}")
