"""Views as declarations: each field of a view says which part of a state it shows; the rest stays hidden.

    class LastCardView(View, frozen=True):                   # (each also has a ``Doc``, which says what it means)
        round: int                                           # the state's field ``round``
        winner: Seat | None                                  # the field ``winner``, whose -1 means None
        scores: Annotated[tuple[int, ...], Stored("score")]  # the first entries of ``score``, one for each seat
        hand: Annotated[Cards, Own("hand")]                  # the seat's own entry of ``hand``: a set, as cards
        counts: Annotated[tuple[int, ...], Sizes("hand")]    # how many cards each seat's entry has

    view, views, restore = view_functions(LastCardView, LAYOUT)

A field without an annotation shows the state's field of the same name to all.  Its type says how a number is converted:
``bool`` to a truth value, ``... | None`` with -1 as None, cards from a set of bits, lowest first.  ``Coded`` in a type
gives another conversion.

The functions are generated once, as Python source, and are as fast as handwritten ones.  ``view(s, seat)`` is what one
seat may know; ``views(s)`` are the views of the spectator and of all seats, with the common parts made only once;
``restore(s, seen)`` fills a blank state from the view ``seen``.  What a view leaves out is set by the game's
``complete(s, seen)``: hidden cards, which may go anywhere in the right number, and what follows from other fields.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from kibitz.cards import as_set, cards_of
from kibitz.cards.card import CARD
from kibitz.engine.layout import Layout, PlainState
from kibitz.engine.views.events import View
from kibitz.engine.views.field_types import Seat

V = TypeVar("V", bound=View)


class Coded(NamedTuple):
    """Converts a number of a state into a value of the annotated type, and back."""

    read: Callable[[int], Any]
    write: Callable[[Any], int]


def seats_of(bits: int) -> tuple[Seat, ...]:
    """The seats of a set of bits, in ascending order."""
    return tuple(cards_of(bits))


Seats: TypeAlias = Annotated[tuple[Seat, ...], Coded(seats_of, as_set)]
"""Several seats; in a state, a set of bits."""


class ViewFunctions(NamedTuple):
    """The functions that follow from a view's declaration."""

    view: Callable[[PlainState, int], Any]
    views: Callable[[PlainState], tuple[Any, ...]]
    restore: Callable[[PlainState, Any], None]


