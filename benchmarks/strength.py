"""How strong the thinking players are: one ``best`` among ``greedy``, every deal from each seat, 95 % intervals.

wins        first places, a shared one counted as its part; ``last`` last places
time        CPU time of one decision where there is a choice
ceiling     the same search told where all cards lie: never a player, but what luck leaves to be had

``python -m benchmarks strength`` plays ``DEALS`` deals and prints them as notes; ``python -m benchmarks.strength
GAME DEALS [SIMULATIONS]`` plays more, and the ceiling with it if ``ceiling`` is added.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import Any

import kibitz
from benchmarks.harness import Row, Rows, progress
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.search.thinkers import thinkers, thought_of
from kibitz.search.thinking import Search

DEALS = 20
ASKED = {"president:rounds=1": (0.45, 0.10), "go": (0.50, None)}
"""The first places asked for at least, and the last ones at most."""
SECONDS = 0.1
FIRST_SEED = 1000

Choose = Callable[[PlainState, list[int]], int]


@dataclass
class Tally:
    """What came of some deals, each played from every seat."""

    wins: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def sentence(self, what: str) -> str:
        """All figures in words."""
        return (
            f"{what}: first {mean(self.wins):.1%} ± {1.96 * error(self.wins):.1%}, last {mean(self.last):.1%} ±"
            f" {1.96 * error(self.last):.1%}, {len(self.wins)} deals from every seat;"
            f" {1000 * mean(self.times):.0f} ms of CPU time a decision, {1000 * max(self.times):.0f} ms at most."
        )


def error(values: list[float]) -> float:
    """The standard error of a mean."""
    return stdev(values) / len(values) ** 0.5


def thinking(game: Game, games: int, *, told: bool = False) -> Choose:
    """Choices by search; ``told`` all cards it is the ceiling."""
    how = thought_of(game)

    def choose(state: PlainState, legal: list[int]) -> int:
        search = Search(game, game.view(state, state.player), legal, state.draws, how, truth=state if told else None)
        search.go_on(games)
        return search.ranking()[0].action

    return choose


def against(game: Game, choose: Choose, other: str, deals: int) -> Tally:
    """One seat that chooses so among others of a strategy."""
    tally, seats = Tally(), game.seats
    for deal in range(deals):
        wins, last = [], []
        for seat in range(seats):
            progress(f"{game.name}: deal {deal + 1} of {deals}, seat {seat}")
            scores, winners = play(game, choose, game.strategies[other], FIRST_SEED + deal, seat, tally)
            wins.append((seat in winners) / max(1, len(winners)))
            last.append(scores[seat] == min(scores) < max(scores))
        tally.wins.append(mean(wins))
        tally.last.append(mean(last))
    progress("")
    return tally


def play(game: Game, choose: Choose, other: Any, seed: int, seat: int, tally: Tally) -> tuple[Any, Any]:
    """One game; its scores and winners."""
    state, random = game.deal(seed), Random(seed * game.seats + seat)
    while not state.over:
        legal = game.legal(state)
        if len(legal) == 1:
            action = legal[0]
        elif state.player == seat:
            start = process_time()
            action = choose(state, legal)
            tally.times.append(process_time() - start)
        else:
            action = other(game.view(state, state.player), legal, random)
        game.rules.apply(state, action)
    outcome = game.result(state, frozenset())
    return outcome.scores, outcome.winners


def rows() -> Rows:
    """The time of a decision, with the shares as notes."""
    found, notes = [], []
    for name in ASKED:
        game = kibitz.game(name)
        best = thinkers(game)["best"]
        tally = against(game, thinking(game, best.games), "greedy", DEALS)
        notes.append(tally.sentence(f"{game.title}, one best among greedy"))
        found.append(Row(f"{name} best, a decision", "s", lambda times=tally.times: mean(times), None, SECONDS))
    return found, notes


def main(arguments: list[str]) -> None:
    """The shares of one game: GAME DEALS [SIMULATIONS] [ceiling]."""
    words = [word for word in arguments if word != "ceiling"]
    game, deals = kibitz.game(words[0]), int(words[1])
    games = int(words[2]) if len(words) > 2 else thinkers(game)["best"].games
    for told in (False, True) if "ceiling" in arguments else (False,):
        what = f"{game.name}, {games} imagined games{', told all cards' if told else ''}, among greedy"
        print(against(game, thinking(game, games, told=told), "greedy", deals).sentence(what), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
