"""How good every player is: a batch Plackett-Luce fit, a pure function of the results.

    points      the scale of the table: 1500 on average, 400 more for ten times the odds of winning
    margin      half the width of a player's 95 % interval, with deals as clusters (``equations``, ``margins``)
    best, worst the 95 % interval of a player's rank: ``best - 1`` others are certainly better and those below
                ``worst`` certainly worse, all comparisons of the player taken together
    basis       what a match tells: who won, or the places of all (``orders``)
    current     the latest version of a player in the results; former versions are rated, but have no rank

The surprising rule: nothing is rated on the fly.  A table is computed from all results at once, in the order of
their numbers, so it does not matter who played or uploaded them when, and anybody gets the same from the CSV.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, log

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.equations import Estimate, Floats, Ints, estimate, evidence
from kibitz.arena.margins import few, t_quantile
from kibitz.arena.model import MatchResult
from kibitz.arena.orders import Basis, Reading, reading, tells_places
from kibitz.errors import NotationError

Marks = NDArray[np.bool_]

MEAN = 1500.0
SCALE = 400 / log(10)
"""Points for one unit of strength."""
DIGITS = 6
"""Decimals that points are rounded to: more than the arithmetic differs by between machines."""
SPARSE = 10
"""Below so many wins or defeats a margin is at least the model's, since who has lost nothing shows no spread."""


class Rating(msgspec.Struct, frozen=True):
    """One version of a player; ``rank``, ``best`` and ``worst`` are 0 for a former one.

    ``margin`` is None, and the rank all that is possible, while the version has played fewer than two blocks.
    """

    submission: int
    player: str
    version: int
    rank: int
    best: int
    worst: int
    points: float
    margin: float | None
    games: int
    blocks: int
    wins: float
    """The sum of its shares of wins."""
    failures: int


class Ratings(msgspec.Struct, frozen=True):
    """The rating of every current player, by rank, then name; and of former versions, by player and version."""

    basis: Basis
    matches: int
    current: tuple[Rating, ...]
    former: tuple[Rating, ...]


class Count(msgspec.Struct):
    """What a submission has done so far."""

    player: str
    version: int
    blocks: set[int]
    games: int = 0
    wins: float = 0.0
    failures: int = 0
    above: float = 0.0
    below: float = 0.0


class Reader:
    """Results sorted, checked, numbered and gathered by what they say."""

    def __init__(self, results: Iterable[MatchResult], basis: Basis | None, *, stopped: bool) -> None:
        self.results = sorted(results, key=lambda result: (result.tournament, result.match))
        self.counts: dict[int, Count] = {}
        self.clusters: dict[tuple[str, int], int] = {}
        patterns: dict[tuple[tuple[int, ...], tuple[float, ...], tuple[bool, ...]], list[tuple[int, ...]]] = {}
        last = None
        for result in self.results:
            if (result.tournament, result.match) == last:
                raise NotationError(f"match {result.match} of {result.tournament} stands twice among the results.")
            last = result.tournament, result.match
            cluster = self.clusters.setdefault((result.tournament, result.block), len(self.clusters))
            seats = sorted(
                (seat.forfeit is not None, seat.place, -seat.win_share, seat.submission, number)
                for number, seat in enumerate(result.seats)
            )
            key = tuple(seat[1] for seat in seats), tuple(-seat[2] for seat in seats), tuple(seat[0] for seat in seats)
            patterns.setdefault(key, []).append((cluster, *(seat[3] for seat in seats)))
            self.count(result, cluster)
        self.basis: Basis = basis or ("places" if any(tells_places(key[0], key[2]) for key in patterns) else "wins")
        self.submissions = sorted(self.counts)
        numbers = np.array(self.submissions, np.int64)
        self.read: list[tuple[Reading, Ints, Ints]] = []
        for (places, shares, failed), matches in patterns.items():
            told = np.array(matches, np.int64)
            lineups = np.searchsorted(numbers, told[:, 1:])
            self.read.append((reading(places, shares, failed, self.basis, stopped=stopped), lineups, told[:, 0]))
            self.compare(places, shares, matches)

    def count(self, result: MatchResult, cluster: int) -> None:
        """Count a match for everyone in it."""
        for seat in result.seats:
            count = self.counts.get(seat.submission)
            if count is None:
                count = self.counts[seat.submission] = Count(seat.player, seat.version, set())
            elif (count.player, count.version) != (seat.player, seat.version):
                raise NotationError(
                    f"submission {seat.submission} is version {count.version} of {count.player} in one match "
                    f"and version {seat.version} of {seat.player} in match {result.match}."
                )
            count.blocks.add(cluster)
            count.games += 1
            count.wins += seat.win_share
            count.failures += seat.forfeit is not None

    def compare(self, places: Sequence[int], shares: Sequence[float], matches: Sequence[tuple[int, ...]]) -> None:
        """Count how much everyone has won and lost, in wins or in seats above and below."""
        for seat, place in enumerate(places):
            above, below = shares[seat], 1 - shares[seat]
            if self.basis == "places":
                ties = (places.count(place) - 1) / 2
                above = sum(other > place for other in places) + ties
                below = sum(other < place for other in places) + ties
            for match in matches:
                count = self.counts[match[seat + 1]]
                count.above += above
                count.below += below


