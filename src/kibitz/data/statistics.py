"""Statistics of many games, from files to results: ``kibitz.stats``.

    share       win share: in one game, 1 for a win and 1/n for each of n players who share it; else their mean
    margin      half the width of a 95 % interval that counts all games of one deal as one observation, as in every
                table of Kibitz (``arena.rating.standings``); None if there are too few deals
    advantage   a seat's win share minus 1/n, the even share of n seats
    meeting     two players at one table. If only one of them forfeited, the other is ahead; otherwise the player with
                the larger win share, then the one with the higher score. If all are equal, each counts as half ahead
    bins        intervals of scores or lengths with the number of results in each
    problems    a sentence for each file or record that could not be used

The same game with other options, or another number of seats, counts as another game.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.games import Progress, check_progress
from kibitz.arena.rating.standings import clustered_margin, finite_or_none, share_margin
from kibitz.data.collections import Filter, Records, file_size, make_filter
from kibitz.data.input_files import checked_paths, content_kind, find_files, modification_time
from kibitz.data.result_tables import BATCH_ROWS, UNKNOWN, Batch, Floats, Ints, RowArrays, RowCollector, batches
from kibitz.data.rows import COLUMNS, ResultRow, record_rows
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError, RecordError, cause
from kibitz.plots.charts import edges_for

MAX_PAIRS = 5000
"""The maximum number of pairs of players listed for one game; the pairs with the most games are listed."""


class Mean(msgspec.Struct, frozen=True):
    """The mean of ``results`` results in games of ``deals`` deals, with its margin."""

    value: float
    margin: float | None
    results: int
    deals: int


class Distribution(msgspec.Struct, frozen=True):
    """A distribution: extremes, quartiles, standard deviation, and the number of values in each bin."""

    least: float
    lower: float
    median: float
    upper: float
    most: float
    deviation: float
    counts: tuple[int, ...]


class PlayerLine(msgspec.Struct, frozen=True):
    """One player in one game; ``forfeits`` has the number of forfeits of each kind."""

    player: str
    share: Mean
    score: Mean
    scores: Distribution
    forfeits: dict[str, int]


class SeatLine(msgspec.Struct, frozen=True):
    """One seat, over all players who sat in it."""

    seat: int
    share: Mean
    score: Mean
    advantage: float


class Meeting(msgspec.Struct, frozen=True):
    """How often one player was ahead of another in the games that both played."""

    player: str
    other: str
    ahead: Mean


class GameStatistics(msgspec.Struct, frozen=True):
    """All statistics of one game; players are ranked by mean score (``by_score``) or win share, as in tournaments."""

    game: str
    seats: int
    by_score: bool
    games: int
    deals: int
    players: tuple[PlayerLine, ...]
    by_seat: tuple[SeatLine, ...]
    meetings: tuple[Meeting, ...]
    score_edges: tuple[float, ...]
    length: Mean | None
    lengths: Distribution | None
    length_edges: tuple[float, ...]

    @property
    def title(self) -> str:
        """The game's name; if unknown, its number of seats in words."""
        return self.game or f"a game for {self.seats}"


def statistics_of(collector: RowCollector, rows: RowArrays) -> tuple[GameStatistics, ...]:
    """The statistics of every game among the rows, in order of their names."""
    if not len(rows):
        return ()
    rows = rows.sorted_by_game()
    starts = np.flatnonzero(np.diff(rows.match, prepend=-1))
    game_sizes = np.diff(np.append(starts, len(rows)))
    sizes = np.repeat(game_sizes, game_sizes)  # for each row, the number of rows of its game
    names, players, kinds = collector.games.names(), collector.players.names(), collector.forfeits.names()
    results = []
    for code in np.unique(rows.game):
        for seats in np.unique(sizes[rows.game == code]):
            game_rows = rows.select((rows.game == code) & (sizes == seats))
            results.append(game_statistics(str(names[code]), int(seats), game_rows, players, kinds))
    return tuple(sorted(results, key=lambda result: (result.game, result.seats)))


def game_statistics(
    name: str, seats: int, rows: RowArrays, players: Sequence[str], kinds: Sequence[str]
) -> GameStatistics:
    """The statistics of one game, whose rows are sorted by match and seat."""
    by_score = ranks_by_score(name)
    score = ranking_scores(rows, seats) if by_score else rows.score
    edges = edges_of(score)
    lines = [
        player_line(players[code], rows.select(indices), score[indices], edges, kinds)
        for code, indices in group_indices(rows.player)
    ]

    def rank_key(line: PlayerLine) -> tuple[float, float, str]:
        first, second = (line.score, line.share) if by_score else (line.share, line.score)
        return -first.value, -second.value, line.player

    first = rows.select(rows.seat == 0)
    with_length = first.select(first.length != UNKNOWN)
    lengths = with_length.length.astype(np.float64)
    length_edges = edges_of(lengths) if len(with_length) else []
    return GameStatistics(
        game=name,
        seats=seats,
        by_score=by_score,
        games=len(first),
        deals=len(np.unique(first.deal)),
        players=tuple(sorted(lines, key=rank_key)),
        by_seat=tuple(seat_line(seat, seats, rows.select(at), score[at]) for seat, at in group_indices(rows.seat)),
        meetings=tuple(meetings(rows, score, seats, players)),
        score_edges=tuple(edges),
        length=mean_of(lengths, with_length.deal) if len(with_length) else None,
        lengths=distribution_of(lengths, length_edges) if len(with_length) else None,
        length_edges=tuple(length_edges),
    )


