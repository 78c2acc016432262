"""Methods of Python's integers that Numba learns here, so that kernels can use them.

bit_count   ``cards.bit_count()``: the number of bits set in a nonnegative number; one instruction when compiled
bit_length  ``cards.bit_length()``: the place of the highest bit plus one, or 0; one instruction when compiled
"""

from typing import Any

from numba import types
from numba.extending import intrinsic, overload_method


@intrinsic
def ones(typing: Any, value: Any) -> Any:
    """How many bits of an integer are 1, as a signed word."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        counted = builder.ctpop(given[0])
        return context.cast(builder, counted, signature.args[0], signature.return_type)

    return types.int64(value), code


@intrinsic
def leading(typing: Any, value: Any) -> Any:
    """How many bits of an integer lie above the highest that is 1, as a signed word."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        counted = builder.ctlz(given[0], context.get_constant(types.boolean, 0))
        return context.cast(builder, counted, signature.args[0], signature.return_type)

    return types.int64(value), code


@overload_method(types.Integer, "bit_count")
def bit_count(value: Any) -> Any:
    """``int.bit_count``."""

    def counted(value: Any) -> Any:
        return ones(value)  # type: ignore[call-arg]  # Numba gives the other argument itself

    return counted


@overload_method(types.Integer, "bit_length")
def bit_length(value: Any) -> Any:
    """``int.bit_length``."""
    width = value.bitwidth

    def length(value: Any) -> Any:
        return width - leading(value)  # type: ignore[call-arg]

    return length
