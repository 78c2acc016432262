"""The schedule of a tournament: who meets whom, on which deal, in which seat, and when it ends.

    deal        one seed of the game; its cards are the same in all its games
    lineup      the players of a deal, as numbers, one for each seat; every rotation of it plays the deal
    filler      a built-in player that the arena puts into seats that no entrant takes

A schedule is a pure function of the seed, the number of players and the number of deals.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import ceil, inf
from random import Random

from kibitz.arena.model import EndCondition, Entrant, GameCounts, Lineup, Threshold
from kibitz.arena.rating.standings import Result, margins
from kibitz.engine.game import Game
from kibitz.players.built_in import reproducible_players

# Seats that nobody takes.
#
# filler      a built-in player, under its own name, in every seat of a block for which there is no player; it is
#             rated and ranked like any other player
# owner       FILLER_OWNER owns every filler, and nothing else; a filler has no file
#
# The scheduler and the proof of a season use the same functions, so they cannot disagree.


FILLER_OWNER = "Kibitz"


def is_filler(owner: str, sha256: str) -> bool:
    """Whether a submission is a filler: it has ``FILLER_OWNER``, and no hash because it has no file."""
    return owner == FILLER_OWNER and not sha256


def choose_filler(game: Game, used_names: Collection[str] = ()) -> str | None:
    """The built-in player to enter as the filler of a game; None if all names are in use.

    It is the strongest of the reproducible players whose name isn't in use.
    """
    names = reversed(reproducible_players(game))
    return next((name for name in names if name not in used_names), None)


def strongest_entered(game: Game, names: Collection[str]) -> str:
    """The strongest built-in player among a tournament's players, by name; it fills seats if no filler was entered.

    Only reproducible players count. Kibitz may have gained a stronger one since the tournament began, so this needn't
    be the choice of ``choose_filler``.
    """
    return next(name for name in reversed(reproducible_players(game)) if name in names)


def round_entrants(entrants: Sequence[Entrant], seats: int, goal: EndCondition | None = None) -> tuple[Entrant, ...]:
    """The entrants that play in a round: all players, and the fillers too if players may leave seats empty.

    They do if there are fewer players than seats, or in the last deals if ``goal.fills_last_seats``.

    >>> ann, bob, planner = Entrant(1, "ann"), Entrant(2, "bob"), Entrant(3, "planner", fills=True)
    >>> [[one.player for one in round_entrants(some, 2)] for some in ([ann, planner], [ann, bob, planner])]
    [['ann', 'planner'], ['ann', 'bob']]
    """
    players = tuple(entrant for entrant in entrants if not entrant.fills)
    with_fillers = len(players) < seats or (goal is not None and goal.fills_last_seats)
    return tuple(entrants) if players and with_fillers else players


def needs_filler(entrants: Sequence[Entrant], seats: int) -> bool:
    """Whether there are fewer players than seats, and no filler has been entered."""
    return len(entrants) < seats and not any(entrant.fills for entrant in entrants)


# Deals and lineups.


def deal_seed(seed: int, deal: int) -> int:
    """The seed of one deal. It follows from the tournament's seed, but reveals neither that seed nor other deals'."""
    return int.from_bytes(hashlib.sha256(f"kibitz deal {seed:032x} {deal}".encode()).digest()[:16], "little")


def seed_text(seed: int) -> str:
    """A seed as stored, in 32 hexadecimal digits.

    >>> seed_text(2026)
    '000000000000000000000000000007ea'
    """
    return f"{seed:032x}"


def seed_from(text: str) -> int:
    """The inverse of ``seed_text``. Raises ValueError for anything else."""
    if len(text) != 32 or seed_text(seed := int(text, 16)) != text:
        raise ValueError("a seed has 32 hexadecimal digits")
    return seed


def seed_of_block(seed: int, block: int, goal: EndCondition | None) -> int:
    """The seed of a block's deal.  Blocks are numbered from 1; with an end condition, deals are numbered from 0."""
    return deal_seed(seed, block if goal is None else block - 1)


def schedule(players: int, seats: int, deals: int, seed: int) -> list[Lineup]:
    """One lineup per deal.  Every player gets the same number of seats, as nearly as the number of deals allows.

    With fewer players than seats, a player sits in several seats of a deal.
    """
    return Schedule(players, seats, seed).lineups(deals)


