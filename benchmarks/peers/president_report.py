"""President's moves as a student report has them: every set of up to five cards, and a function that tells its type.

Written from the report's description and the written rules alone, as a slow and simple check.  The report's counter of
repeated values never adds the last group of equal values; this one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

ORDER = "34567890JQKA2"
SUITS = "DCHS"
TYPES = (
    *("single card", "pair", "three of a kind", "four of a kind"),
    *("straight", "flush", "full house", "four and one", "straight flush"),
)


VALUE = [ORDER.index(letter) for letter in "A234567890JQK" for _ in SUITS]
"""By card, 0 for a three to 12 for a two."""


def value(card: int) -> int:
    """0 for a three to 12 for a two."""
    return VALUE[card]


def repeats(values: Sequence[int]) -> list[int]:
    """How often each of the sorted values occurs, in their order."""
    counts: list[int] = []
    previous = None
    for value in values:
        if value == previous:
            counts[-1] += 1
        else:
            counts.append(1)
        previous = value
    return counts


def hand_type(cards: Sequence[int]) -> str | None:
    """The type of some cards; None if they make no move."""
    values = sorted([VALUE[card] for card in cards])
    if len(cards) < 5:
        return TYPES[len(cards) - 1] if values[0] == values[-1] else None
    suit = cards[0] & 3
    flush = all(card & 3 == suit for card in cards)
    if len(set(values)) == 5:
        straight = values[4] - values[0] == 4
        return "straight flush" if straight and flush else "flush" if flush else "straight" if straight else None
    counts = sorted(repeats(values))
    return "four and one" if counts == [1, 4] else "full house" if counts == [2, 3] else None


def strength(cards: Sequence[int]) -> tuple[object, ...]:
    """The key by which moves of one size are compared."""
    kind = hand_type(cards)
    assert kind is not None
    values = sorted((value(card) for card in cards), reverse=True)
    highest = max((value(card), card % 4) for card in cards)
    rank = TYPES.index(kind)
    if kind in ("single card", "pair", "straight", "straight flush"):
        return (rank, *highest)
    if kind == "flush":
        return (rank, *values, cards[0] % 4)
    return rank, max(values, key=values.count)


def all_moves(hand: Sequence[int]) -> list[tuple[int, ...]]:
    """Every move of a hand, by type and strength."""
    moves = [cards for size in range(1, 6) for cards in combinations(hand, size) if hand_type(cards)]
    return sorted(moves, key=strength)
