"""The course of a tournament: rounds, who is put out at the end of each, and when there is enough.

    round       deals among the players who are in; the first gives everybody two deals, and each has as many deals
                as all before it together
    out         a player whose failures pass the threshold at the end of a round; it plays no further round, and what
                its opponents have against it stays
    decided     a player's fate at the end of a round, as soon as no game that is still being played can change it
    width       the margin that is asked for instead of a number of deals, looked at between rounds

What is played follows from the seed, the files and what is asked for; who plays it, and in which order it is done,
changes nothing.  A round may therefore begin while the last games of the one before are being played, once all fates
are decided: no core waits for the end of a round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, inf
from operator import attrgetter

from kibitz.arena.model import Count, Goal, Lineup, Threshold
from kibitz.arena.pairing.schedule import Schedule
from kibitz.arena.rating.standings import Result, margins

FIRST = 2
"""Deals for everybody in the first round: enough for whoever fails always to be seen by then."""
LEAST = 10
"""Deals that a player has played before its margin is believed; of fewer all may be alike by accident."""
USUAL = 25
"""Deals for everybody, if nothing else is asked for."""

PARTS = tuple(attrgetter(name) for name in ("games", "failures", "playing"))


class Course:
    """A tournament from round to round; ``filler`` takes the seats where fewer players are in than there are seats.

    Players are numbers.  What is played is told by ``count``; with ``by_score`` the margins that are looked at are
    those of mean scores, else those of win shares.
    """

    def __init__(
        self, players: int, filler: int, seats: int, seed: int, goal: Goal, threshold: Threshold, *, by_score: bool
    ) -> None:
        self.schedule = Schedule(players, seats, seed, filler, goal.each if goal.filled else None)
        self.seats, self.goal, self.threshold, self.by_score = seats, goal, threshold, by_score
        self.out: set[int] = set()
        self.rounds: list[Mapping[int, Count]] = []
        """Of each round, what everybody in it has played, lost by failing and still to play."""
        self.results: Sequence[Result] = ()
        """Of all rounds; they are looked at only where margins are asked for."""
        self.expected = 0
        """Games that there will be, as far as one can tell."""

    def count(self, number: int, counts: Mapping[int, Count]) -> None:
        """How far round ``number`` is."""
        self.rounds[number - 1] = counts

    @property
    def over(self) -> bool:
        """Whether no game is being played."""
        return not any(one.playing for counts in self.rounds for one in counts.values())

    def decided(self) -> bool:
        """Whether the round can be closed: what is still being played changes nothing any more."""
        if self.goal.width is not None:
            return self.over
        return all(self.fate(player) is not None for player in self.schedule.left)

    def soonest(self) -> int:
        """How many more deals must be played at least until the round can be closed; 0 if it can."""
        if self.goal.width is not None:
            return self.being_played()
        return max(
            (ceil(self.threshold.open_for(*self.lot(player)) / self.seats) for player in self.schedule.left), default=0
        )

    def being_played(self) -> int:
        """How many deals are not over: each has as many games as seats, and as many players in each."""
        return sum(one.playing for counts in self.rounds for one in counts.values()) // self.seats**2

    def fate(self, player: int) -> bool | None:
        """Whether a player will be out at the end of the round; None while that is open."""
        return self.threshold.fate(*self.lot(player))

    def lot(self, player: int) -> tuple[int, int, int]:
        """Of all rounds, what a player has lost by failing, played, and still to play."""
        mine = [counts[player] for counts in self.rounds if player in counts]
        games, failures, playing = (sum(map(part, mine)) for part in PARTS)
        return failures, games, playing

    def next_round(self) -> list[Lineup]:
        """Close the round, which must be decided, and open the next one; no lineup if there is enough."""
        for player in [player for player in self.schedule.left if self.fate(player)]:
            self.schedule.leave(player)
            self.out.add(player)
        wanted = self.deals_wanted()
        lineups = self.schedule.lineups(self.size(wanted))
        if lineups:
            playing: dict[int, int] = {}
            for player in (player for lineup in lineups for player in lineup):
                playing[player] = playing.get(player, 0) + self.seats
            self.rounds.append({player: Count(playing=games) for player, games in playing.items()})
        self.expected = self.seats * int(wanted if lineups and wanted < inf else self.schedule.deals)
        return lineups

    def size(self, wanted: float) -> int:
        """How many deals the next round has, of so many in all."""
        done, players = self.schedule.deals, len(self.schedule.left)
        if not players or wanted <= done:
            return 0
        size = done or max(FIRST, ceil(FIRST * players / self.seats))
        return int(min(size, wanted - done))

    def deals_wanted(self) -> float:
        """How many deals there should be in all, as far as one can tell; infinitely many if nobody can."""
        each, most = self.goal.each, inf if self.goal.deals is None else self.goal.deals
        if each is not None:
            most = min(most, self.deals_for_each(each))
        return most if self.goal.width is None else min(most, self.deals_for_width(self.goal.width))

    def deals_for_each(self, each: int) -> int:
        """How many deals there are in all once everybody who is in has played ``each``."""
        due = [max(0, each - sum(self.lot(player)[1:]) // self.seats) for player in self.schedule.left]
        return self.schedule.deals + max(ceil(sum(due) / self.seats), max(due, default=0))

    def deals_for_width(self, width: float) -> float:
        """About how many deals it takes until no margin is wider; infinitely many if nobody knows.

        Margins shrink with the square root of the number of deals.
        """
        if not self.results:
            return inf
        known = margins(self.results, by_score=self.by_score)
        widest = max((self.margin(player, known) for player in self.schedule.left), default=0.0)
        if widest == inf:
            return inf
        done = self.schedule.deals
        return done if widest <= width else max(done + 1, ceil(done * (widest / width) ** 2))

    def margin(self, player: int, known: dict[int, float]) -> float:
        """A player's margin, if it has played enough to believe it."""
        games = sum(counts[player].games for counts in self.rounds if player in counts)
        return known.get(player, inf) if games >= LEAST * self.seats else inf
