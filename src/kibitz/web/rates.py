"""How often somebody may ask for something: so many at once, and then so many a second."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from kibitz.web.problems import Problem

MOST_KNOWN = 10_000


class Rate(NamedTuple):
    """``burst`` at once, then ``a_second``."""

    burst: float
    a_second: float


RATES = {
    "request": Rate(1000, 200),
    "message": Rate(80, 30),
    "table": Rate(150, 2),
    "password": Rate(100, 1),
    "name": Rate(10, 0.1),
    "upload": Rate(60, 1),
}
"""By kind.  A class of a hundred may come from one address; guesses at one name's password are few."""


class Rates:
    """Counts what was asked for, by kind and by whoever asks."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def admits(self, kind: str, who: str) -> bool:
        """Whether one more is not too many; if so, it is counted."""
        rate, now = RATES[kind], self.clock()
        left, since = self.left.pop((kind, who), (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.a_second)
        self.left[kind, who] = (left - 1 if left >= 1 else left), now
        while len(self.left) > MOST_KNOWN:
            self.left.popitem(last=False)
        return left >= 1

    def refuse(self, kind: str, who: str) -> None:
        """Problem 429 if it is too often."""
        if not self.admits(kind, who):
            wait = max(1, round(1 / RATES[kind].a_second))
            raise Problem(429, f"That is too often: wait {wait} second{'s' * (wait > 1)} and try again.")
