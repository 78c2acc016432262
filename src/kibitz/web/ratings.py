"""Ratings of the people at this server's tables, among people and computer players.

The model is that of the arena's ratings (Plackett and Luce): a seat's chance to win is its player's strength, divided
by the sum of all strengths at the table. A shared win counts in part, and a game without a winner isn't counted. The
fitted strengths are those that make the results most likely. They are found by repeating Hunter's step (MM algorithms
for generalized Bradley-Terry models, 2004): a player's new strength is the number of wins, divided by the sum over the
player's seats of 1 / (all strengths at the table).

Each player is credited with one extra win and one extra defeat against an average player, so that no rating is
infinite, or extreme after only a few games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import exp, log, log10, sqrt

import msgspec

from kibitz.web.store.tables import RatedGame

MEAN, TENFOLD = 1500.0, 400.0
"""The rating of an average player, and the difference in rating that means odds of ten to one, as in the arena."""
MAX_STEPS, TOLERANCE = 500, 1e-5
"""Hunter's step is repeated until no strength changes by more than this share, but at most this often."""


class TableRating(msgspec.Struct, frozen=True):
    """A person's rating in a game; ``margin`` is half of its 95 % interval, as if the others' ratings were exact."""

    game: str
    points: float
    margin: float
    games: int


def table_ratings(results: Iterable[RatedGame], person: str) -> list[TableRating]:
    """The ratings of a person (by id) in all games that they have finished, sorted by the games' names."""
    by_name = defaultdict(list)
    for game in results:
        if game.winners:
            by_name[game.game].append(game)
    played = {name: games for name, games in by_name.items() if any(person in game.players for game in games)}
    return [rating_in(name, games, person) for name, games in sorted(played.items())]


def rating_in(name: str, games: list[RatedGame], person: str) -> TableRating:
    """A person's rating, from the ``games`` played of the game called ``name``."""
    strength = strengths(games)
    # The information of one game about the logarithm of a strength is p (1 - p), where p is the chance to win.
    chances = [strength[person] / sum(strength[p] for p in game.players) for game in games if person in game.players]
    against_average = strength[person] / (strength[person] + 1)
    information = sum(p * (1 - p) for p in [*chances, against_average, against_average])
    margin = 1.96 * TENFOLD / log(10) / sqrt(information)
    return TableRating(name, MEAN + TENFOLD * log10(strength[person]), margin, len(chances))


def strengths(games: list[RatedGame]) -> dict[str, float]:
    """The strengths of all players by id; an average player has strength 1."""
    wins = {player: 1.0 for game in games for player in game.players}  # the extra win
    tables = Counter(tuple(sorted(game.players)) for game in games)
    for game in games:
        for seat in game.winners:
            wins[game.players[seat]] += 1 / len(game.winners)
    strength = dict.fromkeys(wins, 1.0)
    for _ in range(MAX_STEPS):
        divisors = {player: 2 / (strength[player] + 1) for player in wins}  # the two extra games
        for players, count in tables.items():
            total = sum(strength[player] for player in players)
            for player in players:
                divisors[player] += count / total
        previous = strength
        strength = centred({player: wins[player] / divisors[player] for player in wins})
        if all(abs(strength[player] - previous[player]) < TOLERANCE * previous[player] for player in wins):
            break
    return strength


def centred(strength: dict[str, float]) -> dict[str, float]:
    """The strengths, scaled so that players together are expected to win half of their extra games.

    Only the extra games depend on the factor, so Hunter's step alone would approach it very slowly.
    """
    low, high = -30.0, 30.0  # the bounds of the factor's logarithm
    while high - low > 1e-9:
        middle = (low + high) / 2
        wins = sum(s * exp(middle) / (s * exp(middle) + 1) for s in strength.values())
        low, high = (middle, high) if wins < len(strength) / 2 else (low, middle)
    return {player: s * exp(low) for player, s in strength.items()}
