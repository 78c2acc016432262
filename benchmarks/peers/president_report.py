"""President's moves as a student report has them: every set of up to five cards, and a function that tells its type.

Written from the report's description and the rule sheet alone, as a slow and obvious second opinion.  The report's
counter of repeated values never adds the last group of equal values; here it does.
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


def value(card: int) -> int:
    """0 for a three to 12 for a two."""
    return ORDER.index("A234567890JQK"[card // 4])


def repeats(values: Sequence[int]) -> list[int]:
    """How often each value comes, in the order of the sorted values."""
    found: list[int] = []
    count = 1
    for before, here in zip(values, values[1:], strict=False):
        if here == before:
            count += 1
        else:
            found.append(count)
            count = 1
    return [*found, count]


def hand_type(cards: Sequence[int]) -> str | None:
    """The type of some cards, None if they are scattered."""
    values = sorted(value(card) for card in cards)
    counts = sorted(repeats(values))
    if len(cards) < 5:
        return TYPES[len(cards) - 1] if len(counts) == 1 else None
    straight = all(here == before + 1 for before, here in zip(values, values[1:], strict=False))
    flush = len({card % 4 for card in cards}) == 1
    if straight and flush:
        return "straight flush"
    if counts == [1, 4]:
        return "four and one"
    if counts == [2, 3]:
        return "full house"
    if flush:
        return "flush"
    return "straight" if straight else None


def strength(cards: Sequence[int]) -> tuple[object, ...]:
    """What moves of one size are compared by."""
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
    found = [some for size in range(1, 6) for some in combinations(hand, size) if hand_type(some)]
    return sorted(found, key=strength)
