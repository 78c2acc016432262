"""From results to an honest table.

    result      one game: who sat where, what they scored, how the win was shared, who forfeited and why
    win share   1 for a win, 1/n for each of n who share it, 0 otherwise
    margin      half the width of the 95 % interval; the games of one deal hang together, so the deal is the
                cluster and only the differences between deals count (cluster-robust standard error, t quantile);
                who has won all or nothing gets the exact one-sided bound for as many deals instead of 0

A table is a pure function of the results: the order in which they came in changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import inf, sqrt

import msgspec

from kibitz.arena.margins import few, t_quantile


class SeatForfeit(msgspec.Struct, frozen=True):
    """One seat's forfeit in a game; ``detail`` is for its player's owner."""

    seat: int
    kind: str
    sentence: str
    detail: str = ""


class Result(msgspec.Struct, frozen=True):
    """One game of a tournament; ``players`` are numbers by seat."""

    deal: int
    rotation: int
    seed: int
    players: tuple[int, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    forfeits: tuple[SeatForfeit, ...]

    def win_share(self, seat: int) -> float:
        """What the seat got of the win."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def score(self, seat: int) -> float:
        """What the seat has scored."""
        return self.scores[seat]

    def earned(self, seat: int) -> float:
        """What the seat's score counts where scores rank: with a forfeit no more than anybody's."""
        forfeited = any(forfeit.seat == seat for forfeit in self.forfeits)
        return min(self.scores) if forfeited else self.scores[seat]


class Standing(msgspec.Struct, frozen=True):
    """One line of the table; a margin is None while fewer than two deals are played."""

    rank: int
    name: str
    games: int
    wins: float
    win_share: float
    win_margin: float | None
    mean_score: float
    score_margin: float | None
    forfeits: dict[str, int]
    reasons: tuple[str, ...]


def standings(names: Sequence[str], results: Sequence[Result], *, by_score: bool = False) -> tuple[Standing, ...]:
    """The table: by win share, then mean score; equal in both share a rank.

    ``by_score`` ranks by mean score, then win share, and who forfeits a game gets the lowest score in it.
    """

    def merit(line: Standing) -> tuple[float, float]:
        return (line.mean_score, line.win_share) if by_score else (line.win_share, line.mean_score)

    ordered = sorted(results, key=lambda result: (result.deal, result.rotation))
    score = Result.earned if by_score else Result.score
    lines = [standing(player, name, ordered, score) for player, name in enumerate(names)]
    lines.sort(key=lambda line: (*(-value for value in merit(line)), line.name))
    ranked: list[Standing] = []
    for place, line in enumerate(lines, start=1):
        above = ranked[-1] if ranked else None
        tied = above and merit(above) == merit(line)
        ranked.append(msgspec.structs.replace(line, rank=above.rank if above and tied else place))
    return tuple(ranked)


def standing(player: int, name: str, results: Sequence[Result], score_of: Callable[[Result, int], float]) -> Standing:
    """One player's line, not yet ranked."""
    wins, win_margin, games = clustered(player, results, Result.win_share)
    if wins in (0.0, 1.0) and games:
        deals = len({result.deal for result in results if player in result.players})
        win_margin = 1 - 0.025 ** (1 / deals)
    score, score_margin, _ = clustered(player, results, score_of)
    failures = [forfeit for result in results for forfeit in result.forfeits if result.players[forfeit.seat] == player]
    kinds = Counter(failure.kind for failure in failures)
    return Standing(
        rank=0,
        name=name,
        games=games,
        wins=round(wins * games, 6),
        win_share=wins,
        win_margin=known(win_margin if win_margin == inf else min(win_margin, 1.0)),
        mean_score=score,
        score_margin=known(score_margin),
        forfeits=dict(sorted(kinds.items())),
        reasons=tuple(reason(kind, [f.sentence for f in failures if f.kind == kind]) for kind in sorted(kinds)),
    )


def known(margin: float) -> float | None:
    """A margin, or None where it is unbounded."""
    return None if margin == inf else margin


def reason(kind: str, sentences: Sequence[str]) -> str:
    """Why a player forfeited in one way: how often, and the reason given most often."""
    ((most, count),) = Counter(sentences).most_common(1)
    others = "" if count == len(sentences) else ", most often"
    return f"{len(sentences)} x {kind}{others}: {most}"


def clustered(
    player: int, results: Sequence[Result], value: Callable[[Result, int], float]
) -> tuple[float, float, int]:
    """A player's mean of ``value`` over all its games, the margin with deals as clusters, and the number of games."""
    sums: dict[int, float] = {}
    counts: dict[int, int] = {}
    for result in results:
        for seat, who in enumerate(result.players):
            if who == player:
                sums[result.deal] = sums.get(result.deal, 0.0) + value(result, seat)
                counts[result.deal] = counts.get(result.deal, 0) + 1
    games, clusters = sum(counts.values()), len(counts)
    if not games:
        return 0.0, inf, 0
    mean = sum(sums.values()) / games
    if clusters < 2:
        return mean, inf, games
    spread = sum((sums[deal] - mean * counts[deal]) ** 2 for deal in sums)
    error = sqrt(spread) * few(clusters) / games
    return mean, t_quantile(clusters - 1) * error, games
