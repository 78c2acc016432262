"""Collections of records, read one by one, verified and filtered: ``kibitz.records``.

A record is verified if every line of it follows from its seed and actions; only verified records are yielded.
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
from kibitz.cards import short_repr
from kibitz.data.input_files import RecordText, checked_paths, content_kind, find_files, record_texts
from kibitz.data.result_tables import NameCodes, RowArrays
from kibitz.data.rows import split_game_name
from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record, UnfinishedRecord, parse_any, parse_header
from kibitz.engine.registry import game as find_game
from kibitz.engine.validation import check_number
from kibitz.errors import KibitzError, NotationError, RecordError

# Filters
#
# game        ``go`` is Go with any options; ``bo:players=3`` is Bo with that option and any others
# players, seat, outcome
#             a game passes if every one of the players sat in the seat and had the outcome: won (alone or with others),
#             lost or forfeit; or, for records only, unfinished
# since, until
#             the day on which the file was last changed, by its file system; records hold no date


OUTCOMES = ("won", "lost", "forfeit", "unfinished")


class Filter(msgspec.Struct, frozen=True):
    """A filter; an empty one accepts every finished game."""

    game: str = ""
    players: tuple[str, ...] = ()
    seat: int | None = None
    outcome: str = ""
    since: date | None = None
    until: date | None = None

    def accepts_game(self, name: str) -> bool:
        """Whether games of this name pass."""
        if not self.game:
            return True
        (base, options), (filter_base, filter_options) = split_game_name(name), split_game_name(self.game)
        return base == filter_base and set(filter(None, filter_options.split(","))) <= set(options.split(","))

    def accepts_day(self, when: datetime) -> bool:
        """Whether a file changed at this time passes."""
        day = when.date()
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def accepts_seats(self, seats: Sequence[str]) -> bool:
        """Whether the filter's players sat in the filter's seat; ``seats`` are the players by seat."""
        if self.seat is not None and self.seat >= len(seats):
            return False
        allowed_seats = seats if self.seat is None else seats[self.seat : self.seat + 1]
        return all(player in allowed_seats for player in self.players)

    def accepts(self, record: AnyRecord) -> bool:
        """Whether the filter's players had its outcome in its seat; the other methods check game, day and names."""
        if not isinstance(record, Record):
            return self.outcome == "unfinished"
        if self.outcome == "unfinished":
            return False
        players_accepted = [
            record.seats[seat]
            for seat in range(len(record.seats))
            if (self.seat is None or seat == self.seat) and self.has_outcome(record, seat)
        ]
        return all(player in players_accepted for player in self.players) and bool(players_accepted)

    def has_outcome(self, record: Record, seat: int) -> bool:
        """Whether a seat has the filter's outcome."""
        if self.outcome == "forfeit":
            return any(forfeit.seat == seat for forfeit in record.forfeits)
        return not self.outcome or (seat in record.outcome.winners) == (self.outcome == "won")

    def select_rows(self, rows: RowArrays, games: NameCodes, players: NameCodes) -> RowArrays:
        """The rows of the games that pass."""
        if not len(rows) or not (self.game or self.players or self.seat is not None or self.outcome):
            return rows
        game_accepted = np.array([self.accepts_game(str(name)) for name in games.names()], bool)
        accepted = game_accepted[rows.game]
        seat_mask = np.ones(len(rows), bool) if self.seat is None else rows.seat == self.seat
        if self.outcome:
            seat_mask &= self.outcome_mask(rows)
        codes = [players.codes.get(name, -1) for name in self.players]
        for mask in [seat_mask & (rows.player == code) for code in codes] or [seat_mask]:
            accepted &= extended_to_games(mask, rows)
        return rows.select(accepted)

    def outcome_mask(self, rows: RowArrays) -> NDArray[np.bool_]:
        """A mask of the rows of seats with the filter's outcome."""
        if self.outcome == "forfeit":
            return np.asarray(rows.forfeit > 0)
        if self.outcome == "unfinished":
            return np.zeros(len(rows), bool)
        return np.asarray((rows.share > 0) == (self.outcome == "won"))


def extended_to_games(mask: NDArray[np.bool_], rows: RowArrays) -> NDArray[np.bool_]:
    """A mask of rows, extended to all rows of the same games."""
    first_match = int(rows.match.min())
    game_mask = np.zeros(int(rows.match.max()) - first_match + 1, bool)
    game_mask[rows.match[mask] - first_match] = True
    return np.asarray(game_mask[rows.match - first_match])


def make_filter(
    game: str | None = None,
    player: str | Sequence[str] | None = None,
    seat: int | None = None,
    outcome: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
) -> Filter:
    """A filter from a caller's arguments. Raises NotationError for invalid ones."""
    if game is not None:
        game = checked_game_name(game)
    players = () if player is None else (player,) if isinstance(player, str) else player
    if not isinstance(players, Sequence) or not all(isinstance(name, str) for name in players):
        raise NotationError(f"player must be a name or a list of names, not {short_repr(players)}.")
    if seat is not None and not 0 <= check_number("seat", seat) < 1000:
        raise NotationError(f"seat must be from 0 to 999, not {short_repr(seat)}.")
    if outcome is not None and (not isinstance(outcome, str) or outcome not in OUTCOMES):
        raise NotationError(f"outcome must be {', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}, not {short_repr(outcome)}.")
    return Filter(game or "", tuple(players), seat, outcome or "", read_day("since", since), read_day("until", until))


