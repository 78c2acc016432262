"""Results as CSV: one line for every seat of every rated match, enough for anybody to recompute the ratings.

    deal        the seed of the deal; the record of the match proves it
    block       the number of the deal (in tables of ``kibitz.data``, this number is in the column ``deal``, and the
                seed is in the column ``seed``)
    sha256      the SHA-256 of the player's file; "built-in" for a built-in player that filled a seat; empty for another
                built-in strategy, or if it is unknown
    forfeit     the kind of a seat's failure, with a sentence in ``rule``; both are empty without a failure
    tier        the confinement that the player files ran in
    engine      the version of Kibitz

Reading accepts only what ``write_csv`` could have written. Ratings from the file equal the original ones to the
last digit, and a file that somebody edited into something inconsistent is refused rather than rated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from math import isfinite
from operator import itemgetter
from typing import TextIO

from kibitz.arena import csv_files
from kibitz.arena.model import PHASES, MatchResult, Phase, SeatResult, Status
from kibitz.errors import RecordError

COLUMNS = (
    *("tournament", "phase", "round", "block", "deal", "rotation", "match", "seat"),
    *("player", "version", "submission", "sha256", "score", "place", "win_share", "forfeit", "rule"),
    *("tier", "engine"),
)
MAX_VALUES = {"place": 1000, "deal": (1 << 128) - 1}
"""The greatest whole numbers that are accepted in these columns; in all other columns, 10 ** 15."""

FILLER = "built-in"

INDEX = {column: index for index, column in enumerate(COLUMNS)}
"""The index of each column in a row."""
MATCH_COLUMNS = ("tournament", "phase", "round", "block", "deal", "rotation", "match", "tier", "engine")
"""The columns that are equal for all seats of a match."""
match_cells = itemgetter(*(INDEX[column] for column in MATCH_COLUMNS))
match_key = itemgetter(INDEX["tournament"], INDEX["match"])

Row = list[str]


def write_csv(out: TextIO, results: Iterable[MatchResult], hashes: Mapping[int, str] | None = None) -> int:
    """Write results by tournament and match; returns their number. ``hashes`` has the SHA-256 by submission.

    ``out`` must have been opened with ``newline=""``: then lines end in CRLF, as RFC 4180 requires, and the bytes are
    the same on every system.
    """
    ordered = sorted(results, key=lambda result: (result.tournament, result.match))
    rows = (row for result in ordered for row in seat_rows(result, hashes or {}))
    csv_files.write_rows(out, chain([COLUMNS], rows))
    return len(ordered)


def seat_rows(result: MatchResult, hashes: Mapping[int, str]) -> Iterator[tuple[csv_files.Cell, ...]]:
    """The rows of a match's seats."""
    r = result
    for seat, s in enumerate(r.seats):
        yield (
            *(r.tournament, r.phase, r.round, r.block, r.deal_seed, r.rotation, r.match, seat),
            *(s.player, s.version, s.submission, FILLER if s.fills else hashes.get(s.submission, "")),
            *(s.score, s.place),
            *(s.win_share, s.forfeit or "", s.rule or "", r.tier, r.engine),
        )


def read_csv(lines: Iterable[str], file: str = "") -> list[MatchResult]:
    """The results in a file that ``write_csv`` wrote, opened with ``newline=""``.

    Raises RecordError, with the line, if the columns differ, a value is invalid, a match lacks a seat or a block lacks
    a rotation.
    """
    table = csv_files.read_rows(lines, file)
    _, header = next(table, (0, []))
    if tuple(header) != COLUMNS:
        raise RecordError(f"the first line must name the columns {','.join(COLUMNS)}.", file, 1)
    rows = complete_rows(table, file)
    results = [match_result_of(list(group), file) for _, group in groupby(rows, lambda row: match_key(row[1]))]
    check_blocks(results, file)
    return results


def complete_rows(table: Iterator[tuple[int, Row]], file: str) -> Iterator[tuple[int, Row]]:
    """Every row with its line number. Raises RecordError for a row with too few or too many fields."""
    for line, fields in table:
        if len(fields) != len(COLUMNS):
            raise RecordError(f"expected {len(COLUMNS)} fields, found {len(fields)}.", file, line)
        yield line, fields


