"""Ratings of the people at this server's tables, among people and computer players.

The chance of a seat to win is its player's strength as a share of all strengths at the table (Plackett and Luce), as in
the arena's ratings; a shared win counts in part, and a game without a winner says nothing.  The fitted strengths make
the results most likely.  They are found by repeating Hunter's step (MM algorithms for generalized Bradley-Terry models,
2004): wins, divided by the sum over a player's seats of 1 / (all strengths at the table).

Everybody is given one more win and one more defeat against an average player, so that a few games don't make an extreme
rating, and nobody's is infinite.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import exp, log, log10, sqrt

import msgspec

from kibitz.web.store.tables import RatedGame

MEAN, TENFOLD = 1500.0, 400.0
"""The rating of an average player, and what ten times the odds add to a rating, as in the arena."""
STEPS, CLOSE = 500, 1e-5
"""Hunter's step is repeated at most so often, or until no strength changes by a larger share."""


class TableRating(msgspec.Struct, frozen=True):
    """Somebody's rating in a game; ``margin`` is half of its 95 % interval, taking the others' ratings as exact."""

    game: str
    points: float
    margin: float
    games: int


def table_ratings(results: Iterable[RatedGame], person: str) -> list[TableRating]:
    """The ratings of a person (by id) in all games that they have finished, sorted by the games' names."""
    by_game = defaultdict(list)
    for one in results:
        if one.winners:
            by_game[one.game].append(one)
    played = {name: games for name, games in by_game.items() if any(person in one.players for one in games)}
    return [rating_in(name, games, person) for name, games in sorted(played.items())]


def rating_in(name: str, games: list[RatedGame], person: str) -> TableRating:
    """A person's rating in one game."""
    strength = strengths(games)
    # The information of one game about the logarithm of a strength is p (1 - p), where p is the chance to win.
    chances = [strength[person] / sum(strength[p] for p in one.players) for one in games if person in one.players]
    average = strength[person] / (strength[person] + 1)
    information = sum(p * (1 - p) for p in [*chances, average, average])
    margin = 1.96 * TENFOLD / log(10) / sqrt(information)
    return TableRating(name, MEAN + TENFOLD * log10(strength[person]), margin, len(chances))


def strengths(games: list[RatedGame]) -> dict[str, float]:
    """The strengths of all players, those of an average player being 1."""
    wins = {p: 1.0 for one in games for p in one.players}
    tables = Counter(tuple(sorted(one.players)) for one in games)
    for one in games:
        for seat in one.winners:
            wins[one.players[seat]] += 1 / len(one.winners)
    found = dict.fromkeys(wins, 1.0)
    for _ in range(STEPS):
        weights = {p: 2 / (found[p] + 1) for p in wins}
        for players, count in tables.items():
            total = sum(found[p] for p in players)
            for p in players:
                weights[p] += count / total
        following = centred({p: wins[p] / weights[p] for p in wins})
        done = all(abs(following[p] - found[p]) < CLOSE * found[p] for p in wins)
        found = following
        if done:
            break
    return found


def centred(strength: dict[str, float]) -> dict[str, float]:
    """The strengths times a factor: the one with which a half of all games against an average player would be won.

    Only those added games depend on the factor, so Hunter's step would approach it very slowly.
    """
    low, high = -30.0, 30.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        won = sum(s * exp(middle) / (s * exp(middle) + 1) for s in strength.values())
        low, high = (middle, high) if won < len(strength) / 2 else (low, middle)
    return {p: s * exp(low) for p, s in strength.items()}
