"""Ratings: a batch Plackett-Luce fit to the results, and the ranking of a tournament.

    points      the scale of the ranking: 1500 on average, 400 more for ten times the odds of winning
    margin      half the width of a player's 95 % interval, with deals as clusters (``standings``)
    best, worst the 95 % interval of a player's rank: ``best - 1`` players are certainly better, and players ranked
                below ``worst`` are certainly worse; the 95 % hold for all comparisons of the player together
    basis       the part of a match that is rated: the winners, or everybody's place (``plackett_luce``)
    current     the latest version of a player in the results, unless it is excluded from the tournament
    former      all other versions; they are rated, since their games matter for their opponents, but have no rank

Ratings aren't updated game by game.  A ranking is computed from all results at once, in the order of their numbers. So
it doesn't matter in which order games were played, and everybody gets the same ranking from the CSV.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf, log

import msgspec
import numpy as np
from numpy.typing import NDArray

from kibitz.arena.model import Entrant, MatchResult, Threshold
from kibitz.arena.rating.plackett_luce import Basis, Estimate, Floats, Tally, estimate, tally
from kibitz.arena.rating.standings import forfeit_reason, small_sample_factor, t_quantile
from kibitz.engine.columns import tabulated

BoolArray = NDArray[np.bool_]

MEAN = 1500.0
SCALE = 400 / log(10)
"""Points for one unit of strength."""
DIGITS = 6
"""Decimals that points are rounded to, more coarsely than arithmetic differs between machines."""
MIN_WINS_AND_DEFEATS = 10
"""With fewer wins or fewer defeats, a margin is at least the model's: an unbeaten player's results show no spread."""


class Rating(msgspec.Struct, frozen=True):
    """The rating of one version of a player; ``rank``, ``best`` and ``worst`` are 0 for a former version.

    While the version has played fewer than two blocks, ``margin`` is None, and its rank may be any.
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
    """The ratings of current submissions, by rank, then name; and of former submissions, by player and version."""

    basis: Basis
    matches: int
    current: tuple[Rating, ...]
    former: tuple[Rating, ...]


def fit(results: Iterable[MatchResult], basis: Basis | None = None, excluded: Collection[int] = ()) -> Ratings:
    """Rate every submission in the results of a tournament, which should be from complete blocks.

    The default ``basis`` depends on the results: "places" if in any match the seats that did not fail have three or
    more different places, else "wins". Submissions that are ``excluded`` get no rank. Raises NotationError if there are
    two tournaments, a match is repeated or a submission belongs to two players.
    """
    counts = tally(results, basis)
    if not counts.submissions:
        return Ratings(counts.basis, 0, (), ())
    current = current_submissions(counts, excluded)
    fitted = estimate(counts.evidence)
    weights = mean_weights(counts, current)
    middle = float(np.einsum("i,i->", weights, fitted.strengths))
    points = np.round(MEAN + SCALE * (fitted.strengths - middle), DIGITS)
    margins = rating_margins(fitted, counts, weights)
    best, worst = rank_intervals(fitted, counts, current)
    rated = [
        Rating(
            submission=submission,
            player=counts.players[i],
            version=counts.versions[i],
            rank=1 + int((points[current] > points[i]).sum()) if current[i] else 0,
            best=best[i] if current[i] else 0,
            worst=worst[i] if current[i] else 0,
            points=float(points[i]),
            margin=None if margins[i] == inf else round(margins[i], DIGITS),
            games=int(counts.games[i]),
            blocks=int(counts.blocks[i]),
            wins=round(float(counts.wins[i]), DIGITS),
            failures=int(counts.failures[i]),
        )
        for i, submission in enumerate(counts.submissions)
    ]
    return Ratings(
        counts.basis,
        counts.matches,
        tuple(sorted((r for r in rated if r.rank), key=lambda r: (r.rank, r.player))),
        tuple(sorted((r for r in rated if not r.rank), key=lambda r: (r.player, r.version))),
    )


def current_submissions(tally: Tally, excluded: Collection[int]) -> BoolArray:
    """Which submissions of the tally are current, as an array of bools."""
    latest: dict[str, int] = {}
    for player, version in zip(tally.players, tally.versions, strict=True):
        latest[player] = max(version, latest.get(player, version))
    return np.array(
        [
            latest[player] == version and submission not in excluded
            for submission, player, version in zip(tally.submissions, tally.players, tally.versions, strict=True)
        ]
    )


def mean_weights(tally: Tally, current: BoolArray) -> Floats:
    """The weights of the mean strength, which is 1500 points: equal for current submissions, or for all if none is."""
    included = current if current.any() else np.ones(len(tally.submissions), np.bool_)
    return np.asarray(included / included.sum())


def is_sparse(tally: Tally) -> BoolArray:
    """Which submissions have too few wins or defeats for the spread of their results to measure uncertainty."""
    return np.asarray(np.minimum(tally.above, tally.below) < MIN_WINS_AND_DEFEATS)


