"""How strong ``best`` of cribbage is: ``python -m tools.cribbage_strength --games 2000``.

games       ``best`` against ``greedy``, every deal from both seats; the unit of the interval is the deal
many        many more games in machine code, with the numbers of the study but without the board; mainly for the pegging
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from time import perf_counter, process_time

import numpy as np

import kibitz
from benchmarks.harness import whole
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.engine.layout import PlainState
from kibitz.games.cribbage import discards, evaluation, greedy_play, rules
from kibitz.games.cribbage.evaluation import SCALE, load_table
from kibitz.games.cribbage.stages import COUNT_OVER, DISCARDING, PLAYING
from tools import cribbage_duel, cribbage_greedy
from tools.cribbage_study import net_pegs


@dataclass
class Results:
    """Results of some games: shares of wins by deal, points pegged by player, deals, CPU seconds of decisions."""

    shares: list[float] = field(default_factory=list)
    pegged: list[int] = field(default_factory=lambda: [0, 0])
    deals: int = 0
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        half = 1.96 * statistics.stdev(self.shares) / len(self.shares) ** 0.5
        times = sorted(self.seconds)
        per_deal = [points / self.deals for points in self.pegged]
        return (
            f"best wins {statistics.mean(self.shares):.2%} ± {half:.2%} of {2 * len(self.shares)} games against "
            f"greedy; "
            f"it pegs {per_deal[0]:.3f} a deal against {per_deal[1]:.3f}; a decision takes "
            f"{1000 * statistics.mean(times):.1f} ms of CPU time, the slowest of a hundred "
            f"{1000 * times[len(times) * 99 // 100]:.1f}, of all {1000 * times[-1]:.1f}."
        )


def game_between(seed: int, best_seat: int, results: Results) -> bool:
    """One game; whether ``best``, at seat ``best_seat``, wins."""
    game = kibitz.game("cribbage")
    state, random = game.deal(seed), Random(seed)
    while not state.over:
        seat, legal = state.player, game.legal(state)
        action = legal[0]
        if len(legal) > 1 and seat == best_seat:
            view, start = game.view(state, seat), process_time()
            action = game.strategies["best"](view, legal, random)
            results.seconds.append(process_time() - start)
        elif len(legal) > 1:
            action = greedy(state)
        results.deals += action >= game.rules.DISCARD and seat == state.dealer
        step(state, partial(game.rules.act, state, action), best_seat, results)
        while state.phase > PLAYING:
            step(state, partial(game.rules.advance_phase, state), best_seat, results)
    return bool(state.points[best_seat])


def greedy(state: PlainState) -> int:
    """The choice of ``greedy``, by its kernels in machine code; the tests check that they choose alike."""
    hand = state.hand[state.player]
    if state.phase == DISCARDING:
        chosen_cards = compilation.compiled(cribbage_greedy).greedy_lay(
            discards.scores(), hand, int(state.player == state.dealer)
        )
        return rules.DISCARD + cribbage_duel.places_of(hand, chosen_cards)
    state_records = records(kibitz.game("cribbage"), 1)
    rules.LAYOUT.store(state, state_records, 0)
    return int(
        compilation.compiled(greedy_play).greedy_card(
            state_records[0], state.player, np.zeros(greedy_play.SCORES, np.int64)
        )
    )


def step(state: PlainState, carry_out: Callable[[], object], best_seat: int, results: Results) -> None:
    """Carry out a step of a game, and count the points that are pegged if it belongs to the play."""
    counts, before = state.phase in (PLAYING, COUNT_OVER), list(state.pegs)
    carry_out()
    for p in range(2):
        results.pegged[p != best_seat] += state.pegs[p] - before[p] if counts else 0


def play(games: int, first: int, tell: Callable[[str], object]) -> Results:
    """Play ``games`` games, two of each deal, from the deal ``first`` on."""
    results, last_log = Results(), perf_counter()
    for deal in range(first, first + games // 2):
        results.shares.append(sum(game_between(deal, best_seat, results) for best_seat in range(2)) / 2)
        if perf_counter() - last_log > 20 and len(results.shares) > 1:
            last_log = perf_counter()
            tell(f"{2 * len(results.shares)} of {games} games: {results}")
    return results


def many(games: int) -> str:
    """The study's numbers against ``greedy`` in machine code, without the board."""
    game = kibitz.game("cribbage")
    state, pegged = records(game, 1)[0], np.zeros(3, np.int64)
    spread = np.array(load_table("cribs"), np.float64).reshape(-1, evaluation.SHOW_SCORES) / SCALE
    pegs = net_pegs(
        np.array(load_table("pegged"), np.int64).reshape(2 * evaluation.HANDS_OF_FOUR, 2, evaluation.PEG_BINS)
    )
    crib, weights = spread @ np.arange(evaluation.SHOW_SCORES), np.array(load_table("weights"), np.int64)
    scratch = np.zeros(evaluation.FEATURES, np.int64), np.zeros(greedy_play.SCORES, np.int64)
    duel = compilation.compiled(cribbage_duel).duel
    won = duel(state, discards.scores(), crib, pegs, weights, *scratch, pegged, 5, 0, games)
    return (
        f"Without the board, in machine code: {won / games:.2%} ± {1.96 * 0.5 / games**0.5:.2%} of {games} games, "
        f"{pegged[0] / pegged[2]:.3f} pegged a deal against {pegged[1] / pegged[2]:.3f}."
    )


def board_figures() -> str:
    """The chances in the table of the board for scores with published figures."""
    start, half_way = evaluation.win_chance(0, 0, dealer=True), evaluation.win_chance(35, 37, dealer=True)
    return (
        f"The dealer wins {start.chance:.2%} ± {start.margin:.2%} from 0 to 0 (published: 55.5 to 56 %) and "
        f"{half_way.chance:.2%} ± {half_way.margin:.2%} from 35 to 37 (published: 51 %)."
    )


def main(arguments: list[str]) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.cribbage_strength")
    parser.add_argument("--games", type=whole(0), default=2000)
    parser.add_argument("--first", type=whole(0), default=0, help="the first deal, so that several can play at once")
    parser.add_argument("--many", type=whole(0), default=100_000, help="games in machine code")
    options = parser.parse_args(arguments)
    print(board_figures(), flush=True)
    if options.many:
        print(many(options.many), flush=True)
    if options.games > 2:
        print(play(options.games, options.first, lambda line: print(line, file=sys.stderr, flush=True)))


if __name__ == "__main__":
    main(sys.argv[1:])
