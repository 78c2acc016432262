"""Poker hands in bulk, with jokers, all of them, exact equities; and single calls from Python beside peers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, islice
from math import comb
from random import Random
from time import perf_counter

import numpy as np

from benchmarks.harness import Probe, Row, Rows, each_time, rate
from benchmarks.peers import poker_course, poker_evaluators
from kibitz.cards import FULL_PACK, as_set, cards_of, parse_hand, poker_code
from kibitz.engine.kernels import compilation
from kibitz.games.poker.hands import bulk, evaluator, lookup, ranking, wild
from kibitz.games.poker.hands.equity import hand_equity

HANDS, ALONE, TRIED, BOARDS = 1_000_000, 2000, 3, 20_000
"""Hands in bulk, hands one by one, hands with all jokers tried, and boards for peers."""


def random_sets(n: int) -> np.ndarray:
    """Random sets of ``n`` cards."""
    drawn = np.random.default_rng(n).random((HANDS, 52)).argpartition(n, axis=1)[:, :n]
    return bulk.sets_of(drawn)


def seconds(work: Callable[[], object]) -> Probe:
    """A probe: the time of one call."""

    def probe() -> float:
        start = perf_counter()
        work()
        return perf_counter() - start

    return probe


def in_bulk() -> list[Row]:
    """Rows of arrays of random hands, in machine code."""
    rows, out = [], np.zeros(HANDS, np.int16)
    kernels = compilation.compiled(lookup)
    for n, asked in ((5, None), (6, None), (7, 100e6)):
        sets = random_sets(n)
        work = lambda sets=sets: (kernels.evaluate_slice(sets, 0, HANDS, *bulk.table(), out), HANDS)[1]  # noqa: E731
        work()
        rows.append(Row(f"random hands of {n}, machine code", "hands/s", rate(work), None, asked))
    work = lambda sets=sets: (bulk.evaluate_many(sets), HANDS)[1]  # noqa: E731
    rows.append(Row("random hands of 7, evaluate_many", "hands/s", rate(work), None, 100e6))
    return rows


def with_jokers() -> list[Row]:
    """Rows of hands of seven with jokers, against trying every card."""
    rows, out, kernels = [], np.zeros(HANDS, np.int16), compilation.compiled(wild)
    for black, red in ((1, 0), (1, 1), (2, 0)):
        sets, jokers = random_sets(7 - black - red), [np.full(HANDS, n) for n in (black, red)]
        kernels.evaluate_wild_slice(sets, *jokers, 0, 1, out)
        hand_rate = rate(lambda s=sets, j=jokers: (kernels.evaluate_wild_slice(s, *j, 0, HANDS, out), HANDS)[1])
        hands = [written(hand) + ["?B"] * black + ["?R"] * red for hand in sets[:TRIED].tolist()]
        course = each_time(poker_course.best_wild_rank, hands) if black + red == 1 else None
        what = f"6 cards and ?{'B' * black}" if black + red == 1 else f"5 cards and {'?B' * black}{'?R' * red}"
        rows.append(
            Row(f"{what}, a hand, machine code", "s", lambda hand_rate=hand_rate: 1 / hand_rate(), course, 60e-9)
        )
    return rows


def all_hands() -> list[Row]:
    """Rows of all hands, and of all boards for two hands."""
    bulk.strength_counts(5)
    hands = as_set(parse_hand("AS KS")), as_set(parse_hand("QD QH"))
    hand_equity(hands)
    return [
        Row("all 2 598 960 hands of 5", "s", seconds(lambda: bulk.strength_counts(5))),
        Row("all 133 784 560 hands of 7", "s", seconds(lambda: bulk.strength_counts(7)), None, 1.0),
        Row("AsKs against QdQh, all boards", "s", seconds(lambda: hand_equity(hands)), boards_of_peer(hands), 15e-3),
    ]


def boards_of_peer(hands: tuple[int, int]) -> Probe | None:
    """A probe: the seconds that eval7, called from Python, takes for all boards, by the first ``BOARDS``."""
    deck = [poker_code(card) for card in cards_of(FULL_PACK & ~(hands[0] | hands[1]))]
    boards = list(islice(combinations(deck, 5), BOARDS))
    hands_with_boards = [written(hand) + list(board) for board in boards for hand in hands]
    peer = poker_evaluators.evaluator("eval7", hands_with_boards)
    if peer is None:
        return None
    evaluate, prepared = peer

    def compare() -> int:
        return sum(evaluate(prepared[k]) > evaluate(prepared[k + 1]) for k in range(0, len(prepared), 2))

    sample_time = seconds(compare)
    return lambda: sample_time() * comb(len(deck), 5) / BOARDS


def one_by_one(notes: list[str]) -> list[Row]:
    """Rows of single calls from Python for hands of five and seven, beside every peer."""
    rows = []
    for n in (5, 7):
        random = Random(n)
        hands = [random.sample(range(52), n) for _ in range(ALONE)]
        codes, sets = [[poker_code(card) for card in hand] for hand in hands], [as_set(hand) for hand in hands]
        own_rate = repeated(evaluator.evaluator().strength, sets)
        for name in poker_evaluators.NAMES:
            peer = poker_evaluators.evaluator(name, codes)
            if peer:
                rows.append(Row(f"one call, {n} cards, tables; peer {name}", "hands/s", own_rate, repeated(*peer)))
            elif n == 5:
                notes.append(f"Without {name}, since it is not installed.")
        course = repeated(poker_course.best_rank, codes[:100])
        rows.append(Row(f"one call, {n} cards, tables; peer poker_course", "hands/s", own_rate, course))
        rows.append(
            Row(f"one call, {n} cards, the kernel in plain Python", "hands/s", repeated(ranking.strength, sets))
        )
        compilation.compiled(ranking).strength(sets[0])
        peer = poker_evaluators.evaluator("eval7", codes)
        peer_rate = repeated(*peer) if peer else None
        rows.append(
            Row(
                f"one call, {n} cards, warm machine code; eval7",
                "hands/s",
                repeated(evaluator.fastest_evaluator(), sets),
                peer_rate,
            )
        )
    return rows


def repeated(evaluate: Callable[..., object], hands: list) -> Probe:
    """A probe: calls a second."""

    def work() -> int:
        for hand in hands:
            evaluate(hand)
        return len(hands)

    return rate(work)


def written(hand: int) -> list[str]:
    """The codes of the cards of a set."""
    return [poker_code(card) for card in cards_of(hand)]


def rows() -> Rows:
    """All rows."""
    notes = [
        f"{HANDS} random hands in bulk; the peer of one joker tries all cards for {TRIED} hands, a small sample;",
        f"the peer of the boards is eval7 in a Python loop, by {BOARDS} boards.",
    ]
    return in_bulk() + with_jokers() + all_hands() + one_by_one(notes), notes
