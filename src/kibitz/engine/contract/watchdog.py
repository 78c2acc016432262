"""No call of a game's code goes on for ever: whoever checks a game with a loop that does not end is told so.

    tick        so much processor time; the frames that run are looked at then
    endless     a call of the game's own code that one tick after another finds at work

A clock of the process's own interrupts it for that, so nothing is slower for being watched.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_GENERATOR
from types import FrameType

from kibitz.engine.game import Game

TICK = 30.0
"""Seconds of processor time; the dearest call of any game of Kibitz's in plain Python takes less than one."""


class Endless(BaseException):
    """A call of a game's code has not come to an end; nothing that the game itself may catch."""


@contextmanager
def watched(game: Game) -> Iterator[None]:
    """A block in which Endless is raised out of a call of the game's that lasts longer than a tick or two.

    Only where the system has a clock for that, and only in the main thread, where Python looks at signals.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    home = os.path.dirname(str(sys.modules[game.rules.__name__].__file__)) + os.sep
    last: list[FrameType | None] = [None]

    def look(number: int, frame: FrameType | None) -> None:
        outermost = None
        while frame is not None:
            if frame.f_code.co_filename.startswith(home) and not frame.f_code.co_flags & CO_GENERATOR:
                outermost = frame
            frame = frame.f_back
        before, last[0] = last[0], outermost
        if outermost is not None and outermost is before:
            raise Endless(f"at work for more than {TICK:.0f} s of processor time")

    handler = signal.signal(signal.SIGVTALRM, look)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, handler)