class Source:
    """Where a field of a view comes from, as code: an expression that reads it and a statement that writes it back."""

    private = False
    """Whether the expression depends on ``seat``, whose view it is."""

    def __repr__(self) -> str:
        parts = [getattr(part, "__name__", repr(part)).replace("<lambda>", "...") for part in vars(self).values()]
        return f"{type(self).__name__}({', '.join(parts)})"

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """An expression that may use ``s``, ``seat`` and ``n``, the number of seats."""
        raise NotImplementedError

    def write(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """A statement that may also use ``seen``, the view; empty if the view doesn't determine the state's field."""
        return ""


@dataclass(frozen=True, repr=False)
class Stored(Source):
    """A field of the state: a number, or of an array the first entries.

    ``count`` says how many: a number, a field of the state, or one for each seat.
    """

    name: str
    count: str | int = "players"

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The number or the entries."""
        if not writer.is_array(self.name):
            return writer.number(hint, f"s.{self.name}")
        return writer.row(hint, f"s.{self.name}[:{size_text(self.count)}]")

    def write(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The assignment of the same entries; entries that the view doesn't have stay as they are."""
        if not writer.is_array(self.name):
            return f"s.{self.name} = {writer.number_back(hint, f'seen.{name}')}"
        return f"s.{self.name}[:len(seen.{name})] = {writer.row_back(hint, f'seen.{name}')}"


@dataclass(frozen=True, repr=False)
class Own(Source):
    """The seat's own entry of an array, or its ``width`` entries; nothing for the spectator."""

    name: str
    width: int = 0
    private = True

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The seat's own entry or entries."""
        w, nothing = self.width, "()" if writer.is_tuple(hint) else "None"
        entry = f"s.{self.name}[{w} * seat : {w} * seat + {w}]" if w else f"s.{self.name}[seat]"
        return f"({writer.row(hint, entry) if w else writer.number(hint, entry)}) if seat >= 0 else {nothing}"

    def write(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The assignment of the same entry or entries."""
        w, value = self.width, f"seen.{name}"
        if w:
            return f"if seat >= 0: s.{self.name}[{w} * seat : {w} * seat + {w}] = {writer.row_back(hint, value)}"
        return f"if seat >= 0: s.{self.name}[seat] = {writer.number_back(hint, value)}"


@dataclass(frozen=True, repr=False)
class Rows(Source):
    """Rows of an array, each ``width`` long: one per seat, or ``rows``; of each, all entries or the first ``count``.

    ``count`` and ``rows`` are numbers or names of fields of the state.
    """

    name: str
    width: int
    count: str | int = 0
    rows: str | int = "players"

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The rows."""
        w, row = self.width, get_args(strip_annotations(hint))[0]
        entries = writer.row(row, f"s.{self.name}[{w} * p : {w} * p + {size_text(self.count or w)}]")
        return f"tuple([{entries} for p in range({size_text(self.rows)})])"

    def write(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The assignment of the same entries."""
        w, row = self.width, get_args(strip_annotations(hint))[0]
        target = f"s.{self.name}[{w} * p : {w} * p + len(r)]"
        return f"for p, r in enumerate(seen.{name}): {target} = {writer.row_back(row, 'r')}"


@dataclass(frozen=True, repr=False)
class Sizes(Source):
    """How many cards the sets of an array have, by seat."""

    name: str

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The numbers of bits."""
        return f"tuple([x.bit_count() for x in s.{self.name}[:n]])"


@dataclass(frozen=True, repr=False)
class Size(Source):
    """How many cards a set has."""

    name: str

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The number of bits."""
        return f"s.{self.name}.bit_count()"


@dataclass(frozen=True, repr=False)
class RevealedAtEnd(Source):
    """The entries of an array, one for each seat, once the game is over: () before that."""

    name: str

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The entries."""
        return f"{writer.row(hint, f's.{self.name}[:n]')} if s.over else ()"

    def write(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """The assignment of the same entries."""
        return f"if seen.over: s.{self.name}[:n] = {writer.row_back(hint, f'seen.{name}')}"


@dataclass(frozen=True, repr=False)
class Computed(Source):
    """The value of a function of the state, the same for all seats; ``back(s, seen)`` restores what it depends on."""

    function: Callable[[PlainState], Any]
    back: Callable[[PlainState, Any], None] | None = None

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """A call."""
        return f"{writer.global_name(self.function)}(s)"

    def write(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """A call."""
        return f"{writer.global_name(self.back)}(s, seen)" if self.back else ""


@dataclass(frozen=True, repr=False)
class ComputedFor(Computed):
    """The value of a function of the state and the seat whose view it is, -1 for the spectator."""

    function: Callable[[PlainState, int], Any]  # type: ignore[assignment]
    private = True

    def read(self, writer: CodeWriter, name: str, hint: Any) -> str:
        """A call."""
        return f"{writer.global_name(self.function)}(s, seat)"


class CodeWriter:
    """Generates code that converts numbers to values of declared types and back; ``names`` are its globals."""

    def __init__(self, layout: Layout) -> None:
        self.names: dict[str, Any] = {"cards_of": cards_of, "as_set": as_set}
        self.arrays = {name for name, _ in layout.arrays}
        self.scalars = set(layout.scalars)

    def is_array(self, name: str) -> bool:
        """Whether a field of the state is an array. Raises TypeError if there is no such field."""
        if name not in self.arrays | self.scalars:
            raise TypeError(f"the state has no field {name!r}")
        return name in self.arrays

    def global_name(self, function: Callable[..., Any]) -> str:
        """The name of a function in the generated code; the function becomes one of the code's globals."""
        name = next((name for name, value in self.names.items() if value is function), f"made_{len(self.names)}")
        self.names[name] = function
        return name

    def number(self, hint: Any, stored: str) -> str:
        """An expression for the value of type ``hint`` that the number ``stored`` stands for."""
        if code := coded(hint):
            return f"{self.global_name(code.read)}({stored})"
        if inner := optional(hint):
            return f"None if {stored} == -1 else {self.number(inner, stored)}"
        if is_cards(hint):
            return f"tuple(cards_of({stored}))"
        return f"bool({stored})" if strip_annotations(hint) is bool else stored

    def number_back(self, hint: Any, value: str) -> str:
        """An expression for the number that a state holds for ``value``."""
        if code := coded(hint):
            return f"{self.global_name(code.write)}({value})"
        if inner := optional(hint):
            return f"-1 if {value} is None else {self.number_back(inner, value)}"
        if is_cards(hint):
            return f"as_set({value})"
        return f"int({value})" if strip_annotations(hint) is bool else value

    def row(self, hint: Any, stored: str) -> str:
        """An expression for a tuple of the values that the numbers in the list ``stored`` stand for."""
        value = self.number(get_args(strip_annotations(hint))[0], "x")
        return f"tuple({stored})" if value == "x" else f"tuple([{value} for x in {stored}])"

    def row_back(self, hint: Any, values: str) -> str:
        """An expression for the numbers that a state holds for the values of a tuple."""
        stored = self.number_back(get_args(strip_annotations(hint))[0], "x")
        return values if stored == "x" else f"[{stored} for x in {values}]"

    @staticmethod
    def is_tuple(hint: Any) -> bool:
        """Whether values of a type are tuples."""
        return get_origin(strip_annotations(hint)) is tuple


def size_text(count: str | int) -> str:
    """A size as text: a number or a field of the state."""
    return "n" if count == "players" else f"s.{count}" if isinstance(count, str) else str(count)


def strip_annotations(hint: Any) -> Any:
    """A type without its annotations."""
    return strip_annotations(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def coded(hint: Any) -> Coded | None:
    """The ``Coded`` annotation of a type, if any."""
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Coded)), None)


def optional(hint: Any) -> Any:
    """The ``X`` of ``X | None``; None for other types."""
    if get_origin(strip_annotations(hint)) not in (Union, UnionType):
        return None
    return next(part for part in get_args(strip_annotations(hint)) if part is not NoneType)


def is_cards(hint: Any) -> bool:
    """Whether a type is a tuple of cards."""
    inside = get_args(strip_annotations(hint))
    return get_origin(strip_annotations(hint)) is tuple and CARD in get_args(inside[0])


def source_of(name: str, hint: Any) -> Source:
    """The source of a field: its annotation, or the state's field of the same name."""
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Source)), Stored(name))


