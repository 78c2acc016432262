"""Heads-up hold'em: how much ``best`` wins from others, in big blinds a hundred hands, by duplicate deals.

deal        one hand, played from both seats; both have the same luck, so the deal is the unit of the interval
styles      the simple players of ``benchmarks.styles.poker``
rule        a player that samples its equity 100 times: it calls with at least 0.5, and bets with at least 0.7

``python -m benchmarks headsup [DEALS [STACKS [OPPONENTS]]]`` prints the table, for stacks in big blinds such as 100,20.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any

import kibitz
from benchmarks.harness import MIN_SAMPLE, one_of, whole, wholes
from benchmarks.styles.poker import STYLES
from kibitz.cards import as_set
from kibitz.games.poker import policies
from kibitz.games.poker.hands.evaluator import evaluator
from kibitz.games.poker.headsup import best
from kibitz.games.poker.rules import CALL, FOLD, RAISE

Strategy = Callable[[Any, list[int], Random], int]
DEALS, STACKS = 1000, (100, 50, 20, 10)
ASKED = 20
"""The required gain of ``best`` from every opponent and with every stack, in big blinds a hundred hands."""


def rule(view: Any, legal: list[int], random: Random) -> int:
    """Call with an equity of at least one half, bet half the pot with at least 0.7."""
    strength, cards, missing = evaluator().strength, policies.unseen(view), 5 - len(view.board)
    hand, board, share = as_set(view.hand), as_set(view.board), 0.0
    for _ in range(100):
        dealt = random.sample(cards, missing + 2)
        full = board | as_set(dealt[:missing])
        own, other = strength(hand | full), strength(full | as_set(dealt[missing:]))
        share += 0.01 if own > other else 0.005 if own == other else 0.0
    raises = [action for action in legal if action >= RAISE]
    if share >= 0.7 and raises:
        return raises[min(1, len(raises) - 1)]
    return CALL if share >= 0.5 or FOLD not in legal else FOLD


OPPONENTS: dict[str, Strategy] = {
    "greedy": policies.greedy,
    "rule": rule,
    **STYLES,
}


def duel(own: Strategy, other: Strategy, stack: int, deals: int, seed: int = 0) -> tuple[float, float, float]:
    """The gain of ``own`` in big blinds a hundred hands, half its 95 % interval, and its milliseconds a decision."""
    game = kibitz.game("holdem").with_options(players=2, hands=1, stack=10 * stack)
    won, spent, decisions = [], 0.0, 0
    for number in range(deals):
        gain_of_deal = 0.0
        for seat in (0, 1):
            state = game.deal(seed + number)
            randoms = [Random((seed + number) * 4 + 2 * seat + p) for p in (0, 1)]
            while not state.over:
                p, legal, view = state.player, game.legal(state), game.view(state, state.player)
                start = process_time()
                action = (own if p == seat else other)(view, legal, randoms[p])
                if p == seat:
                    spent, decisions = spent + process_time() - start, decisions + 1
                game.rules.apply(state, action)
            gain_of_deal += game.returns(state)[seat]
        won.append(100 * gain_of_deal / 2 / game.options["big"])
    return fmean(won), 1.96 * stdev(won) / sqrt(deals), 1000 * spent / max(1, decisions)


def sentence(name: str, stack: int, deals: int) -> str:
    """One line of the table."""
    mean, margin, time = duel(best, OPPONENTS[name], stack, deals)
    outcome = "reached" if mean >= ASKED and mean > margin else "NOT reached"
    return (
        f"best v {name}, {stack} big blinds: {mean:+.0f} ± {margin:.0f} bb/100 in {deals} deals from both seats, "
        f"{ASKED} asked: {outcome}; {time:.1f} ms a decision"
    )


def main(arguments: list[str]) -> None:
    """Print the table, or the part of it that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks headsup", description=main.__doc__)
    parser.add_argument("deals", type=whole(MIN_SAMPLE), nargs="?", default=DEALS)
    parser.add_argument("stacks", type=wholes(1, 10_000), nargs="?", default=STACKS)
    parser.add_argument("opponents", type=one_of(OPPONENTS), nargs="?", default=OPPONENTS)
    options = parser.parse_args(arguments)
    for stack in options.stacks:
        for name in options.opponents:
            print(sentence(name, stack, options.deals), flush=True)
