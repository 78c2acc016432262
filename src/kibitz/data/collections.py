"""Collections of records, read one by one, verified and filtered: ``kibitz.records``.

verified    every line of a record follows from its seed and actions; only then is it yielded
damaged     why other files couldn't be read, in sentences; they never stop the rest
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.games import Progress, check_progress
from kibitz.cards import shown
from kibitz.data.input_files import RecordText, checked_paths, content_kind, find_files, record_texts
from kibitz.data.result_tables import Names, Rows
from kibitz.data.rows import split_game_name
from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record, Unfinished, parse_any, parse_header
from kibitz.engine.registry import game as find_game
from kibitz.engine.validation import check_number
from kibitz.errors import KibitzError, NotationError, RecordError

# Filters: by game and options, players and seats, outcome, and date.
#
# game        ``go`` is Go with any options, ``bo:players=3`` Bo with that option, whatever the others
# outcome     won (alone or with others), lost, forfeit; or unfinished, for records only
# a seat      a game passes if one seat is the player's, is the seat named, and has that outcome, all at once; each of
#             several players must have such a seat
# date        the day on which the file was last changed, by its system; records hold none


OUTCOMES = ("won", "lost", "forfeit", "unfinished")


class Filter(msgspec.Struct, frozen=True):
    """A filter; an empty one accepts every finished game."""

    game: str = ""
    players: tuple[str, ...] = ()
    seat: int | None = None
    outcome: str = ""
    since: date | None = None
    until: date | None = None

    def wants_game(self, name: str) -> bool:
        """Whether games of this name pass."""
        if not self.game:
            return True
        (base, options), (wanted, needed) = split_game_name(name), split_game_name(self.game)
        return base == wanted and set(filter(None, needed.split(","))) <= set(options.split(","))

    def wants_day(self, when: datetime) -> bool:
        """Whether a time of writing passes."""
        day = when.date()
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def wants_seats(self, seats: Sequence[str]) -> bool:
        """Whether the players in these seats pass, whatever the outcome."""
        if self.seat is not None and self.seat >= len(seats):
            return False
        there = seats if self.seat is None else seats[self.seat : self.seat + 1]
        return all(player in there for player in self.players)

    def wants(self, record: AnyRecord) -> bool:
        """Whether a record passes, except for its game, day and seats."""
        if not isinstance(record, Record):
            return self.outcome == "unfinished"
        if self.outcome == "unfinished":
            return False
        seats = [
            record.seats[seat]
            for seat in range(len(record.seats))
            if (self.seat is None or seat == self.seat) and self.fits(record, seat)
        ]
        return all(player in seats for player in self.players) and bool(seats)

    def fits(self, record: Record, seat: int) -> bool:
        """Whether a seat has the filter's outcome."""
        if self.outcome == "forfeit":
            return any(forfeit.seat == seat for forfeit in record.forfeits)
        return not self.outcome or (seat in record.outcome.winners) == (self.outcome == "won")

    def select_rows(self, rows: Rows, games: Names, players: Names) -> Rows:
        """The rows of the games that pass."""
        if not len(rows) or not (self.game or self.players or self.seat is not None or self.outcome):
            return rows
        wanted = np.array([self.wants_game(str(name)) for name in games.texts()], bool)
        kept = wanted[rows.game]
        right = np.ones(len(rows), bool) if self.seat is None else rows.seat == self.seat
        if self.outcome:
            right &= self.outcome_mask(rows)
        codes = [players.codes.get(name, -1) for name in self.players]
        for mask in [right & (rows.player == code) for code in codes] or [right]:
            kept &= extended_to_games(mask, rows)
        return rows.select(kept)

    def outcome_mask(self, rows: Rows) -> NDArray[np.bool_]:
        """A mask of the rows of seats with the filter's outcome."""
        if self.outcome == "forfeit":
            return np.asarray(rows.forfeit > 0)
        if self.outcome == "unfinished":
            return np.zeros(len(rows), bool)
        return np.asarray((rows.share > 0) == (self.outcome == "won"))


def extended_to_games(mask: NDArray[np.bool_], rows: Rows) -> NDArray[np.bool_]:
    """A mask of seats, extended to all rows of their games."""
    first = int(rows.match.min())
    found = np.zeros(int(rows.match.max()) - first + 1, bool)
    found[rows.match[mask] - first] = True
    return np.asarray(found[rows.match - first])


def make_filter(
    game: str | None = None,
    player: str | Sequence[str] | None = None,
    seat: int | None = None,
    outcome: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
) -> Filter:
    """A filter from a caller's arguments; NotationError for invalid ones."""
    if game is not None:
        game = game_name(game)
    players = () if player is None else (player,) if isinstance(player, str) else player
    if not isinstance(players, Sequence) or not all(isinstance(one, str) for one in players):
        raise NotationError(f"player must be a name or a list of names, not {shown(players)}.")
    if seat is not None and not 0 <= check_number("seat", seat) < 1000:
        raise NotationError(f"seat must be from 0, not {shown(seat)}.")
    if outcome is not None and (not isinstance(outcome, str) or outcome not in OUTCOMES):
        raise NotationError(f"outcome must be {', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}, not {shown(outcome)}.")
    return Filter(game or "", tuple(players), seat, outcome or "", day("since", since), day("until", until))


