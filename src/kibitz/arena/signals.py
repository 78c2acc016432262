"""Stops a run on Ctrl-C, SIGTERM or a closed terminal.

The first signal asks the run to finish; the second has its usual effect.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

STOP_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that stop a process; Windows has no SIGHUP."""


@contextmanager
def first_signal(act: Callable[[], object]) -> Iterator[None]:
    """A ``with`` block in which the first stop signal only calls ``act``; later signals have their usual effect."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, _: FrameType | None) -> None:
        restore()
        act()

    def restore() -> None:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)

    previous_handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    for number, handler in previous_handlers.items():
        if handler is not signal.SIG_IGN:  # under nohup, SIGHUP stays ignored
            signal.signal(number, handle)
    try:
        yield
    finally:
        restore()


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """A ``with`` block in which any stop signal raises KeyboardInterrupt at once, like Ctrl-C."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with first_signal(interrupt):
        yield


@contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """A ``with`` block with a function that returns whether a stop signal has come."""
    received: list[bool] = []
    with first_signal(lambda: received.append(True)):
        yield lambda: bool(received)
