"""Clocks of people: a bank of seconds for each, topped up with every choice and never above where it began."""

from __future__ import annotations

from kibitz.remote.messages import Clock


class Clocks:
    """The clocks of a table; with a bank of 0 there are none, and nobody's time ever runs out."""

    def __init__(self, bank: float, topup: float, seats: int) -> None:
        self.most, self.topup = bank, topup
        self.left = [float(bank)] * seats
        self.since: dict[int, float] = {}
        self.rests_until = 0.0

    def run(self, seats: set[int], now: float) -> None:
        """Let the clocks of these seats run from now on, and stop all others."""
        if not self.most:
            return
        for seat in set(self.since) - seats:
            spent = max(0.0, now - self.since.pop(seat))
            self.left[seat] = min(self.most, max(0.0, self.left[seat] - spent) + self.topup)
        for seat in seats - set(self.since):
            self.since[seat] = max(now, self.rests_until)

    def rest(self, now: float, seconds: float) -> None:
        """Let no clock run for some seconds."""
        self.run(set(), now)
        self.rests_until = now + seconds

    def ends(self) -> dict[int, float]:
        """By seat whose clock runs, the moment at which its time is out."""
        return {seat: since + self.left[seat] for seat, since in self.since.items()}

    def shown(self, now: float) -> tuple[Clock, ...]:
        """What everybody sees."""
        if not self.most:
            return ()
        return tuple(
            Clock(seat, round(max(0.0, left - max(0.0, now - self.since.get(seat, now))), 1), seat in self.since)
            for seat, left in enumerate(self.left)
        )