def match_result_of(rows: list[tuple[int, Row]], file: str) -> MatchResult:
    """One match from the lines of its seats."""
    line, first = rows[0]
    fields, shared = Fields(first, file, line), match_cells(first)
    seats = []
    for number, (seat_line, row) in enumerate(rows):
        if row[INDEX["seat"]] != str(number):
            raise RecordError(f"expected seat {number} of match {first[INDEX['match']]}.", file, seat_line)
        if match_cells(row) != shared:
            column = next(c for c in MATCH_COLUMNS if row[INDEX[c]] != first[INDEX[c]])
            raise RecordError(f"the seats of match {first[INDEX['match']]} differ in their {column}.", file, seat_line)
        seats.append(seat_result_of(Fields(row, file, seat_line)))
    status: Status = "forfeited" if any(s.forfeit for s in seats) else "finished"
    return MatchResult(
        tournament=fields.text("tournament"),
        phase=fields.phase(),
        round=fields.whole("round", 1),
        block=fields.whole("block", 1),
        match=fields.whole("match", 1),
        rotation=fields.whole("rotation", 0),
        deal_seed=fields.whole("deal", 0),
        status=status,
        seats=tuple(seats),
        tier=fields.text("tier"),
        engine=fields.text("engine"),
    )


def seat_result_of(fields: Fields) -> SeatResult:
    """One seat from its line."""
    share = fields.number("win_share")
    if not 0 <= share <= 1:
        raise RecordError(f"a share of a win is between 0 and 1, not {share!r}.", fields.file, fields.line)
    return SeatResult(
        submission=fields.whole("submission", 0),
        player=fields.text("player"),
        version=fields.whole("version", 1),
        score=fields.number("score"),
        place=fields.whole("place", 1),
        win_share=share,
        forfeit=fields.text("forfeit") or None,
        rule=fields.text("rule") or None,
        fills=fields.text("sha256") == FILLER,
    )


class Fields:
    """The fields of one line as values. Raises RecordError, with the line, if one is invalid."""

    def __init__(self, row: Row, file: str, line: int) -> None:
        self.row, self.file, self.line = row, file, line

    def whole(self, column: str, least: int) -> int:
        """A whole number, written as Python writes it."""
        text = self.row[INDEX[column]]
        try:
            value = int(text)
        except ValueError as error:
            raise self.error(column, f"a whole number from {least}") from error
        if value > MAX_VALUES.get(column, 10**15):
            raise self.error(column, f"a whole number from {least} to {MAX_VALUES.get(column, 10**15)}")
        if value < least or str(value) != text:
            raise self.error(column, f"a whole number from {least}")
        return value

    def text(self, column: str) -> str:
        """A text field, with the escaping of ``write_csv`` undone."""
        try:
            return csv_files.unescape(self.row[INDEX[column]])
        except ValueError as error:
            raise self.error(column, f"escaped as Kibitz writes it ({error})") from error

    def number(self, column: str) -> float:
        """A finite number."""
        try:
            value = float(self.row[INDEX[column]])
        except ValueError as error:
            raise self.error(column, "a number") from error
        if not isfinite(value):
            raise self.error(column, "a number")
        return value

    def phase(self) -> Phase:
        """The phase of the tournament."""
        for phase in PHASES:
            if phase == self.row[INDEX["phase"]]:
                return phase
        raise self.error("phase", f"one of {', '.join(PHASES)}")

    def error(self, column: str, expected: str) -> RecordError:
        """The error for an invalid field; ``expected`` says what it must be."""
        return RecordError(f"{column} must be {expected}, not {self.row[INDEX[column]][:40]!r}.", self.file, self.line)


def check_blocks(results: Iterable[MatchResult], file: str) -> None:
    """Raise RecordError for a repeated match or an incomplete block."""
    blocks: dict[tuple[str, int], list[MatchResult]] = {}
    matches = set()
    for result in results:
        if (result.tournament, result.match) in matches:
            raise RecordError(f"match {result.match} of {result.tournament} appears twice.", file)
        matches.add((result.tournament, result.match))
        blocks.setdefault((result.tournament, result.block), []).append(result)
    for (tournament, block), played in blocks.items():
        seats = len(played[0].seats)
        if sorted(result.rotation for result in played) != list(range(seats)):
            raise RecordError(
                f"block {block} of {tournament} must have each of its {seats} rotations once: only whole blocks count.",
                file,
            )
