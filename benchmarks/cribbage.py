"""Cribbage: shows one by one, all of them, and random games to 121; what ``greedy`` and ``best`` take for a decision.

The peers of a single show are the scorers that install from PyPI, and of games OpenSpiel (C++), each where it is
installed; benchmarks/peers/open_spiel_cribbage.py looks at whom OpenSpiel gives its games to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np

import kibitz
from benchmarks import games, hand_loops
from benchmarks.harness import Probe, Row, Rows, cpu_rate, each_time, rate
from benchmarks.peers import cribbage_scorers, open_spiel
from kibitz.engine.kernels import compilation
from kibitz.games.cribbage.hands import lookup, shows
from kibitz.games.cribbage.hands.show import show
from kibitz.games.cribbage.policies import best, greedy
from kibitz.games.cribbage.scoring import show_points

SHOWS = 200_000
SAMPLE = 2_000

Cards = tuple[Sequence[int], int]


def some_shows(n: int) -> list[Cards]:
    """Random hands of four cards, each with a starter."""
    random = Random(n)
    cards = [random.sample(range(52), 5) for _ in range(n)]
    return [(five[:4], five[4]) for five in cards]


def one_by_one(score: Callable[[Sequence[int], int], object], sample: Sequence[Cards]) -> Probe:
    """A probe: shows a second of a function called from Python."""

    def work() -> int:
        for hand, starter in sample:
            score(hand, starter)
        return len(sample)

    return rate(work)


def in_batches() -> tuple[Probe, Probe]:
    """Probes of random shows in machine code: with the table, and counted anew."""
    sample = some_shows(SHOWS)
    hands = np.array([hand for hand, _ in sample], np.int8)
    sets = np.array([sum(1 << card for card in hand) for hand, _ in sample], np.int64)
    starters, out = np.array([starter for _, starter in sample], np.int8), np.zeros(SHOWS, np.uint8)
    wide, table = starters.astype(np.int64), shows.table()
    fast, slow = compilation.compiled(lookup).score_each, compilation.compiled(hand_loops).show_each
    fast(table, hands, starters, 0, out)
    assert int(out.sum()) == slow(sets, wide, 0, SHOWS)
    return (
        rate(lambda: (fast(table, hands, starters, 0, out), SHOWS)[1]),
        rate(lambda: (slow(sets, wide, 0, SHOWS), SHOWS)[1]),
    )


def decisions(strategy: Callable[[Any, list[int], Random], int]) -> Probe:
    """A probe: the median time in which a strategy chooses what to lay away."""
    game = kibitz.game("cribbage")
    found = [(game.view(state, state.player), game.legal(state)) for state in map(game.deal, range(60))]
    return each_time(lambda asked: strategy(asked[0], asked[1], Random(0)), found)


def rows() -> Rows:
    """Shows and games, each beside its peers."""
    sample = some_shows(SAMPLE)
    ours = one_by_one(lambda hand, starter: show_points(sum(1 << card for card in hand), starter, 0), sample)
    peers = cribbage_scorers.scorers()
    table, anew = in_batches()
    shows.tally()
    found = [
        Row("all 12 994 800 shows, compiled", "s", each_time(lambda _: shows.tally(), [0]), None, 30e-3),
        Row("random shows, compiled, with a table", "shows/s", table),
        Row("random shows, compiled, counted anew", "shows/s", anew),
        Row("shows with their items, plain", "shows/s", one_by_one(show, sample[:200])),
        *(Row(f"shows, plain; peer {name}", "shows/s", ours, one_by_one(peers[name], sample)) for name in peers),
    ]
    if not peers:
        found.append(Row("shows, plain", "shows/s", ours))
    game = kibitz.game("cribbage")
    play, fast = games.plain(game), games.compiled(game, 5000)
    found += [
        Row("random games to 121, plain", "games/s", rate(lambda: play()[0])),
        Row(
            *("random games to 121, compiled", "games/s", cpu_rate(lambda: fast()[0])),
            *(open_spiel.random_games("cribbage"), 60e3),
        ),
        Row("what greedy lays away, median", "s", decisions(greedy)),
        Row("what best lays away, median", "s", decisions(best), None, 0.1),
    ]
    return found, notes(sample, peers)


def notes(sample: Sequence[Cards], peers: dict[str, cribbage_scorers.Scorer]) -> list[str]:
    """Which peers are missing, and how often those that are there score otherwise than the rules."""
    right = [show(hand, starter).points for hand, starter in sample]
    said = []
    for name, score in peers.items():
        wrong = sum(score(hand, starter) != points for (hand, starter), points in zip(sample, right, strict=True))
        said.append(f"{name} scores {100 * wrong / len(sample):.1f} % of {len(sample)} random shows wrongly.")
    if find_spec("pyspiel") is None:
        said.append(f"Games: {open_spiel.MISSING[0].lower()}{open_spiel.MISSING[1:]}")
    if missing := cribbage_scorers.missing():
        said.append(f"Without the peers {', '.join(missing)}, since they are not installed.")
    return said
