"""Ranges: sets of hands of two cards, as poker players write them.

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
from functools import cache

from kibitz.cards import CardSet, as_set, parse_hand
from kibitz.errors import NotationError
from kibitz.games.poker.classes import CLASSES, NAMES, RANKS, combos

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
        raise RangeError(text, min(at, len(text)), f"{part[:20]!r} is no part of a range: {FORMS}.")
    a, b = sorted((RANKS.index(found[1]), RANKS.index(found[2])))
    if a == b and found[3]:
        raise RangeError(text, at + 2, f"{part[:20]!r} is a pair, and no pair is suited: leave the letter out.")
    return a, b, found[3].lower()


def between(text: str, first: Spelt, last: Spelt, part: str, at: int) -> list[str]:
    """The classes from one to another, both included."""
    (a, b, kind), (c, d, other) = sorted((first, last))
    moves_together = c - a == d - b
    if kind != other or (a != c and not moves_together) or ((a == b) != (c == d)):
        sentence = f"{part[:20]!r} has two ends that do not go together: write such as 99-66, A5s-A2s or 76s-54s."
        raise RangeError(text, at, sentence)
    if a == c:
        return [name for kicker in range(b, d + 1) for name in spelt(a, kicker, kind)]
    return [name for step in range(c - a + 1) for name in spelt(a + step, b + step, kind)]


def spelt(a: int, b: int, kind: str) -> list[str]:
    """The names of the classes of two ranks, of both kinds if none is said."""
    if a == b:
        return [RANKS[a] * 2]
    return [RANKS[a] + RANKS[b] + each for each in (kind or "so")]


@cache
def number_of(name: str) -> int:
    """The number of a class by its name."""
    return NAMES.index(name)


def whole_classes(hands: Hands) -> list[int] | None:
    """The classes that hands are made of; None if there is a class of which some are missing."""
    held = set(hands)
    found = [number for number in range(CLASSES) if held.issuperset(combos(number))]
    return found if sum(len(combos(number)) for number in found) == len(held) else None
