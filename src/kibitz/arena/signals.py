"""Stops a run on Ctrl-C, SIGTERM or a lost terminal.

The first signal asks the run to finish; the second has its usual effect.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that stop a process; Windows has no SIGHUP."""


@contextmanager
def first_signal(act: Callable[[], object]) -> Iterator[None]:
    """A block in which the first stop signal only calls ``act``; later ones have their usual effect."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def take(number: int, _: FrameType | None) -> None:
        restore()
        act()

    def restore() -> None:
        for which, handler in before.items():
            signal.signal(which, handler)

    before = {which: signal.getsignal(which) for which in STOPPING}
    for which, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(which, take)
    try:
        yield
    finally:
        restore()


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """A block in which signals interrupt the process at once."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with first_signal(interrupt):
        yield


@contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """A block that yields a function: whether a signal has come."""
    came: list[bool] = []
    with first_signal(lambda: came.append(True)):
        yield lambda: bool(came)
