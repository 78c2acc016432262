"""Hole cards of hold'em: the 169 classes, their all-in results against each other, and ranges in players' notation.

    class       a pair ``AA``, suited ``AKs`` or offsuit ``AKo``; number ``13 * row + column`` on the usual chart, where
                rows and columns are ranks from the Ace down, and suited hands are to the right of the pairs
    combos      all hands of a class: 6 of a pair, 4 suited, 12 offsuit
    matchup     two classes, with every way to deal both from one pack and every board
    deals       the number of ways to deal the two hands of a matchup; ``wins`` and ``ties`` are summed over these ways
                and all boards

All figures are exact: in each way to deal both hands, all 1 712 304 boards were counted.  They are kept in
``matchups.z``, which ``python -m tools.poker_matchups`` makes.

    range       parts with commas or spaces between them: ``22+, AKs, KTo+, A5s-A2s, 76s-54s, AsKh``
    22+         this pair and all higher ones; ``99-66``: these pairs and those between them
    AKs AKo AK  suited, offsuit, both
    KTo+        KTo and the classes with a higher second card, KJo and KQo
    A5s-A2s     the second cards from 5 to 2; ``76s-54s``: both cards go down together
    AsKh        one hand; suits are c, d, h, s or their symbols
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
    """Two classes all-in: the number of ways to deal both, and how often the first wins or ties on all boards."""

    deals: int
    wins: int
    ties: int

    @property
    def equity(self) -> float:
        """The share of all pots that the first class wins; ties are split."""
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
    """The number of ways to deal two hands, one of each class, from one pack."""
    return sum(not one & other for one in combos(first) for other in combos(second))


def matchup_index(first: int, second: int) -> int:
    """The position of a matchup in the file, which is sorted by first class, then second; ``first <= second``."""
    return first * CLASSES - first * (first - 1) // 2 + second - first


@cache
def counts() -> tuple[array[int], array[int]]:
    """The wins and ties of all matchups with ``first <= second``, in the order of the file."""
    stored = zlib.decompress(files(__package__).joinpath(FILE).read_bytes())
    half = len(stored) // 2
    return unpacked(stored[:half]), unpacked(stored[half:])


def unpacked(stored: bytes) -> array[int]:
    """Numbers stored in four bytes each, the lowest byte first."""
    return array("Q", (int.from_bytes(stored[i : i + 4], "little") for i in range(0, len(stored), 4)))


@cache
def matchup(first: int, second: int) -> Matchup:
    """The results of two classes against each other.

    >>> round(matchup(0, 14).equity, 4)  # Aces against Kings
    0.8195
    """
    ways = deals(first, second)
    wins, ties = counts()
    index = matchup_index(min(first, second), max(first, second))
    first_wins, first_ties = wins[index], ties[index]
    return Matchup(ways, first_wins if first <= second else ways * BOARDS - first_wins - first_ties, first_ties)


# Ranges


Hands = tuple[CardSet, ...]
CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([SO]?)")
HAND = re.compile(rf"([{RANKS}][CDHS])([{RANKS}][CDHS])")
PART = re.compile(r"[^,;\s]+")
SYMBOLS = str.maketrans("♣♦♥♠", "CDHS", "\ufe0e\ufe0f")
EVERYTHING = ("ANY", "*", "RANDOM")
EXAMPLES = "write something like 22+, 99-66, AKs, KTo+, A5s-A2s, AK or AsKh, or any for all hands"


class RangeError(NotationError):
    """A range that cannot be read: ``at`` is the index in ``text`` at which it goes wrong; the message says why."""

    def __init__(self, text: str, at: int, sentence: str) -> None:
        super().__init__(sentence)
        self.text, self.at = text, at

    @property
    def with_caret(self) -> str:
        """The text, with a caret below the place where it goes wrong."""
        return f"{self.text}\n{' ' * self.at}^"


def parse_range(text: str) -> Hands:
    """The hands of a range as sets, each once, in a fixed order. Raises RangeError if it cannot be read.

    >>> len(parse_range("22+")), len(parse_range("AKs, KTo+")), len(parse_range("any"))
    (78, 40, 1326)
    """
    hands: set[CardSet] = set()
    parts = list(PART.finditer(text))
    if not parts:
        raise RangeError(text, 0, f"a range needs at least one hand: {EXAMPLES}.")
    for part in parts:
        hands.update(hands_of_part(text, part[0], part.start()))
    return tuple(sorted(hands))


def hands_of_part(text: str, part: str, at: int) -> set[CardSet]:
    """The hands of one part of a range."""
    plain = part.translate(SYMBOLS).upper().replace("10", "T")
    if plain in EVERYTHING:
        return {hand for number in range(CLASSES) for hand in combos(number)}
    if hand := HAND.fullmatch(plain):
        if hand[1] == hand[2]:
            raise RangeError(text, at, f"{part[:20]!r} has one card twice, but a pack has it only once.")
        return {as_set(parse_hand(f"{hand[1]} {hand[2]}"))}
    return {hand for name in names_in(text, plain, part, at) for hand in combos(number_of(name))}


def names_in(text: str, plain: str, part: str, at: int) -> list[str]:
    """The names of the classes of one part, such as ``KTo+``."""
    low, dash, high = plain.partition("-")
    first = read_class(text, low.removesuffix("+"), part, at)
    if dash:
        return between(text, first, read_class(text, high, part, at + len(low) + 1), part, at)
    if not plain.endswith("+"):
        return class_names(*first)
    a, b, kind = first
    if a == b:
        return [name for rank in range(a + 1) for name in class_names(rank, rank, kind)]
    return [name for kicker in range(a + 1, b + 1) for name in class_names(a, kicker, kind)]


ClassParts = tuple[int, int, str]
"""The indices in RANKS of two ranks, the higher rank first, and ``s``, ``o`` or nothing."""


def read_class(text: str, plain: str, part: str, at: int) -> ClassParts:
    """A class such as ``AKs`` or ``AK``."""
    parsed = CLASS.fullmatch(plain)
    if not parsed:
        prefix = CLASS.match(plain)
        at += len(prefix[0]) if prefix else next((k for k, c in enumerate(plain) if c not in RANKS), len(plain))
        raise RangeError(text, min(at, len(text)), f"{part[:20]!r} isn't a part of a range: {EXAMPLES}.")
    a, b = sorted((RANKS.index(parsed[1]), RANKS.index(parsed[2])))
    if a == b and parsed[3]:
        raise RangeError(text, at + 2, f"{part[:20]!r} is a pair, which can't be suited: leave the letter out.")
    return a, b, parsed[3].lower()


def between(text: str, first: ClassParts, last: ClassParts, part: str, at: int) -> list[str]:
    """The names of the classes from one to another, both included."""
    (a, b, kind), (c, d, other) = sorted((first, last))
    moves_together = c - a == d - b
    if kind != other or (a != c and not moves_together) or ((a == b) != (c == d)):
        sentence = f"{part[:20]!r} has two ends that don't match: write something like 99-66, A5s-A2s or 76s-54s."
        raise RangeError(text, at, sentence)
    if a == c:
        return [name for kicker in range(b, d + 1) for name in class_names(a, kicker, kind)]
    return [name for step in range(c - a + 1) for name in class_names(a + step, b + step, kind)]


def class_names(a: int, b: int, kind: str) -> list[str]:
    """The names of the classes of two ranks: suited and offsuit, unless ``kind`` says which."""
    if a == b:
        return [RANKS[a] * 2]
    return [RANKS[a] + RANKS[b] + each for each in kind or "so"]


@cache
def number_of(name: str) -> int:
    """The number of a class by its name."""
    return NAMES.index(name)


def whole_classes(hands: Hands) -> list[int] | None:
    """The classes that make up these hands; None if one of their classes is incomplete."""
    held = set(hands)
    complete = [number for number in range(CLASSES) if held.issuperset(combos(number))]
    return complete if sum(len(combos(number)) for number in complete) == len(held) else None
