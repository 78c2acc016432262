"""What a player file may use up.

CPU time counts, because the clock on the wall also measures how busy the machine is.  The wall only catches a
player that sleeps or waits for something that never comes.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds of CPU time unless the name says otherwise; sizes in bytes."""

    load: float = 2.0
    call: float = 4.0
    bank: float = 60.0
    """For all calls of one game together."""
    wall_factor: float = 10.0
    wall_floor: float = 5.0
    memory: int = 512 << 20
    """Of address space, the interpreter's own 30 MB included."""
    output: int = 1 << 20
    """Of what the player prints, this much is kept."""
    reply: int = 64 << 10

    def wall(self, cpu: float) -> float:
        """Seconds on the wall that a call with ``cpu`` seconds of CPU time may sleep or wait."""
        return max(self.wall_floor, self.wall_factor * cpu)


STANDARD = Limits()
