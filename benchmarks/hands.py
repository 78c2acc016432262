"""Scoring hands, in machine code and in plain Python, beside peers: Go's partitions, poker and cribbage.

partitions   the best partitions of ten cards: their list in plain Python, their score and number in machine code.
             "All optima" are all partitions with the highest score, as ``kibitz.games.go.groups.best_partitions`` lists
             them; the peer finds them by brute force.
poker_hands  poker hands in bulk, with jokers, all of them, exact equities; and single calls from Python
cribbage     single shows, all shows, random games to 121, and the time of a decision of ``greedy`` and ``best``.  The
             peers of a single show are the scorers on PyPI, the peer of games is OpenSpiel (C++), each if it is
             installed; benchmarks/peers/open_spiel.py checks whether OpenSpiel finds the right winner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import combinations, islice
from math import comb
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

import kibitz
from benchmarks import games, hand_loops
from benchmarks.harness import Probe, Row, Rows, cpu_rate, each_time, rate
from benchmarks.peers import go_classes, open_spiel, poker_course, published
from kibitz.cards import FULL_PACK, as_set, cards_of, parse_hand, poker_code
from kibitz.cards.notation import code
from kibitz.engine.kernels import compilation
from kibitz.games.cribbage.hands import bulk as cribbage_bulk
from kibitz.games.cribbage.hands import lookup as cribbage_lookup
from kibitz.games.cribbage.hands.show import show
from kibitz.games.cribbage.policies import best, greedy
from kibitz.games.cribbage.scoring import show_points
from kibitz.games.go import groups
from kibitz.games.poker.hands import bulk, evaluator, lookup, ranking, wild
from kibitz.games.poker.hands.equity import hand_equity

PARTITIONED, LOOPED, BRUTE_FORCED = 2000, 20_000, 3
"""Hands for plain Python, for the compiled loop and for the brute force."""


def partitions() -> Rows:
    """Rows of plain Python, of the coursework function and of machine code, against trying every partition."""
    random = Random(1)
    hands = [random.sample(range(52), 10) for _ in range(LOOPED)]
    codes = [[code(card) for card in hand] for hand in hands]
    brute = each_time(go_classes.best_partitions, codes[:BRUTE_FORCED])
    untried = iter(codes[BRUTE_FORCED:])

    def try_next() -> int:
        go_classes.best_partitions(next(untried))
        return 1

    plain_hands = hands[:PARTITIONED]
    table_rows = [
        Row("all optima, median", "s", each_time(groups.best_partitions, plain_hands), brute, 60e-6),
        Row("all optima, 99th percentile", "s", each_time(groups.best_partitions, plain_hands, 99), None, 250e-6),
    ]
    notes = [
        f"{PARTITIONED} random hands a repeat in plain Python, {LOOPED} compiled; "
        f"the peer, benchmarks/peers/go_classes.py, tries every partition of {BRUTE_FORCED} hands, a small sample."
    ]
    try:
        from kibitz.coursework.comp10001 import comp10001go_best_partitions as coursework
    except ImportError:
        notes.append("Left out: comp10001go_best_partitions, since kibitz.coursework.comp10001 is missing.")
    else:
        plain_codes = codes[:PARTITIONED]
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
        total, ways_of_hand = groups.best_partitions(hands[i])
        if (totals[i], ways[i]) != (total, len(ways_of_hand)):
            raise AssertionError(f"machine code and Python disagree on the hand {hands[i]}")
    return partition


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
    peer = published.evaluator("eval7", hands_with_boards)
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
        for name in published.EVALUATORS:
            peer = published.evaluator(name, codes)
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
        peer = published.evaluator("eval7", codes)
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


def poker_hands() -> Rows:
    """All rows of poker hands."""
    notes = [
        f"{HANDS} random hands in bulk; the peer of one joker tries all cards for {TRIED} hands, a small sample;",
        f"the peer of the boards is eval7 in a Python loop, by {BOARDS} boards.",
    ]
    return in_bulk() + with_jokers() + all_hands() + one_by_one(notes), notes


SHOWS = 200_000
SAMPLE = 2_000

Cards = tuple[Sequence[int], int]


def some_shows(n: int) -> list[Cards]:
    """Random hands of four cards, each with a starter."""
    random = Random(n)
    cards = [random.sample(range(52), 5) for _ in range(n)]
    return [(five[:4], five[4]) for five in cards]


def shows_one_by_one(score: Callable[[Sequence[int], int], object], sample: Sequence[Cards]) -> Probe:
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
    wide, table = starters.astype(np.int64), cribbage_bulk.table()
    fast, slow = compilation.compiled(cribbage_lookup).score_rows, compilation.compiled(hand_loops).show_each
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


def cribbage() -> Rows:
    """Rows of shows, games and decisions, each beside its peers."""
    sample = some_shows(SAMPLE)
    plain_shows = shows_one_by_one(
        lambda hand, starter: show_points(sum(1 << card for card in hand), starter, 0), sample
    )
    peers = published.scorers()
    table, anew = in_batches()
    cribbage_bulk.tally()
    table_rows = [
        Row("all 12 994 800 shows, compiled", "s", each_time(lambda _: cribbage_bulk.tally(), [0]), None, 30e-3),
        Row("random shows, compiled, with a table", "shows/s", table),
        Row("random shows, compiled, counted anew", "shows/s", anew),
        Row("shows with their items, plain", "shows/s", shows_one_by_one(show, sample[:200])),
        *(
            Row(f"shows, plain; peer {name}", "shows/s", plain_shows, shows_one_by_one(peers[name], sample))
            for name in peers
        ),
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
    return table_rows, cribbage_notes(sample, peers)


def cribbage_notes(sample: Sequence[Cards], peers: dict[str, published.Scorer]) -> list[str]:
    """Sentences on which peers are missing, and how often the others break the rules of scoring."""
    correct = [show(hand, starter).points for hand, starter in sample]
    sentences = []
    for name, score in peers.items():
        wrong = sum(score(hand, starter) != points for (hand, starter), points in zip(sample, correct, strict=True))
        sentences.append(f"{name} scores {100 * wrong / len(sample):.1f} % of {len(sample)} random shows wrongly.")
    if find_spec("pyspiel") is None:
        sentences.append(f"Games: {open_spiel.MISSING[0].lower()}{open_spiel.MISSING[1:]}")
    if missing := published.missing_scorers():
        sentences.append(f"Without the peers {', '.join(missing)}, since they are not installed.")
    return sentences
