"""Ratings of simulated seasons: the seconds that they take, and how often their intervals contain the truth.

ours        ``kibitz.arena.rating.ratings.fit``: a batch fit with intervals of points and ranks
peer        openskill's Plackett-Luce updates over the same games, where it is installed; they have no intervals and
            depend on the order of the games

``python -m benchmarks seasons`` counts the intervals that contain the truth:

style       the kind of a season's games: the basis of the ratings, how luck is shared, who fails, if seats tie
luck        each player's performance is its strength plus Gumbel noise, so that single games follow Plackett-Luce;
            with probability ``shared`` the noise is that of the deal, otherwise that of the game
coverage    the share of 95 % intervals that contain the truth, over all players of all seasons

The truth is the strength; in styles with failures or ties it is the rating after a much longer season.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from time import perf_counter

import msgspec
import numpy as np

from benchmarks.harness import Probe, Row, Rows, whole
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


def main(arguments: Sequence[str]) -> None:
    """Print how often the intervals contain the truth, for every style."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks seasons", description=main.__doc__)
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


PLAYERS = 300
BLOCKS = 25_000
ASKED = 3.0


def rows() -> Rows:
    """Rows for ratings by wins, for ratings by places, and for reading the CSV."""
    peer = openskill(STYLES[0]) if find_spec("openskill") else None
    table_rows = [
        Row("rate 100,000 games, wins", "s", rating(STYLES[0]), peer, ASKED),
        Row("rate 100,000 games, places", "s", rating(STYLES[2]), None, ASKED),
        Row("read 100,000 games from CSV", "s", reading(STYLES[0])),
    ]
    return table_rows, [f"{PLAYERS} players, 4 seats, {BLOCKS:,} blocks of 4 games, all intervals included."]


@cache
def results(style: Style) -> list[MatchResult]:
    """The season that is rated."""
    return season(style, strengths(PLAYERS, 1), BLOCKS, 1)


def rating(style: Style) -> Probe:
    """A probe: seconds for a fit."""
    from kibitz.arena.rating.ratings import fit

    def probe() -> float:
        season_results = results(style)
        start = perf_counter()
        if len(fit(season_results).current) != PLAYERS:
            raise RuntimeError("not all players are rated")
        return perf_counter() - start

    return probe


def reading(style: Style) -> Probe:
    """A probe: seconds to read an export."""
    from kibitz.arena.rating.export import read_csv, write_csv

    def probe() -> float:
        out = io.StringIO(newline="")
        write_csv(out, results(style))
        out.seek(0)
        start = perf_counter()
        if len(read_csv(out)) != 4 * BLOCKS:
            raise RuntimeError("not all results are read")
        return perf_counter() - start

    return probe


def openskill(style: Style) -> Probe:
    """A probe: seconds for openskill to update the same players game by game."""
    from openskill.models import PlackettLuce  # type: ignore[import-not-found]

    def probe() -> float:
        season_results = results(style)
        model = PlackettLuce()
        start = perf_counter()
        ratings = {s: model.rating() for s in range(PLAYERS)}
        for result in season_results:
            players = [s.submission for s in result.seats]
            updated = model.rate([[ratings[s]] for s in players], ranks=[s.place for s in result.seats])
            ratings.update(zip(players, (team[0] for team in updated), strict=True))
        return perf_counter() - start

    return probe