def sources(kind: type[View]) -> dict[str, tuple[Source, Any]]:
    """Every field of a view except ``seat``: where it comes from, and its type."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: (source_of(name, hints[name]), hints[name]) for name in kind.__struct_fields__ if name != "seat"}


def hidden_card_placer(parts: tuple[str, ...], sizes: dict[str, str]) -> Callable[[PlainState, Any], None]:
    """A function that puts the cards that a view hides into those ``parts`` of a state whose sizes the view shows.

    ``sizes`` maps the name of a part to the view's field.
    """

    def lowest_cards(unplaced: int, number: int) -> int:
        return as_set(cards_of(unplaced)[:number])

    def place_hidden_cards(s: PlainState, seen: Any) -> None:
        unplaced = s.pack
        for name in parts:
            value = getattr(s, name)
            for cards in value if isinstance(value, list) else [value]:
                unplaced &= ~cards
        for name in parts:
            if name not in sizes:
                continue
            number, value = getattr(seen, sizes[name]), getattr(s, name)
            if isinstance(value, list):
                for p in range(s.players):
                    value[p] |= lowest_cards(unplaced, number[p] - value[p].bit_count())
                    unplaced &= ~value[p]
            else:
                setattr(s, name, lowest_cards(unplaced, number))
                unplaced &= ~getattr(s, name)

    return place_hidden_cards


def view_functions(
    kind: type[V],
    layout: Layout,
    clear: Callable[[PlainState], object] | None = None,
    complete: Callable[[PlainState, V], None] | None = None,
    parts: tuple[str, ...] = (),
) -> ViewFunctions:
    """The functions that follow from a view's declaration. Raises TypeError if the state lacks a field.

    ``clear(s)`` empties a state except for its options, before anything is restored. ``complete(s, seen)`` adds what
    the view leaves out. ``parts`` are the fields, all of them sets, among which the cards of ``pack`` are divided: if a
    view has only the size of a part, cards that are nowhere else go there, and ``resample`` redeals them.
    """
    writer = CodeWriter(layout)
    reads, writes = {}, []
    for name, (source, hint) in sources(kind).items():
        try:
            reads[name] = (source.private, source.read(writer, name, hint))
            writes.append(source.write(writer, name, hint))
        except TypeError as error:
            raise TypeError(f"{kind.__name__}.{name}: {error}") from None
    sizes = {source.name: name for name, (source, _) in sources(kind).items() if isinstance(source, Sizes | Size)}
    writer.names.update(View=kind, clear=clear, complete=complete, place_hidden_cards=hidden_card_placer(parts, sizes))
    view_arguments = ", ".join(text for _, text in reads.values())
    shared = "".join(f"    all_{name} = {text}\n" for name, (private, text) in reads.items() if not private)
    views_arguments = ", ".join(text if private else f"all_{name}" for name, (private, text) in reads.items())
    first_lines = ["seat = seen.seat", "n = s.players"] + (["clear(s)"] if clear else [])
    last_lines = ["place_hidden_cards(s, seen)"] if parts else []
    last_lines += ["complete(s, seen)"] if complete else []
    text = (
        f"def view(s, seat):\n    n = s.players\n    return View(seat, {view_arguments})\n\n"
        f"def views(s):\n    n = s.players\n{shared}"
        f"    return tuple([View(seat, {views_arguments}) for seat in range(-1, n)])\n\n"
        "def restore(s, seen):\n"
        + "".join(f"    {line}\n" for line in [*first_lines, *filter(None, writes), *last_lines])
    )
    file = f"<{kind.__module__}.{kind.__qualname__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    writer.names["__name__"] = kind.__module__
    exec(compile(text, file, "exec"), writer.names)
    return ViewFunctions(*(writer.names[name] for name in ViewFunctions._fields))
