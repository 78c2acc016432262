"""Hands of two cards: the 169 classes, their all-in results against each other, and ranges in players' notation.

    class       a pair ``AA``, suited ``AKs`` or offsuit ``AKo``; number ``13 * row + column`` on the usual chart, where
                rows and columns are ranks from the Ace down, and suited hands stand right of the pairs
    combos      the pairs of cards of a class: 6 for a pair, 4 suited, 12 offsuit
    matchup     two classes, with every way to deal both from one pack and every board
    deals       of a matchup, the ways to deal both hands; ``wins`` and ``ties`` are summed over these and all boards

All figures are exact: every board of every way was counted, 1 712 304 each.  They are kept in ``matchups.z``, which
``python -m tools.poker_matchups`` makes.

    range       parts with commas or gaps between them: ``22+, AKs, KTo+, A5s-A2s, 76s-54s, AsKh``
    22+         this pair and all higher ones; ``99-66`` the pairs between
    AKs AKo AK  suited, offsuit, both
    KTo+        KTo and what has a higher second card, KJo and KQo
    A5s-A2s     the second cards between; ``76s-54s`` both cards move together
    AsKh        one hand; suits c d h s or their symbols
    any         all hands (``*`` too)

Ten is T or 10; the order of two ranks and the case of letters do not matter.
"""

from __future__ import annotations

import re
import zlib
from array import array
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from kibitz.cards import CardSet, as_set, cards_of, parse_hand
from kibitz.errors import NotationError

# Classes


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


def matchup_index(first: int, second: int) -> int:
    """The position of a matchup in the file, with ``first`` not above ``second``: those of the lowest class first."""
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
    """The results of two classes against each other.

    >>> round(matchup(0, 14).equity, 4)  # Aces against Kings
    0.8195
    """
    ways = deals(first, second)
    wins, ties = counts()
    at = matchup_index(min(first, second), max(first, second))
    won, tied = wins[at], ties[at]
    return Matchup(ways, won if first <= second else ways * BOARDS - won - tied, tied)


# Ranges


Hands = tuple[CardSet, ...]
CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([SO]?)")
HAND = re.compile(rf"([{RANKS}][CDHS])([{RANKS}][CDHS])")
PART = re.compile(r"[^,;\s]+")
SYMBOLS = str.maketrans("♣♦♥♠", "CDHS", "\ufe0e\ufe0f")
EVERYTHING = ("ANY", "*", "RANDOM")
FORMS = "write such as 22+, 99-66, AKs, KTo+, A5s-A2s, AK, AsKh or any"


class RangeError(NotationError):
    """A range that cannot be read: ``text``, the place ``at`` which it goes wrong, and why, in a sentence."""

    def __init__(self, text: str, at: int, sentence: str) -> None:
        super().__init__(sentence)
        self.text, self.at = text, at

    @property
    def pointed(self) -> str:
        """The text with a caret below the place."""
        return f"{self.text}\n{' ' * self.at}^"


def parse_range(text: str) -> Hands:
    """The hands of a range as sets, each once, in a fixed order; RangeError, with the place, if it cannot be read.

    >>> len(parse_range("22+")), len(parse_range("AKs, KTo+")), len(parse_range("any"))
    (78, 40, 1326)
    """
    found: set[CardSet] = set()
    parts = list(PART.finditer(text))
    if not parts:
        raise RangeError(text, 0, f"a range needs at least one hand: {FORMS}.")
    for part in parts:
        found.update(part_of(text, part[0], part.start()))
    return tuple(sorted(found))


def part_of(text: str, part: str, at: int) -> set[CardSet]:
    """The hands of one part of a range."""
    plain = part.translate(SYMBOLS).upper().replace("10", "T")
    if plain in EVERYTHING:
        return {hand for number in range(CLASSES) for hand in combos(number)}
    if hand := HAND.fullmatch(plain):
        if hand[1] == hand[2]:
            raise RangeError(text, at, f"{part[:20]!r} has one card twice, and one pack has it once.")
        return {as_set(parse_hand(f"{hand[1]} {hand[2]}"))}
    return {hand for name in names_in(text, plain, part, at) for hand in combos(number_of(name))}


def names_in(text: str, plain: str, part: str, at: int) -> list[str]:
    """The classes of one part, such as ``KTo+``."""
    low, dash, high = plain.partition("-")
    first = read_class(text, low.removesuffix("+"), part, at)
    if dash:
        return between(text, first, read_class(text, high, part, at + len(low) + 1), part, at)
    if not plain.endswith("+"):
        return spelt(*first)
    a, b, kind = first
    if a == b:
        return [name for rank in range(a + 1) for name in spelt(rank, rank, kind)]
    return [name for kicker in range(a + 1, b + 1) for name in spelt(a, kicker, kind)]


Spelt = tuple[int, int, str]
"""Two ranks, the higher first (0 for the Ace), and ``s``, ``o`` or nothing."""


def read_class(text: str, plain: str, part: str, at: int) -> Spelt:
    """A class such as ``AKs`` or ``AK``."""
    found = CLASS.fullmatch(plain)
    if not found:
        good = CLASS.match(plain)
        at += len(good[0]) if good else next((k for k, c in enumerate(plain) if c not in RANKS), len(plain))
        raise RangeError(text, min(at, len(text)), f"{part[:20]!r} isn't a part of a range: {FORMS}.")
    a, b = sorted((RANKS.index(found[1]), RANKS.index(found[2])))
    if a == b and found[3]:
        raise RangeError(text, at + 2, f"{part[:20]!r} is a pair, which can't be suited: leave the letter out.")
    return a, b, found[3].lower()


def between(text: str, first: Spelt, last: Spelt, part: str, at: int) -> list[str]:
    """The classes from one to another, both included."""
    (a, b, kind), (c, d, other) = sorted((first, last))
    moves_together = c - a == d - b
    if kind != other or (a != c and not moves_together) or ((a == b) != (c == d)):
        sentence = f"{part[:20]!r} has two ends that don't match: write such as 99-66, A5s-A2s or 76s-54s."
        raise RangeError(text, at, sentence)
    if a == c:
        return [name for kicker in range(b, d + 1) for name in spelt(a, kicker, kind)]
    return [name for step in range(c - a + 1) for name in spelt(a + step, b + step, kind)]


def spelt(a: int, b: int, kind: str) -> list[str]:
    """The names of the classes of two ranks, of both kinds unless one is given."""
    if a == b:
        return [RANKS[a] * 2]
    return [RANKS[a] + RANKS[b] + each for each in (kind or "so")]


@cache
def number_of(name: str) -> int:
    """The number of a class by its name."""
    return NAMES.index(name)


def whole_classes(hands: Hands) -> list[int] | None:
    """The classes that hands consist of; None if some hands of a class are missing."""
    held = set(hands)
    found = [number for number in range(CLASSES) if held.issuperset(combos(number))]
    return found if sum(len(combos(number)) for number in found) == len(held) else None
