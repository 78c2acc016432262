"""The registry of a tournament's checks, and the rows of the store that are passed to them.

check           a function that yields mismatches, registered under a group; all checks of a group get the same
                arguments
mismatch        a value in the store that can't be right: its table, row and column, and the right value
tournament_data all rows of a tournament except the contents of its rounds, read in one transaction
round_data      one round's blocks, matches with their records, seats and voids, read in one transaction
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import msgspec
from sqlalchemy import Column, Connection, Row, Table, select

from kibitz.arena.model import Entrant, Lineup, MatchResult, Stage, Tournament, stage
from kibitz.arena.schedule import is_filler, seed_from
from kibitz.arena.store import Store, queries
from kibitz.cards import short_repr
from kibitz.database import schema
from kibitz.database.schema import (
    DECODE_ERRORS,
    Damage,
    blocks,
    disqualifications,
    log,
    matches,
    qualifications,
    refusals,
    roster,
    rounds,
    seats,
    seeds,
    submissions,
    tournaments,
    voids,
    withdrawals,
)
from kibitz.errors import KibitzError

CheckGroup = Literal["entry", "deals", "schedule", "blocks", "matches", "exclusions", "log"]
Check = Callable[..., Iterator["Mismatch"]]

CHECKS: dict[CheckGroup, dict[str, Check]] = {}
"""Every check by its group and name."""
UNREADABLE = (LookupError, *DECODE_ERRORS, Damage, KibitzError)
"""Errors that reading a value may raise if somebody has tampered with it."""
MAX_SHOWN = 100
"""The maximum number of characters of a value that are shown."""


class Mismatch(msgspec.Struct, frozen=True):
    """A value in the store that can't be right."""

    table: str
    row: str
    column: str
    value: object
    expected: object
    check: str = ""

    @property
    def sentence(self) -> str:
        """A sentence on the mismatch: the table, row and column, the value, and what it should be."""
        actual, expected = value_text(self.value), value_text(self.expected)
        return f"table {self.table}, {self.row}: {self.column} is {actual} and should be {expected}."


class Unreadable(msgspec.Struct, frozen=True):
    """A value that a check couldn't read; ``statement`` is what the check would have shown."""

    error: str
    statement: str
    check: str

    @property
    def sentence(self) -> str:
        """A sentence on the value and the check."""
        error, statement = value_text(Verbatim(self.error)), value_text(Verbatim(self.statement))
        return f"a value of the tournament can't be read ({error}), so this check couldn't run: {statement}."


Problem = Mismatch | Unreadable
"""What a check finds."""


def differences(table: str, row: str, *values: tuple[str, object, object]) -> Iterator[Mismatch]:
    """A mismatch for each column whose value isn't the expected one; ``values`` are (column, value, expected)."""
    for column, value, expected in values:
        if value != expected:
            yield Mismatch(table, row, column, value, expected)


class Verbatim(str):
    """Words that stand in place of a value, shown without quotes."""

    __slots__ = ()


def value_text(value: object) -> str:
    """A value as people read it, in at most ``MAX_SHOWN`` characters."""
    text = value if isinstance(value, Verbatim) else short_repr(value) if isinstance(value, str) else repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 4]} ..."


def check(group: CheckGroup) -> Callable[[Check], Check]:
    """A decorator that registers a check under a group."""

    def register(function: Check) -> Check:
        CHECKS.setdefault(group, {})[function.__name__] = function
        return function

    return register


def find_mismatches(group: CheckGroup, *data: Any) -> Iterator[Problem]:
    """All mismatches that the checks of a group find, and the values that they can't read.

    ``data`` are the arguments of the checks.
    """
    for name, function in CHECKS[group].items():
        try:
            for mismatch in function(*data):
                yield msgspec.structs.replace(mismatch, check=name)
        except UNREADABLE as error:
            yield Unreadable(str(error), f"{function.__doc__}".rstrip("."), name)


# A tournament's rows as they are stored.


AnyRow = Row[Any]
Key = tuple[int, int]
"""A match: the id of its block in the database, and its rotation."""


@dataclass
class TournamentData:
    """All rows of a tournament, except the contents of its rounds."""

    tournament: Tournament
    row: AnyRow
    seeds: dict[Stage, AnyRow]
    submissions: dict[int, AnyRow]
    """Without the bytes of their files."""
    qualifications: list[AnyRow]
    """The reports on the checks of submissions."""
    rounds: list[AnyRow]
    disqualifications: list[AnyRow]
    withdrawals: list[AnyRow]
    refusals: list[AnyRow]
    """The files that were refused when they were submitted."""
    roster: list[AnyRow]
    """The roster of all tournaments."""
    log: list[AnyRow]
    results: list[MatchResult] = field(default_factory=list)
    """The results of the rounds checked so far."""

    def seed(self, round_row: AnyRow) -> int:
        """The secret seed of the stage that a round belongs to."""
        return seed_from(self.seeds[stage(round_row.phase)].seed)

    def player(self, submission: int) -> str:
        """A player's name; empty for an unknown submission."""
        row = self.submissions.get(submission)
        return str(row.player) if row is not None else ""

    def is_filler(self, submission: int) -> bool:
        """Whether a submission is a built-in player that fills seats."""
        row = self.submissions.get(submission)
        return row is not None and is_filler(row.owner, row.sha256)


