"""How well the strategies of President play: mean points a round, with a confidence interval.

Every match seats two strategies at alternating seats, once each way round, from the same seed:
``python -m benchmarks.president_strategies --matches 50``.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from random import Random

from benchmarks.words import SPREAD, a_game, whole
from kibitz.engine.game import Game


def match(game: Game, players: list[Callable[..., int]], seed: int) -> tuple[float, ...]:
    """The points of each seat."""
    state, random = game.deal(seed), Random(seed)
    while not state.over:
        seat = state.player
        game.rules.apply(state, players[seat](game.view(state, seat), game.legal(state), random))
    return game.returns(state)


def duel(game: Game, one: Callable[..., int], other: Callable[..., int], matches: int) -> tuple[float, float]:
    """The mean points a round of ``one`` against ``other`` at the other seats, and half the 95 % interval."""
    found = []
    for seed in range(matches):
        points = 0.0
        for first in range(2):
            players = [one if (seat + first) % 2 == 0 else other for seat in range(game.seats)]
            scores = match(game, players, seed)
            mine = [score for seat, score in enumerate(scores) if players[seat] is one]
            points += sum(mine) / len(mine) / game.options["rounds"] / 2
        found.append(points)
    return statistics.mean(found), 1.96 * statistics.stdev(found) / len(found) ** 0.5


def main() -> None:
    """Every strategy against each of those before it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.president_strategies")
    parser.add_argument("--game", type=a_game, default="president")
    parser.add_argument("--matches", type=whole(SPREAD), default=50)
    asked = parser.parse_args()
    game = asked.game
    strategies = {"random": lambda view, legal, random: random.choice(legal), **game.strategies}
    names = list(strategies)
    for i, name in enumerate(names):
        for other in names[:i]:
            mean, half = duel(game, strategies[name], strategies[other], asked.matches)
            print(f"{name:>7} against {other:<7} {mean:+.2f} ± {half:.2f} points a round", flush=True)


if __name__ == "__main__":
    main()
