"""What turns kernels into code for a GPU, and what the simulator runs in its place; imported where it is needed.

On a GPU every kernel is what ``numba.cuda.jit`` makes of it, and numbers are widened to 64 bits when they are read.
The simulator runs kernels as Python.  They are given Python's own numbers there, because NumPy's overflow where
machine code does not; what does not fit where it is written raises OverflowError.
"""

from __future__ import annotations

import dis
import operator
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from kibitz.kernel import mark

# numba.cuda tells type checkers of no more than half of what it has.
cuda: Any = import_module("numba.cuda")
extending: Any = import_module("numba.cuda.extending")
types: Any = import_module("numba.cuda.types")

SIMULATED = bool(cuda.config.ENABLE_CUDASIM)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def this_lane() -> Any:
    """The number of the thread that runs."""
    return cuda.grid(1)


def globals_of(function: FunctionType) -> set[str]:
    """The globals a function loads. ``co_names`` has attributes too, and ``s.hands`` is not the kernel ``hands``."""
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


def made(copy: SimpleNamespace) -> SimpleNamespace:
    """The kernels of a plain copy, which is used up, for the GPU; for the simulator they are what they are."""
    known: dict[FunctionType, Any] = {}

    def finish(function: Any) -> Any:
        if not isinstance(function, FunctionType):
            return function
        if function not in known:
            names = function.__globals__
            for name in globals_of(function):
                if mark(names.get(name)):
                    names[name] = finish(names[name])
                elif isinstance(names.get(name), bytes):
                    names[name] = ByteTable(names[name])
            known[function] = cuda.jit(function)
        return known[function]

    return copy if SIMULATED else SimpleNamespace(**{name: finish(value) for name, value in vars(copy).items()})


def launched(kernel: Callable[..., None]) -> Any:
    """A kernel as the GPU is started with it."""
    if not SIMULATED:
        return kernel

    def run(*arguments: Any) -> None:
        kernel(*map(plainly, arguments))

    return cuda.jit(run)


class ByteTable:
    """A table of bytes, a constant of kernels.

    Numba writes a constant into the code wherever it is read, and a GPU has room for 64 KiB; of this there is one copy.
    """

    def __init__(self, values: bytes) -> None:
        self.values = values


if not SIMULATED:
    registry: Any = import_module("numba.cuda.cudaimpl").registry

    class ByteTableType(types.Type):  # type: ignore[misc]
        """The type of one table."""

        def __init__(self, values: bytes) -> None:
            self.values = values
            super().__init__(f"ByteTable({sha256(values).hexdigest()})")

    extending.register_model(ByteTableType)(extending.core_models.OpaqueModel)

    @extending.typeof_impl.register(ByteTable)  # type: ignore[untyped-decorator]
    def type_of_table(table: ByteTable, _: Any) -> ByteTableType:
        """Tables of the same bytes have one type."""
        return ByteTableType(table.values)

    @registry.lower_constant(ByteTableType)  # type: ignore[untyped-decorator]
    def constant_table(context: Any, *_: Any) -> Any:
        """A table itself is nothing: all is in its type."""
        return context.get_dummy_value()

    @extending.overload(operator.getitem)  # type: ignore[untyped-decorator]
    def read_table(table: Any, at: Any) -> Any:
        """``table[at]``: the one function that has the bytes in it."""
        if not isinstance(table, ByteTableType):
            return None
        values = table.values

        def read(table: Any, at: Any) -> Any:
            return values[at]

        return read

    @extending.overload_method(types.Integer, "bit_count")  # type: ignore[untyped-decorator]
    def bit_count(value: Any) -> Any:
        """``int.bit_count``, which kernels ask of a number (see ``numba_overloads``)."""

        def counted(value: Any) -> Any:
            return types.int64(cuda.popc(types.uint64(value)))

        return counted

    @extending.overload_method(types.Integer, "bit_length")  # type: ignore[untyped-decorator]
    def bit_length(value: Any) -> Any:
        """``int.bit_length``, which they ask as well."""

        def length(value: Any) -> Any:
            return 64 - types.int64(cuda.clz(types.int64(value)))

        return length


class Plainly:
    """An array or a record of the simulator, whose numbers come out as Python's."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        object.__setattr__(self, "_array", array)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, at: Any) -> Any:
        return plainly(self._array[at])

    def __setitem__(self, at: Any, value: int) -> None:
        self._array[at] = value

    def __getattr__(self, name: str) -> Any:
        return plainly(self._array[name])

    def __setattr__(self, name: str, value: int) -> None:
        self._array[name] = value


def plainly(thing: Any) -> Any:
    """A number as Python's, anything else so that its numbers are."""
    if isinstance(thing, int):
        return thing
    return thing.item() if isinstance(thing, np.integer | np.bool_) else Plainly(thing)