def checked_game_name(game: str) -> str:
    """The name of a game as in records. Raises NotationError for an unknown game."""
    if not isinstance(game, str):
        game = getattr(game, "name", game)
    base, options = split_game_name(game) if isinstance(game, str) else (game, "")
    find_game(base)
    if options and not all("=" in option for option in options.split(",")):
        raise NotationError(f"write options as in bo:players=3, not {short_repr(options)}.")
    return game


def read_day(name: str, value: date | str | None) -> date | None:
    """A day from text such as 2026-03-01.

    Raises NotationError, with the ``name`` of the argument, for anything else.
    """
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise NotationError(f"{name} must be a day such as 2026-03-01, not {short_repr(value)}.") from None


class CollectedRecord(NamedTuple):
    """A record of a collection: where it was found, when it was changed, and the record itself."""

    where: str
    when: datetime
    record: AnyRecord


class Records:
    """The records of a collection that pass a filter, each verified line by line whenever it is read.

    problems        a sentence for every file and record that couldn't be read, with the reason
    unfinished      the number of records left out because their games are unfinished
    filtered_out    the number of records left out because of their game, players, day or outcome
    """

    def __init__(self, paths: Sequence[Path], row_filter: Filter, progress: Progress | None = None) -> None:
        self.paths, self.row_filter, self.progress = paths, row_filter, progress
        self.problems: list[str] = []
        self.unfinished = self.filtered_out = 0

    def __iter__(self) -> Iterator[CollectedRecord]:
        self.problems, self.unfinished, self.filtered_out = [], 0, 0
        files = list(find_files(self.paths))
        sizes = [file_size(file) for file in files]
        done, total = 0, sum(sizes)
        for file, size in zip(files, sizes, strict=True):
            if self.may_hold_records(file):
                yield from self.read_records(record_texts(file, lambda at, done=done: self.report(done + at, total)))  # type: ignore[misc]
            done += size
            self.report(done, total)

    def may_hold_records(self, file: Path) -> bool:
        """Whether a file may hold records. A table of results can't; it is a problem if the user named it."""
        try:
            if content_kind(file) != "results":
                return True
            if file in self.paths:
                raise RecordError("this is a table of results, without records.", str(file))
        except RecordError as error:
            self.problems.append(str(error))
        return False

    def report(self, done: int, total: int) -> None:
        """Report how many of all bytes have been read."""
        if self.progress:
            self.progress(done, total)

    def read_records(self, texts: Iterator[RecordText]) -> Iterator[CollectedRecord]:
        """The records that pass the filter, each verified."""
        for record_text in texts:
            try:
                record = self.check(record_text)
            except RecordError as error:
                self.problems.append(str(error))
            else:
                if record is not None:
                    yield record

    def check(self, record_text: RecordText) -> CollectedRecord | None:
        """A record, verified; None if the filter rejects it.

        Raises RecordError if it is damaged or a line of it is wrong.
        """
        if record_text.error:
            raise record_text.error
        header = parse_header(record_text.text.split("\n", 8), record_text.where)
        seats = tuple(header["seats"].split(" | "))
        row_filter = self.row_filter
        if not (
            row_filter.accepts_game(header["game"])
            and row_filter.accepts_seats(seats)
            and row_filter.accepts_day(record_text.when)
        ):
            self.filtered_out += 1
            return None
        record = verified_record(record_text)
        if row_filter.accepts(record):
            return CollectedRecord(record_text.where, record_text.when, record)
        if isinstance(record, UnfinishedRecord) and row_filter.outcome != "unfinished":
            self.unfinished += 1
        else:
            self.filtered_out += 1
        return None


def verified_record(record_text: RecordText) -> AnyRecord:
    """A record from its text. Raises RecordError if any line of it is wrong."""
    try:
        return parse_any(record_text.text, record_text.where)
    except RecordError:
        raise
    except (KibitzError, ValueError, IndexError, OverflowError, RecursionError) as error:
        raise RecordError(f"this is not a record: {error}", record_text.where) from error


def file_size(file: Path) -> int:
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
    searched recursively, and tables of results in them are skipped. Files that aren't valid records are listed in
    ``problems``, and the others are yielded.

    ``game`` may have options (``bo:players=3``); other options may have any value. ``player`` must have taken part (if
    several, each of them), in ``seat`` and with ``outcome`` (won, lost, forfeit) if these are given. Unfinished games
    are left out, unless ``outcome="unfinished"``. ``since`` and ``until`` are the first and last day of the file's last
    change. ``progress(done, total)`` counts bytes. Raises NotationError for an invalid filter.

    >>> found = records("docs/examples", game="go-mini")
    >>> [entry.record.outcome.scores for entry in found][:1], found.problems
    ([(5.0, -25.0)], [])
    """
    check_progress(progress)
    name = game.name if isinstance(game, Game) else game
    row_filter = make_filter(name, player, seat, outcome, since, until)
    paths = checked_paths(path)
    for single_path in paths:
        if not os.path.exists(single_path):
            raise NotationError(f"{single_path} doesn't exist: give a file or a folder with records.")
    return Records(paths, row_filter, progress)