def rating_margins(fitted: Estimate, tally: Tally, weights: Floats) -> list[float]:
    """The margin of each rating's difference from the mean, in points; infinite for fewer than two blocks."""
    robust, model = (centred_variances(matrix, weights) for matrix in (fitted.sandwich, fitted.model))
    margins = []
    for i, sparse in enumerate(is_sparse(tally)):
        blocks = int(tally.blocks[i])
        error = small_sample_factor(blocks) * float(np.sqrt(robust[i]))
        if sparse:
            error = max(error, float(np.sqrt(model[i])))
        margins.append(SCALE * t_quantile(blocks - 1) * error if blocks > 1 else inf)
    return margins


def centred_variances(matrix: Floats, weights: Floats) -> Floats:
    """The variance of each strength's difference from the weighted mean, from the covariance of strengths."""
    with_mean = np.einsum("ij,j->i", matrix, weights)
    mean_variance = float(np.einsum("i,i->", with_mean, weights))
    return np.asarray(np.maximum(np.diagonal(matrix) - 2 * with_mean + mean_variance, 0))


def rank_intervals(fitted: Estimate, tally: Tally, current: BoolArray) -> tuple[list[int], list[int]]:
    """The best and the worst rank that each player may truly have, as two lists.

    A player is certainly better than another if the difference of their strengths exceeds its one-sided margin, at 95 %
    for all comparisons of one player together (Bonferroni). Of two players, only one can wrongly be called better, so
    the true rank is in the interval at least as often (Mogstad, Romano, Shaikh and Wilhelm 2024). The margin of a
    difference is based on the number of clusters of the player who has fewer.
    """
    others = max(int(current.sum()) - 1, 0)
    level = 1 - 0.05 / max(others, 1)
    clusters = np.minimum(tally.blocks[:, None], tally.blocks)
    numbers, index = np.unique(clusters, return_inverse=True)
    quantiles = np.array([t_quantile(int(number) - 1, level) for number in numbers])
    factors = np.array([small_sample_factor(int(number)) for number in numbers]) * quantiles
    robust_margin = factors[index].reshape(clusters.shape) * np.sqrt(difference_variances(fitted.sandwich))
    model_margin = quantiles[index].reshape(clusters.shape) * np.sqrt(difference_variances(fitted.model))
    either_sparse = is_sparse(tally)[:, None] | is_sparse(tally)
    margin = np.where(either_sparse, np.maximum(robust_margin, model_margin), robust_margin)
    gap = fitted.strengths - fitted.strengths[:, None]
    certain = (np.abs(gap) > margin) & current
    better, worse = (certain & (gap > 0)).sum(axis=1), (certain & (gap < 0)).sum(axis=1)
    return [1 + int(n) for n in better], [others + 1 - int(n) for n in worse]


def difference_variances(matrix: Floats) -> Floats:
    """The variance of the difference of every two strengths, from their covariance."""
    variances = np.diagonal(matrix)
    return np.asarray(np.maximum(variances[:, None] + variances - 2 * matrix, np.finfo(np.float64).tiny))


# The ranking of a tournament for people.
#
# ranks       the 95 % interval of a rank: "3-5" says that the player is third at best and fifth at worst
# rating      points with the margin of their 95 % interval; "?" while a player has fewer than two blocks
# excluded    a submission that has forfeited too many games; it has no rank
#
# ``ratings_text`` depends on nothing but the rows, so rankings of the same results are the same bytes.


HEADER = ("#", "ranks", "player", "rating", "games", "wins", "forfeits")
NAME_COLUMN = HEADER.index("player")
FILLER_NOTE = "a built-in player that fills the empty seats"


class RankingRow(msgspec.Struct, frozen=True):
    """One player's line of a ranking.

    ``rank``, ``best`` and ``worst`` are 0 without a rank. ``version`` and ``points`` are None for a player without
    games, and ``margin`` is None if it is unknown.
    """

    rank: int
    best: int
    worst: int
    player: str
    version: int | None
    points: float | None
    margin: float | None
    games: int
    win_share: float
    failures: int
    reasons: tuple[str, ...]
    """Why it forfeited games: a clause for each kind of failure (``forfeit_reason``)."""
    status: str
    """Why it has no rank, in a sentence; empty for a player with a rank."""
    fills: bool = False
    """Whether it is a built-in player that fills seats."""


def ratings_and_ranking(
    results: Sequence[MatchResult], excluded: Mapping[int, str] | None = None, entrants: Sequence[Entrant] = ()
) -> tuple[Ratings, tuple[RankingRow, ...]]:
    """The ratings and the ranking of a stage's results, as the arena and ``kibitz arena rate`` print them.

    ``excluded`` has the submissions that are excluded from the tournament, with the reasons.
    """
    ratings = fit(results, excluded=excluded or {})
    return ratings, ranking_rows(ratings, results, excluded, entrants)


