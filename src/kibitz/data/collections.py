"""Collections of records, read one by one, proved and filtered: ``kibitz.records``.

kept        a record that is true and is meant by the filter
damaged     what is no true record, each with the sentence that says why; it never stops the others
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from kibitz.arena.games import Progress, check_progress
from kibitz.data.collections import Filter, filter_of
from kibitz.data.sources import Found, kind_of, paths_of, places, texts
from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Unfinished, parse_any, parse_header
from kibitz.errors import KibitzError, NotationError, RecordError


class Kept(NamedTuple):
    """A record of a collection: where it is, when that was last changed, and the game itself."""

    where: str
    when: datetime
    record: AnyRecord


class Records:
    """Every record of a collection that is meant, proved line by line, each time it is gone through.

    damaged     why others could not be read, one sentence each, with file and line
    unfinished  how many games were left out because they are to go on
    others      how many are of other games, players, days or outcomes than those meant
    """

    def __init__(self, paths: Sequence[Path], wanted: Filter, progress: Progress | None = None) -> None:
        self.paths, self.wanted, self.progress = paths, wanted, progress
        self.damaged: list[str] = []
        self.unfinished = self.others = 0

    def __iter__(self) -> Iterator[Kept]:
        self.damaged, self.unfinished, self.others = [], 0, 0
        files = list(places(self.paths))
        sizes = [size_of(file) for file in files]
        done, total = 0, sum(sizes)
        for file, size in zip(files, sizes, strict=True):
            if self.looks_into(file):
                yield from self.within(texts(file, lambda at, done=done: self.tell(done + at, total)))  # type: ignore[misc]
            done += size
            self.tell(done, total)

    def looks_into(self, file: Path) -> bool:
        """Whether a file can hold records; of a table of results, which cannot, it is said only if it is named."""
        try:
            if kind_of(file) != "results":
                return True
            if file in self.paths:
                raise RecordError("this is a table of results and holds no records.", str(file))
        except RecordError as error:
            self.damaged.append(str(error))
        return False

    def tell(self, done: int, total: int) -> None:
        """Tell how many bytes of all are read."""
        if self.progress:
            self.progress(done, total)

    def within(self, found: Iterator[Found]) -> Iterator[Kept]:
        """The records that are meant among some."""
        for one in found:
            try:
                kept = self.kept(one)
            except RecordError as error:
                self.damaged.append(str(error))
            else:
                if kept is not None:
                    yield kept

    def kept(self, found: Found) -> Kept | None:
        """A record, proved, if it is meant; RecordError where it is damaged or untrue."""
        if found.error:
            raise found.error
        header = parse_header(found.text.split("\n", 8), found.where)
        seats = tuple(header["seats"].split(" | "))
        wanted = self.wanted
        if not (wanted.wants_game(header["game"]) and wanted.wants_seats(seats) and wanted.wants_day(found.when)):
            self.others += 1
            return None
        record = proved(found)
        if wanted.wants(record):
            return Kept(found.where, found.when, record)
        if isinstance(record, Unfinished) and wanted.outcome != "unfinished":
            self.unfinished += 1
        else:
            self.others += 1
        return None


def proved(found: Found) -> AnyRecord:
    """A record from its text, every line of it checked; RecordError whatever is wrong."""
    try:
        return parse_any(found.text, found.where)
    except RecordError:
        raise
    except (KibitzError, ValueError, IndexError, OverflowError, RecursionError) as error:
        raise RecordError(f"this is no record: {error}", found.where) from error


def size_of(file: Path) -> int:
    """How many bytes a file has; none if it cannot be said."""
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
    """The records in a file, a folder or several of them, one by one; each is proved before it comes.

    Files are ``.game`` records, ZIP archives of them, and JSON lines or Parquet with a column ``record``; folders are
    gone through with all below them, and tables in them left out.  What is no true record is named in ``damaged``, and
    the others come.

    ``game`` may have options (``bo:players=3``), others then may be anything.  ``player`` has taken part, each of
    several; with ``seat`` in that seat, and with ``outcome`` (won, lost, forfeit) with that outcome.  Games that are to
    go on are left out, but for ``outcome="unfinished"``.  ``since`` and ``until`` are days on which the file was last
    changed.  ``progress(done, total)`` counts bytes.  NotationError for a filter that cannot be meant.

    >>> found = records("docs/examples", game="go-mini")
    >>> [one.record.outcome.scores for one in found][:1], found.damaged
    ([(5.0, -25.0)], [])
    """
    check_progress(progress)
    name = game.name if isinstance(game, Game) else game
    wanted = filter_of(name, player, seat, outcome, since, until)
    paths = paths_of(path)
    for each in paths:
        if not os.path.exists(each):
            raise NotationError(f"{each} is not there: name a file or a folder with records.")
    return Records(paths, wanted, progress)
