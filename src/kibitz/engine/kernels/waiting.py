"""What is told while a kernel is compiled: nothing, unless a command tells a person who waits."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

announcement: Callable[[], AbstractContextManager[object]] = nullcontext
"""Makes the context in which a kernel is compiled."""
