"""Cribbage: single shows, all shows, random games to 121, and the time of a decision of ``greedy`` and ``best``.

The peers of a single show are the scorers on PyPI, the peer of games is OpenSpiel (C++), each if it is installed;
benchmarks/peers/open_spiel_cribbage.py checks whether OpenSpiel finds the right winner.
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
from kibitz.games.cribbage.hands import bulk, lookup
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
    wide, table = starters.astype(np.int64), bulk.table()
    fast, slow = compilation.compiled(lookup).score_rows, compilation.compiled(hand_loops).show_each
    fast(table, hands, starters, 0, out)
    assert int(out.sum()) == slow(sets, wide, 0, SHOWS)
    return (
        rate(lambda: (fast(table, hands, starters, 0, out), SHOWS)[1]),
        rate(lambda: (slow(sets, wide, 0, SHOWS), SHOWS)[1]),
    )


def decisions(strategy: Callable[[Any, list[int], Random], int]) -> Probe:
    """A probe: the median time in which a strategy chooses its discards."""
    game = kibitz.game("cribbage")
    positions = [(game.view(state, state.player), game.legal(state)) for state in map(game.deal, range(60))]
    return each_time(lambda position: strategy(position[0], position[1], Random(0)), positions)


def rows() -> Rows:
    """Rows of shows, games and decisions, each beside its peers."""
    sample = some_shows(SAMPLE)
    plain_shows = one_by_one(lambda hand, starter: show_points(sum(1 << card for card in hand), starter, 0), sample)
    peers = cribbage_scorers.scorers()
    table, anew = in_batches()
    bulk.tally()
    table_rows = [
        Row("all 12 994 800 shows, compiled", "s", each_time(lambda _: bulk.tally(), [0]), None, 30e-3),
        Row("random shows, compiled, with a table", "shows/s", table),
        Row("random shows, compiled, counted anew", "shows/s", anew),
        Row("shows with their items, plain", "shows/s", one_by_one(show, sample[:200])),
        *(Row(f"shows, plain; peer {name}", "shows/s", plain_shows, one_by_one(peers[name], sample)) for name in peers),
    ]
    if not peers:
        table_rows.append(Row("shows, plain", "shows/s", plain_shows))
    game = kibitz.game("cribbage")
    play, fast = games.plain(game), games.compiled(game, 5000)
    table_rows += [
        Row("random games to 121, plain", "games/s", rate(lambda: play()[0])),
        Row(
            *("random games to 121, compiled", "games/s", cpu_rate(lambda: fast()[0])),
            *(open_spiel.random_games("cribbage"), 60e3),
        ),
        Row("what greedy lays away, median", "s", decisions(greedy)),
        Row("what best lays away, median", "s", decisions(best), None, 0.1),
    ]
    return table_rows, notes(sample, peers)


def notes(sample: Sequence[Cards], peers: dict[str, cribbage_scorers.Scorer]) -> list[str]:
    """Sentences on which peers are missing, and how often the others break the rules of scoring."""
    correct = [show(hand, starter).points for hand, starter in sample]
    sentences = []
    for name, score in peers.items():
        wrong = sum(score(hand, starter) != points for (hand, starter), points in zip(sample, correct, strict=True))
        sentences.append(f"{name} scores {100 * wrong / len(sample):.1f} % of {len(sample)} random shows wrongly.")
    if find_spec("pyspiel") is None:
        sentences.append(f"Games: {open_spiel.MISSING[0].lower()}{open_spiel.MISSING[1:]}")
    if missing := cribbage_scorers.missing():
        sentences.append(f"Without the peers {', '.join(missing)}, since they are not installed.")
    return sentences
