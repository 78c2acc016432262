"""Views and events as plain Python values, for player files.

    card        as people type it, ``0H``
    seat        a number; None for nobody
    words       the word that ``ValueWords`` has for a number; for ``Flags`` a list of words
    tuple       a list if its length varies, otherwise a tuple; None stays None
    struct      a dictionary by field; the fields of a struct marked ``FLATTENED`` become fields of the view

All of this follows from the declared types of fields, and of properties, which are computed from fields.  ``layout_of``
describes a class: the type (``engine.views.value_types``) and meaning of each field; ``plain`` converts a value.
Meanings come from the annotation ``Doc``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from kibitz.cards import code, face
from kibitz.cards.card import CARD
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.engine.views.field_types import FLATTENED, SEAT, SIZE_ANNOTATIONS, Doc, Flags, ValueWords
from kibitz.engine.views.observation import Coded, Source
from kibitz.engine.views.value_types import (
    ANY,
    BOOL,
    NOTHING,
    NUMBER,
    TEXT,
    Either,
    ListOf,
    NamedType,
    Plain,
    TupleOf,
    Type,
)

Write = Callable[[Any], Any]
CARD_TYPE = NamedType("card", TEXT, "value and suit, the ten as 0: '0H' is the ten of hearts")
SEAT_TYPE = NamedType("seat", NUMBER, "a seat's number, from 0")
PLAIN = {int: NUMBER, str: TEXT, bool: BOOL, float: Plain("float"), NoneType: NOTHING}


class PlainField(NamedTuple):
    """One plain field: the attributes that lead to it (``path``), its conversion (``write``), its type and meaning."""

    name: str
    path: tuple[str, ...]
    write: Write | None
    type: Type
    meaning: str


def plain(value: View | Event | Outcome) -> dict[str, Any]:
    """A view, an event or an outcome as a dictionary of plain values, all lists in it new."""
    return fields_of(value)


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a struct by name."""
    result = {}
    for name, path, write, _, _ in layout_of(value.__class__):
        part = value
        for step in path:
            part = getattr(part, step)
        result[name] = part if write is None else write(part)
    return result


@cache
def layout_of(struct: type) -> tuple[PlainField, ...]:
    """The plain fields of a class, its properties after its fields.

    Raises TypeError for a type without a plain form.
    """
    hints = get_type_hints(struct, include_extras=True)
    meanings = field_meanings(struct)
    result: list[PlainField] = []
    for name in struct.__struct_fields__:  # type: ignore[attr-defined]
        hint = hints[name]
        if FLATTENED in get_args(hint):
            result += [field._replace(path=(name, *field.path)) for field in layout_of(get_args(hint)[0])]
            continue
        try:
            write, kind = conversion(hint)
        except TypeError as error:
            raise TypeError(f"{struct.__name__}.{name}: {error}") from None
        result.append(PlainField(name, (name,), write, kind, meanings.get(name, "")))
    for name, prop in properties_of(struct).items():
        write, kind = conversion(get_type_hints(prop.fget, include_extras=True)["return"])
        summary = (prop.__doc__ or "").partition("\n")[0].rstrip(".")
        result.append(PlainField(name, (name,), write, kind, summary[:1].lower() + summary[1:]))
    names = [field.name for field in result]
    if duplicates := {name for name in names if names.count(name) > 1}:
        raise TypeError(f"{struct.__name__} has two plain fields called {sorted(duplicates)[0]}")
    return tuple(result)


def properties_of(struct: type) -> dict[str, property]:
    """The properties of a class, by name."""
    return {name: member for name, member in vars(struct).items() if isinstance(member, property)}


def field_meanings(struct: type) -> dict[str, str]:
    """The meanings of a class's fields that have one."""
    hints = get_type_hints(struct, include_extras=True).items()
    return {name: mark.meaning for name, hint in hints for mark in get_args(hint) if isinstance(mark, Doc)}


def conversion(hint: Any) -> tuple[Write | None, Type]:
    """The function that converts values of a declared type (None if they are plain already), and the resulting type."""
    if hint in PLAIN:
        return None, PLAIN[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        number_marks = [mark for mark in parts[1:] if not isinstance(mark, Source | Coded | SIZE_ANNOTATIONS | Doc)]
        return number_conversion(parts[0], number_marks[0]) if number_marks else conversion(parts[0])
    if origin in (Union, UnionType):
        return optional(parts)
    if origin is tuple:
        return sequence(parts)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        layout_of(hint)
        return fields_of, NamedType(spaced(hint.__name__), ANY, (hint.__doc__ or "").partition("\n")[0].rstrip("."))
    raise TypeError(f"{hint} has no plain form")


def number_conversion(kind: Any, mark: Any) -> tuple[Write, Type]:
    """The conversion of an annotated number."""
    if kind is not int:
        raise TypeError(f"{mark!r} marks a {kind}, not a number")
    if mark == CARD:
        return card_text, CARD_TYPE
    if mark == SEAT:
        return seat_or_nobody, Either((SEAT_TYPE, NOTHING))
    if isinstance(mark, Flags):
        return lambda value: [word for bit, word in enumerate(mark) if value >> bit & 1], ListOf(choice_of(mark))
    if isinstance(mark, ValueWords):
        return mark.__getitem__, choice_of(mark)
    raise TypeError(f"{mark!r} isn't a known annotation")


def choice_of(words: ValueWords) -> Type:
    """The type of one of some words."""
    return NamedType("word", TEXT, "one of " + ", ".join(map(repr, words)))


def card_text(card: int) -> str:
    """A card or an id as people type it."""
    return code(face(card))


def seat_or_nobody(seat: int) -> int | None:
    """A seat's number; None if it is negative."""
    return seat if seat >= 0 else None


def optional(parts: tuple[Any, ...]) -> tuple[Write | None, Type]:
    """The conversion of an optional value."""
    value_types = [part for part in parts if part is not NoneType]
    if len(value_types) != 1:
        raise TypeError(f"{' | '.join(map(str, parts))} is a union of several types")
    write, kind = conversion(value_types[0])
    options = kind.options if isinstance(kind, Either) else (kind,)
    with_nothing = Either((*options, NOTHING)) if NOTHING not in options else kind
    return (write and (lambda value: None if value is None else write(value))), with_nothing


def sequence(parts: tuple[Any, ...]) -> tuple[Write, Type]:
    """The conversion of a tuple, which becomes a list if its length varies."""
    if len(parts) == 2 and parts[1] is ...:
        write, kind = conversion(parts[0])
        return (list if write is None else lambda values: [write(value) for value in values]), ListOf(kind)
    conversions = [conversion(part) for part in parts]
    writes = [write for write, _ in conversions]

    def convert_items(values: Any) -> tuple[Any, ...]:
        return tuple([w(value) if w else value for w, value in zip(writes, values, strict=True)])

    return convert_items, TupleOf(tuple(kind for _, kind in conversions))


def spaced(name: str) -> str:
    """The name of a class as words.

    >>> spaced("LastHand")
    'last hand'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()
