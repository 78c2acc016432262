"""Several values as cells: what may be None, lists, values of all seats, tuples and structs (see ``cells``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.tensors.cells import Coding, relative_seat


@dataclass(frozen=True)
class Maybe(Coding):
    """A value or None; an extra cell before it says whether there is one, unless its own cells show that."""

    inner: Coding
    flag: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (1 + self.inner.size,) if self.flag else self.inner.shape

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        return (
            f"1 unless None, then {self.inner.description}"
            if self.flag
            else f"{self.inner.description}; nothing for None"
        )

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the value."""
        if value is not None:
            if self.flag:
                out[at] = 1
            self.inner.write(value, out, at + self.flag, seat)


@dataclass(frozen=True)
class Listed(Coding):
    """Up to ``most`` values in a row, the first or the latest; with a flag, a cell before each says if it is there."""

    item: Coding
    most: int
    flag: bool
    latest: bool = False

    @property
    def step(self) -> int:
        """The number of cells for one value."""
        return self.flag + self.item.size

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (self.most, self.step) if self.flag else (self.most, *self.item.shape)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        item_description = f"1 if there is one, then {self.item.description}" if self.flag else self.item.description
        extent = f"the latest {self.most}, the last one first" if self.latest else f"up to {self.most}, in order"
        return f"{extent}; for each, {item_description}"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the values."""
        for item in (value[::-1] if self.latest else value)[: self.most]:
            if self.flag:
                out[at] = 1
            self.item.write(item, out, at + self.flag, seat)
            at += self.step


@dataclass(frozen=True)
class BySeat(Coding):
    """Values of all seats, ``per_seat`` of each, beginning with the observer's."""

    item: Coding
    seats: int
    per_seat: int
    flag: bool

    @property
    def step(self) -> int:
        """The number of cells for one value."""
        return self.flag + self.item.size

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        first = (self.seats,) if self.per_seat == 1 else (self.seats, self.per_seat)
        return (*first, self.step) if self.flag else (*first, *self.item.shape)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        item_description = f"1 if there is one, then {self.item.description}" if self.flag else self.item.description
        return f"yourself first; for each, {item_description}"

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the values."""
        for k, item in enumerate(value[: self.seats * self.per_seat]):
            row = relative_seat(k // self.per_seat, seat, self.seats) * self.per_seat + k % self.per_seat
            if self.flag:
                out[at + row * self.step] = 1
            self.item.write(item, out, at + row * self.step + self.flag, seat)


@dataclass(frozen=True)
class Parts(Coding):
    """The values of a tuple or of a struct, one after the other; ``names`` are a struct's fields."""

    parts: tuple[Coding, ...]
    names: tuple[str, ...] = ()

    @property
    def can_be_zero(self) -> bool:  # type: ignore[override]
        """Whether all parts can be zero."""
        return all(part.can_be_zero for part in self.parts)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells."""
        return (sum(part.size for part in self.parts),)

    @property
    def description(self) -> str:
        """The meaning of the cells."""
        if not self.names:
            return "; ".join(part.description for part in self.parts)
        return "; ".join(f"{name}: {part.description}" for name, part in zip(self.names, self.parts, strict=True))

    def write(self, value: Any, out: Any, at: int, seat: int) -> None:
        """Write the values."""
        values: Sequence[Any] = [getattr(value, name) for name in self.names] if self.names else value
        for part, item in zip(self.parts, values, strict=True):
            part.write(item, out, at, seat)
            at += part.size
