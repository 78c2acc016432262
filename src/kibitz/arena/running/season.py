"""From round to round: when one is over, who is out, and what the next one is.

    until       how much of a stage is enough; looked at between rounds only
    step        what has become of the tournament: a round is being played, one has been scheduled, ...

Each round is a pure function of the stage's seed, its number, the entrants, and the results of all closed rounds
of the stage.  Anybody may advance a tournament at any time, and many at once: the store takes the first one's
round, and the others would have been the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from kibitz.arena.filling import is_short
from kibitz.arena.model import Entrant, Extent, MatchResult, NextRound, Stage, stage
from kibitz.arena.store import Store

Step = Literal["playing", "scheduled", "waiting", "enough", "closed"]


class Until(msgspec.Struct, frozen=True):
    """Enough of a stage: so many rounds, or so many games, or no rating more uncertain than ``width`` points."""

    rounds: int | None = None
    games: int | None = None
    width: float | None = None

    def reached(self, extent: Extent, entrants: Sequence[Entrant], results: Sequence[MatchResult]) -> bool:
        """Whether any of these is reached."""
        if self.rounds is not None and extent.rounds >= self.rounds:
            return True
        if self.games is not None and extent.matches >= self.games:
            return True
        if self.width is None or not results:
            return False
        from kibitz.arena.pairing.rounds import settled
        from kibitz.arena.rating.ratings import fit

        return settled(fit(results), [entrant.submission for entrant in entrants], self.width)


class Season:
    """A tournament whose rounds have no end that is known beforehand; keeps the results that it has read."""

    eager = False
    """Whether it may have a next round while games of the last one are being played."""
    due = 0
    """So many blocks must be played at least before ``advance`` can do more than it did the last time."""

    def __init__(self, store: Store, name: str, until: Until, next_round: NextRound | None = None) -> None:
        self.store, self.name, self.until = store, name, until
        self.given = next_round
        self.read: dict[Stage, tuple[int, list[MatchResult]]] = {}

    def advance(self) -> Step:
        """Close the round if it is over, and schedule the next one unless there is enough."""
        last = self.store.rounds(self.name, newest=1)
        number = last[0].number if last else 0
        if last and last[0].closed_at is None and self.store.close_round(self.name, number) is None:
            return "playing"
        tournament = self.store.tournament(self.name)
        if tournament.phase == "closed":
            return "closed"
        this = stage(tournament.phase)
        results = self.results(this, number)
        entrants = self.store.entrants(self.name)
        if is_short(entrants, tournament.seats) and tournament.kind != "custom":
            entrants = self.store.fill_seats(self.name)
        if self.until.reached(self.store.extent(self.name, this), entrants, results):
            return "enough"
        if is_short(entrants, tournament.seats):
            return "waiting"
        seed = self.store.seed(self.name, this)
        lineups = self.next_round(seed, number + 1, tournament.seats, entrants, results)
        if not lineups:
            return "enough"
        made = self.store.schedule_round(self.name, number + 1, entrants, lineups, phase=tournament.phase)
        return "scheduled" if made else "playing"

    def next_round(
        self, seed: int, number: int, seats: int, entrants: Sequence[Entrant], results: Sequence[MatchResult]
    ) -> Sequence[tuple[int, ...]]:
        """The lineups of a round, by whoever was asked to pair."""
        if self.given is None:
            from kibitz.arena.pairing.rounds import next_round

            self.given = next_round
        return self.given(seed, number, seats, entrants, results)

    def results(self, this: Stage, last: int) -> list[MatchResult]:
        """The results of a stage's closed rounds up to number ``last``; what was read before is not read again."""
        known, results = self.read.get(this, (0, []))
        if known < last:
            results += self.store.results(self.name, stage=this, rounds=range(known + 1, last + 1), closed=True)
            self.read[this] = last, results
        return results
