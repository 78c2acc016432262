"""Exact equities: what share of the pot known hands win over all boards that can still come.

    board       the cards that all share: none, 3, 4 or 5
    win, tie    boards that a hand wins alone, and those where it is one of the best
    equity      its share of all pots, a tie shared in equal parts

Every board is counted, in machine code: two hands before the flop are 1 712 304 boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import msgspec

from kibitz.cards import FULL_PACK, CardSet, cards_of, poker_code, shown
from kibitz.engine import compilation
from kibitz.errors import NotationError
from kibitz.games.poker import boards, tables

HOLE, BOARD = 2, 5
BOARDS = (0, 3, 4, 5)
"""How many cards can lie there: before the flop, after it, after the turn and the river."""


class Equity(msgspec.Struct, frozen=True):
    """What each hand wins over ``boards`` boards, in the order of the hands.

    ``wins`` and ``ties`` count boards, ``pots`` are the pots won in all, one a board, of which a tie is a part;
    ``shares`` are of all pots, exact fractions that sum to 1, and ``equities`` the same as floats.
    """

    boards: int
    wins: tuple[int, ...]
    ties: tuple[int, ...]
    pots: tuple[Fraction, ...]

    @property
    def losses(self) -> tuple[int, ...]:
        """Boards that each hand loses."""
        return tuple(self.boards - won - tied for won, tied in zip(self.wins, self.ties, strict=True))

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The share of all pots that each hand wins, exactly; together they are 1."""
        return tuple(pots / self.boards for pots in self.pots)

    @property
    def equities(self) -> tuple[float, ...]:
        """The same from 0 to 1, as floats."""
        return tuple(map(float, self.shares))


def exact(hands: Sequence[CardSet], board: CardSet = 0, dead: CardSet = 0) -> Equity:
    """The equities of 2 to 10 hands of two cards, as sets, over every way to complete the board.

    ``dead`` are cards that cannot come.  NotationError if cards are there twice or are no Texas hold'em.
    Shapes and speed: ``boards.count_boards``; ImportError without Numba.
    """
    import numpy as np

    check_possible(hands, board, dead)
    gone = board | dead
    for hand in hands:
        gone |= hand
    deck, missing = np.array(cards_of(FULL_PACK & ~gone), np.int64), BOARD - board.bit_count()
    if len(deck) < missing:
        raise NotationError(f"{missing} cards are missing on the board, and {len(deck)} are left.")
    kernels, table = compilation.compiled(boards), tables.table()
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
    """NotationError unless this is a situation of Texas hold'em."""
    if not 2 <= len(hands) <= boards.PLAYERS:
        raise NotationError(f"an equity is of 2 to {boards.PLAYERS} hands, not {len(hands)}.")
    seen = 0
    for cards in (*hands, board, dead):
        if type(cards) is not int or cards & ~FULL_PACK:
            raise NotationError(f"{shown(cards)} is no set of cards of one pack; jokers have no equity.")
        if again := seen & cards:
            raise NotationError(f"{poker_code(cards_of(again)[0])} is there twice, and one pack has it once.")
        seen |= cards
    for hand in hands:
        if hand.bit_count() != HOLE:
            raise NotationError(f"a hand of Texas hold'em has {HOLE} cards, not {hand.bit_count()}.")
    if board.bit_count() > BOARD:
        raise NotationError(f"a board has at most {BOARD} cards, not {board.bit_count()}.")
    if board.bit_count() not in BOARDS:
        lie = "1 card lies" if board.bit_count() == 1 else f"{board.bit_count()} cards lie"
        raise NotationError(f"no board has this many cards: {lie} there, and it has none, 3, 4 or 5.")
