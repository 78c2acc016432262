"""The course of a tournament: rounds, who is put out at the end of each, and when there is enough.

    round       blocks among the players who are in; the first gives everybody two deals, and each has as many deals
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

from collections import Counter
from collections.abc import Sequence
from math import ceil, inf

import msgspec

from kibitz.arena.model import Threshold
from kibitz.arena.schedule import Block, Schedule
from kibitz.arena.standings import Result, margins

FIRST = 2
"""Deals for everybody in the first round: enough for whoever fails always to be seen by then."""
LEAST = 10
"""Deals that a player has played before its margin is believed; of fewer all may be alike by accident."""
USUAL = 25
"""Deals for everybody, if nothing else is asked for."""


class Goal(msgspec.Struct, frozen=True):
    """How much is enough: so many deals, or margins of ``width`` at most, whichever comes first."""

    deals: int | None
    width: float | None = None


def usual_deals(players: int, seats: int) -> int:
    """As many deals as give each of so many players 25.

    >>> usual_deals(60, 4), usual_deals(3, 4)
    (375, 25)
    """
    return ceil(USUAL * max(players, seats) / seats)


class Course:
    """A tournament from round to round; ``filler`` takes the seats where fewer players are in than there are seats.

    With ``by_score`` the margins that are looked at are those of mean scores, else those of win shares.
    """

    def __init__(
        self, players: int, filler: int, seats: int, seed: int, goal: Goal, threshold: Threshold, *, by_score: bool
    ) -> None:
        self.schedule = Schedule(players, seats, seed, filler)
        self.seats, self.goal, self.threshold, self.by_score = seats, goal, threshold, by_score
        self.out: set[int] = set()
        self.results: list[Result] = []
        self.games: Counter[int] = Counter()
        self.failures: Counter[int] = Counter()
        self.playing: Counter[int] = Counter()
        """Games of blocks that are being played, by player."""
        self.open = 0
        """Such blocks."""
        self.expected = 0
        """Games that there will be, as far as one can tell."""

    def take(self, results: Sequence[Result]) -> None:
        """A block is complete."""
        self.results += results
        self.open -= 1
        for result in results:
            self.games.update(result.players)
            self.playing.subtract(result.players)
            self.failures.update(result.players[forfeit.seat] for forfeit in result.forfeits)

    def decided(self) -> bool:
        """Whether the round can be closed: what is still being played changes nothing any more."""
        if self.goal.width is not None:
            return not self.open
        return all(self.fate(player, 0) == self.fate(player, self.playing[player]) for player in self.schedule.left)

    def fate(self, player: int, more: int) -> bool:
        """Whether a player will be out if it fails ``more`` of the games that are being played."""
        return self.threshold.passed(self.failures[player] + more, self.games[player] + self.playing[player])

    def next_round(self) -> list[Block]:
        """Close the round, which must be decided, and open the next one; no block if there is enough."""
        for player in [player for player in self.schedule.left if self.fate(player, 0)]:
            self.schedule.leave(player)
            self.out.add(player)
        wanted = self.deals_wanted()
        blocks = self.schedule.blocks(self.size(wanted))
        for block in blocks:
            self.playing.update({player: self.seats * block.lineup.count(player) for player in set(block.lineup)})
        self.open += len(blocks)
        self.expected = self.seats * int(wanted if blocks and wanted < inf else self.schedule.deal)
        return blocks

    def size(self, wanted: float) -> int:
        """How many deals the next round has, of so many in all."""
        done, players = self.schedule.deal, len(self.schedule.left)
        if not players or wanted <= done:
            return 0
        size = done or max(FIRST, ceil(FIRST * players / self.seats))
        return int(min(size, wanted - done))

    def deals_wanted(self) -> float:
        """How many deals there should be in all, as far as one can tell; infinitely many if nobody can."""
        most = inf if self.goal.deals is None else self.goal.deals
        return most if self.goal.width is None else min(most, self.deals_for_width(self.goal.width))

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
        done = self.schedule.deal
        return done if widest <= width else max(done + 1, ceil(done * (widest / width) ** 2))

    def margin(self, player: int, known: dict[int, float]) -> float:
        """A player's margin, if it has played enough to believe it."""
        return known.get(player, inf) if self.games[player] >= LEAST * self.seats else inf
