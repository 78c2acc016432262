"""From values to places in a picture, and the round numbers that stand along an axis."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

Words = Callable[[float], str]
"""How a value is written."""
LEAST = 1e-100
"""Values that lie no further apart are drawn as one."""


class Scale(NamedTuple):
    """Values from ``low`` to ``high``, which lie from ``start`` to ``end`` in the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies; one beyond the ends is drawn at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)


def step_for(low: float, high: float, most: int) -> float:
    """The least of 1, 2 and 5 times a power of ten of which at most ``most`` steps lie between two values."""
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    return next(power * nice for nice in (1, 2, 5, 10) if power * nice >= rough * (1 - 1e-9))


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values from one at or below ``low`` to one at or above ``high``.

    >>> ticks(0, 0.43), ticks(-3, 12)
    ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [-5.0, 0.0, 5.0, 10.0, 15.0])
    """
    if not (isfinite(low) and isfinite(high)):
        raise ValueError("an axis needs finite values.")
    low, high = apart(low, high)
    step = step_for(low, high, most)
    return multiples(step, floor(low / step + 1e-9), ceil(high / step - 1e-9))


def apart(low: float, high: float) -> tuple[float, float]:
    """Two values, or some around them where they are too near to each other to tell them apart in a picture."""
    size = max(abs(low), abs(high))
    if high - low > max(1e-9 * size, LEAST):
        return low, high
    around = max(0.5, 1e-6 * size)
    return low - around, high + around


def multiples(step: float, first: int, last: int) -> list[float]:
    """From ``first`` to ``last`` times a step that has one digit."""
    digits = -floor(log10(step))
    return [round(number * step, digits) for number in range(first, last + 1)]


def plain(value: float) -> str:
    """A value as people write it.

    >>> plain(1200000.0), plain(0.30000000000000004), plain(-2.0)
    ('1,200,000', '0.3', '-2')
    """
    text = f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.3g}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def percents(value: float) -> str:
    """A share as percents.

    >>> percents(0.25), percents(0.333)
    ('25 %', '33.3 %')
    """
    return f"{plain(round(100 * value, 1))} %"
