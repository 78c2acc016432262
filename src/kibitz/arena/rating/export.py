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
from operator import attrgetter
from sys import float_info
from typing import Annotated, NamedTuple, TextIO

import msgspec
from msgspec import Meta
from msgspec.structs import astuple

from kibitz.arena.csv_files import cell_text, read_rows, unescape_lenient, write_rows
from kibitz.arena.model import MatchResult, Phase, SeatResult, Status
from kibitz.errors import RecordError

FILLER = "built-in"
Number = Annotated[int, Meta(ge=1, le=10**15)]
Index = Annotated[int, Meta(ge=0, le=10**15)]


class SeatLine(msgspec.Struct, frozen=True):
    """One line: a seat of a match, with the columns as they are named and ordered in the file."""

    tournament: str
    phase: Phase
    round: Number
    block: Number
    deal: Annotated[int, Meta(ge=0)]
    rotation: Index
    match: Number
    seat: Index
    player: str
    version: Number
    submission: Index
    sha256: str
    score: Annotated[float, Meta(ge=-float_info.max, le=float_info.max)]
    place: Number
    win_share: Annotated[float, Meta(ge=0, le=1)]
    forfeit: str
    rule: str
    tier: str
    engine: str


COLUMNS = SeatLine.__struct_fields__
MATCH_COLUMNS = ("tournament", "phase", "round", "block", "deal", "rotation", "match", "tier", "engine")
"""The columns that are equal for all seats of a match."""
match_columns = attrgetter(*MATCH_COLUMNS)


def write_csv(out: TextIO, results: Iterable[MatchResult], hashes: Mapping[int, str] | None = None) -> int:
    """Write results by tournament and match; returns their number. ``hashes`` has the SHA-256 by submission.

    ``out`` must have been opened with ``newline=""``: then lines end in CRLF, as RFC 4180 requires, and the bytes are
    the same on every system.
    """
    ordered = sorted(results, key=lambda result: (result.tournament, result.match))
    lines = (astuple(line) for result in ordered for line in seat_lines(result, hashes or {}))
    write_rows(out, chain([COLUMNS], lines))
    return len(ordered)


def seat_lines(result: MatchResult, hashes: Mapping[int, str]) -> Iterator[SeatLine]:
    """The lines of a match's seats."""
    r = result
    for seat, s in enumerate(r.seats):
        yield SeatLine(
            *(r.tournament, r.phase, r.round, r.block, r.deal_seed, r.rotation, r.match, seat),
            *(s.player, s.version, s.submission, FILLER if s.fills else hashes.get(s.submission, "")),
            score=float(s.score),
            place=s.place,
            win_share=float(s.win_share),
            forfeit=s.forfeit or "",
            rule=s.rule or "",
            tier=r.tier,
            engine=r.engine,
        )


class NumberedLine(NamedTuple):
    """A line with its number in the file."""

    number: int
    values: SeatLine


def read_csv(lines: Iterable[str], file: str = "") -> list[MatchResult]:
    """The results in a file that ``write_csv`` wrote, opened with ``newline=""``.

    Raises RecordError, with the line, if the columns differ, a value is invalid, a match lacks a seat or a block lacks
    a rotation.
    """
    table = read_rows(lines, file)
    _, header = next(table, (0, []))
    if tuple(header) != COLUMNS:
        raise RecordError(f"the first line must name the columns {','.join(COLUMNS)}.", file, 1)
    seats = (NumberedLine(number, line_of(cells, file, number)) for number, cells in table)
    by_match = groupby(seats, lambda line: (line.values.tournament, line.values.match))
    results = [match_result_of(list(group), file) for _, group in by_match]
    check_blocks(results, file)
    return results


def line_of(cells: list[str], file: str, number: int) -> SeatLine:
    """The values in a line. Raises RecordError if ``write_csv`` can't have written it."""
    if len(cells) != len(COLUMNS):
        raise RecordError(f"expected {len(COLUMNS)} fields, found {len(cells)}.", file, number)
    texts = dict(zip(COLUMNS, map(unescape_lenient, cells), strict=True))
    try:
        line = msgspec.convert(texts, SeatLine, strict=False)
    except msgspec.ValidationError as error:
        why, _, column = str(error).rstrip("`").partition(" - at `$.")
        invalid = f"the {column} {texts[column][:40]!r} isn't valid ({why})."
        raise RecordError(invalid, file, number) from error
    for column, value, cell in zip(COLUMNS, astuple(line), cells, strict=True):
        if cell_text(value) != cell:
            raise RecordError(f"the {column} {cell[:40]!r} isn't written as Kibitz writes it.", file, number)
    return line


def match_result_of(lines: list[NumberedLine], file: str) -> MatchResult:
    """One match from the lines of its seats."""
    first = lines[0].values
    for seat, (number, line) in enumerate(lines):
        if line.seat != seat:
            raise RecordError(f"expected seat {seat} of match {first.match}.", file, number)
        if match_columns(line) != match_columns(first):
            column = next(name for name in MATCH_COLUMNS if getattr(line, name) != getattr(first, name))
            raise RecordError(f"the seats of match {first.match} differ in their {column}.", file, number)
    seats = tuple(
        SeatResult(
            *(s.submission, s.player, s.version, s.score, s.place, s.win_share),
            *(s.forfeit or None, s.rule or None, s.sha256 == FILLER),
        )
        for _, s in lines
    )
    status: Status = "forfeited" if any(seat.forfeit for seat in seats) else "finished"
    return MatchResult(
        *(first.tournament, first.phase, first.round, first.block, first.match, first.rotation, first.deal),
        *(status, seats, first.tier, first.engine),
    )


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
