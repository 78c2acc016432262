"""Turns kernels into code for a GPU, or into what the simulator runs; imported only when needed.

On a GPU every kernel is what ``numba.cuda.jit`` makes of it, and numbers are widened to 64 bits when they are read. The
simulator runs kernels as Python. There they get Python's own numbers, because NumPy's overflow where machine code
doesn't; writing a number that doesn't fit raises OverflowError.
"""

from __future__ import annotations

import dis
import operator
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from kibitz.kernel import kernel_kind

# numba.cuda declares no more than half of its contents to type checkers.
cuda: Any = import_module("numba.cuda")
extending: Any = import_module("numba.cuda.extending")
types: Any = import_module("numba.cuda.types")

SIMULATED = bool(cuda.config.ENABLE_CUDASIM)
LOCAL_WORDS = 2048
"""The maximum number of words in a lane's local memory. The driver reserves it for as many lanes as could ever run."""


def in_columns(words: int) -> bool:
    """Whether a lane with this many words keeps them in a column of one array, not in local memory."""
    return SIMULATED or words > LOCAL_WORDS


def hooks(dtype: Any, options: frozenset[str], words: int) -> dict[str, Any]:
    """The implementations of the hooks of ``gpu_kernels``, for states of this dtype with these options.

    ``words`` is the size of a lane's memory; a large one is in columns, so that neighbouring lanes read neighbouring
    words, as in local memory.
    """
    fields = [(name, dtype[name]) for name in (dtype.names if dtype else ()) if name not in options]
    scalars = np.dtype([(name, kind) for name, kind in fields if not kind.shape], align=True)
    arrays = np.dtype([(name, kind) for name, kind in fields if kind.shape], align=True)

    def this_lane() -> Any:
        return cuda.grid(1)

    def own_states() -> Any:
        return cuda.local.array(1, dtype, alignment=16)

    def own_state(blank: Any) -> Any:
        numbers = cuda.local.array(1, scalars, alignment=16)
        rows = cuda.local.array(1, arrays, alignment=16)
        return state_of(numbers[0], rows[0], blank[0])

    def own_words(scratch: Any, lane: Any) -> Any:
        return cuda.local.array(words, types.int64)

    def column(scratch: Any, lane: Any) -> Any:
        return scratch[:, lane]

    def atomic_add(array: Any, at: Any, number: Any) -> None:
        cuda.atomic.add(array, at, number)

    def atomic_min(array: Any, at: Any, number: Any) -> None:
        cuda.atomic.min(array, at, number)

    def state_copy(blank: Any) -> Any:
        states = PlainNumbers(np.zeros(1, dtype))
        states[0] = blank[0]
        return states[0]

    functions = {each.__name__: each for each in (this_lane, own_states, own_state, own_words, atomic_add, atomic_min)}
    if SIMULATED:
        functions |= {"own_states": lambda: PlainNumbers(np.zeros(1, dtype)), "own_state": state_copy}
    if in_columns(words):
        functions["own_words"] = column
    # Numba inlines them, since a function's local memory is freed when it returns.
    return {
        name: function if SIMULATED else cuda.jit(device=True, inline="always")(function)
        for name, function in functions.items()
    }


def globals_of(function: FunctionType) -> set[str]:
    """The globals a function loads. ``co_names`` has attributes too, and ``s.hands`` is not the kernel ``hands``."""
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


def iterated(function: FunctionType) -> set[str]:
    """The globals that a function iterates over, which must stay tuples."""
    steps = list(dis.get_instructions(function))
    return {step.argval for step, then in pairwise(steps) if step.opname == "LOAD_GLOBAL" and then.opname == "GET_ITER"}


