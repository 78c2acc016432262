"""From files to statistics: ``kibitz.stats``.

source      a table of results, or all records together
trouble     a sentence for each file or record that could not be taken in; the others count
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from pathlib import Path

import msgspec

from kibitz.arena.games import Progress, check_progress
from kibitz.data.collections import Filter, Records, filter_of, size_of
from kibitz.data.rows import COLUMNS, Row, record_rows
from kibitz.data.sources import changed, kind_of, paths_of, places
from kibitz.data.statistics import GameStatistics, statistics_of
from kibitz.data.tables import AT_ONCE, Batch, Gathering, Rows, batches
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.errors import NotationError, RecordError, cause


class Statistics(msgspec.Struct, frozen=True):
    """What was found: by game, and what could not be taken in.

    games       the statistics of each game (``GameStatistics``)
    trouble     a sentence for every file and record that does not count, with why
    unfinished  how many records were left out because their games are to go on
    """

    games: tuple[GameStatistics, ...]
    trouble: tuple[str, ...]
    unfinished: int


def stats(
    path: str | Path | Sequence[str | Path],
    *,
    game: Game | str | None = None,
    player: str | Sequence[str] | None = None,
    seat: int | None = None,
    outcome: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """The statistics of tables of results and of records, which may stand in folders, alone or together.

    Every game, player, seat and meeting has its share of the wins and mean score with half of a 95 % interval; the
    games of one deal hang together, wherever they stand, so the deal is the unit.  The filter is that of
    ``kibitz.records``; games that are meant count with all their seats.  What cannot be read is told in ``trouble``,
    and the rest counts.

    >>> found = stats("docs/examples", game="go-mini")
    >>> [(line.player, line.share.value) for line in found.games[0].players][:1], found.trouble
    ([('Ann', 1.0)], ())
    """
    check_progress(progress)
    name = game.name if isinstance(game, Game) else game
    return Study(paths_of(path), filter_of(name, player, seat, outcome, since, until), progress).statistics()


class Study:
    """Takes everything in that some paths name, and keeps what a filter means."""

    def __init__(self, paths: Sequence[Path], wanted: Filter, progress: Progress | None = None) -> None:
        for path in paths:
            if not os.path.exists(path):
                raise NotationError(f"{path} is not there: name a table of results, a record, or a folder with some.")
        self.wanted, self.progress = wanted, progress
        self.gathering = Gathering()
        self.trouble: list[str] = []
        self.unfinished = 0
        self.files = list(places(paths))
        self.sizes = [size_of(file) for file in self.files]
        self.take()

    def take(self) -> None:
        """Take in every file: a table by itself, and all records as one source."""
        recorded = []
        done = 0
        for file, size in zip(self.files, self.sizes, strict=True):
            try:
                if kind_of(file) == "records":
                    recorded.append(file)
                    continue
                if self.wanted.wants_day(changed(file)):
                    self.gathering.take(batches(file, lambda at, done=done: self.tell(done + at)), str(file))  # type: ignore[misc]
            except RecordError as error:
                self.trouble.append(str(error))
            except OSError as error:
                self.trouble.append(f"{file}: cannot be read: {cause(error)}.")
            done += size
            self.tell(done)
        self.take_records(recorded, done)

    def take_records(self, files: Sequence[Path], done: int) -> None:
        """Take in all records."""
        found = Records(files, self.wanted, lambda at, _: self.tell(done + at))
        kept = (one.record for one in found if isinstance(one.record, Record))
        self.gathering.take(as_batches(numbered(kept)), "the records")
        self.trouble += found.damaged
        self.unfinished = found.unfinished

    def tell(self, done: int) -> None:
        """Tell how many bytes are read."""
        if self.progress:
            self.progress(done, sum(self.sizes))

    def rows(self) -> Rows:
        """The rows that are meant."""
        gathered = self.gathering
        return self.wanted.chosen(gathered.all(), gathered.games, gathered.players)

    def statistics(self) -> Statistics:
        """What they say."""
        return Statistics(statistics_of(self.gathering, self.rows()), tuple(self.trouble), self.unfinished)


def numbered(records: Iterable[Record]) -> Iterator[Row]:
    """Records as rows: matches in the order in which they come, and a deal for each seed of a game."""
    deals: dict[tuple[str, int], list[int]] = {}
    for match, record in enumerate(records):
        found = deals.setdefault((record.game, record.seed), [len(deals), 0])
        yield from record_rows(record, match, *found)
        found[1] += 1


def as_batches(rows: Iterator[Row]) -> Iterator[Batch]:
    """Rows as columns, some thousand at a time."""
    while some := list(islice(rows, AT_ONCE)):
        yield {column: [getattr(row, column) for row in some] for column in COLUMNS}