def fit(results: Iterable[MatchResult], basis: Basis | None = None, *, stopped: bool = False) -> Ratings:
    """Rate every submission in the results, which should be those of complete blocks.

    Without a ``basis`` the results decide: places, if any match has three different ones among seats that did not
    fail, else wins.  ``stopped`` says that games ended where a seat failed, as they never do in Kibitz.
    NotationError if a match stands twice or a submission changes hands.
    """
    read = Reader(results, basis, stopped=stopped)
    if not read.results:
        return Ratings(read.basis, 0, (), ())
    counts = [read.counts[submission] for submission in read.submissions]
    latest = {count.player: count.version for count in sorted(counts, key=lambda count: count.version)}
    current = np.array([latest[count.player] == count.version for count in counts])
    found = estimate(evidence(len(counts), read.read))
    points = np.round(MEAN + SCALE * (found.strengths - found.strengths[current].mean()), DIGITS)
    margins = interval(found, counts, current)
    best, worst = rank_interval(found, counts, current)
    above = [int((points[current] > value).sum()) for value in points]
    rated = [
        Rating(
            submission, count.player, count.version,
            *((above[i] + 1, best[i], worst[i]) if current[i] else (0, 0, 0)),
            float(points[i]), None if margins[i] == inf else round(margins[i], DIGITS),
            count.games, len(count.blocks), round(count.wins, DIGITS), count.failures,
        )
        for i, (submission, count) in enumerate(zip(read.submissions, counts, strict=True))
    ]  # fmt: skip
    return Ratings(
        read.basis,
        len(read.results),
        tuple(sorted((r for r in rated if r.rank), key=lambda r: (r.rank, r.player))),
        tuple(sorted((r for r in rated if not r.rank), key=lambda r: (r.player, r.version))),
    )


def sparse(counts: Sequence[Count]) -> Marks:
    """Who has too few wins or defeats for its own spread to say how far off it may be."""
    return np.array([min(count.above, count.below) < SPARSE for count in counts])


def interval(found: Estimate, counts: Sequence[Count], current: Marks) -> list[float]:
    """Every margin, in points, of the distance to the average of the current players."""
    share = current / current.sum()
    robust, model = (centred_variances(matrix, share) for matrix in (found.sandwich, found.model))
    margins = []
    for i, lacking in enumerate(sparse(counts)):
        blocks = len(counts[i].blocks)
        error = few(blocks) * float(np.sqrt(robust[i]))
        if lacking:
            error = max(error, float(np.sqrt(model[i])))
        margins.append(SCALE * t_quantile(blocks - 1) * error if blocks > 1 else inf)
    return margins


def centred_variances(matrix: Floats, share: Floats) -> Floats:
    """The variance of everyone's distance to an average, from a covariance."""
    with_average = np.einsum("ij,j->i", matrix, share)
    average = float(np.einsum("i,i->", with_average, share))
    return np.asarray(np.maximum(np.diagonal(matrix) - 2 * with_average + average, 0))


def rank_interval(found: Estimate, counts: Sequence[Count], current: Marks) -> tuple[list[int], list[int]]:
    """The best and the worst rank that each may truly have.

    A player is certainly better than another if the difference exceeds its one-sided margin, at 95 % for all
    comparisons of one player together (Bonferroni).  Of two players one alone can wrongly be called the better, so
    the true rank is in the interval at least as often (Mogstad, Romano, Shaikh and Wilhelm 2024).  The difference of
    two has the fewer clusters of both.
    """
    others = int(current.sum()) - 1
    level = 1 - 0.05 / max(others, 1)
    blocks = np.array([len(count.blocks) for count in counts])
    fewer = np.minimum(blocks[:, None], blocks)
    kinds, at = np.unique(fewer, return_inverse=True)
    factor = np.array([few(int(kind)) * t_quantile(int(kind) - 1, level) for kind in kinds])[at].reshape(fewer.shape)
    plain = np.array([t_quantile(int(kind) - 1, level) for kind in kinds])[at].reshape(fewer.shape)
    lacking = sparse(counts)
    margin = factor * np.sqrt(difference_variances(found.sandwich))
    floor = plain * np.sqrt(difference_variances(found.model))
    either = lacking[:, None] | lacking
    margin[either] = np.maximum(margin, floor)[either]
    gap = found.strengths - found.strengths[:, None]
    certain = (np.abs(gap) > margin) & current
    better, worse = (certain & (gap > 0)).sum(axis=1), (certain & (gap < 0)).sum(axis=1)
    return [1 + int(n) for n in better], [others + 1 - int(n) for n in worse]


def difference_variances(matrix: Floats) -> Floats:
    """The variance of every difference of two, from a covariance."""
    own = np.diagonal(matrix)
    return np.asarray(np.maximum(own[:, None] + own - 2 * matrix, np.finfo(np.float64).tiny))
