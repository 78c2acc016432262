"""Simulated seasons, and how often the intervals of ratings contain the truth: ``python -m benchmarks.seasons``.

    style       the kind of a season's games: the basis of the ratings, how luck is shared, who fails, if seats tie
    luck        each player's performance is its strength plus Gumbel noise, so that single games follow Plackett-Luce;
                with probability ``shared`` the noise is that of the deal, otherwise that of the game
    coverage    the share of 95 % intervals that contain the truth, over all players of all seasons

The truth is the strength; in styles with failures or ties it is the rating after a much longer season.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import msgspec
import numpy as np

from benchmarks.harness import whole
from kibitz.arena.model import MatchResult, SeatResult
from kibitz.arena.rating.ratings import MEAN, SCALE, Ratings, fit

SPREAD = 0.7
"""The standard deviation of the strengths, about 120 points."""
LONGER = 100
"""How many times as long the season is that gives the truth."""


class Style(msgspec.Struct, frozen=True):
    """A kind of games; ``deal`` says whether a deal favours players or seats."""

    name: str
    basis: str = "wins"
    deal: str = "seats"
    shared: float = 0.6
    fails: float = 0.0
    """The probability that a player fails in a game; only every third player does."""
    grid: float = 0.0
    """The grid to which performances are rounded, so that seats tie; 0 for none."""
    seats: int = 4

    @property
    def exact(self) -> bool:
        """Whether the strengths are the truth."""
        return not self.fails and not self.grid


STYLES = (
    Style("wins, deals favour players", deal="players"),
    Style("wins, deals favour seats"),
    Style("places, deals favour players", basis="places", deal="players"),
    Style("places, deals favour seats", basis="places"),
    Style("wins, failures", fails=0.1),
    Style("places, failures", basis="places", fails=0.1),
    Style("wins, ties", grid=0.8),
    Style("places, ties", basis="places", grid=0.8),
)


class Coverage(msgspec.Struct, frozen=True):
    """How often intervals of points and of ranks contain the truth, and of points for the worst player."""

    points: float
    ranks: float
    worst: float
    margin: float


def strengths(players: int, seed: int) -> np.ndarray:
    """The strengths of ``players`` players, 0 on average."""
    drawn = np.random.default_rng(seed).normal(0, SPREAD, players)
    return drawn - drawn.mean()


def season(style: Style, strength: np.ndarray, blocks: int, seed: int) -> list[MatchResult]:
    """A season of random blocks, each in all rotations."""
    random = np.random.default_rng(seed)
    k = style.seats
    lineups = np.argsort(random.random((blocks, len(strength))), axis=1)[:, :k]
    deal_noise = random.gumbel(size=(blocks, k))
    results = []
    for block, lineup in enumerate(lineups):
        for rotation in range(k):
            players = np.roll(lineup, -rotation)
            noise = random.gumbel(size=k)
            if random.random() < style.shared:
                noise = np.roll(deal_noise[block], -rotation) if style.deal == "players" else deal_noise[block]
            failed = (players % 3 == 0) & (random.random(k) < style.fails)
            results.append(match(style, block, rotation, players, strength[players] + noise, failed))
    return results


def match(
    style: Style, block: int, rotation: int, players: np.ndarray, performance: np.ndarray, failed: np.ndarray
) -> MatchResult:
    """One match, from the performances of its players."""
    if style.grid:
        performance = np.round(performance / style.grid)
    score = np.where(failed, -1e6 - np.arange(len(players)), performance)
    won = (score == score.max()) & ~failed
    if style.basis == "wins":
        score = np.where(failed, score, won)
    place = 1 + (score[None, :] > score[:, None]).sum(axis=1)
    share = won / max(won.sum(), 1)
    seats = tuple(
        SeatResult(p, f"player {p}", 1, s, w, s, "illegal" if f else None, "It may not." if f else None)
        for p, w, s, f in zip(players.tolist(), place.tolist(), share.tolist(), failed.tolist(), strict=True)
    )
    status = "forfeited" if failed.any() else "finished"
    number = block * len(players) + rotation + 1
    return MatchResult("simulated", "open", 1, block + 1, number, rotation, 0, status, seats, "none", "0")


def coverage(style: Style, players: int, blocks: int, seasons: int, seed: int, longer: int = LONGER) -> Coverage:
    """Simulate seasons with the same players and count how often the intervals contain the truth."""
    strength = strengths(players, seed)
    truth = MEAN + SCALE * strength
    if not style.exact:
        truth = points(fit(season(style, strength, longer * blocks, seed)))
    rank = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    points_covered, ranks_covered, margins = [], [], []
    for number in range(1, seasons + 1):
        ratings = by_submission(fit(season(style, strength, blocks, seed + 1000 * number)))
        points_covered.append([abs(r.points - truth[r.submission]) <= (r.margin or np.inf) for r in ratings])
        ranks_covered.append([r.best <= rank[r.submission] <= r.worst for r in ratings])
        margins += [r.margin for r in ratings if r.margin is not None]
    by_player = np.mean(points_covered, axis=0)
    return Coverage(
        float(by_player.mean()), float(np.mean(ranks_covered)), float(by_player.min()), float(np.mean(margins))
    )


def by_submission(ratings: Ratings) -> list:
    """The ratings in the order of the submissions."""
    return sorted(ratings.current, key=lambda rating: rating.submission)


def points(ratings: Ratings) -> np.ndarray:
    """The points in the order of the submissions."""
    return np.array([rating.points for rating in by_submission(ratings)])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how often the intervals contain the truth, for every style."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seasons", description=__doc__.splitlines()[0])
    parser.add_argument("--seasons", type=whole(1), default=200, help="how many of each style")
    parser.add_argument("--players", type=whole(4, 1000), default=12)
    parser.add_argument("--blocks", type=whole(2), default=90, help="deals of a season")
    parser.add_argument("--seed", type=whole(0), default=1)
    options = parser.parse_args(arguments)
    print(f"{options.seasons} seasons each, {options.players} players, {options.blocks} blocks of 4 games")
    print(f"{'style':30}  points   ranks  worst player  margin")
    for style in STYLES:
        c = coverage(style, options.players, options.blocks, options.seasons, options.seed)
        print(f"{style.name:30}  {c.points:6.1%}  {c.ranks:6.1%}  {c.worst:12.1%}  {c.margin:6.0f}", flush=True)


if __name__ == "__main__":
    main()
