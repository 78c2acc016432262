"""How long people are waited for: clocks, the time of grace for who is away, and when nobody has to wait any longer.

grace       seconds after which a caretaker plays for somebody who is away, where others wait
idle        seconds after which one may be called for somebody who is there and does nothing
reading     seconds for which no clock runs once a hand or round has ended: pages show what it came to
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kibitz.web.clocks import Clocks

GRACE, IDLE, READING = 45.0, 120.0, 20.0


class WaitTimes:
    """With the people of one table.

    away        by seat, since when somebody is away
    asked       by seat, for which of their choices they are waited for, and since when
    """

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self.away: dict[int, float] = {}
        self.asked: dict[int, tuple[int, float]] = {}

    def waits(self, seats: set[int], turns: Sequence[int], now: float) -> None:
        """These people are waited for, each for one of their choices."""
        for seat in seats:
            if self.asked.get(seat, (-1, 0.0))[0] != turns[seat]:
                self.asked[seat] = turns[seat], now
        self.clocks.run(seats, now)

    def dues(self, waited_for: Collection[int]) -> list[float]:
        """The moments at which somebody may be late; ``waited_for`` are those for whom others wait."""
        return [*self.clocks.ends().values(), *(self.away[seat] + GRACE for seat in waited_for if seat in self.away)]

    def late(self, waited_for: Collection[int], now: float) -> list[int]:
        """The seats for which a caretaker plays from now on."""
        out_of_time = [seat for seat, end in self.clocks.ends().items() if now >= end]
        gone = [seat for seat in waited_for if seat in self.away and now >= self.away[seat] + GRACE]
        return [*out_of_time, *(seat for seat in gone if seat not in out_of_time)]

    def left(self, seat: int, now: float) -> float:
        """Seconds until a caretaker may be called for somebody who is waited for."""
        if seat in self.away:
            return self.away[seat] + GRACE - now
        return self.asked.get(seat, (0, now))[1] + IDLE - now
