"""Kernels: what they call, how they become machine code, and batches of games on cores or a GPU."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

compile_notice: Callable[[], AbstractContextManager[object]] = nullcontext
"""Makes the context in which a kernel is compiled; a command replaces it to tell a person who waits."""
