"""Equities: the share of the pot that known hands, or hands of ranges, win over all boards that can still come.

    board       the community cards: none, 3, 4 or 5
    win, tie    a board on which a hand is the best, or one of several equally good ones
    equity      a hand's share of all pots; tied hands share a pot in equal parts

Every board is counted, in machine code: two hands before the flop are 1 712 304 boards.

    way         one way to give every player a hand of its range, without a card in common; all are equally likely
    budget      the maximum number of showdowns that are counted or sampled
    error       half the width of the 95 % interval of a sampled equity; 0 for an exact one

For two ranges of whole classes before the flop, the table of ``ranges`` gives the exact equity at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb

import msgspec

from kibitz.cards import FULL_PACK, CardSet, cards_of, poker_code, short_repr
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import standalone_rng
from kibitz.errors import NotationError
from kibitz.games.poker.hands import boards, bulk
from kibitz.games.poker.hands.boards import PLAYERS, SHARE
from kibitz.games.poker.hands.ranges import BOARDS, Hands, matchup, whole_classes

# Known hands


HOLE, BOARD = 2, 5
BOARD_SIZES = (0, 3, 4, 5)
"""The possible sizes of a board: before the flop, after it, after the turn and the river."""


class Equity(msgspec.Struct, frozen=True):
    """The results of each hand over ``boards`` boards, in the order of the hands.

    ``wins`` and ``ties`` count boards; ``pots`` counts the pots won, one per board, with a fraction for each tie.
    """

    boards: int
    wins: tuple[int, ...]
    ties: tuple[int, ...]
    pots: tuple[Fraction, ...]

    @property
    def losses(self) -> tuple[int, ...]:
        """The number of boards that each hand loses."""
        return tuple(self.boards - won - tied for won, tied in zip(self.wins, self.ties, strict=True))

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The share of all pots that each hand wins, exactly; together they are 1."""
        return tuple(pots / self.boards for pots in self.pots)

    @property
    def equities(self) -> tuple[float, ...]:
        """The shares as floats from 0 to 1."""
        return tuple(map(float, self.shares))


def hand_equity(hands: Sequence[CardSet], board: CardSet = 0, dead: CardSet = 0) -> Equity:
    """The equities of 2 to 10 hands of two cards, as sets, over every way to complete the board.

    ``dead`` are cards that can't come. Raises NotationError if a card appears twice or if this isn't Texas hold'em.
    Raises ImportError without Numba.
    """
    import numpy as np

    check_possible(hands, board, dead)
    used = board | dead
    for hand in hands:
        used |= hand
    deck, missing = np.array(cards_of(FULL_PACK & ~used), np.int64), BOARD - board.bit_count()
    if len(deck) < missing:
        raise NotationError(f"{missing} cards are missing on the board, but only {len(deck)} are left.")
    kernels, table = compilation.compiled(boards), bulk.table()
    work, tally = np.zeros(boards.WORK, np.int64), np.zeros(boards.TALLY, np.int64)
    held = np.array([hand | board for hand in hands], np.int64)
    players, n = len(hands), len(deck) if missing else 0
    kernels.prepare(held, players, deck, n, work)
    first, last = (1, n + 1) if missing > 1 else (0, 1)
    kernels.count_boards(players, max(n, 1), max(missing, 1), first, last, *table, work, tally)
    counts = [tally[start : start + players].tolist() for start in (boards.WINS, boards.TIES, boards.SHARES)]
    pots = tuple(Fraction(parts, boards.SHARE) for parts in counts[2])
    return Equity(comb(n, missing), tuple(counts[0]), tuple(counts[1]), pots)


