"""Sequences in generated code, derived from others: comprehensions, slices, zips, lists that a function fills."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.environments.compiled.codegen_values import Body, CodeLines, Items, NumberExpr, Range, Value, minus, plus


@dataclass(frozen=True)
class Mapped(Value):
    """The value of a function for each item of a sequence."""

    items: Value
    function: Callable[[Value], Value]

    def for_each(self, code: CodeLines, body: Body) -> None:
        """The loop over the items."""
        self.items.for_each(code, lambda index, item: body(index, self.function(item)))

    def length(self, code: CodeLines) -> Value:
        """The number of items."""
        return self.items.length(code)

    def item_at(self, index: str) -> Value:
        """The value for one item."""
        return self.function(self.items.item_at(index))


@dataclass(frozen=True)
class Filtered(Value):
    """The items of a sequence that pass a test."""

    items: Value
    test: Callable[[Value], str]

    def for_each(self, code: CodeLines, body: Body) -> None:
        """The loop, with a count of the items that pass."""
        k = code.fresh("k")
        code.add(f"{k} = 0")

        def keep(_: str, item: Value) -> None:
            with code.block(f"if {self.test(item)}:"):
                body(k, item)
                code.add(f"{k} += 1")

        self.items.for_each(code, keep)


@dataclass(frozen=True)
class WithIndex(Value):
    """Each item with its index."""

    items: Value

    def for_each(self, code: CodeLines, body: Body) -> None:
        """The loop over the items."""
        self.items.for_each(code, lambda index, item: body(index, Items((NumberExpr(index), item))))

    def length(self, code: CodeLines) -> Value:
        """The number of items."""
        return self.items.length(code)

    def item_at(self, index: str) -> Value:
        """One item with its index."""
        return Items((NumberExpr(index), self.items.item_at(index)))


@dataclass(frozen=True)
class Sliced(Value):
    """Items ``first`` to ``stop - 1`` of a sequence."""

    items: Value
    first: str
    stop: str

    def for_each(self, code: CodeLines, body: Body) -> None:
        """A loop over indices."""
        Range(self.first, self.stop).for_each(code, lambda index, i: body(index, self.items.item_at(i.text)))

    def length(self, code: CodeLines) -> Value:
        """The number of items."""
        return NumberExpr(minus(self.stop, self.first))

    def item_at(self, index: str) -> Value:
        """One item."""
        return self.items.item_at(plus(self.first, index))


@dataclass(frozen=True)
class Zipped(Value):
    """The items of several sequences side by side, as many as the shortest has."""

    parts: tuple[Value, ...]

    def for_each(self, code: CodeLines, body: Body) -> None:
        """A loop over indices."""
        stop = self.length(code).text
        Range("0", stop).for_each(code, lambda index, i: body(index, self.item_at(i.text)))

    def length(self, code: CodeLines) -> Value:
        """The length of the shortest."""
        lengths = [part.length(code).text for part in self.parts]
        return NumberExpr(lengths[0] if len(set(lengths)) == 1 else f"min({', '.join(lengths)})")

    def item_at(self, index: str) -> Value:
        """One item of each sequence."""
        return Items(tuple(part.item_at(index) for part in self.parts))


@dataclass(frozen=True)
class Joined(Value):
    """Several sequences, one after the other."""

    parts: tuple[Value, ...]

    def for_each(self, code: CodeLines, body: Body) -> None:
        """One loop after the other, with one count of the items."""
        k = code.fresh("k")
        code.add(f"{k} = 0")

        def count(_: str, item: Value) -> None:
            body(k, item)
            code.add(f"{k} += 1")

        for part in self.parts:
            part.for_each(code, count)


@dataclass(frozen=True)
class Reversed(Value):
    """A sequence in reverse; its items are visited from the front, with their new indices."""

    items: Value

    def for_each(self, code: CodeLines, body: Body) -> None:
        """Count, then loop."""
        last = code.fresh("last")
        code.add(f"{last} = {self.items.length(code).text} - 1")
        self.items.for_each(code, lambda index, item: body(f"{last} - {index}", item))

    def length(self, code: CodeLines) -> Value:
        """The number of items."""
        return self.items.length(code)


@dataclass(frozen=True)
class Unordered(Value):
    """The items of a call to ``sorted``, which generated code doesn't sort: usable only where order doesn't matter."""

    items: Value


@dataclass(frozen=True)
class FilledList(Value):
    """A list that a function fills; ``run(body)`` writes the function's code and calls ``body`` for each added item.

    If ``assigns_indices``, the function assigns items to indices, and all other indices hold None.
    """

    run: Callable[[Body], object]
    assigns_indices: bool

    def for_each(self, code: CodeLines, body: Body) -> None:
        """The code of the function."""
        self.run(body)