def disqualified_submissions(results: Sequence[MatchResult], threshold: Threshold | None = None) -> dict[int, str]:
    """The submissions that forfeited too many of their games, with the reasons.

    Over all results of a tournament, season and final, these are exactly the submissions that were excluded at the end
    of a round, because those played no more games.
    """
    limit = threshold or Threshold()
    games: dict[int, int] = {}
    failures: dict[int, int] = {}
    for result in results:
        for seat in result.seats:
            games[seat.submission] = games.get(seat.submission, 0) + 1
            if seat.forfeit is not None:
                failures[seat.submission] = failures.get(seat.submission, 0) + 1
    versions = {seat.submission: (seat.player, seat.version) for result in results for seat in result.seats}
    return {
        submission: disqualification_reason(*versions[submission], lost, games[submission], limit)
        for submission, lost in sorted(failures.items())
        if limit.exceeded(lost, games[submission])
    }


def disqualification_reason(player: str, version: int, failures: int, games: int, threshold: Threshold) -> str:
    """Why a submission is excluded; stores contain this sentence, so it must not change.

    >>> disqualification_reason("ann", 2, 6, 120, Threshold())
    'ann (version 2) is out of the tournament: it forfeited 6 of 120 games ...'
    """
    return threshold.sentence(f"{player} (version {version})", failures, games)


def ranking_rows(
    ratings: Ratings,
    results: Sequence[MatchResult],
    excluded: Mapping[int, str] | None = None,
    entrants: Sequence[Entrant] = (),
) -> tuple[RankingRow, ...]:
    """The rows of a ranking: players with a rank, entrants without a game that counts, then excluded players.

    ``excluded`` has the reasons, by submission; it must have been passed to ``fit`` too. A player whose new version has
    not played yet is listed with the previous version.
    """
    excluded = excluded or {}
    reasons = failure_reasons(results)
    rows = [ranking_row(rating, reasons, "") for rating in ratings.current]
    rated_submissions = {rating.submission for rating in ratings.current + ratings.former}
    listed_players = {rating.player for rating in ratings.current}
    new_players = sorted(
        entrant.player
        for entrant in entrants
        if entrant.submission not in rated_submissions and entrant.player not in listed_players
    )
    rows += [
        RankingRow(0, 0, 0, player, None, None, None, 0, 0.0, 0, (), f"{player} has no games yet.")
        for player in new_players
    ]
    rows += [
        ranking_row(rating, reasons, excluded[rating.submission])
        for rating in ratings.former
        if rating.submission in excluded
    ]
    fillers = {seat.player for result in results for seat in result.seats if seat.fills}
    fillers |= {entrant.player for entrant in entrants if entrant.fills}
    return tuple(msgspec.structs.replace(row, fills=row.player in fillers) for row in rows)


def ranking_row(rating: Rating, reasons: Mapping[int, tuple[str, ...]], status: str) -> RankingRow:
    """The row of a rating."""
    return RankingRow(
        rank=rating.rank,
        best=rating.best,
        worst=rating.worst,
        player=rating.player,
        version=rating.version,
        points=rating.points,
        margin=rating.margin,
        games=rating.games,
        win_share=rating.wins / rating.games,
        failures=rating.failures,
        reasons=reasons.get(rating.submission, ()),
        status=status,
    )


def failure_reasons(results: Iterable[MatchResult]) -> dict[int, tuple[str, ...]]:
    """Why each submission forfeited games: a clause for each kind of failure."""
    sentences: dict[int, dict[str, list[str]]] = {}
    for result in results:
        for seat in result.seats:
            if seat.forfeit is not None:
                by_kind = sentences.setdefault(seat.submission, {})
                by_kind.setdefault(seat.forfeit, []).append(seat.rule or "")
    return {
        submission: tuple(forfeit_reason(sorted(by_kind[kind])) for kind in sorted(by_kind))
        for submission, by_kind in sentences.items()
    }


def row_cells(row: RankingRow) -> tuple[str, ...]:
    """A row as text, under ``HEADER``."""
    ranks = "" if not row.rank else f"{row.best}" if row.best == row.worst else f"{row.best}-{row.worst}"
    margin = "?" if row.margin is None else f"{row.margin:.0f}"
    return (
        str(row.rank or "-"),
        ranks,
        row.player,
        "" if row.points is None else f"{row.points:.0f} ± {margin}",
        str(row.games),
        f"{100 * row.win_share:.1f} %" if row.games else "",
        str(row.failures),
    )


def ratings_text(rows: Sequence[RankingRow]) -> str:
    """The ranking as text: aligned columns, then who is excluded and why players forfeited games."""
    lines = tabulated([HEADER, *map(row_cells, rows)], (NAME_COLUMN,))
    notes = [f"{row.player} is {FILLER_NOTE}." for row in rows if row.fills]
    notes += [row.status for row in rows if row.status]
    notes += [f"{row.player} forfeited {reason}" for row in rows for reason in row.reasons]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"