def check_possible(hands: Sequence[CardSet], board: CardSet, dead: CardSet) -> None:
    """Raise NotationError unless this is a situation of Texas hold'em."""
    if not 2 <= len(hands) <= boards.PLAYERS:
        raise NotationError(f"an equity needs 2 to {boards.PLAYERS} hands, not {len(hands)}.")
    seen = 0
    for cards in (*hands, board, dead):
        if type(cards) is not int or cards & ~FULL_PACK:
            raise NotationError(f"{short_repr(cards)} isn't a set of cards of one pack without jokers.")
        if again := seen & cards:
            raise NotationError(f"{poker_code(cards_of(again)[0])} appears twice, but a pack has only one.")
        seen |= cards
    for hand in hands:
        if hand.bit_count() != HOLE:
            raise NotationError(f"a hand of Texas hold'em has {HOLE} cards, not {hand.bit_count()}.")
    if board.bit_count() > BOARD:
        raise NotationError(f"a board has at most {BOARD} cards, not {board.bit_count()}.")
    if board.bit_count() not in BOARD_SIZES:
        raise NotationError(f"a board has 0, 3, 4 or 5 cards, not {board.bit_count()}.")


# Ranges


BUDGET = 20_000_000
"""The default budget."""
MAX_WAYS = 200_000
"""With more ways than this, equities are sampled."""
STANDARD_ERRORS = 1.96
"""Half the width of a 95 % interval, in standard errors."""
BATCH = 1_000_000
"""How many showdowns are sampled per call of the kernel."""


class RangeEquity(msgspec.Struct, frozen=True):
    """The share of all pots that each player wins, from 0 to 1, in the order of the ranges.

    ``exact`` says whether every showdown was counted.  If not, ``errors`` are half the widths of the 95 % intervals.
    ``showdowns`` is how many were counted or sampled.
    """

    exact: bool
    showdowns: int
    equities: tuple[float, ...]
    errors: tuple[float, ...]


def range_equity(
    ranges: Sequence[Hands], board: CardSet = 0, dead: CardSet = 0, budget: int = BUDGET, seed: int = 0
) -> RangeEquity:
    """The equities of 2 to 10 ranges against each other; if the budget is too small for all, ``seed`` sets the sample.

    Raises NotationError if every choice of hands has a card twice, or for hands other than hold'em's, and ImportError
    without Numba.
    """
    if not 2 <= len(ranges) <= PLAYERS:
        raise NotationError(f"an equity needs 2 to {PLAYERS} ranges, not {len(ranges)}.")
    if type(budget) is not int or budget < 1:
        raise NotationError(f"a budget must be at least 1 showdown, not {short_repr(budget)}.")
    possible = [tuple(hand for hand in hands if not hand & (board | dead)) for hands in ranges]
    for number, hands in enumerate(possible, 1):
        if not hands:
            raise NotationError(f"range {number} has no hand left: every hand has a card of the board or a dead card.")
    check_possible(two_unused_hands(board | dead), board, dead)
    if len(ranges) == 2 and not board and not dead and (result := by_classes(possible)):
        return result
    if result := exact_range_equity(possible, board, dead, budget):
        return result
    return sampled_range_equity(possible, board, dead, budget, seed)


def two_unused_hands(taken: CardSet) -> list[CardSet]:
    """Two hands of unused cards, with which ``check_possible`` checks the board and the dead cards alone."""
    free = [1 << card for card in range(52) if not taken >> card & 1][:4]
    return [free[0] | free[1], free[2] | free[3]]


def by_classes(ranges: Sequence[Hands]) -> RangeEquity | None:
    """The equity of two ranges before the flop from the table; None unless both consist of whole classes."""
    first, second = (whole_classes(hands) for hands in ranges)
    if first is None or second is None:
        return None
    deals = pots = 0.0
    for one in first:
        for other in second:
            pairing = matchup(one, other)
            deals += pairing.deals
            pots += (pairing.wins + pairing.ties / 2) / BOARDS
    if not deals:
        raise incompatible_ranges()
    return RangeEquity(True, int(deals) * BOARDS, (pots / deals, 1 - pots / deals), (0.0, 0.0))