def ranks_by_score(name: str) -> bool:
    """Whether tournaments in a game rank by its scores; False for an unknown game."""
    try:
        return find_game(name).by_score
    except KibitzError:
        return False


def ranking_scores(rows: RowArrays, seats: int) -> Floats:
    """The scores by which players are ranked: a seat that forfeited gets the lowest score of its game."""
    lowest = np.repeat(rows.score.reshape(-1, seats).min(axis=1), seats)
    return np.where(rows.forfeit > 0, lowest, rows.score)


def group_indices(codes: Ints) -> Iterator[tuple[int, Ints]]:
    """Every code with the indices of its rows, in the order of codes."""
    if not len(codes):
        return
    order = np.argsort(codes, kind="stable")
    unique_codes, starts = np.unique(codes[order], return_index=True)
    yield from zip(unique_codes.tolist(), np.split(order, starts[1:]), strict=True)


def player_line(
    player: str, rows: RowArrays, score: Floats, edges: Sequence[float], kinds: Sequence[str]
) -> PlayerLine:
    """One player's line."""
    forfeits = {kinds[code]: len(indices) for code, indices in group_indices(rows.forfeit) if code}
    return PlayerLine(
        player=player,
        share=mean_of(rows.share, rows.deal, share=True),
        score=mean_of(score, rows.deal),
        scores=distribution_of(score, edges),
        forfeits=dict(sorted(forfeits.items())),
    )


def seat_line(seat: int, seats: int, rows: RowArrays, score: Floats) -> SeatLine:
    """One seat's line."""
    share = mean_of(rows.share, rows.deal, share=True)
    return SeatLine(seat=seat, share=share, score=mean_of(score, rows.deal), advantage=share.value - 1 / seats)


def mean_of(values: Floats, deals: Ints, *, share: bool = False) -> Mean:
    """A mean with its margin; results of one deal are one cluster. ``share``: the values are win shares."""
    _, indices = np.unique(deals, return_inverse=True)
    sums, counts = np.bincount(indices, weights=values), np.bincount(indices)
    mean = float(sums.sum()) / len(values)
    squared_deviations = float(((sums - mean * counts) ** 2).sum())
    arguments = squared_deviations, len(sums), len(values)
    margin = share_margin(mean, *arguments) if share else clustered_margin(*arguments)
    return Mean(mean, finite_or_none(margin), len(values), len(sums))


def edges_of(values: Floats) -> list[float]:
    """Edges of bins that hold all values."""
    whole = bool((values == np.round(values)).all())
    return edges_for(float(values.min()), float(values.max()), whole=whole)


def distribution_of(values: Floats, edges: Sequence[float]) -> Distribution:
    """The distribution of values."""
    least, lower, median, upper, most = np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()
    counts, _ = np.histogram(values, edges)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return Distribution(least, lower, median, upper, most, deviation, tuple(counts.tolist()))


def meetings(rows: RowArrays, score: Floats, seats: int, players: Sequence[str]) -> list[Meeting]:
    """Every pair of players who sat at one table, the most frequent first."""
    if seats < 2:
        return []

    def table(values: NDArray[Any]) -> NDArray[Any]:
        return values.reshape(-1, seats)

    player, deal = table(rows.player), table(rows.deal)[:, 0]
    criteria = [table(values) for values in (-(rows.forfeit > 0).astype(np.float64), rows.share, score)]
    parts_by_pair: dict[tuple[int, int], list[tuple[Floats, Ints]]] = {}
    for seat, other_seat in combinations(range(seats), 2):
        ahead = who_is_ahead([(values[:, seat], values[:, other_seat]) for values in criteria])
        low = np.minimum(player[:, seat], player[:, other_seat])
        high = np.maximum(player[:, seat], player[:, other_seat])
        ahead = np.where(player[:, seat] == low, ahead, 1 - ahead)
        games = np.flatnonzero(low != high)
        pair_codes = low * len(players) + high  # one number for both players, which divmod takes apart
        for code, indices in group_indices(pair_codes[games]):
            pair_games = games[indices]
            parts_by_pair.setdefault(divmod(code, len(players)), []).append((ahead[pair_games], deal[pair_games]))
    all_meetings = [meeting(players[low], players[high], parts) for (low, high), parts in sorted(parts_by_pair.items())]
    return sorted(all_meetings, key=lambda pair: (-pair.ahead.results, pair.player, pair.other))[:MAX_PAIRS]


