"""Work that takes long, in threads, and only so much of it at once: tables go on whatever else is asked for.

Without turns, replays of long games or guesses at passwords could take every thread and every core that there is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = 2


class Turns:
    """Work of one kind: ``most`` at once, the rest waits for its turn."""

    def __init__(self, most: int = AT_ONCE) -> None:
        self.turn = asyncio.Semaphore(most)

    async def done(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> T:
        """Have something done in a thread, and get what it gives or raises."""
        async with self.turn:
            return await asyncio.to_thread(work, *given, **named)
