"""The 169 classes of two cards before the flop, and what they win all-in against one another.

    class       a pair ``AA``, suited ``AKs`` or offsuit ``AKo``; number ``13 * row + column`` on the usual chart, where
                rows and columns are ranks from the Ace down, and suited hands stand right of the pairs
    combos      the pairs of cards of a class: 6 for a pair, 4 suited, 12 offsuit
    matchup     two classes, with every way to deal both from one pack and every board
    deals       of a matchup, the ways to deal both hands; ``wins`` and ``ties`` are summed over these and all boards

All figures are exact: every board of every way was counted, 1 712 304 each.  They are kept in ``matchups.z``, which
``python -m kibitz.games.poker.matchups`` makes.
"""

from __future__ import annotations

import zlib
from array import array
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from kibitz.cards import CardSet, cards_of

RANKS = "AKQJT98765432"
"""From the Ace down, as charts are drawn."""
CLASSES = len(RANKS) ** 2
BOARDS = 1_712_304
"""Boards for two hands before the flop: C(48, 5)."""
FILE = "matchups.z"


class Matchup(NamedTuple):
    """Two classes all-in: the ways to deal both hands, and over all of them and all boards what the first wins."""

    deals: int
    wins: int
    ties: int

    @property
    def equity(self) -> float:
        """The share of all pots that the first class wins, a tie shared."""
        return (self.wins + self.ties / 2) / (self.deals * BOARDS)


def name_of(number: int) -> str:
    """The name of a class.

    >>> name_of(0), name_of(1), name_of(13)
    ('AA', 'AKs', 'AKo')
    """
    row, column = divmod(number, 13)
    high, low = min(row, column), max(row, column)
    return RANKS[high] + RANKS[low] + ("" if row == column else "s" if row < column else "o")


NAMES = tuple(map(name_of, range(CLASSES)))


@cache
def combos(number: int) -> tuple[CardSet, ...]:
    """Every pair of cards of a class, as sets.

    >>> [len(combos(number)) for number in (0, 1, 13)]
    [6, 4, 12]
    """
    row, column = divmod(number, 13)
    first, second = (4 * ((13 - rank) % 13) for rank in (row, column))
    suits = [(a, b) for a in range(4) for b in range(4)]
    if row == column:
        suits = [(a, b) for a, b in suits if a < b]
    else:
        suits = [(a, b) for a, b in suits if (a == b) == (row < column)]
    return tuple(1 << first + a | 1 << second + b for a, b in suits)


def class_of(cards: CardSet) -> int:
    """The class of two cards.

    >>> name_of(class_of(combos(14)[0]))
    'KK'
    """
    a, b = cards_of(cards)
    high, low = sorted((13 - (card >> 2)) % 13 for card in (a, b))
    return 13 * high + low if a & 3 == b & 3 or high == low else 13 * low + high


def deals(first: int, second: int) -> int:
    """The ways to deal a hand of each of two classes from one pack."""
    return sum(not one & other for one in combos(first) for other in combos(second))


def place(first: int, second: int) -> int:
    """Where a matchup stands in the file, ``first`` not above ``second``: the matchups of the least class first."""
    return first * CLASSES - first * (first - 1) // 2 + second - first


@cache
def counts() -> tuple[array[int], array[int]]:
    """The wins and ties of all matchups whose first class is not above the second, in the order of the file."""
    stored = zlib.decompress(files(__package__).joinpath(FILE).read_bytes())
    half = len(stored) // 2
    return numbers(stored[:half]), numbers(stored[half:])


def numbers(stored: bytes) -> array[int]:
    """Numbers of four bytes each, the lowest byte first."""
    return array("Q", (int.from_bytes(stored[i : i + 4], "little") for i in range(0, len(stored), 4)))


@cache
def matchup(first: int, second: int) -> Matchup:
    """What two classes win against one another.

    >>> round(matchup(0, 14).equity, 4)  # Aces against Kings
    0.8195
    """
    ways = deals(first, second)
    wins, ties = counts()
    at = place(min(first, second), max(first, second))
    won, tied = wins[at], ties[at]
    return Matchup(ways, won if first <= second else ways * BOARDS - won - tied, tied)
