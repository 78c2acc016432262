"""Types of plain values as assignments publish them, to show to people and to check values with.

    Plain       ``str``, ``int``, ``bool``, ``None``; ``any`` is any value at all, ``function`` any callable
    ListOf      a list of any length whose items have one type
    FixedList   a list with a type for each of its items
    TupleOf     a tuple with a type for each of its items
    Either      one of several types
    NamedType   a type with the assignment's name for it, and its meaning
    Signature   a function: its parameters in order, and what it returns

``str`` of a type is its notation, such as ``tuple[pile, pile]``; ``type_mismatch`` says where a value doesn't fit.
Types are exact: a tuple isn't a list, and True isn't an int.  Only the standard library is needed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Plain(NamedTuple):
    """A type without parts, by its name."""

    kind: str

    def __str__(self) -> str:
        return self.kind


class ListOf(NamedTuple):
    """A list of any length."""

    item: Type

    def __str__(self) -> str:
        return f"list[{self.item}]"


class FixedList(NamedTuple):
    """A list with a fixed number of items."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


class TupleOf(NamedTuple):
    """A tuple with a fixed number of items."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


class Either(NamedTuple):
    """One of several types."""

    options: tuple[Type, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


class NamedType(NamedTuple):
    """A type with a name of its own."""

    name: str
    of: Type
    meaning: str

    def __str__(self) -> str:
        return self.name


Type = Plain | ListOf | FixedList | TupleOf | Either | NamedType

TEXT, NUMBER, BOOL, NOTHING, ANY, CALLABLE = map(Plain, ("str", "int", "bool", "None", "any", "function"))


class Parameter(NamedTuple):
    """A parameter; ``default`` is the text of its default value, empty if it has none."""

    name: str
    type: Type
    default: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


class Signature(NamedTuple):
    """A function that an assignment asks for."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: Type

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))}) -> {self.returns}"

    @property
    def least(self) -> int:
        """How many arguments a call needs."""
        return sum(not parameter.default for parameter in self.parameters)


def named_types(*types: Type) -> Iterator[NamedType]:
    """The named types among ``types`` and their parts, each once, parts before the types that contain them."""
    by_name: dict[str, NamedType] = {}
    for part in types:
        for inner in inner_types(part):
            by_name |= {named_type.name: named_type for named_type in named_types(inner)}
        if isinstance(part, NamedType):
            by_name[part.name] = part
    yield from by_name.values()


def inner_types(outer: Type) -> tuple[Type, ...]:
    """The types that a type consists of."""
    match outer:
        case ListOf(item):
            return (item,)
        case NamedType(_, of, _):
            return (of,)
        case FixedList(items) | TupleOf(items) | Either(items):
            return items
    return ()


def type_mismatch(expected: Type, value: Any, where: str = "it") -> str:
    """Why a value isn't of a type, with the place in the value, which ``where`` names; empty if it is.

    >>> type_mismatch(TupleOf((TEXT, NUMBER)), ("9C", "8"))
    'it[1] is a str, not int'
    """
    match expected:
        case Plain("any"):
            return ""
        case Plain("function"):
            fits = callable(value)
        case Plain(kind):
            fits = value is None if kind == "None" else type(value).__name__ == kind
        case NamedType(_, of, _):
            return type_mismatch(of, value, where)
        case Either(options):
            fits = not all(type_mismatch(option, value, where) for option in options)
        case ListOf(item):
            fits = type(value) is list
            if fits:
                return first_mismatch([item] * len(value), value, where)
        case FixedList(items) | TupleOf(items):
            fits = type(value) is (list if isinstance(expected, FixedList) else tuple) and len(value) == len(items)
            if fits:
                return first_mismatch(items, value, where)
    return "" if fits else f"{where} is a {type(value).__name__}, not {expected}"


def first_mismatch(items: Any, values: Any, where: str) -> str:
    """The first mismatch among the items of a list or tuple; empty if there is none."""
    mismatches = (
        type_mismatch(item, value, f"{where}[{i}]") for i, (item, value) in enumerate(zip(items, values, strict=True))
    )
    return next(filter(None, mismatches), "")


def argument_mismatch(function: Signature, arguments: tuple[Any, ...]) -> str:
    """Why a call doesn't fit a function: the number of arguments, or the first mismatch; empty if it fits."""
    if not function.least <= len(arguments) <= len(function.parameters):
        return f"{function.name} takes {len(function.parameters)} arguments, not {len(arguments)}"
    pairs = zip(function.parameters, arguments, strict=False)
    return next(filter(None, (type_mismatch(parameter.type, value, parameter.name) for parameter, value in pairs)), "")
