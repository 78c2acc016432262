"""Tensors in machine code, directly from states: generates the source of a kernel from a view's declaration.

    observe(s, seat, out)   writes the tensor of ``features(game).observe(game.view(s, seat))`` into cells that are zero

The expressions of ``kibitz.engine.views.observation`` and the functions of a game are translated (``codegen``), and
their values written into cells in the layout of ``kibitz.tensors.cells``.  The module with the kernel is a file beside
the machine code, named after a hash of its text, so that it can be read and stepped through in a debugger.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.cards.sets import lowest, size
from kibitz.engine.kernels.compilation import cache_root
from kibitz.engine.views.observation import CodeWriter
from kibitz.environments.compiled import cell_kernels
from kibitz.environments.compiled.codegen import Translator, expression
from kibitz.environments.compiled.codegen_sequences import FilledList, Filtered, Mapped, Reversed, Unordered
from kibitz.environments.compiled.codegen_values import (
    Branch,
    CodeLines,
    Constant,
    NumberExpr,
    Range,
    State,
    Struct,
    Unsupported,
    Value,
    plus,
)
from kibitz.tensors.cells import (
    CardCell,
    CardMap,
    CardSet,
    Category,
    CategorySet,
    Coding,
    Deck,
    Number,
    SeatCell,
    SeatSet,
    Truth,
)
from kibitz.tensors.composite_cells import BySeat, Listed, Maybe, Parts
from kibitz.tensors.features import Features

CELL_KERNELS = ("relative_seat", "put_seat", "put_one", "put_digits", "put_seats", "put_bits")
BIT = re.compile(r"\(\((.+) >> p\) & 1\)")
"""The test whether a seat ``p`` is among the bits of a number."""
RESERVED = ("s", "seat", "out", "cell", "kernel", "observe")


class ObserveKernelWriter:
    """Generates the kernel of one game."""

    def __init__(self, features: Features) -> None:
        self.features, self.seats = features, features.game.seats
        self.code, self.imports = CodeLines(), {name: getattr(cell_kernels, name) for name in CELL_KERNELS}
        self.imports |= {"lowest": lowest, "size": size}
        self.translator = Translator(features.game.rules.LAYOUT, features.game.options, self.code, self.global_name)

    def global_name(self, value: Any) -> str:
        """The name of a kernel or of a table of numbers in the generated code, which imports or defines it."""
        name = next((name for name, known in self.imports.items() if known is value or known == value), "")
        if not name:
            name = getattr(value, "__name__", "TABLE")
            if name in self.imports or name in RESERVED:
                name = f"{name}_{len(self.imports)}"
            self.imports[name] = value
        return name

    def text(self) -> str:
        """The source of the module; ``Unsupported``, with the field, if the game's Python can't be translated."""
        writer = CodeWriter(self.features.game.rules.LAYOUT)
        for name, source, hint, coding, _, offset in self.features.fields:
            self.code.add(f"# {name}")
            try:
                read = "seat" if name == "seat" else source.read(writer, name, hint)
                scope: dict[str, Value] = {global_name: Constant(value) for global_name, value in writer.names.items()}
                scope |= {"s": State(), "seat": NumberExpr("seat"), "n": Constant(self.seats)}
                self.write(coding, self.translator.value(expression(read), scope), str(offset))
            except Unsupported as error:
                raise Unsupported(f"{name} of {self.features.builder.kind.__name__}: {error}") from None
        return "\n".join(self.head() + self.code.finished_lines()) + "\n"

    def head(self) -> list[str]:
        """The lines above the kernel's body."""
        game = self.features.game
        lines = [
            f'"""What a seat of {game.name} sees, as cells: written from {self.features.builder.kind.__name__}."""',
            "",
        ]
        for name, value in sorted(self.imports.items()):
            if callable(value):
                alias = "" if name == value.__name__ else f" as {name}"
                lines.append(f"from {value.__module__} import {value.__name__}{alias}")
        lines += ["from kibitz.kernel import kernel", ""]
        lines += [f"{name} = {value!r}" for name, value in self.imports.items() if not callable(value)]
        return [*lines, "", "@kernel", "def observe(s, seat, out):", '    """Write what ``seat`` sees of ``s``."""']

    # ------------------------------------------------------------ codings: ``put_...`` writes the code for each kind

    def write(self, coding: Coding, value: Value, at: str) -> None:
        """Add the code that writes a value into the cells from ``at`` on."""
        if isinstance(value, Constant) and (value.value is None or value.value == ()):
            return
        if isinstance(value, Branch) and not isinstance(coding, Truth | Number | Category | CategorySet | SeatCell):
            self.either(coding, value, at)
            return
        if (
            isinstance(value, FilledList)
            and value.assigns_indices
            and not (isinstance(coding, BySeat) and not coding.flag)
        ):
            raise Unsupported("a list that is filled in any order")
        put: Callable[[Any, Value, str], None] = getattr(self, f"put_{type(coding).__name__.lower()}")
        put(coding, value, at)

    def either(self, coding: Coding, value: Branch, at: str) -> None:
        """Write one of two values, each under its condition; a branch without code is left out."""
        first = len(self.code.lines)
        with self.code.block(f"if {value.test}:"):
            self.write(coding, value.yes(), at)
        other = "else:"
        if self.code.lines[first + 1 :] == [self.code.pass_line(1)]:
            del self.code.lines[first:]
            other = f"if not {value.test}:"
        before = len(self.code.lines)
        with self.code.block(other):
            self.write(coding, value.no(), at)
        if self.code.lines[before + 1 :] == [self.code.pass_line(1)]:
            del self.code.lines[before:]

    def put_truth(self, coding: Truth, value: Value, at: str) -> None:
        """A truth value."""
        self.code.add(f"out[{at}] = 1 if {value.text} else 0")

    def put_number(self, coding: Number, value: Value, at: str) -> None:
        """A number."""
        put = "put_one" if coding.one_hot else "put_digits"
        self.code.add(f"{put}(out, {at}, {value.text}, {coding.least}, {coding.most})")

    def put_category(self, coding: Category, value: Value, at: str) -> None:
        """One of some categories."""
        self.code.add(f"out[{plus(at, value.text)}] = 1")

    def put_categoryset(self, coding: CategorySet, value: Value, at: str) -> None:
        """A set of categories."""
        self.code.add(f"put_bits(out, {at}, {value.text}, {coding.size})")

    def put_seatcell(self, coding: SeatCell, value: Value, at: str) -> None:
        """A seat."""
        seat = "seat" if coding.relative else "0"
        self.code.add(f"put_seat(out, {at}, {value.text}, {seat}, {self.seats})")

    def put_seatset(self, coding: SeatSet, value: Value, at: str) -> None:
        """A set of seats: from bits at once, otherwise one by one."""
        if bits := seat_bits(value):
            self.code.add(f"put_seats(out, {at}, {bits}, seat, {self.seats})")
            return
        value.for_each(self.code, lambda _, p: self.put_seatcell(SeatCell(self.seats), p, at))

    def put_cardcell(self, coding: CardCell, value: Value, at: str) -> None:
        """A card."""
        self.code.add(f"out[{self.cell(coding.deck, value.text, at)}] = 1")

    def cell(self, deck: Deck, card: str, at: str) -> str:
        """The cell of a card, as an expression: after ``at``, as many as cards of the deck come before the card."""
        if deck.cards == tuple(range(deck.size)):
            return plus(at, card)
        if deck.cards == tuple(range(52)) + tuple(range(64, 116)):  # two packs: the second begins at 64
            return f"{at} + {card} - 12 * ({card} >> 6)"
        if deck.cards[-1] < 62:  # count the lower bits of the deck
            return f"{at} + size({sum(1 << deck_card for deck_card in deck.cards)} & (1 << {card}) - 1)"
        return f"{at} + {self.global_name(deck.place)}[{card}]"

    def put_cardset(self, coding: CardSet, value: Value, at: str) -> None:
        """A set or a row of cards."""
        if isinstance(value, Unordered) and not coding.ordered:
            value = value.items
        size, copies = coding.deck.size, coding.deck.copies

        def card(index: str, item: Value) -> None:
            cell = self.cell(coding.deck, item.text, at)
            if copies > 1 or coding.ordered:
                name = self.code.fresh("cell")
                self.code.add(f"{name} = {cell}")
                cell = name
            if copies > 1:
                self.code.add(f"out[{cell} + {size} * out[{cell}]] = 1")
            else:
                self.code.add(f"out[{cell}] = 1")
            if coding.ordered:
                self.code.add(f"out[{cell} + {copies * size}] = min({index} + 1, 127)")

        value.for_each(self.code, card)

    def put_cardmap(self, coding: CardMap, value: Value, at: str) -> None:
        """A value for each of some cards."""
        if isinstance(value, Unordered):
            value = value.items

        def card(_: str, item: Value) -> None:
            name = self.code.fresh("cell")
            self.code.add(f"{name} = {at} + {coding.step} * ({self.cell(coding.deck, item.item_at('0').text, '0')})")
            self.code.add(f"out[{name}] = 1")
            self.write(coding.item, item.item_at("1"), f"{name} + 1")

        value.for_each(self.code, card)

    def put_maybe(self, coding: Maybe, value: Value, at: str) -> None:
        """A value that isn't None."""
        if coding.flag:
            self.code.add(f"out[{at}] = 1")
        self.write(coding.inner, value, plus(at, str(int(coding.flag))))

    def put_listed(self, coding: Listed, value: Value, at: str) -> None:
        """Values in a row."""

        def item(index: str, value: Value) -> None:
            with self.code.block(f"if {index} < {coding.most}:"):
                self.row(coding, value, f"{at} + {coding.step} * ({index})")

        (Reversed(value) if coding.latest else value).for_each(self.code, item)

    def put_byseat(self, coding: BySeat, value: Value, at: str) -> None:
        """Values of seats."""

        def item(index: str, value: Value) -> None:
            row = f"relative_seat({index}, seat, {self.seats})"
            if coding.per_seat > 1:
                each = coding.per_seat
                row = f"({each} * relative_seat(({index}) // {each}, seat, {self.seats}) + ({index}) % {each})"
            self.row(coding, value, f"{at} + {coding.step} * {row}")

        value.for_each(self.code, item)

    def row(self, coding: Listed | BySeat, value: Value, at: str) -> None:
        """Write one of several values, with its flag if the coding has one."""
        name = self.code.fresh("row")
        self.code.add(f"{name} = {at}")
        if coding.flag:
            self.code.add(f"out[{name}] = 1")
        self.write(coding.item, value, plus(name, str(int(coding.flag))))

    def put_parts(self, coding: Parts, value: Value, at: str) -> None:
        """The values of a struct or of a tuple."""
        offset = 0
        for k, part in enumerate(coding.parts):
            item = (
                value.fields[coding.names[k]] if isinstance(value, Struct) and coding.names else value.item_at(str(k))
            )
            self.write(part, item, plus(at, str(offset)))
            offset += part.size


def seat_bits(value: Value) -> str:
    """The ``number`` of a value ``p for p in range(...) if number >> p & 1``, as text; empty for other values."""
    if not (isinstance(value, Mapped) and isinstance(value.items, Filtered) and isinstance(value.items.items, Range)):
        return ""
    if value.items.items.first != "0" or value.function(NumberExpr("p")).text != "p":
        return ""
    match = BIT.fullmatch(value.items.test(NumberExpr("p")))
    return match[1] if match else ""


def observer_module(features: Features) -> ModuleType:
    """The module with the kernel of a game; ``Unsupported`` if it can't be generated."""
    text = ObserveKernelWriter(features).text()
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = f"kibitz_observing_{re.sub('[^a-z0-9]+', '_', features.game.name)}_{digest}"
    if name not in sys.modules:
        file = cache_root() / "observing" / f"{name}.py"
        write_if_changed(file, text)
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def write_if_changed(file: Path, text: str) -> None:
    """Write a file, unless it already has this text; other processes may write it at the same time."""
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, file)
