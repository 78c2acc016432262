"""A rematch: the same players once more, every one a seat further on, so that somebody else deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def moved_on(by_seat: Sequence[T]) -> tuple[T, ...]:
    """What stood by seat, such as names or chairs, in the seats of the rematch.

    >>> moved_on(["Ann", "Ben", "Cem"])
    ('Cem', 'Ann', 'Ben')
    """
    return (*by_seat[-1:], *by_seat[:-1])