@dataclass
class RoundData:
    """The rows of a round."""

    row: AnyRow
    blocks: list[AnyRow]
    matches: dict[Key, AnyRow]
    seats: dict[Key, list[AnyRow]]
    voids: dict[int, list[AnyRow]]
    entrants: tuple[Entrant, ...]

    def matches_of(self, block: AnyRow) -> list[AnyRow]:
        """The matches of a block, by rotation."""
        return self.by_block.get(block.id, [])

    @cached_property
    def by_block(self) -> dict[int, list[AnyRow]]:
        """The matches of each block that has any, by rotation."""
        matches: dict[int, list[AnyRow]] = {}
        for key in sorted(self.matches):
            matches.setdefault(key[0], []).append(self.matches[key])
        return matches

    def results(self, data: TournamentData) -> list[MatchResult]:
        """The round's results as MatchResults, in order of match."""
        results = []
        for block in self.blocks:
            for match in self.matches_of(block):
                if seat_rows := self.seats.get((block.id, match.rotation), []):
                    result = queries.as_result(data.row.name, self.row, block, match, seat_rows, data.submissions)
                    results.append(result)
        return results


def read_tournament(store: Store, tournament: Tournament) -> TournamentData:
    """Read a tournament, except the contents of its rounds."""

    def read(connection: Connection) -> TournamentData:
        id = tournament.id
        submission_rows = rows(connection, submissions, submissions.c.tournament_id, id, submissions.c.id)
        seed_rows = rows(connection, seeds, seeds.c.tournament_id, id, seeds.c.stage)
        of_qualifications = select(qualifications).join(submissions).where(submissions.c.tournament_id == id)
        of_disqualifications = select(disqualifications).join(rounds).where(rounds.c.tournament_id == id)
        of_withdrawals = select(withdrawals).join(submissions).where(submissions.c.tournament_id == id)
        by_round = of_disqualifications.order_by(rounds.c.number, disqualifications.c.submission_id)
        return TournamentData(
            tournament=tournament,
            row=connection.execute(select(tournaments).where(tournaments.c.id == id)).one(),
            seeds={row.stage: row for row in seed_rows},
            submissions={row.id: row for row in submission_rows},
            qualifications=list(connection.execute(of_qualifications.order_by(qualifications.c.id))),
            rounds=rows(connection, rounds, rounds.c.tournament_id, id, rounds.c.number),
            disqualifications=list(connection.execute(by_round)),
            withdrawals=list(connection.execute(of_withdrawals.order_by(withdrawals.c.submission_id))),
            refusals=rows(connection, refusals, refusals.c.tournament_id, id, refusals.c.number),
            roster=list(connection.execute(select(roster))),
            log=rows(connection, log, log.c.tournament_id, id, log.c.number),
        )

    return store.database.reading(read)


def rows(connection: Connection, table: Table, key: Column[Any], value: int, order: Column[Any]) -> list[AnyRow]:
    """The rows of a table whose ``key`` is ``value``, without columns of bytes."""
    return list(connection.execute(select(*schema.readable(table)).where(key == value).order_by(order)))


def read_round(store: Store, data: TournamentData, round_row: AnyRow) -> RoundData:
    """Read the contents of a round."""
    in_round = blocks.c.round_id == round_row.id

    def read(connection: Connection) -> RoundData:
        of_matches = select(matches).join(blocks, matches.c.block_id == blocks.c.id).where(in_round)
        of_seats = select(*schema.readable(seats)).join(blocks, seats.c.block_id == blocks.c.id).where(in_round)
        of_voids = select(voids).join(blocks, voids.c.block_id == blocks.c.id).where(in_round)
        seats_by_match: dict[Key, list[AnyRow]] = {}
        for row in connection.execute(of_seats.order_by(seats.c.seat)):
            seats_by_match.setdefault((row.block_id, row.rotation), []).append(row)
        voids_by_block: dict[int, list[AnyRow]] = {}
        for row in connection.execute(of_voids.order_by(voids.c.attempt)):
            voids_by_block.setdefault(row.block_id, []).append(row)
        return RoundData(
            row=round_row,
            blocks=list(connection.execute(select(blocks).where(in_round).order_by(blocks.c.number))),
            matches={(row.block_id, row.rotation): row for row in connection.execute(of_matches)},
            seats=seats_by_match,
            voids=voids_by_block,
            entrants=msgspec.json.decode(round_row.entrants, type=tuple[Entrant, ...]),
        )

    return store.database.reading(read)


def lineup_of(block: AnyRow) -> Lineup:
    """The lineup of a block."""
    return msgspec.json.decode(block.lineup, type=tuple[int, ...])