def who_is_ahead(criteria: Sequence[tuple[Floats, Floats]]) -> Floats:
    """1 where the first player is ahead, 0 where the second is, 1/2 where they are level by all criteria."""
    signs = np.zeros(len(criteria[0][0]))
    for first, second in criteria:
        signs = np.where(signs == 0, np.sign(first - second), signs)
    return (signs + 1) / 2


def meeting(player: str, other: str, parts: Sequence[tuple[Floats, Ints]]) -> Meeting:
    """Two players' meetings, with the player first who was ahead more often.

    ``parts`` are pairs of arrays: in each game, how far ``player`` was ahead (1, 1/2 or 0), and the game's deal.
    """
    ahead, deals = (np.concatenate(list(part)) for part in zip(*parts, strict=True))
    ahead_mean = mean_of(ahead, deals, share=True)
    if ahead_mean.value >= 0.5:
        return Meeting(player, other, ahead_mean)
    return Meeting(other, player, mean_of(1 - ahead, deals, share=True))


# ---------------------------------------------------------------- from files to statistics


class Statistics(msgspec.Struct, frozen=True):
    """Statistics by game, and what could not be used.

    games       the statistics of each game (``GameStatistics``)
    problems    a sentence for every file and record that does not count, with the reason
    unfinished  the number of records left out because their games are unfinished
    """

    games: tuple[GameStatistics, ...]
    problems: tuple[str, ...]
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
    """The statistics of tables of results and of records, also in folders, alone or together.

    Win shares and mean scores, for players, seats and meetings, have a margin: half of a 95 % interval. Games of one
    deal are correlated, even in different files, so they count as one observation. The filters are those of
    ``kibitz.records``; games that pass count with all their seats. Files that can't be read are listed in ``problems``,
    and the others count.

    >>> found = stats("docs/examples", game="go-mini")
    >>> [(line.player, line.share.value) for line in found.games[0].players][:1], found.problems
    ([('Ann', 1.0)], ())
    """
    check_progress(progress)
    name = game.name if isinstance(game, Game) else game
    return ResultSet(checked_paths(path), make_filter(name, player, seat, outcome, since, until), progress).statistics()


class ResultSet:
    """All results and records at some paths, which are read at once, and a filter for them."""

    def __init__(self, paths: Sequence[Path], row_filter: Filter, progress: Progress | None = None) -> None:
        for path in paths:
            if not os.path.exists(path):
                raise NotationError(f"{path} doesn't exist: give a table of results, a record, or a folder of them.")
        self.row_filter, self.progress = row_filter, progress
        self.collector = RowCollector()
        self.problems: list[str] = []
        self.unfinished = 0
        self.files = list(find_files(paths))
        self.sizes = [file_size(file) for file in self.files]
        self.read_files()

    def read_files(self) -> None:
        """Read every file: a table by itself, and all records as one source."""
        record_files = []
        done = 0
        for file, size in zip(self.files, self.sizes, strict=True):
            try:
                if content_kind(file) == "records":
                    record_files.append(file)
                    continue
                if self.row_filter.accepts_day(modification_time(file)):
                    self.collector.add(batches(file, lambda at, done=done: self.report(done + at)), str(file))  # type: ignore[misc]
            except RecordError as error:
                self.problems.append(str(error))
            except OSError as error:
                self.problems.append(f"{file}: cannot be read: {cause(error)}.")
            done += size
            self.report(done)
        self.add_records(record_files, done)

    def add_records(self, files: Sequence[Path], done: int) -> None:
        """Read all records."""
        records = Records(files, self.row_filter, lambda at, _: self.report(done + at))
        finished = (collected.record for collected in records if isinstance(collected.record, Record))
        self.collector.add(as_batches(as_rows(finished)), "the records")
        self.problems += records.problems
        self.unfinished = records.unfinished

    def report(self, done: int) -> None:
        """Report how many bytes are read."""
        if self.progress:
            self.progress(done, sum(self.sizes))

    def rows(self) -> RowArrays:
        """The rows that pass the filter."""
        collector = self.collector
        return self.row_filter.select_rows(collector.all(), collector.games, collector.players)

    def statistics(self) -> Statistics:
        """The statistics of the rows that pass."""
        return Statistics(statistics_of(self.collector, self.rows()), tuple(self.problems), self.unfinished)


def as_rows(records: Iterable[Record]) -> Iterator[ResultRow]:
    """Records as rows: matches in order of appearance, and a deal for each seed of a game."""
    deals: dict[tuple[str, int], list[int]] = {}
    for match, record in enumerate(records):
        deal_and_rotation = deals.setdefault((record.game, record.seed), [len(deals), 0])
        yield from record_rows(record, match, *deal_and_rotation)
        deal_and_rotation[1] += 1


def as_batches(rows: Iterator[ResultRow]) -> Iterator[Batch]:
    """Rows as columns, several thousand at a time."""
    while chunk := list(islice(rows, BATCH_ROWS)):
        yield {column: [getattr(row, column) for row in chunk] for column in COLUMNS}
