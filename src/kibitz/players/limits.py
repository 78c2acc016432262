"""The limits of a player file.

CPU time counts, because wall-clock time also measures how busy the machine is.  The wall clock only catches players
that sleep, or wait for something that never comes. A player is idle while it neither works nor waits for a processor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz.errors import NotationError

IDLE_FACTOR = 2
"""A rated game adds this many times the limit on idle time (decision 25), so the total is three times as long."""


@dataclass(frozen=True)
class Limits:
    """Times are seconds of CPU time, except ``wall_floor``, which is seconds on the wall clock; sizes are in bytes."""

    load: float = 2.0
    call: float = 4.0
    bank: float = 60.0
    """The time bank: for all calls of a game together."""
    wall_factor: float = 10.0
    """Wall-clock seconds for each second of CPU time that is allowed."""
    wall_floor: float = 5.0
    memory: int = 512 << 20
    """Address space, including 30 MB for the interpreter itself."""
    output: int = 1 << 20
    """How much output is kept; a file may print more."""
    reply: int = 64 << 10

    def wall(self, cpu: float) -> float:
        """How many seconds a call may sleep or wait, if it may use ``cpu`` seconds of CPU time."""
        return max(self.wall_floor, self.wall_factor * cpu)

    def idleness(self, cpu: float = 0.0, *, rated: bool = False) -> float:
        """How many seconds a player may be idle in one game, once its calls have used ``cpu`` seconds.

        The limit is longer in a ``rated`` game.
        """
        return self.wall(self.call) * (1 + IDLE_FACTOR * rated) + self.wall_factor * cpu

    def longest(self, seats: int) -> float:
        """The most seconds that the players of one match can take together, working and idle.

        Not included are waiting for a processor, and idle time in calls that end before the referee first looks at the
        clock (``confined_process.FIRST_LOOK``).
        """
        return seats * (self.load + self.bank + self.idleness(self.bank, rated=True))


STANDARD = Limits()
UNITS = {"load": 1.0, "call": 1.0, "bank": 1.0, "memory": 1 << 20, "output": 1 << 10}
"""The limits that can be set by name, with their units: seconds, MiB of memory, KiB of output."""
MIN_MEMORY = 64
"""The minimum, in MiB: with less, the interpreter itself doesn't work."""


def limits_from(words: str) -> Limits:
    """Limits written as on the command line. Raises NotationError for anything else.

    >>> limits_from("call=1,bank=20,memory=256").memory >> 20
    256
    """
    limits = STANDARD
    names: set[str] = set()
    for part in words.split(","):
        name, _, value = (word.strip() for word in part.partition("="))
        if name not in UNITS:
            known = ", ".join(UNITS)
            raise NotationError(f"unknown limit {name[:40]!r}; known limits: {known} (example: call=1).")
        if name in names:
            raise NotationError(f"{words[:80]!r} says {name} twice.")
        names.add(name)
        changes: dict[str, Any] = {name: limit_value(name, value)}
        limits = replace(limits, **changes)
    return limits


def limits_text(limits: Limits) -> str:
    """Limits as ``limits_from`` reads them; empty for the standard ones.

    >>> limits_text(limits_from("call=1,memory=256"))
    'call=1,memory=256'
    """
    values = {name: getattr(limits, name) / unit for name, unit in UNITS.items()}
    defaults = {name: getattr(STANDARD, name) / unit for name, unit in UNITS.items()}
    return ",".join(f"{name}={value:.12g}" for name, value in values.items() if value != defaults[name])


def limit_value(name: str, value: str) -> float | int:
    """One limit's value in the units of ``Limits``."""
    try:
        number = float(value)
    except ValueError:
        raise NotationError(f"the limit {name} needs a number, as in '{name}=1', not {value[:40]!r}.") from None
    least = MIN_MEMORY if name == "memory" else 0.01 if UNITS[name] == 1 else 1
    if not least <= number <= 1e6:
        raise NotationError(f"the limit {name} must be from {least:g} to 1000000, not {value[:40]}.")
    return number if UNITS[name] == 1 else int(number * UNITS[name])