class Schedule:
    """An endless schedule that players can leave.

    If fewer players than seats remain, ``filler`` takes the other seats; without a filler, players take them in turn.
    Until somebody leaves, one call ``lineups(9)`` gives the same lineups as three calls ``lineups(3)``. With
    ``deals_each``, nobody plays more than that many deals, and ``filler`` takes the seats that stay empty.
    """

    def __init__(
        self, players: int, seats: int, seed: int, filler: int | None = None, deals_each: int | None = None
    ) -> None:
        self.remaining = list(range(players))
        self.seats, self.filler = seats, filler
        self.deals_each: float = inf if deals_each is None else deals_each
        self.deals_played = Counter[int]()
        self.random = Random(f"kibitz schedule {seed}")
        self.bag: list[int] = []
        """Players in random order; refilled with everybody when no player in it can take the next seat."""
        self.deals = 0

    def leave(self, player: int) -> None:
        """Remove a player from all later lineups."""
        self.remaining.remove(player)
        self.bag = [other for other in self.bag if other != player]

    def lineups(self, deals: int) -> list[Lineup]:
        """The lineups of the next deals."""
        return [self.lineup() for _ in range(deals)]

    def lineup(self) -> Lineup:
        """The lineup of the next deal."""
        self.deals += 1
        lineup: list[int] = []
        eligible = [
            player
            for player in self.remaining
            if self.deals_each is None or self.deals_played[player] < self.deals_each
        ]
        self.bag = [player for player in self.bag if player in eligible]
        while len(lineup) < self.seats:
            everybody_seated = len(lineup) >= len(eligible)
            if everybody_seated and self.filler is not None:
                lineup.append(self.filler)
                continue
            player = next((other for other in self.bag if everybody_seated or other not in lineup), None)
            if player is None:
                self.bag += self.random.sample(eligible, len(eligible))
            else:
                self.bag.remove(player)
                lineup.append(player)
        self.deals_played.update(set(lineup))
        self.random.shuffle(lineup)
        return tuple(lineup)


# The progress of a tournament with an end condition: its rounds, who is excluded after each, and when it ends.
#
#     round       deals among the players who remain; the first round gives everybody two deals, and each later round
#                 doubles the number of deals
#     excluded    a player whose failures exceed the threshold at the end of a round; it plays no later round, but its
#                 opponents keep their results against it
#     decided     a round is decided when the games still being played can no longer change who will be excluded
#     max_margin  the tournament ends once no margin, half the width of an interval, exceeds it; checked between rounds
#
# The matches follow from the seed, the files and the goal, not from which process plays them or in which order.  So a
# round may begin while the last games of the previous round are being played, as soon as that round is decided: no
# core waits for the end of a round.


FIRST_ROUND_DEALS = 2
"""Deals for everybody in the first round, enough to notice a player that always fails."""
MIN_DEALS = 10
"""Deals that a player must have played before its margin counts; fewer results may agree by chance."""
DEFAULT_DEALS = 25
"""Default number of deals for everybody."""


