"""Standings: the ranking of a tournament, with 95 % intervals, from its results.

    result      one game: the players and their scores by seat, the winners, and the forfeits
    win share   1 for a win, 1/n for each of n winners who share it, 0 otherwise
    cluster     the games of one deal: they are correlated, so only differences between deals count (cluster-robust
                standard error, t quantile); if all deals are alike, that doesn't make the result certain
    margin      half the width of the 95 % interval, before a share's interval is clipped to 0 and 1; at a share of 0
                or 1, the length of the clipped interval
    status      why a player has no rank: it was excluded, couldn't play or has no games

A player keeps its wins if an opponent is excluded later: the games of excluded players count for their opponents.

A ranking is a pure function of the results; their order doesn't matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import atan, cos, inf, pi, sin, sqrt
from statistics import NormalDist

import msgspec

from kibitz.engine.sentences import counted

# Margins: quantiles of Student's t and the correction for few clusters.


MIN_CLUSTERS = 3
"""The minimum number of clusters for an interval of a mean: two clusters say very little about their spread."""
NO_SPREAD = 1e-12
"""A smaller spread is a rounding error and counts as 0."""
MAX_EXACT = 200
"""Degrees of freedom up to which quantiles are exact; beyond them an expansion is right to eight digits."""


def clustered_margin(spread: float, clusters: int, results: int) -> float:
    """The margin of a mean of ``results`` results; infinite for fewer clusters than ``MIN_CLUSTERS``.

    ``spread`` is the sum, over the clusters, of the squared difference between a cluster's total and its number of
    results times the mean.
    """
    if clusters < MIN_CLUSTERS:
        return inf
    return t_quantile(clusters - 1) * (sqrt(spread) * small_sample_factor(clusters) / results)


def share_margin(share: float, spread: float, clusters: int, results: int) -> float:
    """The margin of a mean of shares from 0 to 1; infinite for too few clusters.

    Clusters that are all equal show no spread, but don't make the mean certain. With 97.5 % confidence, at least a
    fraction ``0.025 ** (1 / clusters)`` of all clusters equals them, and the others lie anywhere between 0 and 1.
    """
    margin = clustered_margin(spread, clusters, results)
    if margin < inf and spread < NO_SPREAD:
        margin = max(share, 1 - share) * (1 - float(0.025 ** (1 / clusters)))
    return margin if margin == inf else min(margin, 1.0)


@lru_cache(maxsize=4096)
def t_quantile(freedom: int, level: float = 0.975) -> float:
    """The quantile at ``level`` (above one half) of Student's t with ``freedom`` degrees of freedom; infinite for none.

    >>> round(t_quantile(10), 3)
    2.228
    """
    if freedom < 1:
        return inf
    if freedom > MAX_EXACT:
        return quantile_expansion(freedom, level)
    low, high = 0.0, 1.0
    while central_probability(high, freedom) < 2 * level - 1:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        if central_probability(middle, freedom) < 2 * level - 1:
            low = middle
        else:
            high = middle
    return high


def central_probability(t: float, freedom: int) -> float:
    """The probability that Student's t lies between -t and t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    square = cos(angle) ** 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= square * k / (k + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def quantile_expansion(freedom: int, level: float) -> float:
    """The quantile for many degrees of freedom, from the normal quantile (Abramowitz and Stegun, 26.7.5)."""
    z = NormalDist().inv_cdf(level)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )


def small_sample_factor(clusters: int) -> float:
    """The factor by which a standard error is multiplied to correct it for few clusters; infinite for one cluster."""
    return sqrt(clusters / (clusters - 1)) if clusters > 1 else inf


# Standings.


class SeatForfeit(msgspec.Struct, frozen=True):
    """One seat's forfeit in a game; only the player's owner may see ``detail``."""

    seat: int
    kind: str
    sentence: str
    detail: str = ""