def incompatible_ranges() -> NotationError:
    """The error for ranges whose hands always have a card in common."""
    return NotationError("these ranges have no hands without a card in common.")


def ways(ranges: Sequence[Hands], taken: CardSet = 0) -> Iterator[tuple[CardSet, ...]]:
    """Every way to give each player a hand of its range, without the cards in ``taken``."""
    if not ranges:
        yield ()
        return
    for hand in ranges[0]:
        if not hand & taken:
            for others in ways(ranges[1:], taken | hand):
                yield (hand, *others)


def exact_range_equity(ranges: Sequence[Hands], board: CardSet, dead: CardSet, budget: int) -> RangeEquity | None:
    """The exact equity; None if that needs more showdowns than the budget allows."""
    unseen = 52 - (board | dead).bit_count() - 2 * len(ranges)
    boards = comb(unseen, BOARD - board.bit_count())
    symmetries = suit_symmetries(board, dead)
    way_counts: Counter[tuple[CardSet, ...]] = Counter()  # ways that differ only by a permutation of suits count as one
    for number, way in enumerate(ways(ranges)):
        way_counts[min(tuple(renamed(hand, suits) for hand in way) for suits in symmetries)] += 1
        if number >= MAX_WAYS or len(way_counts) * boards > budget:
            return None
    if not way_counts:
        raise incompatible_ranges()
    pots = [0.0] * len(ranges)
    for way, times in way_counts.items():
        for player, pots_won in enumerate(hand_equity(way, board, dead).pots):
            pots[player] += times * float(pots_won)
    total = sum(way_counts.values()) * boards
    return RangeEquity(True, total, tuple(won / total for won in pots), (0.0,) * len(ranges))


def suit_symmetries(board: CardSet, dead: CardSet) -> list[tuple[int, ...]]:
    """The permutations of the suits that change neither the board nor the dead cards."""
    return [
        suits
        for suits in permutations(range(4))
        if renamed(board, suits) == board and renamed(dead, suits) == dead
    ]  # fmt: skip


def renamed(cards: CardSet, suits: tuple[int, ...]) -> CardSet:
    """The same cards with suit ``i`` replaced by ``suits[i]``.

    >>> renamed(0b0011, (1, 0, 2, 3)), renamed(0b0001, (3, 1, 2, 0))
    (3, 8)
    """
    return sum(1 << (card & ~3 | suits[card & 3]) for card in cards_of(cards))


def sampled_range_equity(ranges: Sequence[Hands], board: CardSet, dead: CardSet, budget: int, seed: int) -> RangeEquity:
    """The equity from random showdowns, as many as the budget allows."""
    import numpy as np

    kernels, table = compilation.compiled(boards), bulk.table()
    hands = np.array([hand for hand_range in ranges for hand in hand_range], np.int64)
    starts = np.cumsum([0, *map(len, ranges)], dtype=np.int64)
    held, sums, squares = (np.zeros(PLAYERS, np.int64) for _ in range(3))
    s, players, drawn = standalone_rng(seed), len(ranges), 0
    while drawn < budget:
        batch = min(BATCH, budget - drawn)
        sampled = kernels.sample(s, hands, starts, players, board, dead, batch, *table, held, sums, squares)
        drawn += sampled
        if sampled < batch:
            raise incompatible_ranges()
    means = sums[:players] / drawn / SHARE
    variances = np.maximum(squares[:players] / drawn / SHARE**2 - means**2, 0)
    errors = STANDARD_ERRORS * np.sqrt(variances / drawn)
    return RangeEquity(False, drawn, tuple(map(float, means)), tuple(map(float, errors)))


def compile_kernels() -> None:
    """Compile the kernels of hands, boards and equities, by calling each function once."""
    bulk.evaluate_many([0b11111])
    bulk.evaluate_many([0b11111], black=1)
    hand_equity([0b11, 0b1100])
    hand_equity([0b11, 0b1100, 0b110000])