class TournamentProgress:
    """A tournament's progress from round to round; ``filler`` fills seats if there are fewer players than seats.

    Players are numbers.  Call ``count`` whenever games have ended.  Margins are margins of mean scores if ``by_score``,
    otherwise of win shares.
    """

    def __init__(
        self,
        players: int,
        filler: int,
        seats: int,
        seed: int,
        goal: EndCondition,
        threshold: Threshold,
        *,
        by_score: bool,
    ) -> None:
        self.schedule = Schedule(players, seats, seed, filler, goal.deals_each if goal.fills_last_seats else None)
        self.seats, self.goal, self.threshold, self.by_score = seats, goal, threshold, by_score
        self.excluded: set[int] = set()
        self.rounds: list[Mapping[int, GameCounts]] = []
        """For each round, the counts by player."""
        self.results: Sequence[Result] = ()
        """The results of all rounds; needed only if the goal is a margin."""
        self.expected = 0
        """An estimate of the tournament's total number of games."""

    def count(self, number: int, counts: Mapping[int, GameCounts]) -> None:
        """Set every player's counts in round ``number``."""
        self.rounds[number - 1] = counts

    @property
    def is_idle(self) -> bool:
        """Whether no game is being played at the moment."""
        return not any(count.playing for counts in self.rounds for count in counts.values())

    def is_decided(self) -> bool:
        """Whether the round can be closed, because the games still being played can't change anything."""
        if self.goal.max_margin is not None:
            return self.is_idle
        return all(self.is_excluded(player) is not None for player in self.schedule.remaining)

    def deals_until_decided(self) -> int:
        """The smallest number of deals to play until the round can be closed; 0 if it can be closed now."""
        if self.goal.max_margin is not None:
            return self.unfinished_deals()
        return max(
            (
                ceil(self.threshold.games_until_decided(*self.tally(player)) / self.seats)
                for player in self.schedule.remaining
            ),
            default=0,
        )

    def unfinished_deals(self) -> int:
        """The number of unfinished deals; one has as many games as seats, so its players count ``seats**2`` times."""
        return sum(count.playing for counts in self.rounds for count in counts.values()) // self.seats**2

    def is_excluded(self, player: int) -> bool | None:
        """Whether a player will be excluded at the end of the round; None while that is uncertain."""
        return self.threshold.is_excluded(*self.tally(player))

    def tally(self, player: int) -> tuple[int, int, int]:
        """How many games a player has forfeited, has played, and has still to play, in all rounds."""
        counts = [by_player[player] for by_player in self.rounds if player in by_player]
        failures = sum(count.failures for count in counts)
        return failures, sum(count.games for count in counts), sum(count.playing for count in counts)

    def next_round(self) -> list[Lineup]:
        """Close the round, which must be decided, and return the next round's lineups; [] if no deals remain."""
        for player in [player for player in self.schedule.remaining if self.is_excluded(player)]:
            self.schedule.leave(player)
            self.excluded.add(player)
        wanted = self.deals_wanted()
        lineups = self.schedule.lineups(self.next_round_size(wanted))
        if lineups:
            playing: dict[int, int] = {}
            for player in (player for lineup in lineups for player in lineup):
                playing[player] = playing.get(player, 0) + self.seats
            self.rounds.append({player: GameCounts(playing=games) for player, games in playing.items()})
        self.expected = self.seats * int(wanted if lineups and wanted < inf else self.schedule.deals)
        return lineups

    def next_round_size(self, wanted: float) -> int:
        """The number of deals in the next round, if ``wanted`` deals are to be played in all."""
        so_far, players = self.schedule.deals, len(self.schedule.remaining)
        if not players or wanted <= so_far:
            return 0
        deals = so_far or max(FIRST_ROUND_DEALS, ceil(FIRST_ROUND_DEALS * players / self.seats))
        return int(min(deals, wanted - so_far))

    def deals_wanted(self) -> float:
        """An estimate of the number of deals in all; infinite if it can't be estimated."""
        most = inf if self.goal.deals is None else self.goal.deals
        if self.goal.deals_each is not None:
            most = min(most, self.deals_for_each(self.goal.deals_each))
        return most if self.goal.max_margin is None else min(most, self.deals_for_margin(self.goal.max_margin))

    def deals_for_each(self, each: int) -> int:
        """The number of deals in all once every remaining player has played ``deals_each``."""
        missing = [max(0, each - sum(self.tally(player)[1:]) // self.seats) for player in self.schedule.remaining]
        return self.schedule.deals + max(ceil(sum(missing) / self.seats), max(missing, default=0))

    def deals_for_margin(self, max_margin: float) -> float:
        """An estimate of the deals until no margin is above ``max_margin``; infinite if unknown.

        Margins shrink with the square root of the number of deals.
        """
        if not self.results:
            return inf
        margin_of = margins(self.results, by_score=self.by_score)
        widest = max((self.reliable_margin(player, margin_of) for player in self.schedule.remaining), default=0.0)
        if widest == inf:
            return inf
        so_far = self.schedule.deals
        return so_far if widest <= max_margin else max(so_far + 1, ceil(so_far * (widest / max_margin) ** 2))

    def reliable_margin(self, player: int, margin_of: dict[int, float]) -> float:
        """A player's margin; infinite if the player has played fewer than ``MIN_DEALS`` deals."""
        games = sum(counts[player].games for counts in self.rounds if player in counts)
        return margin_of.get(player, inf) if games >= MIN_DEALS * self.seats else inf
