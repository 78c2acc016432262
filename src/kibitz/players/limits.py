"""The limits of a player file.

CPU time counts, because wall-clock time also measures how busy the machine is.  The wall clock only catches players
that sleep, or wait for something that never comes.

    idleness    seconds in which a player neither works nor waits for a processor
    longest     the longest that a match can take under all these limits
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz.errors import NotationError

IDLE_FACTOR = 2
"""In a rated game, this many times the limit of idleness is added to it (decision 25)."""


@dataclass(frozen=True)
class Limits:
    """Seconds of CPU time unless the name says otherwise; sizes in bytes."""

    load: float = 2.0
    call: float = 4.0
    bank: float = 60.0
    """For all calls of a game together."""
    wall_factor: float = 10.0
    wall_floor: float = 5.0
    memory: int = 512 << 20
    """Address space, including 30 MB for the interpreter itself."""
    output: int = 1 << 20
    """The output that is kept; more is allowed."""
    reply: int = 64 << 10

    def wall(self, cpu: float) -> float:
        """Seconds for which a call that may use ``cpu`` seconds of CPU time may sleep or wait."""
        return max(self.wall_floor, self.wall_factor * cpu)

    def idleness(self, cpu: float = 0.0, *, patient: bool = False) -> float:
        """Seconds for which a player may be idle in one game, once its calls have used ``cpu`` seconds.

        ``patient`` is the longer limit of rated games.
        """
        return self.wall(self.call) * (1 + IDLE_FACTOR * patient) + self.wall_factor * cpu

    def longest(self, seats: int) -> float:
        """Seconds that the players of one match can take together, working and idle.

        Time spent waiting for a processor comes on top, and so does idleness in calls that are answered before the
        first look at a clock (``confined_process.FIRST_LOOK``).
        """
        return seats * (self.load + self.bank + self.idleness(self.bank, patient=True))


STANDARD = Limits()
UNITS = {"load": 1.0, "call": 1.0, "bank": 1.0, "memory": 1 << 20, "output": 1 << 10}
"""The limits that can be set by name, with their units: seconds, MiB of memory, KiB of output."""
LEAST_MEMORY = 64
"""The least memory, in MiB, in which the interpreter itself still works."""


def limits_from(words: str) -> Limits:
    """Limits as the command line names them; NotationError if it cannot be read.

    >>> limits_from("call=1,bank=20,memory=256").memory >> 20
    256
    """
    limits = STANDARD
    names: set[str] = set()
    for part in words.split(","):
        name, _, value = (word.strip() for word in part.partition("="))
        if name not in UNITS:
            known = ", ".join(UNITS)
            raise NotationError(f"there is no limit called {name[:40]!r}; known limits: {known} (example: call=1).")
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
    least = LEAST_MEMORY if name == "memory" else 0.01 if UNITS[name] == 1 else 1
    if not least <= number <= 1e6:
        raise NotationError(f"the limit {name} must be from {least:g} to 1000000, not {value[:40]}.")
    return number if UNITS[name] == 1 else int(number * UNITS[name])