def compiled_kernels(copy: SimpleNamespace, folder: Path) -> SimpleNamespace:
    """The kernels of a plain copy, compiled for the GPU, which changes the copy; unchanged for the simulator.

    The cache of compiled code is a subfolder whose name depends on the compiler.
    """
    compiled: dict[FunctionType, Any] = {}

    def finish(function: Any) -> Any:
        if not isinstance(function, FunctionType):
            return function
        if function not in compiled:
            names = function.__globals__
            for name in globals_of(function):
                if kernel_kind(names.get(name)):
                    names[name] = finish(names[name])
                elif type(names.get(name)) in (bytes, tuple) and name not in iterated(function):
                    names[name] = ConstantTable(names[name])
            compiled[function] = cuda.jit(function)
        return compiled[function]

    if SIMULATED:
        return copy
    kernels = {name: finish(value) for name, value in vars(copy).items()}
    config: Any = import_module("numba.cuda.core.config")
    compiler_key = f"{version('numba-cuda')} {Path(__file__).read_text(encoding='utf-8')}"
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(folder / sha256(compiler_key.encode()).hexdigest()[:16])  # read while caching is enabled
    try:
        for each in kernels.values():
            if hasattr(each, "enable_caching"):
                each.enable_caching()
    finally:
        config.CACHE_DIR = previous
    return SimpleNamespace(**kernels)


def launchable(kernel: Callable[..., None]) -> Any:
    """A kernel in the form in which the GPU starts it."""
    if not SIMULATED:
        return kernel

    def run(*arguments: Any) -> None:
        kernel(*map(with_plain_numbers, arguments))

    return cuda.jit(run)


class ConstantTable:
    """A constant of kernels: a tuple of numbers, or bytes.

    Numba would compile an index into a tuple as a chain of comparisons, and would put bytes into constant memory, where
    lanes that read different places wait for each other. This table is in ordinary memory, once.
    """

    def __init__(self, values: bytes | tuple[int, ...]) -> None:
        self.values = np.array(list(values), np.uint8 if isinstance(values, bytes) else np.int64)