class Result(msgspec.Struct, frozen=True):
    """One game of a tournament; ``players`` has the players' numbers by seat."""

    deal: int
    rotation: int
    seed: int
    players: tuple[int, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    forfeits: tuple[SeatForfeit, ...]

    def win_share(self, seat: int) -> float:
        """The seat's share of the win."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def score(self, seat: int) -> float:
        """The seat's score."""
        return self.scores[seat]

    def ranking_score(self, seat: int) -> float:
        """The score that counts in a ranking by score: after a forfeit, the lowest score of the game."""
        forfeited = any(forfeit.seat == seat for forfeit in self.forfeits)
        return min(self.scores) if forfeited else self.scores[seat]


class Standing(msgspec.Struct, frozen=True):
    """One line of the ranking; if too few deals have been played, margins are None and ``unknown`` says why."""

    rank: int
    """0 for a player without a rank."""
    name: str
    games: int
    wins: float
    win_share: float
    win_margin: float | None
    mean_score: float
    score_margin: float | None
    forfeits: dict[str, int]
    reasons: tuple[str, ...]
    """Why it forfeited games: a clause for each kind of failure (``forfeit_reason``)."""
    status: str = ""
    """Why it has no rank, in a sentence; empty for a player with a rank."""
    unknown: str = ""
    """Why a margin is None, in a sentence; empty if it isn't."""


def standings(
    names: Sequence[str],
    results: Sequence[Result],
    *,
    by_score: bool = False,
    unranked: Mapping[int, str] | None = None,
) -> tuple[Standing, ...]:
    """The ranking: by win share, then mean score; players who are equal in both get the same rank.

    ``by_score`` ranks by mean score, then win share, and a player who forfeits a game gets the lowest score in it.
    ``unranked`` has the sentence that says why a player has no rank, by its number. Players without a rank come last:
    first players without games, then the others.
    """

    def merit(line: Standing) -> tuple[float, float]:
        return (line.mean_score, line.win_share) if by_score else (line.win_share, line.mean_score)

    def sort_key(line: Standing) -> tuple[object, ...]:
        return bool(line.status), bool(line.status and line.games), *(-value for value in merit(line)), line.name

    results_of = results_by_player(results)
    score = Result.ranking_score if by_score else Result.score
    lines = []
    for player, name in enumerate(names):
        status = "" if player in results_of else no_games_sentence(name, results)
        line = standing(player, name, results_of.get(player, ()), score)
        lines.append(msgspec.structs.replace(line, status=(unranked or {}).get(player, status)))
    ranked: list[Standing] = []
    for number, line in enumerate(sorted(lines, key=sort_key), start=1):
        above = ranked[-1] if ranked else None
        tied = above and merit(above) == merit(line)
        rank = 0 if line.status else above.rank if above and tied else number
        ranked.append(msgspec.structs.replace(line, rank=rank))
    return tuple(ranked)


def margins(results: Sequence[Result], *, by_score: bool = False) -> dict[int, float]:
    """By player, the margin of its win share, or with ``by_score`` of its mean score; infinite if it is unknown."""
    results_of = results_by_player(results)
    score = Result.ranking_score if by_score else Result.score
    lines = {player: standing(player, "", results_of[player], score) for player in results_of}
    margin_of = {player: line.score_margin if by_score else line.win_margin for player, line in lines.items()}
    return {player: inf if margin is None else margin for player, margin in margin_of.items()}


def results_by_player(results: Sequence[Result]) -> dict[int, list[Result]]:
    """By player, the results of its games, in order of deals and rotations."""
    results_of: dict[int, list[Result]] = {}
    for result in sorted(results, key=lambda result: (result.deal, result.rotation)):
        for player in set(result.players):
            results_of.setdefault(player, []).append(result)
    return results_of


def no_games_sentence(name: str, results: Sequence[Result]) -> str:
    """The sentence that says why a player has no games."""
    why = "it had no seat in the deals that were played" if results else "no deal was complete"
    return f"{name} has no games: {why}."


def standing(player: int, name: str, results: Sequence[Result], score_of: Callable[[Result, int], float]) -> Standing:
    """One player's line, before the players are ranked."""
    win_share, win_margin, games = clustered_mean(player, results, Result.win_share, share=True)
    score, score_margin, _ = clustered_mean(player, results, score_of)
    failures = [forfeit for result in results for forfeit in result.forfeits if result.players[forfeit.seat] == player]
    kinds = Counter(failure.kind for failure in failures)
    is_unknown = score_margin == inf
    return Standing(
        rank=0,
        name=name,
        games=games,
        wins=round(win_share * games, 6),
        win_share=win_share,
        win_margin=finite_or_none(win_margin),
        mean_score=score,
        score_margin=finite_or_none(score_margin),
        forfeits=dict(sorted(kinds.items())),
        reasons=tuple(forfeit_reason([f.sentence for f in failures if f.kind == kind]) for kind in sorted(kinds)),
        unknown=f"{name} has too few games for an interval: that needs {MIN_CLUSTERS} deals."
        if games and is_unknown
        else "",
    )


def finite_or_none(margin: float) -> float | None:
    """A margin, or None if it is infinite."""
    return None if margin == inf else margin


def forfeit_reason(sentences: Sequence[str]) -> str:
    """How many games a player forfeited, and the most frequent of the sentences that say why.

    >>> forfeit_reason(["It took too long.", "It slept too long.", "It took too long."])
    '3 games, most often: It took too long.'
    """
    ((sentence, count),) = Counter(sentences).most_common(1)
    most_often = "" if count == len(sentences) else ", most often"
    return f"{counted(len(sentences), 'game')}{most_often}: {sentence}"


def clustered_mean(
    player: int, results: Sequence[Result], value: Callable[[Result, int], float], *, share: bool = False
) -> tuple[float, float, int]:
    """A player's mean of ``value`` over all its games, the mean's margin, and the number of games.

    With ``share``, the value must be from 0 to 1.
    """
    sums: dict[int, float] = {}
    counts: dict[int, int] = {}
    for result in results:
        for seat, number in enumerate(result.players):
            if number == player:
                sums[result.deal] = sums.get(result.deal, 0.0) + value(result, seat)
                counts[result.deal] = counts.get(result.deal, 0) + 1
    games, clusters = sum(counts.values()), len(counts)
    if not games:
        return 0.0, inf, 0
    mean = sum(sums.values()) / games
    spread = sum((sums[deal] - mean * counts[deal]) ** 2 for deal in sums)
    margin = share_margin(mean, spread, clusters, games) if share else clustered_margin(spread, clusters, games)
    return mean, margin, games
