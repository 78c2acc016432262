"""Records turned into a table of results, with the columns that ``kibitz.simulate`` writes: ``kibitz.tabulate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain
from pathlib import Path

import msgspec

from kibitz.arena.games import Progress
from kibitz.data.collections import records
from kibitz.data.rows import ending_of_table, write_table
from kibitz.data.simulation import check_target, checked_output_path
from kibitz.data.statistics import as_rows
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.errors import KibitzError, cause


class TabulationResult(msgspec.Struct, frozen=True):
    """A table that was written: its path, its number of games, and what was left out.

    problems    a sentence for every file and record that was left out, with the reason
    unfinished  the number of records left out because their games are unfinished
    """

    path: Path
    games: int
    problems: tuple[str, ...]
    unfinished: int


def tabulate(
    path: str | Path | Sequence[str | Path],
    output: str | Path,
    *,
    game: Game | str | None = None,
    player: str | Sequence[str] | None = None,
    seat: int | None = None,
    outcome: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> TabulationResult:
    """Write the games of records as a table of results, one row for every seat (docs/data.md has its columns).

    ``path`` and the filters are those of ``kibitz.records``; each record is verified before it is written. ``output``
    ends in .csv, .jsonl or .parquet; it appears once it is complete, and isn't written if no game passes. Matches are
    numbered in the order of the records. Records with the same game and seed share a ``deal``, and ``rotation`` numbers
    them. Files that aren't valid records are listed in ``problems``, and the others are written. Raises KibitzError if
    the file exists (without ``force``) or cannot be written, and NotationError for an invalid filter or file name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tabulate("docs/examples", folder + "/games.csv", game="go-mini").games
    2
    """
    target = checked_output_path(output)
    kind = ending_of_table(target)
    collection = records(
        path, game=game, player=player, seat=seat, outcome=outcome, since=since, until=until, progress=progress
    )
    check_target(target, kind, force=force)
    games = 0

    def finished_records() -> Iterator[Record]:
        nonlocal games
        for collected in collection:
            if isinstance(collected.record, Record):
                games += 1
                yield collected.record

    rows = as_rows(finished_records())
    if (first := next(rows, None)) is not None:
        try:
            write_table(target, kind, chain([first], rows), force=force)
        except OSError as error:
            raise KibitzError(f"{target} cannot be written: {cause(error)}.") from error
    return TabulationResult(target, games, tuple(collection.problems), collection.unfinished)
