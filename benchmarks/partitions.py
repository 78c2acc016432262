"""The best partitions of ten cards: their list in plain Python, their score and number in machine code.

"All optima" are all partitions with the highest score, as ``kibitz.games.go.groups.best_partitions`` lists them; the
peer finds them by brute force.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from benchmarks import hand_loops
from benchmarks.harness import Row, Rows, each_time, rate
from benchmarks.peers import go_classes
from kibitz.cards.notation import code
from kibitz.engine.kernels import compilation
from kibitz.games.go import groups

HANDS, LOOPED, TRIED = 2000, 20_000, 3
"""Hands for plain Python, for the compiled loop and for the brute force."""


def rows() -> Rows:
    """Rows of plain Python, of the coursework function and of machine code, against trying every partition."""
    random = Random(1)
    hands = [random.sample(range(52), 10) for _ in range(LOOPED)]
    codes = [[code(card) for card in hand] for hand in hands]
    brute = each_time(go_classes.best_partitions, codes[:TRIED])
    untried = iter(codes[TRIED:])

    def try_next() -> int:
        go_classes.best_partitions(next(untried))
        return 1

    plain_hands = hands[:HANDS]
    table_rows = [
        Row("all optima, median", "s", each_time(groups.best_partitions, plain_hands), brute, 60e-6),
        Row("all optima, 99th percentile", "s", each_time(groups.best_partitions, plain_hands, 99), None, 250e-6),
    ]
    notes = [
        f"{HANDS} random hands a repeat in plain Python, {LOOPED} compiled; "
        f"the peer, benchmarks/peers/go_classes.py, tries every partition of {TRIED} hands, a small sample."
    ]
    try:
        from kibitz.coursework.comp10001 import comp10001go_best_partitions as coursework
    except ImportError:
        notes.append("Left out: comp10001go_best_partitions, since kibitz.coursework.comp10001 is missing.")
    else:
        plain_codes = codes[:HANDS]
        table_rows += [
            Row("comp10001go_best_partitions, median", "s", each_time(coursework, plain_codes), brute, 60e-6),
            Row("the same, 99th percentile", "s", each_time(coursework, plain_codes, 99), None, 250e-6),
        ]
    loop = compiled_loop(hands)
    table_rows.append(Row("score and number of optima, compiled", "hands/s", rate(loop), rate(try_next), 300e3))
    return table_rows, notes


def compiled_loop(hands: list[list[int]]) -> Callable[[], int]:
    """A function that partitions all the hands in machine code and returns how many there are."""
    compiled = compilation.compiled(hand_loops)
    table = np.sort(np.array(hands, np.int64))
    work = np.zeros(groups.WORK, np.int32)
    totals, ways = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)

    def partition() -> int:
        compiled.partition_all(table, 0, len(hands), 10, work, totals, ways)
        return len(hands)

    partition()
    for i in range(0, len(hands), 100):
        total, partitions = groups.best_partitions(hands[i])
        if (totals[i], ways[i]) != (total, len(partitions)):
            raise AssertionError(f"machine code and Python disagree on the hand {hands[i]}")
    return partition
