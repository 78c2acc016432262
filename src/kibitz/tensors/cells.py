"""Values of views as cells: how each declared type is laid out in a tensor of small integers.

    cell        one entry of the tensor, an int8
    coding      how the values of one type are written into ``size`` cells, all zero before
    deck        the cards that can occur; a set of cards has a cell for each of them
    relative    seats are counted from the observer: it is 0, the next on its left 1; a spectator sees absolute seats
    can_be_zero whether a value may leave all cells of a coding zero; if so, an extra cell before them, a flag, tells
                that value from None and from a missing row

Every coding describes its cells in words, for ``Features``; ``kibitz.environments.compiled.observe_kernel`` writes the
same cells in machine code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from kibitz.cards.sets import FULL_PACK

MAX_CARD_NUMBERS = 128
"""Card numbers are below this, even with two packs."""
ONE_HOT = 33
"""A number with at most this many values is one-hot; others are written in binary digits."""
JOKERS = 3
SETS = ("pack", "again")
"""Options that are sets of cards."""
MAX_OPTION = 10**9
"""Larger options are sets of cards too, or stand for no limit, so ``bound_of`` ignores them."""
LEAST_BOUND = 1023


@dataclass(frozen=True)
class Deck:
    """The cards that can occur in a game: ``place[card]`` is a card's cell, -1 for a card that the game doesn't use."""

    cards: tuple[int, ...]
    place: tuple[int, ...]
    size: int
    copies: int

    @classmethod
    def of(cls, options: Mapping[str, int]) -> Deck:
        """The deck of a game by its options: the set ``pack``, and ``again``, those that occur twice; or ``packs``.

        With two packs, the copies of a card are different cards; the default is 52 cards and the jokers.
        """
        pack = (1 << 52 + JOKERS) - 1
        if "pack" in options:
            pack = options["pack"]
        elif "packs" in options:
            pack = sum(FULL_PACK << 64 * k for k in range(min(options["packs"], 2)))
        cards = [card for card in range(MAX_CARD_NUMBERS) if pack >> card & 1]
        place = [-1] * MAX_CARD_NUMBERS
        for k, card in enumerate(cards):
            place[card] = k
        return cls(tuple(cards), tuple(place), len(cards), 2 if options.get("again") else 1)


class Coding:
    """How to write the values of one type."""

    can_be_zero = True

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        raise NotImplementedError

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        raise NotImplementedError

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write a value from cell ``at`` on, as ``seat`` sees it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Truth(Coding):
    """A truth value in one cell."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (1,)

    @property
    def description(self) -> str:
        """The meaning of the cell."""
        return "1 if so"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        if value:
            out[at] = 1


@dataclass(frozen=True)
class Number(Coding):
    """A whole number from ``least`` to ``most``; numbers outside are clipped."""

    least: int
    most: int

    @property
    def one_hot(self) -> bool:
        """Whether every value has a cell."""
        return self.most - self.least < ONE_HOT

    @property
    def can_be_zero(self) -> bool:  # type: ignore[override]
        """Whether 0 leaves all cells zero, as it does in binary digits."""
        return not self.one_hot

    @property
    def digits(self) -> int:
        """The number of binary digits."""
        return max(self.most, -self.least).bit_length()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.most - self.least + 1 if self.one_hot else self.digits + (self.least < 0),)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        if self.one_hot:
            return f"one cell for each number from {self.least} to {self.most}"
        sign = "1 if negative, then " if self.least < 0 else ""
        return f"{sign}{self.digits} binary digits, the lowest first, up to {self.most:,}"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        value = min(max(value, self.least), self.most)
        if self.one_hot:
            out[at + value - self.least] = 1
            return
        if self.least < 0:
            out[at] = value < 0
            at += 1
        value = abs(value)
        while value:
            out[at] = value & 1
            value >>= 1
            at += 1


@dataclass(frozen=True)
class Category(Coding):
    """One of some categories: a cell for each."""

    labels: tuple[str, ...]
    can_be_zero = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (len(self.labels),)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return "one cell each: " + ", ".join(self.labels)

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        out[at + value] = 1


@dataclass(frozen=True)
class CategorySet(Coding):
    """A set of categories: a cell for each."""

    labels: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (len(self.labels),)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return "1 for each that is true: " + ", ".join(self.labels)

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        for k in range(self.size):
            out[at + k] = value >> k & 1


@dataclass(frozen=True)
class SeatCell(Coding):
    """A seat, relative to the observer (``relative``) or absolute; no cell is set for nobody."""

    seats: int
    relative: bool = True

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.seats,)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return "one cell for each seat, yourself first" if self.relative else "one cell for each seat, seat 0 first"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        if value >= 0:
            out[at + (relative_seat(value, seat, self.seats) if self.relative else value)] = 1


@dataclass(frozen=True)
class SeatSet(Coding):
    """A set of seats."""

    seats: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.seats,)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return "1 for each such seat, yourself first"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        for p in value:
            out[at + relative_seat(p, seat, self.seats)] = 1


@dataclass(frozen=True)
class CardCell(Coding):
    """One card."""

    deck: Deck
    can_be_zero = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.deck.size,)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return "one cell for each card"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        if (place := self.deck.place[value]) >= 0:
            out[at + place] = 1


@dataclass(frozen=True)
class CardSet(Coding):
    """Several cards: a plane for each copy of a card, and one for their places if their order matters."""

    deck: Deck
    ordered: bool

    @property
    def planes(self) -> int:
        """The number of planes."""
        return self.deck.copies + self.ordered

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.planes, self.deck.size) if self.planes > 1 else (self.deck.size,)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        first = "1 for each card that is there"
        second = ", again for those that are there twice" if self.deck.copies > 1 else ""
        return first + second + (", then for each its place in the order, numbered from 1" if self.ordered else "")

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the values."""
        place, size, copies = self.deck.place, self.deck.size, self.deck.copies
        for k, card in enumerate(value):
            if (cell := place[card]) < 0:
                continue
            cell += at
            if copies > 1 and out[cell]:
                out[cell + size] = 1
            else:
                out[cell] = 1
            if self.ordered:
                out[cell + copies * size] = min(k + 1, 127)


@dataclass(frozen=True)
class CardMap(Coding):
    """A value for each of some cards, given as pairs whose order doesn't matter."""

    deck: Deck
    item: Coding

    @property
    def step(self) -> int:
        """The number of cells for a card."""
        return 1 + self.item.size

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.deck.size, self.step)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return f"for each card: 1 if it is one of them, then {self.item.description}"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the values."""
        for card, item in value:
            if (place := self.deck.place[card]) >= 0:
                out[at + place * self.step] = 1
                self.item.write(item, out, at + place * self.step + 1, seat)


def relative_seat(p: int, seat: int, seats: int) -> int:
    """A seat's number counted from another seat; unchanged for a spectator (``seat`` -1).

    >>> relative_seat(0, 3, 4), relative_seat(3, 3, 4), relative_seat(2, -1, 4)
    (1, 0, 2)
    """
    return (p - seat) % seats if seat >= 0 else p


def bound_of(options: Mapping[str, int], seats: int) -> int:
    """The default bound of numbers: twice the largest option times the seats, rounded up to 2**n - 1."""
    amounts = [value for name, value in options.items() if name not in SETS and value <= MAX_OPTION]
    largest = max(amounts, default=0)
    return max(LEAST_BOUND, (1 << (2 * seats * largest).bit_length()) - 1)