if not SIMULATED:
    registry: Any = import_module("numba.cuda.cudaimpl").registry
    ir: Any = import_module("llvmlite.ir")
    cgutils: Any = import_module("numba.cuda.cgutils")

    class TableType(types.Type):  # type: ignore[misc]
        """The type of one table."""

        def __init__(self, values: np.ndarray[Any, Any]) -> None:
            self.values = values
            super().__init__(f"Table({values.dtype} {sha256(values.tobytes()).hexdigest()})")

    extending.register_model(TableType)(extending.core_models.OpaqueModel)

    @extending.typeof_impl.register(ConstantTable)  # type: ignore[untyped-decorator]
    def type_of_table(table: ConstantTable, _: Any) -> TableType:
        """Tables of the same numbers have one type."""
        return TableType(table.values)

    @registry.lower_constant(TableType)  # type: ignore[untyped-decorator]
    def constant_table(context: Any, *_: Any) -> Any:
        """A table has no data at run time: everything is in its type."""
        return context.get_dummy_value()

    @extending.intrinsic  # type: ignore[untyped-decorator]
    def element(typing: Any, table: Any, at: Any) -> Any:
        """One number of a table; the table becomes a global of the function."""
        values = table.values

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            # A constant array in the GPU's main memory (address space 1). ``gep`` computes the address of one number.
            kind = ir.ArrayType(context.get_data_type(signature.return_type), values.size)
            table_variable = ir.GlobalVariable(
                builder.module, kind, builder.module.get_unique_name("table"), addrspace=1
            )
            table_variable.linkage, table_variable.global_constant = "internal", True
            table_variable.initializer = ir.Constant(kind, values.tolist())
            zero = context.get_constant(types.int64, 0)
            return builder.load(builder.gep(table_variable, [zero, arguments[1]], inbounds=True))

        return (types.uint8 if values.itemsize == 1 else types.int64)(table, types.int64), code

    @extending.overload(operator.getitem)  # type: ignore[untyped-decorator]
    def read_table(table: Any, at: Any) -> Any:
        """``table[at]``, as a function of its own, so that the numbers are compiled only once."""
        if not isinstance(table, TableType):
            return None

        def read(table: Any, at: Any) -> Any:
            return element(table, at)

        return read

    class StateType(types.Type):  # type: ignore[misc]
        """A state in three records: its numbers, its arrays, and a blank state in common that has its options.

        So the compiler can keep the numbers in registers, since nothing in their record is indexed.
        """

        def __init__(self, *parts: Any) -> None:
            self.parts = parts
            super().__init__(f"State({sha256(str(parts).encode()).hexdigest()})")

        def part(self, name: str) -> int:
            """The record that has a field."""
            return next(k for k, part in enumerate(self.parts) if name in part.fields)

    @extending.register_model(StateType)
    class StateModel(extending.core_models.StructModel):  # type: ignore[misc]
        """Three pointers."""

        def __init__(self, manager: Any, state: StateType) -> None:
            super().__init__(manager, state, [(f"part{k}", part) for k, part in enumerate(state.parts)])

    @import_module("numba.cuda.cudadecl").registry.register_attr
    class StateFields(import_module("numba.cuda.typing.templates").AttributeTemplate):  # type: ignore[misc]
        """A number has its type in the record, and an array is a pointer to its first number.

        So no code is needed for negative indices, which in Numba's arrays count from the end.
        """

        key = StateType

        def generic_resolve(self, state: StateType, name: str) -> Any:
            """The type of a field."""
            field_type = state.parts[state.part(name)].typeof(name)
            return types.CPointer(field_type.dtype) if isinstance(field_type, types.NestedArray) else field_type

    @extending.intrinsic  # type: ignore[untyped-decorator]
    def state_of(typing: Any, scalars: Any, arrays: Any, blank: Any) -> Any:
        """A state from its records, all zeros except its options."""
        state = StateType(scalars, arrays, blank)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            new_state = cgutils.create_struct_proxy(state)(context, builder)
            for k, record in enumerate(arguments):
                setattr(new_state, f"part{k}", record)
                if k < 2:
                    cgutils.memset(builder, record, context.get_constant(types.intp, state.parts[k].size), 0)
            return new_state._getvalue()

        return state(scalars, arrays, blank), code

    def part_of(context: Any, builder: Any, state: StateType, value: Any, name: str) -> tuple[Any, Any]:
        """The record that has a field, and its type."""
        k = state.part(name)
        return getattr(cgutils.create_struct_proxy(state)(context, builder, value=value), f"part{k}"), state.parts[k]

    @registry.lower_getattr_generic(StateType)  # type: ignore[untyped-decorator]
    def get_field(context: Any, builder: Any, state: StateType, value: Any, name: str) -> Any:
        """``s.field``."""
        record, part = part_of(context, builder, state, value, name)
        kind = part.typeof(name)
        if not isinstance(kind, types.NestedArray):
            return context.get_getattr(part, name)(context, builder, part, record, name)
        pointer = context.get_data_type(kind.dtype).as_pointer()
        return cgutils.get_record_member(builder, record, part.offset(name), pointer.pointee)

    @registry.lower_setattr_generic(StateType)  # type: ignore[untyped-decorator]
    def set_field(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> Any:
        """``s.field = number``; an option has the same value in all states."""
        state, number = signature.args
        record, part = part_of(context, builder, state, arguments[0], name)
        assert part is not state.parts[-1], f"a kernel sets the option {name}"
        return context.get_setattr(name, types.void(part, number))(builder, (record, arguments[1]))

    @extending.overload_method(types.Integer, "bit_count")  # type: ignore[untyped-decorator]
    def bit_count(value: Any) -> Any:
        """``int.bit_count``, which kernels call (see ``numba_compiler``)."""

        def count(value: Any) -> Any:
            return types.int64(cuda.popc(types.uint64(value)))

        return count

    @extending.overload_method(types.Integer, "bit_length")  # type: ignore[untyped-decorator]
    def bit_length(value: Any) -> Any:
        """``int.bit_length``, which kernels call (see ``numba_compiler``)."""

        def length(value: Any) -> Any:
            return 64 - types.int64(cuda.clz(types.int64(value)))

        return length


class PlainNumbers:
    """An array or a record of the simulator that returns its numbers as Python's."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        object.__setattr__(self, "_array", array)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, at: Any) -> Any:
        return with_plain_numbers(self._array[at])

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(value, PlainNumbers):  # a record, which may be the simulator's own wrapper of one
            value = getattr(value._array, "_ary", value._array)
        self._array[at] = value

    def __getattr__(self, name: str) -> Any:
        return with_plain_numbers(self._array[name])

    def __setattr__(self, name: str, value: int) -> None:
        self._array[name] = value


def with_plain_numbers(value: Any) -> Any:
    """A number as Python's; anything else wrapped so that its numbers are."""
    if isinstance(value, int):
        return value
    return value.item() if isinstance(value, np.integer | np.bool_) else PlainNumbers(value)
