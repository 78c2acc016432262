"""What the one opponent can hold, hand by hand, and how that stands against our own.

    holding     one hand of the opponent, or before the flop one class of hands
    weight      how likely it is, so far as the cards tell: the number of its combos that can be there
    worth       its equity against hands dealt at random, from 0 to 1
    won         our equity against it
    runouts     boards completed at random, on which all holdings are compared at once; on the river the board itself

Plain Python by the tables of ``quick`` and ``classes``: a few milliseconds a field.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from kibitz.cards import Card, as_set
from kibitz.games.poker import ranking
from kibitz.games.poker.classes import CLASSES, class_of, matchup
from kibitz.games.poker.quick import CODES, FLUSHES, RANKS, THREE_EACH, evaluator

RUNOUTS = 14
"""Boards that are completed on the flop and the turn."""


class Holding(NamedTuple):
    """One hand that the opponent can hold, or a class of hands; ``start`` is its class's worth before the flop."""

    weight: float
    worth: float
    won: float
    start: float


@cache
def start_worth() -> tuple[float, ...]:
    """By class, its equity before the flop against a hand dealt at random."""
    found = []
    for one in range(CLASSES):
        met = [matchup(one, other) for other in range(CLASSES)]
        found.append(sum(each.deals * each.equity for each in met) / sum(each.deals for each in met))
    return tuple(found)


@cache
def before_the_flop(own: int) -> tuple[Holding, ...]:
    """The field of a class before the flop, exactly: all classes in their order, since each can meet each."""
    worth, found = start_worth(), [matchup(own, other) for other in range(CLASSES)]
    return tuple(Holding(met.deals, one, met.equity, one) for one, met in zip(worth, found, strict=True))


def field(hand: tuple[Card, ...], board: tuple[Card, ...], random: Random) -> tuple[Holding, ...]:
    """What the opponent can hold, given our hand and the board."""
    if not board:
        return before_the_flop(class_of(as_set(hand)))
    free = [card for card in range(52) if card not in hand and card not in board]
    pairs = list(combinations(free, 2))
    missing = 5 - len(board)
    sums = [[0, 0.0, 0.0] for _ in pairs]
    for _ in range(RUNOUTS if missing else 1):
        drawn = random.sample(free, missing)
        compare(hand, [*board, *drawn], set(drawn), pairs, sums)
    worth = start_worth()
    return tuple(
        Holding(1.0, beaten / times, won / times, worth[start_class(pair)])
        for pair, (times, beaten, won) in zip(pairs, sums, strict=True)
        if times
    )


@cache
def start_class(pair: tuple[Card, Card]) -> int:
    """The class of two cards."""
    return class_of(as_set(pair))


def compare(
    hand: tuple[Card, ...], board: list[Card], drawn: set[Card], pairs: list[tuple[Card, Card]], sums: list[list[float]]
) -> None:
    """Add to the sums of each pair on one full board: times, share of all other pairs beaten, share won against it."""
    tables = evaluator()
    worths, cards = tables.worth, as_set(board)
    base = THREE_EACH + sum(CODES[card] for card in board)
    mine = tables.strength(cards | as_set(hand))
    strengths = []
    for number, (a, b) in enumerate(pairs):
        if a in drawn or b in drawn:
            continue
        total = base + CODES[a] + CODES[b]
        found = ranking.strength(cards | 1 << a | 1 << b) if total & FLUSHES else worths[total & RANKS]
        strengths.append((found, number))
    order = sorted(found for found, _ in strengths)
    share = 1 / (2 * len(order))
    for found, number in strengths:
        each = sums[number]
        each[0] += 1
        each[1] += (bisect_left(order, found) + bisect_right(order, found)) * share
        each[2] += 1.0 if mine > found else 0.5 if mine == found else 0.0
