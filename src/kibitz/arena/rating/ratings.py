"""How good every player is: a batch Plackett-Luce fit, a pure function of the results.

    points      the scale of the table: 1500 on average, 400 more for ten times the odds of winning
    margin      half the width of a player's 95 % interval, with deals as clusters (``equations``, ``margins``)
    best, worst the 95 % interval of a player's rank: ``best - 1`` others are certainly better and those below
                ``worst`` certainly worse, all comparisons of the player taken together
    basis       what a match tells: who won, or the places of all (``orders``)
    current     the latest version of a player in the results, unless it is out of the tournament
    former      all others, which are rated as well, since their games tell of their opponents, but have no rank

Nothing is rated on the fly.  A table is computed from all results at once, in the order of
their numbers, so it does not matter who played or uploaded them when, and anybody gets the same from the CSV.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf, log

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.model import MatchResult
from kibitz.arena.rating.equations import Estimate, Floats, estimate
from kibitz.arena.rating.margins import few, t_quantile
from kibitz.arena.rating.orders import Basis
from kibitz.arena.rating.tallies import Tally, tally

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
    """The ratings of current submissions, by rank, then name; and of former ones, by player and version."""

    basis: Basis
    matches: int
    current: tuple[Rating, ...]
    former: tuple[Rating, ...]


def fit(results: Iterable[MatchResult], basis: Basis | None = None, out: Collection[int] = ()) -> Ratings:
    """Rate every submission in the results of a tournament, which should be those of complete blocks.

    Without a ``basis`` the results decide: places, if any match has three different ones among seats that did not
    fail, else wins.  Submissions that are ``out`` of the tournament get no rank.
    NotationError if there are results of two tournaments, a match stands twice or a submission changes hands.
    """
    told = tally(results, basis)
    if not told.submissions:
        return Ratings(told.basis, 0, (), ())
    current = in_play(told, out)
    found = estimate(told.evidence)
    share = average(told, current)
    middle = float(np.einsum("i,i->", share, found.strengths))
    points = np.round(MEAN + SCALE * (found.strengths - middle), DIGITS)
    margins = interval(found, told, share)
    best, worst = rank_interval(found, told, current)
    rated = [
        Rating(
            submission=submission,
            player=told.players[i],
            version=told.versions[i],
            rank=1 + int((points[current] > points[i]).sum()) if current[i] else 0,
            best=best[i] if current[i] else 0,
            worst=worst[i] if current[i] else 0,
            points=float(points[i]),
            margin=None if margins[i] == inf else round(margins[i], DIGITS),
            games=int(told.games[i]),
            blocks=int(told.blocks[i]),
            wins=round(float(told.wins[i]), DIGITS),
            failures=int(told.failures[i]),
        )
        for i, submission in enumerate(told.submissions)
    ]
    return Ratings(
        told.basis,
        told.matches,
        tuple(sorted((r for r in rated if r.rank), key=lambda r: (r.rank, r.player))),
        tuple(sorted((r for r in rated if not r.rank), key=lambda r: (r.player, r.version))),
    )


def in_play(told: Tally, out: Collection[int]) -> Marks:
    """Which submissions are current."""
    latest: dict[str, int] = {}
    for player, version in zip(told.players, told.versions, strict=True):
        latest[player] = max(version, latest.get(player, version))
    return np.array(
        [
            latest[player] == version and submission not in out
            for submission, player, version in zip(told.submissions, told.players, told.versions, strict=True)
        ]
    )


def average(told: Tally, current: Marks) -> Floats:
    """The weights of the strengths whose average has 1500 points: of the current, or of all if none is."""
    counted = current if current.any() else np.ones(len(told.submissions), np.bool_)
    return np.asarray(counted / counted.sum())


def sparse(told: Tally) -> Marks:
    """Who has too few wins or defeats for its own spread to say how far off it may be."""
    return np.asarray(np.minimum(told.above, told.below) < SPARSE)


def interval(found: Estimate, told: Tally, share: Floats) -> list[float]:
    """Every margin, in points, of the distance to the average."""
    robust, model = (centred_variances(matrix, share) for matrix in (found.sandwich, found.model))
    margins = []
    for i, lacking in enumerate(sparse(told)):
        blocks = int(told.blocks[i])
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


def rank_interval(found: Estimate, told: Tally, current: Marks) -> tuple[list[int], list[int]]:
    """The best and the worst rank that each may truly have.

    A player is certainly better than another if the difference exceeds its one-sided margin, at 95 % for all
    comparisons of one player together (Bonferroni).  Of two players one alone can wrongly be called the better, so
    the true rank is in the interval at least as often (Mogstad, Romano, Shaikh and Wilhelm 2024).  The difference of
    two has the fewer clusters of both.
    """
    others = max(int(current.sum()) - 1, 0)
    level = 1 - 0.05 / max(others, 1)
    fewer = np.minimum(told.blocks[:, None], told.blocks)
    kinds, at = np.unique(fewer, return_inverse=True)
    factor = np.array([few(int(kind)) * t_quantile(int(kind) - 1, level) for kind in kinds])[at].reshape(fewer.shape)
    plain = np.array([t_quantile(int(kind) - 1, level) for kind in kinds])[at].reshape(fewer.shape)
    lacking = sparse(told)
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
