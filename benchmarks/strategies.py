"""How strong and how fast the strategies are: one seat of ``greedy`` against three of something simpler.

share       games won, a shared win counted as its part, over ``GAMES`` games with the seat rotated
move        the time of one decision where there is a choice

``python -m benchmarks.strategies`` prints the shares alone, for a strategy, opponents and a number of games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import mean
from time import perf_counter
from typing import Any

import kibitz
from benchmarks.harness import Row, Rows, each_time
from benchmarks.words import a_game, whole
from kibitz.engine.events import View
from kibitz.engine.game import Game

GAMES = 200
MOVES = 400
"""Decisions timed in one repeat."""

Strategy = Callable[[Any, list[int], Random], int]


@dataclass
class Tally:
    """What came of some games."""

    wins: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    finished: list[bool] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    views: list[tuple[View, list[int]]] = field(default_factory=list)

    def sentence(self, what: str) -> str:
        """All figures in words."""
        return (
            f"{what}: wins {mean(self.wins):.1%} of {len(self.wins)} games, scores {mean(self.own):.1f} against "
            f"{mean(self.others):.1f}, {mean(self.finished):.1%} of the games have a winner; "
            f"{1000 * mean(self.times):.2f} ms a move."
        )


def anything(view: View, legal: list[int], random: Random) -> int:
    """Any legal action."""
    return random.choice(legal)


def play(game: Game, seats: list[Strategy], seed: int, watched: int, tally: Tally) -> None:
    """One game, the decisions of one seat timed."""
    state, randoms = game.deal(seed), [Random(seed * game.seats + p) for p in range(game.seats)]
    while not state.over:
        p, legal = state.player, game.legal(state)
        if len(legal) == 1:
            game.rules.apply(state, legal[0])
            continue
        view = game.view(state, p)
        start = perf_counter()
        action = seats[p](view, legal, randoms[p])
        if p == watched:
            tally.times.append(perf_counter() - start)
            tally.views.append((view, legal))
        game.rules.apply(state, action)
    outcome = game.result(state, frozenset())
    tally.wins.append(1 / len(outcome.winners) if watched in outcome.winners else 0)
    tally.own.append(outcome.scores[watched])
    tally.others.append((sum(outcome.scores) - outcome.scores[watched]) / (game.seats - 1))
    tally.finished.append(bool(outcome.winners))


def against(game: Game, strategy: Strategy, other: Strategy, games: int) -> Tally:
    """One seat against three; every deal is played from each seat."""
    tally = Tally()
    for i in range(games):
        seats = [other] * game.seats
        seats[i % game.seats] = strategy
        play(game, seats, i // game.seats, i % game.seats, tally)
    return tally


def rows() -> Rows:
    """The time of a move, with the shares as notes."""
    found, notes = [], []
    for name, asked in (("go", 5e-3), ("bo", 20e-3)):
        game = kibitz.game(name)
        greedy = game.strategies["greedy"]
        views = []
        for other in (game.strategies["first"], anything, greedy):
            tally = against(game, greedy, other, GAMES)
            label = "random" if other is anything else other.__name__
            notes.append(tally.sentence(f"{game.title}, greedy against three of {label}"))
            views += tally.views
        moves = Random(1).sample(views, min(MOVES, len(views)))
        decide = partial(decide_on, greedy)
        found.append(Row(f"{name} greedy, a move, median", "s", each_time(decide, moves), None, asked))
        found.append(Row(f"{name} greedy, a move, 99th percentile", "s", each_time(decide, moves, 99)))
    return found, notes


def decide_on(strategy: Strategy, move: tuple[View, list[int]]) -> int:
    """One decision, always with the same random numbers."""
    view, legal = move
    return strategy(view, legal, Random(0))


def main(arguments: list[str]) -> None:
    """The shares of one pairing: GAME STRATEGY OTHER GAMES, such as ``bo greedy first 200``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strategies", description=main.__doc__)
    parser.add_argument("game", type=a_game, nargs="?", default="go")
    parser.add_argument("strategy", nargs="?", default="greedy")
    parser.add_argument("other", nargs="?", default="first")
    parser.add_argument("games", type=whole(1), nargs="?", default=GAMES)
    asked = parser.parse_args(arguments)
    known = {"random": anything, **asked.game.strategies}
    for name in (asked.strategy, asked.other):
        if name not in known:
            parser.error(f"there is no strategy {name!r}; there are {', '.join(known)}")
    tally = against(asked.game, known[asked.strategy], known[asked.other], asked.games)
    print(tally.sentence(f"{asked.game.title}, {asked.strategy} against three of {asked.other}"))


if __name__ == "__main__":
    main(sys.argv[1:])
