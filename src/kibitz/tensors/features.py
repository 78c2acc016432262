"""A position as one seat sees it, as a tensor: derived from what the game's view declares.

    features(game)      the layout of a game's tensors, and the tensor of a view
    plane               the cells of one field: its name, its shape, where it begins, what it means
    left out            a field without a plane, with the reason

A tensor is one row of int8 cells. They are 0 or 1, except in an ordered list of cards, where a cell holds a card's
position. The tensor holds exactly what the view's fields hold, so it can't tell a seat anything that it may not know.
Different views give different tensors, with three exceptions: a number beyond the bound in its plane's meaning becomes
the bound, a position after 127 becomes 127, and rows beyond those of a plane are left out.

How a field is laid out follows from its type and its annotations (``observation`` and ``field_types`` in
``engine.views``); see ``cells`` for the codings.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from kibitz.cards import short_repr
from kibitz.cards.card import CARD
from kibitz.engine.game import Game
from kibitz.engine.registry import game_of
from kibitz.engine.views.events import View
from kibitz.engine.views.field_types import ANY_ORDER, SEAT, Flags, Latest, Most, PerSeat, ValueWords
from kibitz.engine.views.observation import (
    Computed,
    ComputedFor,
    Own,
    RevealedAtEnd,
    Rows,
    Size,
    Sizes,
    Source,
    Stored,
    coded,
    optional,
    source_of,
    strip_annotations,
)
from kibitz.engine.views.plain import field_meanings
from kibitz.errors import NotationError
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
    bound_of,
)
from kibitz.tensors.composite_cells import BySeat, Listed, Maybe, Parts

if TYPE_CHECKING:
    import numpy as np

CACHED_VALUES = 5_000
"""How many values of fields are cached with their cells."""
DEFAULT_LENGTH = 12
"""The length of a list without a declared length."""


class Plane(NamedTuple):
    """The cells of one field: ``size`` of them from ``offset`` on, as an array of ``shape``."""

    name: str
    shape: tuple[int, ...]
    offset: int
    meaning: str
    private: bool

    @property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)


class FieldCells(NamedTuple):
    """One field of a view as cells: the source of its value, and its coding."""

    name: str
    source: Source
    hint: Any
    coding: Coding
    meaning: str
    offset: int


class Features:
    """The layout of a game's tensors.

    game        the game, with its options: the layout depends on them
    size        how many cells a tensor has
    planes      name, shape, offset, meaning of every plane, and whether other seats cannot see it
    left_out    fields that are in no plane, each with the reason
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.builder = CodingBuilder(game)
        self.fields, self.left_out = self.builder.fields()
        self.size = self.fields[-1].offset + self.fields[-1].coding.size
        self.cache: dict[tuple[int, int, Any], bytes] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the planes, in order."""
        return tuple(plane.name for plane in self.planes)

    @cached_property
    def planes(self) -> tuple[Plane, ...]:
        """All planes, in order."""
        return tuple(plane for field in self.fields for plane in planes_of(field))

    def __getitem__(self, name: str) -> Plane:
        for plane in self.planes:
            if plane.name == name:
                return plane
        raise NotationError(f"{self.game.name} has no plane {short_repr(name)}; known planes: {', '.join(self.names)}.")

    def observe(self, view: View) -> np.ndarray[Any, Any]:
        """The tensor of a view, shape (``size``,), int8. Raises NotationError if the view is of another game."""
        import numpy as np

        if type(view) is not self.builder.kind:
            raise NotationError(f"view must be one of {self.game.name}, not {short_repr(view)}.")
        parts, seat = [], view.seat
        for coding, name in self.codings:
            value = getattr(view, name)
            cells = self.cache.get((coding, seat, value))
            parts.append(self.cells(coding, seat, value) if cells is None else cells)
        return np.frombuffer(bytearray().join(parts), np.int8)

    @cached_property
    def codings(self) -> list[tuple[int, str]]:
        """The number of each field's coding, and the field's name."""
        return [(k, field.name) for k, field in enumerate(self.fields)]

    def cells(self, coding: int, seat: int, value: Any) -> bytes:
        """The cells of a value with the coding of this number; recent values are cached."""
        field_coding = self.fields[coding].coding
        out = bytearray(field_coding.size)
        field_coding.write(value, out, 0, seat)
        if len(self.cache) >= CACHED_VALUES:
            self.cache.clear()
        self.cache[coding, seat, value] = bytes(out)
        return self.cache[coding, seat, value]

    def __str__(self) -> str:
        from kibitz.engine.columns import tabulated

        rows = [(p.name, "×".join(map(str, p.shape)), str(p.offset), p.meaning) for p in self.planes]
        lines = tabulated([("name", "shape", "offset", "meaning"), *rows], left=(0, 3))
        title = f"{self.game.name}: {self.size:,} cells, int8; seats are counted from the viewing seat"
        return "\n".join([title, *lines, *(f"left out: {name}, {why}" for name, why in self.left_out)])

    def __repr__(self) -> str:
        return f"features({self.game.name!r})"


def features(game: Game | str) -> Features:
    """The layout of a game's tensors: ``print`` shows it as a table, ``observe(view)`` gives the tensor of a view.

    Raises NotationError for an unknown game.

    >>> kuhn = features("kuhn")
    >>> kuhn["hand"].shape, kuhn["hand"].private
    ((3,), True)
    >>> kuhn.observe(kuhn.game.view(kuhn.game.deal(1), 0)).shape == (kuhn.size,)
    True
    """
    return Features(game_of(game))


class CodingBuilder:
    """Derives the coding of every field of a game's view; ``kind`` is the view's class."""

    def __init__(self, game: Game) -> None:
        self.options, self.seats = game.options, game.seats
        self.deck, self.bound = Deck.of(game.options), bound_of(game.options, game.seats)
        self.arrays = dict(game.rules.LAYOUT.arrays)
        self.kind: type[View] = type(game.view(game.deal(0), 0))

    def fields(self) -> tuple[tuple[FieldCells, ...], tuple[tuple[str, str], ...]]:
        """All fields that have cells, and those left out: names, each with the reason."""
        hints, meanings = get_type_hints(self.kind, include_extras=True), field_meanings(self.kind)
        fields, left_out, offset = [], [], 0
        for name in self.kind.__struct_fields__:
            source, hint = source_of(name, hints[name]), hints[name]
            meaning = meanings.get(name, "")
            if name == "seat":
                coding: Coding | None = SeatCell(self.seats, relative=False)
            else:
                coding = self.field(name, source, hint, meaning)
            if coding is None or not coding.size:
                left_out.append((name, self.why_not(name, hint)))
                continue
            fields.append(FieldCells(name, source, hint, coding, meaning, offset))
            offset += coding.size
        return tuple(fields), tuple(left_out)

    def why_not(self, name: str, hint: Any) -> str:
        """Why a field has no cells."""
        if strip_annotations(hint) in (str, float):
            return f"a {strip_annotations(hint).__name__}, which has no cells"
        return "the same in every position: an option of the game"

    def field(self, name: str, source: Source, hint: Any, meaning: str) -> Coding | None:
        """The coding of a field; None for an option, which is the same in every position."""
        stored = source.name if isinstance(source, Stored) else name
        if isinstance(source, Stored | Computed) and stored in self.options and not is_struct(hint):
            return None
        if isinstance(source, Size | Sizes):
            number = Number(0, self.deck.size * self.deck.copies)
            return BySeat(number, self.seats, 1, flag=False) if isinstance(source, Sizes) else number
        by_seat = meaning.startswith("by seat") if meaning else isinstance(source, Rows | RevealedAtEnd)
        if isinstance(source, Computed):
            return self.coding_of(hint, by_seat=by_seat)
        layers = 2 if isinstance(source, Rows) else 1 if self.shows_array(source) else 0
        return self.coding_of(
            hint, layers, self.lengths(source), by_seat=by_seat, one_per_seat=isinstance(source, Stored | Rows)
        )

    def shows_array(self, source: Any) -> bool:
        """Whether a field shows an array of the state, with one item for each entry."""
        return isinstance(source, RevealedAtEnd) or (
            source.width > 0 if isinstance(source, Own) else source.name in self.arrays
        )

    def lengths(self, source: Any) -> tuple[int, ...]:
        """The lengths of the nested tuples that a field shows, outermost first."""
        if isinstance(source, Rows):
            count = source.count if isinstance(source.count, int) and source.count else source.width
            rows = self.seats if source.rows == "players" else source.rows
            return (rows if isinstance(rows, int) else self.arrays[source.name] // source.width, count)
        if isinstance(source, Own):
            return (source.width,)
        if isinstance(source, Stored) and source.name in self.arrays:
            length = self.seats if source.count == "players" else source.count
            return (length if isinstance(length, int) else self.arrays[source.name],)
        return (self.seats,)

    def coding_of(
        self,
        hint: Any,
        layers: int = -1,
        lengths: tuple[int, ...] = (),
        *,
        by_seat: bool = False,
        one_per_seat: bool = False,
    ) -> Coding | None:
        """The coding of a type.

        At depth ``layers`` of nested tuples, the state stores one integer: cards or seats there are a bit set, without
        an order. ``lengths`` are the lengths of these tuples. With ``one_per_seat``, the outermost tuple always has an
        item for each seat.
        """
        annotations = get_args(hint)[1:] if get_origin(hint) is not None and hasattr(hint, "__metadata__") else ()
        if inner := optional(hint):
            coding = self.coding_of(inner, layers, lengths, by_seat=by_seat)
            return coding and Maybe(coding, coding.can_be_zero and not isinstance(coding, SeatCell))
        kind, single = strip_annotations(hint), layers == 0 or coded(hint) is not None
        if is_struct(hint):
            return self.struct(kind)
        if kind is bool:
            return Truth()
        if kind is int:
            return self.number(annotations)
        if get_origin(kind) is tuple:
            return self.tuple_of(
                hint, annotations, layers, lengths, single=single, by_seat=by_seat, one_per_seat=one_per_seat
            )
        return None

    def number(self, annotations: tuple[Any, ...]) -> Coding:
        """The coding of a number with these annotations."""
        for mark in annotations:
            if mark == CARD:
                return CardCell(self.deck)
            if mark == SEAT:
                return SeatCell(self.seats)
            if isinstance(mark, Flags):
                return CategorySet(tuple(mark))
            if isinstance(mark, ValueWords):
                return Category(tuple(mark))
            if isinstance(mark, Most):
                return Number(mark.least, mark.most)
        return Number(-self.bound, self.bound)

    def tuple_of(
        self, hint: Any, annotations: tuple[Any, ...], layers: int, lengths: tuple[int, ...],
        *, single: bool, by_seat: bool, one_per_seat: bool,
    ) -> Coding | None:  # fmt: skip
        """The coding of a tuple."""
        items = get_args(strip_annotations(hint))
        if len(items) == 2 and items[1] is ...:
            item_annotations = get_args(items[0])
            if CARD in item_annotations:
                return CardSet(self.deck, ordered=not single and ANY_ORDER not in annotations)
            if SEAT in item_annotations and single:
                return SeatSet(self.seats)
            if ANY_ORDER in annotations and len(item_annotations) == 2 and CARD in get_args(item_annotations[0]):
                value = self.coding_of(item_annotations[1])
                return value and CardMap(self.deck, value)
        item = self.coding_of(items[0], layers - 1, lengths[1:])
        if item is None:
            return None
        each = next((mark.items for mark in annotations if isinstance(mark, PerSeat)), 0)
        if each or by_seat:
            flag = item.can_be_zero and not (one_per_seat or each or isinstance(item, Maybe))
            return BySeat(item, self.seats, each or 1, flag)
        if len(items) != 2 or items[1] is not ...:
            parts = [self.coding_of(part) for part in items]
            return None if None in parts else Parts(tuple(part for part in parts if part))
        if latest := next((mark.items for mark in annotations if isinstance(mark, Latest)), 0):
            return Listed(item, latest, item.can_be_zero, latest=True)
        most = next(
            (mark.most for mark in annotations if isinstance(mark, Most)), lengths[0] if lengths else DEFAULT_LENGTH
        )
        return Listed(item, most, item.can_be_zero)

    def struct(self, kind: Any) -> Coding | None:
        """The coding of a struct: of its fields, except options and fields without cells."""
        hints, meanings = get_type_hints(kind, include_extras=True), field_meanings(kind)
        parts = {
            name: self.coding_of(hints[name], by_seat=meanings.get(name, "").startswith("by seat"))
            for name in kind.__struct_fields__
            if name not in self.options
        }
        codings = {name: part for name, part in parts.items() if part}
        return Parts(tuple(codings.values()), tuple(codings)) if codings else None


def is_struct(hint: Any) -> bool:
    """Whether a type is a struct, or a struct or None."""
    kind = strip_annotations(optional(hint) or hint)
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def planes_of(field: FieldCells) -> list[Plane]:
    """The planes of one field: one, or one for each field of a struct."""
    private = isinstance(field.source, Own | ComputedFor)
    coding, at, result = field.coding, field.offset, []
    if isinstance(coding, Maybe) and isinstance(coding.inner, Parts) and coding.inner.names:
        if coding.flag:
            result.append(Plane(f"{field.name}?", (1,), at, f"whether there is one: {field.meaning}", private))
            at += 1
        coding = coding.inner
    if not isinstance(coding, Parts) or not coding.names:
        return [Plane(field.name, coding.shape, at, plane_text(field.meaning, coding), private)]
    meanings = field_meanings(strip_annotations(optional(field.hint) or field.hint))
    for name, part in zip(coding.names, coding.parts, strict=True):
        result.append(Plane(f"{field.name}.{name}", part.shape, at, plane_text(meanings.get(name, ""), part), private))
        at += part.size
    return result


def plane_text(meaning: str, coding: Coding) -> str:
    """The meaning of a plane, and its coding."""
    return f"{meaning} ({coding.description})" if meaning else coding.description
