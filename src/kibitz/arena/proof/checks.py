"""What a check is, and the rows of the store that it gets.

check           a function that yields mismatches, registered under a theme; all checks of a theme get the same
                arguments
mismatch        a value of the store that can't be right: its table, row and column, and the right value
tournament_data everything of a tournament except the contents of its rounds, read in one transaction
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
from kibitz.cards import shown
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

Theme = Literal["entry", "deals", "schedule", "blocks", "matches", "out", "log"]
Check = Callable[..., Iterator["Mismatch"]]

CHECKS: dict[Theme, dict[str, Check]] = {}
"""Every check by its theme and name."""
UNREADABLE = (LookupError, *DECODE_ERRORS, Damage, KibitzError)
"""Errors that values raise after tampering."""
MAX_SHOWN = 100
"""The most characters shown of a value."""


class Mismatch(msgspec.Struct, frozen=True):
    """Something in the store that can't be right."""

    table: str
    row: str
    column: str
    value: object
    expected: object
    check: str = ""

    @property
    def sentence(self) -> str:
        """The table, row and column, the value and what it should be."""
        actual, should = value_text(self.value), value_text(self.expected)
        return f"table {self.table}, {self.row}: {self.column} is {actual} and should be {should}."


class Verbatim(str):
    """Words that stand for a value, shown without quotes."""

    __slots__ = ()


def value_text(value: object) -> str:
    """A value as people read it, on one line and not too long."""
    text = value if isinstance(value, Verbatim) else shown(value) if isinstance(value, str) else repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 4]} ..."


def check(theme: Theme) -> Callable[[Check], Check]:
    """Register a check."""

    def register(function: Check) -> Check:
        CHECKS.setdefault(theme, {})[function.__name__] = function
        return function

    return register


def findings(theme: Theme, *about: Any) -> Iterator[Mismatch]:
    """All findings of a theme's checks, with the checks' names; values that can't be read count as wrong, too."""
    for name, function in CHECKS[theme].items():
        try:
            for wrong in function(*about):
                yield msgspec.structs.replace(wrong, check=name)
        except UNREADABLE as error:
            should = Verbatim(f"readable for this check: {function.__doc__}".rstrip("."))
            yield Mismatch("of the tournament", "any row", "a value", Verbatim(error), should, name)


# A tournament's rows as they stand in the store.


AnyRow = Row[Any]
Key = tuple[int, int]
"""A match: the database's number of its block, and its rotation."""


@dataclass
class TournamentData:
    """One tournament."""

    value: Tournament
    row: AnyRow
    seeds: dict[Stage, AnyRow]
    submissions: dict[int, AnyRow]
    """Without the bytes of their files."""
    qualifications: list[AnyRow]
    rounds: list[AnyRow]
    out: list[AnyRow]
    """The excluded submissions."""
    withdrawals: list[AnyRow]
    refusals: list[AnyRow]
    roster: list[AnyRow]
    """Of all tournaments."""
    log: list[AnyRow]
    results: list[MatchResult] = field(default_factory=list)
    """Of the rounds checked so far."""

    def seed(self, of_round: AnyRow) -> int:
        """The seed of a round's stage."""
        return seed_from(self.seeds[stage(of_round.phase)].seed)

    def player(self, submission: int) -> str:
        """A player's name; empty for an unknown submission."""
        found = self.submissions.get(submission)
        return str(found.player) if found is not None else ""

    def fills(self, submission: int) -> bool:
        """Whether a submission is a built-in player that fills seats."""
        found = self.submissions.get(submission)
        return found is not None and is_filler(found.owner, found.sha256)


@dataclass
class RoundData:
    """One round."""

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
        found: dict[int, list[AnyRow]] = {}
        for key in sorted(self.matches):
            found.setdefault(key[0], []).append(self.matches[key])
        return found

    def results(self, data: TournamentData) -> list[MatchResult]:
        """The results as ratings read them, in order of match."""
        found = []
        for block in self.blocks:
            for match in self.matches_of(block):
                if taken := self.seats.get((block.id, match.rotation), []):
                    one = queries.as_result(data.row.name, self.row, block, match, taken, data.submissions)
                    found.append(one)
        return found


def read_tournament(store: Store, tournament: Tournament) -> TournamentData:
    """Read a tournament, except the contents of its rounds."""

    def read(connection: Connection) -> TournamentData:
        mine = tournament.id
        entered = rows(connection, submissions, submissions.c.tournament_id, mine, submissions.c.id)
        played = rows(connection, rounds, rounds.c.tournament_id, mine, rounds.c.number)
        theirs = select(qualifications).join(submissions).where(submissions.c.tournament_id == mine)
        those = select(disqualifications).join(rounds).where(rounds.c.tournament_id == mine)
        gone = select(withdrawals).join(submissions).where(submissions.c.tournament_id == mine)
        return TournamentData(
            tournament,
            connection.execute(select(tournaments).where(tournaments.c.id == mine)).one(),
            {row.stage: row for row in rows(connection, seeds, seeds.c.tournament_id, mine, seeds.c.stage)},
            {row.id: row for row in entered},
            list(connection.execute(theirs.order_by(qualifications.c.id))),
            played,
            list(connection.execute(those.order_by(rounds.c.number, disqualifications.c.submission_id))),
            list(connection.execute(gone.order_by(withdrawals.c.submission_id))),
            rows(connection, refusals, refusals.c.tournament_id, mine, refusals.c.number),
            list(connection.execute(select(roster))),
            rows(connection, log, log.c.tournament_id, mine, log.c.number),
        )

    return store.database.reading(read)


def rows(connection: Connection, table: Table, owner: Column[Any], number: int, order: Column[Any]) -> list[AnyRow]:
    """Rows of a table, without columns of bytes."""
    return list(connection.execute(select(*schema.readable(table)).where(owner == number).order_by(order)))


def read_round(store: Store, data: TournamentData, of_round: AnyRow) -> RoundData:
    """Read the contents of a round."""
    number = of_round.id
    within = blocks.c.round_id == number

    def read(connection: Connection) -> RoundData:
        its_matches = select(matches).join(blocks, matches.c.block_id == blocks.c.id).where(within)
        its_seats = select(*schema.readable(seats)).join(blocks, seats.c.block_id == blocks.c.id).where(within)
        its_voids = select(voids).join(blocks, voids.c.block_id == blocks.c.id).where(within)
        taken: dict[Key, list[AnyRow]] = {}
        for row in connection.execute(its_seats.order_by(seats.c.seat)):
            taken.setdefault((row.block_id, row.rotation), []).append(row)
        failed: dict[int, list[AnyRow]] = {}
        for row in connection.execute(its_voids.order_by(voids.c.attempt)):
            failed.setdefault(row.block_id, []).append(row)
        return RoundData(
            of_round,
            list(connection.execute(select(blocks).where(within).order_by(blocks.c.number))),
            {(row.block_id, row.rotation): row for row in connection.execute(its_matches)},
            taken,
            failed,
            msgspec.json.decode(of_round.entrants, type=tuple[Entrant, ...]),
        )

    return store.database.reading(read)


def lineup_of(block: AnyRow) -> Lineup:
    """The lineup of a block."""
    return msgspec.json.decode(block.lineup, type=tuple[int, ...])
