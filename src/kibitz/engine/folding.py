"""Tuples with something changed: what the folds of all games are made of."""

from collections.abc import Collection
from typing import TypeVar

T = TypeVar("T")


def put(values: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    """A tuple with the item at ``i`` changed.

    >>> put((1, 2, 3), 1, 5)
    (1, 5, 3)
    """
    return (*values[:i], value, *values[i + 1 :])


def without(values: tuple[T, ...], some: Collection[T]) -> tuple[T, ...]:
    """A tuple without some of its items."""
    return tuple(value for value in values if value not in some)
