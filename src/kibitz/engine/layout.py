"""The fields of a state, and two kinds of state made from them.

    Field       a field's name, its length (0: a single integer) and its NumPy type
    Layout      the fields of a game; makes ``PlainState`` (ints and lists) and ``dtype`` (NumPy records)
    scratch     fields that a kernel writes before it reads them; not part of the position, ignored by ``==``

Kernels access both kinds only as ``s.field`` and ``s.field[i]``.  Plain states are for single games and the
debugger, records for batches.  Never pass a NumPy record to an uncompiled kernel: its small integers overflow where
Python's don't.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from kibitz.engine.options import Option

if TYPE_CHECKING:
    import numpy as np


class Field(NamedTuple):
    """One field of a state: an array of ``length`` integers (0: one integer), of the NumPy type ``kind``."""

    name: str
    length: int = 0
    kind: str = "i8"
    scratch: bool = False


CHANCE = (Field("key", 4), Field("draws"), Field("block", 4))
"""The generator's fields, part of every game's layout (see ``kibitz.cards.chance``)."""

TURN = (Field("player"), Field("over"))
"""Who is to act, and whether the game has ended: part of every game's layout."""

POOL = Field("pool", 52, scratch=True)
"""The pool that cards are drawn from: part of the layout of games that call ``kibitz.cards.drawing.draw``."""


class PlainState:
    """A state of ints and lists; each layout makes its own subclass."""

    __slots__ = ()
    layout: ClassVar[Layout]

    def __init__(self) -> None:
        for name in self.layout.scalars:
            setattr(self, name, 0)
        for name, length in self.layout.arrays:
            setattr(self, name, [0] * length)

    if TYPE_CHECKING:  # the fields of a layout are known at run time only

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def copy(self) -> PlainState:
        """An independent copy; each layout's class has a generated method for it (``copy_method``)."""
        raise NotImplementedError

    def position(self) -> tuple[object, ...]:
        """Everything except scratch: two states are equal if their positions are."""
        values = (getattr(self, name) for name in self.layout.position_fields)
        return tuple(tuple(v) if isinstance(v, list) else v for v in values)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.position() == other.position()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.layout.position_fields)
        return f"{type(self).__name__}({values})"


def copy_method(layout: Layout) -> Callable[[PlainState], PlainState]:
    """Generate a method that copies a state field by field, up to four times as fast as a loop over names."""
    lines = ["def copy(self):", "    other = new(type(self))"]
    lines += [f"    other.{name} = self.{name}" for name in layout.scalars]
    lines += [f"    other.{name} = self.{name}[:]" for name, _ in layout.arrays]
    names: dict[str, Any] = {"new": object.__new__}
    exec("\n".join([*lines, "    return other"]), names)
    copy: Callable[[PlainState], PlainState] = names["copy"]
    copy.__doc__ = PlainState.copy.__doc__
    return copy


class Layout:
    """The fields of one game's states; an option is a field with the option's name."""

    def __init__(self, name: str, *declared: Field | Option) -> None:
        self.name = name
        fields = tuple(Field(each.name) if isinstance(each, Option) else each for each in declared)
        self.fields = fields
        self.scalars = tuple(f.name for f in fields if not f.length)
        self.arrays = tuple((f.name, f.length) for f in fields if f.length)
        self.position_fields = tuple(f.name for f in fields if not f.scratch)
        names = tuple(f.name for f in fields)
        if len(set(names)) != len(names):
            raise ValueError(f"the layout {name} has a field twice")
        namespace = {"__slots__": names, "layout": self, "copy": copy_method(self)}
        self.plain: type[PlainState] = type(name, (PlainState,), namespace)

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The same fields as a NumPy structured dtype: always the same object, which compiled code recognises fast."""
        import numpy as np

        shape = [(f.name, f.kind, (f.length,)) if f.length else (f.name, f.kind) for f in self.fields]
        return np.dtype(shape, align=True)

    @cached_property
    def position_words(self) -> int:
        """How many of a record's 64-bit words hold the position; the scratch comes after them."""
        last = max(i for i, field in enumerate(self.fields) if not field.scratch)
        kind, offset = self.dtype.fields[self.fields[last].name][:2]  # type: ignore[index]
        return -(-(offset + kind.itemsize) // 8)  # rounded up

    def store(self, state: PlainState, states: np.ndarray[Any, Any], i: int) -> None:
        """Write a plain state into record ``i`` of ``states``."""
        for field in self.fields:
            states[field.name][i] = getattr(state, field.name)

    def load(self, states: np.ndarray[Any, Any], i: int) -> PlainState:
        """Record ``i`` of ``states`` as a plain state; its scratch fields are zero."""
        state, record = self.plain(), states[i].item()
        for k, field in enumerate(self.fields):
            if not field.scratch:
                setattr(state, field.name, record[k].tolist() if field.length else record[k])
        return state
