"""The decorators that mark functions as kernels and hooks.

    kernel      a function of ints, arrays and one state record that obeys the kernel rules of ``docs/architecture.md``
    hook        a function that generic kernels call, and in whose place each game has a kernel of its own

A kernel is ordinary Python.  The mark doesn't change the function; it only tells ``kibitz.engine.kernels.compilation``
which functions to copy when it compiles machine code.
"""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Mark ``function`` as a kernel and return it unchanged."""
    function.__kernel__ = "kernel"  # type: ignore[attr-defined]
    return function


def hook(function: F) -> F:
    """Mark ``function`` as a hook, to be replaced by a game's kernel of the same name, and return it unchanged."""
    function.__kernel__ = "hook"  # type: ignore[attr-defined]
    return function


def kernel_kind(value: object) -> str | None:
    """``"kernel"`` or ``"hook"`` for a function marked as one; None for any other value."""
    result = getattr(value, "__kernel__", None)
    return result if isinstance(result, str) else None