def game_name(game: str) -> str:
    """The name of a game as records have it; NotationError if there is none."""
    if not isinstance(game, str):
        game = getattr(game, "name", game)
    base, options = split_game_name(game) if isinstance(game, str) else (game, "")
    find_game(base)
    if options and not all("=" in option for option in options.split(",")):
        raise NotationError(f"write options as in bo:players=3, not {shown(options)}.")
    return game


def day(name: str, value: date | str | None) -> date | None:
    """A day from text such as 2026-03-01."""
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise NotationError(f"{name} must be a day such as 2026-03-01, not {shown(value)}.") from None


class CollectedRecord(NamedTuple):
    """A record of a collection: its place, its time of change, and the game itself."""

    where: str
    when: datetime
    record: AnyRecord


class Records:
    """The records of a collection that pass a filter, each verified line by line whenever it is read.

    damaged     why others could not be read, one sentence each, with file and line
    unfinished  how many games were left out because they are unfinished
    others      how many have another game, player, day or outcome than the filter
    """

    def __init__(self, paths: Sequence[Path], wanted: Filter, progress: Progress | None = None) -> None:
        self.paths, self.wanted, self.progress = paths, wanted, progress
        self.damaged: list[str] = []
        self.unfinished = self.others = 0

    def __iter__(self) -> Iterator[CollectedRecord]:
        self.damaged, self.unfinished, self.others = [], 0, 0
        files = list(find_files(self.paths))
        sizes = [size_of(file) for file in files]
        done, total = 0, sum(sizes)
        for file, size in zip(files, sizes, strict=True):
            if self.may_hold_records(file):
                yield from self.read_found(record_texts(file, lambda at, done=done: self.report(done + at, total)))  # type: ignore[misc]
            done += size
            self.report(done, total)

    def may_hold_records(self, file: Path) -> bool:
        """Whether a file may hold records. A table of results can't; that is reported only if it was named itself."""
        try:
            if content_kind(file) != "results":
                return True
            if file in self.paths:
                raise RecordError("this is a table of results, without records.", str(file))
        except RecordError as error:
            self.damaged.append(str(error))
        return False

    def report(self, done: int, total: int) -> None:
        """Report how many bytes of all are read."""
        if self.progress:
            self.progress(done, total)

    def read_found(self, found: Iterator[RecordText]) -> Iterator[CollectedRecord]:
        """The records that pass the filter, each verified."""
        for one in found:
            try:
                kept = self.check(one)
            except RecordError as error:
                self.damaged.append(str(error))
            else:
                if kept is not None:
                    yield kept

    def check(self, found: RecordText) -> CollectedRecord | None:
        """A record, verified, if it passes; RecordError if it is damaged or doesn't replay to its result."""
        if found.error:
            raise found.error
        header = parse_header(found.text.split("\n", 8), found.where)
        seats = tuple(header["seats"].split(" | "))
        wanted = self.wanted
        if not (wanted.wants_game(header["game"]) and wanted.wants_seats(seats) and wanted.wants_day(found.when)):
            self.others += 1
            return None
        record = verified(found)
        if wanted.wants(record):
            return CollectedRecord(found.where, found.when, record)
        if isinstance(record, Unfinished) and wanted.outcome != "unfinished":
            self.unfinished += 1
        else:
            self.others += 1
        return None


def verified(found: RecordText) -> AnyRecord:
    """A record from its text, every line of it verified; RecordError if anything is wrong."""
    try:
        return parse_any(found.text, found.where)
    except RecordError:
        raise
    except (KibitzError, ValueError, IndexError, OverflowError, RecursionError) as error:
        raise RecordError(f"this is not a record: {error}", found.where) from error


def size_of(file: Path) -> int:
    """The size of a file in bytes; 0 if unknown."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def records(
    path: str | Path | Sequence[str | Path],
    *,
    game: Game | str | None = None,
    player: str | Sequence[str] | None = None,
    seat: int | None = None,
    outcome: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
    progress: Progress | None = None,
) -> Records:
    """The records in files and folders, one by one; each is verified before it is yielded.

    Files are ``.game`` records, ZIP archives of them, and JSON lines or Parquet with a column ``record``; folders are
    searched recursively, without the tables in them. Files that aren't true records are listed in ``damaged``, and the
    others are yielded.

    ``game`` may have options (``bo:players=3``); options not given may have any value. ``player`` has taken part, each
    of several; with ``seat`` in that seat, and with ``outcome`` (won, lost, forfeit) with that outcome. Unfinished
    games are left out, except for ``outcome="unfinished"``. ``since`` and ``until`` are days on which the file was last
    changed. ``progress(done, total)`` counts bytes. NotationError for an invalid filter.

    >>> found = records("docs/examples", game="go-mini")
    >>> [one.record.outcome.scores for one in found][:1], found.damaged
    ([(5.0, -25.0)], [])
    """
    check_progress(progress)
    name = game.name if isinstance(game, Game) else game
    wanted = make_filter(name, player, seat, outcome, since, until)
    paths = checked_paths(path)
    for each in paths:
        if not os.path.exists(each):
            raise NotationError(f"{each} doesn't exist: give a file or a folder with records.")
    return Records(paths, wanted, progress)
