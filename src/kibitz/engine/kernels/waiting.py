"""A message for a person who waits for the compiler: there is none unless a command sets it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

announcement: Callable[[], AbstractContextManager[object]] = nullcontext
"""Makes the context in which a kernel is compiled."""
