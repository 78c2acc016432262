"""What a run tells while it lasts and when it is over, and what stops it from outside.

    news        told whenever something has been saved, and where there is trouble
    ended       why a run is over, in a word and in a sentence

The first signal asks a run to come to its end; the second acts as if nobody were listening.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Literal

import msgspec

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What stops a process from outside; Windows has no SIGHUP."""
Why = Literal["stopped", "enough", "waiting", "closed"]


class News(msgspec.Struct, frozen=True):
    """What a runner is at: the round, its blocks and how many are left; games of this run; a sentence or nothing."""

    round: int
    blocks: int
    left: int
    games: int
    note: str = ""


class Ended(msgspec.Struct, frozen=True):
    """Why a run is over, and what it has brought: ``games`` and ``rounds`` of this run, all saved."""

    why: Why
    sentence: str
    games: int
    rounds: int


Progress = Callable[[News], object]


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """What stops a process interrupts it at once; what comes after the first acts as if this were not here."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, _: FrameType | None) -> None:
        restore()
        raise KeyboardInterrupt

    def restore() -> None:
        for which, handler in before.items():
            signal.signal(which, handler)

    before = {which: signal.getsignal(which) for which in STOPPING}
    for which, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(which, interrupt)
    try:
        yield
    finally:
        restore()


@contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """Answers whether something has come that stops a process; the second acts as if this were not here."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return

    def note(number: int, _: FrameType | None) -> None:
        came.append(number)
        for which, handler in before.items():
            signal.signal(which, handler)

    before = {which: signal.getsignal(which) for which in STOPPING}
    for which, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(which, note)
    try:
        yield lambda: bool(came)
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)
