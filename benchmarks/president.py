"""President: all moves of a hand, random rounds, and the fewest moves that empty a hand.

The peer is benchmarks/peers/president_report.py: every set of up to five cards and a function that tells its type;
for rounds it is OpenSpiel's dou dizhu in C++, the nearest published game, where ``open_spiel`` is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

import kibitz
from benchmarks import games, hand_loops
from benchmarks.harness import Row, Rows, cpu_rate, each_time, rate
from benchmarks.peers import open_spiel, president_report
from kibitz.engine.kernels import compilation
from kibitz.games.president import listing, moves, planning, rules

HANDS = 4000


def hands(n: int) -> list[int]:
    """Random hands of ``n`` cards as sets of heights."""
    random = Random(n)
    return [sum(1 << card for card in random.sample(range(52), n)) for _ in range(HANDS)]


def per_hand(work: Callable[[], object], n: int) -> Callable[[], float]:
    """A probe: seconds a hand, for work in machine code on ``n`` hands."""
    probe = rate(lambda: (work(), n)[1])
    return lambda: 1 / probe()


def rows() -> Rows:
    """Rows of lists of moves against the report's method, of rounds, and of the fewest moves."""
    table_rows = []
    loop, out = compilation.compiled(hand_loops), np.zeros(rules.ACTIONS, np.int64)
    scratch = [0] * rules.ACTIONS
    for n, tried, asked in ((13, 20, None), (26, 2, 3e-6)):
        some = hands(n)
        array = np.array(some, np.int64)
        loop.list_each(array, 0, 1, out)
        compiled = per_hand(lambda array=array: loop.list_each(array, 0, HANDS, out), HANDS)
        plain = each_time(lambda hand: listing.list_all(hand, moves.ALL_FIVES, scratch), some[:400])
        peer_hands = [[(c + 8) % 52 for c in range(52) if hand >> c & 1] for hand in some[:tried]]
        peer = each_time(president_report.all_moves, peer_hands)
        table_rows.append(Row(f"all moves of {n} cards, compiled", "s", compiled, peer, asked))
        table_rows.append(Row(f"all moves of {n} cards, plain", "s", plain, peer))
    game = kibitz.game("president:rounds=1")
    play, fast = games.plain(game), games.compiled(game, 5000)
    table_rows.append(Row("rounds of four, plain", "rounds/s", rate(lambda: play()[0])))
    table_rows.append(
        Row(
            "rounds of four, compiled",
            "rounds/s",
            cpu_rate(lambda: fast()[0]),
            open_spiel.random_games("dou_dizhu"),
            100e3,
        )
    )
    machine_work = np.zeros(planning.SHED_SIZE, np.int64)
    for n, most, asked in ((13, 20e-3, 200e-6), (26, None, None)):
        some = hands(n)[: HANDS if n == 13 else 50]
        array = np.array(some, np.int64)
        loop.shed_each(array, 0, 1, machine_work)
        compiled = per_hand(lambda a=array: loop.shed_each(a, 0, len(a), machine_work), len(some))
        plain = each_time(planning.fewest_moves, some[:200])
        table_rows.append(Row(f"fewest moves of {n} cards, plain, median", "s", plain, None, most))
        table_rows.append(Row(f"fewest moves of {n} cards, compiled, mean", "s", compiled, None, asked))
    return table_rows, [
        "The peer, benchmarks/peers/president_report.py, lists 20 hands of 13 and 2 of 26: a small sample."
    ]
