"""The mark of a kernel.

    kernel      a function of ints, arrays and one state record that obeys the kernel rules of ``docs/architecture.md``
    hook        a name that generic kernels call, and that every game implements by its own kernel

A kernel is ordinary Python.  The mark changes nothing; it only tells ``kibitz.engine.kernels.compilation`` which
functions to rebuild when a machine-code copy is asked for.
"""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Mark ``function`` as a kernel and return it unchanged."""
    function.__kernel__ = "kernel"  # type: ignore[attr-defined]
    return function


def hook(function: F) -> F:
    """Mark ``function`` as a hook: ``compilation`` puts the game's kernel of the same name in its place."""
    function.__kernel__ = "hook"  # type: ignore[attr-defined]
    return function


def mark(thing: object) -> str | None:
    """What kind of module-level name this is: ``"kernel"``, ``"hook"`` or None."""
    found = getattr(thing, "__kernel__", None)
    return found if isinstance(found, str) else None
