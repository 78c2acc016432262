"""Equities of ranges against one another: counted exactly where the budget is enough, else drawn at random.

    way         one way to give every player a hand of its range, no card twice; all are equally likely
    budget      the most showdowns that are looked at
    error       half the 95 % interval of a sampled equity; 0 for exact ones

Two ranges of whole classes before the flop are exact at once, from the table of ``classes``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import comb

import msgspec

from kibitz.cards import CardSet, cards_of, shown
from kibitz.engine import compilation
from kibitz.engine.sampler import sampler
from kibitz.errors import NotationError
from kibitz.games.poker import showdowns, tables
from kibitz.games.poker.boards import PLAYERS, SHARE
from kibitz.games.poker.classes import BOARDS, matchup
from kibitz.games.poker.equity import BOARD, check_possible, exact
from kibitz.games.poker.ranges import Hands, whole_classes

BUDGET = 20_000_000
MOST_WAYS = 200_000
"""More ways than these are not gone through one by one."""
CERTAIN = 1.96
PIECE = 1_000_000


class RangeEquity(msgspec.Struct, frozen=True):
    """The share of all pots that each player wins, from 0 to 1, in the order of the ranges.

    ``exact`` says whether every showdown was counted; else ``errors`` are half the 95 % intervals.  ``showdowns`` are
    those counted, each with its weight, or drawn.
    """

    exact: bool
    showdowns: int
    equities: tuple[float, ...]
    errors: tuple[float, ...]


def range_equity(
    ranges: Sequence[Hands], board: CardSet = 0, dead: CardSet = 0, budget: int = BUDGET, seed: int = 0
) -> RangeEquity:
    """What 2 to 10 ranges win against one another; ``seed`` decides what is drawn where the budget is too small.

    NotationError if no hands of the ranges go together, or for what is no Texas hold'em; ImportError without Numba.
    """
    if not 2 <= len(ranges) <= PLAYERS:
        raise NotationError(f"an equity is of 2 to {PLAYERS} ranges, not {len(ranges)}.")
    if type(budget) is not int or budget < 1:
        raise NotationError(f"a budget is 1 showdown or more, not {shown(budget)}.")
    possible = [tuple(hand for hand in hands if not hand & (board | dead)) for hands in ranges]
    for number, hands in enumerate(possible, 1):
        if not hands:
            raise NotationError(f"range {number} has no hand left: all of them hold a card of the board or a dead one.")
    check_possible(unused(board | dead), board, dead)
    if len(ranges) == 2 and not board and not dead and (found := by_classes(possible)):
        return found
    if found := counted(possible, board, dead, budget):
        return found
    return sampled(possible, board, dead, budget, seed)


def unused(taken: CardSet) -> list[CardSet]:
    """Two hands of cards that are not taken, for whoever only asks about the others."""
    free = [1 << card for card in range(52) if not taken >> card & 1][:4]
    return [free[0] | free[1], free[2] | free[3]]


def by_classes(ranges: Sequence[Hands]) -> RangeEquity | None:
    """The equity of two ranges of whole classes before the flop; None for others."""
    first, second = (whole_classes(hands) for hands in ranges)
    if first is None or second is None:
        return None
    deals = pots = 0.0
    for one in first:
        for other in second:
            found = matchup(one, other)
            deals += found.deals
            pots += (found.wins + found.ties / 2) / BOARDS
    if not deals:
        raise no_way()
    return RangeEquity(True, int(deals) * BOARDS, (pots / deals, 1 - pots / deals), (0.0, 0.0))


def no_way() -> NotationError:
    """The refusal of ranges of which no hands go together."""
    return NotationError("no hands of these ranges go together: each choice has a card twice.")


def ways(ranges: Sequence[Hands], taken: CardSet = 0) -> Iterator[tuple[CardSet, ...]]:
    """Every way to give each player a hand."""
    if not ranges:
        yield ()
        return
    for hand in ranges[0]:
        if not hand & taken:
            for others in ways(ranges[1:], taken | hand):
                yield (hand, *others)


def counted(ranges: Sequence[Hands], board: CardSet, dead: CardSet, budget: int) -> RangeEquity | None:
    """The exact equity; None if that needs more showdowns than the budget has."""
    left = 52 - (board | dead).bit_count() - 2 * len(ranges)
    boards = comb(left, BOARD - board.bit_count())
    alike = suits_alike(board, dead)
    found: Counter[tuple[CardSet, ...]] = Counter()
    for number, way in enumerate(ways(ranges)):
        found[min(tuple(renamed(hand, suits) for hand in way) for suits in alike)] += 1
        if number >= MOST_WAYS or len(found) * boards > budget:
            return None
    if not found:
        raise no_way()
    pots = [0.0] * len(ranges)
    for way, times in found.items():
        for player, won in enumerate(exact(way, board, dead).pots):
            pots[player] += times * float(won)
    total = sum(found.values()) * boards
    return RangeEquity(True, total, tuple(won / total for won in pots), (0.0,) * len(ranges))


def suits_alike(board: CardSet, dead: CardSet) -> list[tuple[int, ...]]:
    """The ways to rename suits that change neither board nor dead cards."""
    return [
        suits
        for suits in permutations(range(4))
        if renamed(board, suits) == board and renamed(dead, suits) == dead
    ]  # fmt: skip


def renamed(cards: CardSet, suits: tuple[int, ...]) -> CardSet:
    """The same cards with other suits.

    >>> renamed(0b0011, (1, 0, 2, 3)), renamed(0b0001, (3, 1, 2, 0))
    (3, 8)
    """
    return sum(1 << (card & ~3 | suits[card & 3]) for card in cards_of(cards))


def sampled(ranges: Sequence[Hands], board: CardSet, dead: CardSet, budget: int, seed: int) -> RangeEquity:
    """The equity by showdowns drawn at random, as many as the budget has."""
    import numpy as np

    kernels, table = compilation.compiled(showdowns), tables.table()
    hands = np.array([hand for each in ranges for hand in each], np.int64)
    starts = np.cumsum([0, *map(len, ranges)], dtype=np.int64)
    held, sums, squares = (np.zeros(PLAYERS, np.int64) for _ in range(3))
    s, players, drawn = sampler(seed), len(ranges), 0
    while drawn < budget:
        piece = min(PIECE, budget - drawn)
        done = kernels.sample(s, hands, starts, players, board, dead, piece, *table, held, sums, squares)
        drawn += done
        if done < piece:
            raise no_way()
    means = sums[:players] / drawn / SHARE
    spread = np.maximum(squares[:players] / drawn / SHARE**2 - means**2, 0)
    errors = CERTAIN * np.sqrt(spread / drawn)
    return RangeEquity(False, drawn, tuple(map(float, means)), tuple(map(float, errors)))
