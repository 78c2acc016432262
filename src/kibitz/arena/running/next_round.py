"""Closes the rounds of a season or of a tournament with an end condition, and schedules the next ones.

    scheduler   has ``advance``, which does this as far as it is possible now
    step        what ``advance`` returns: a round is being played, the next one has been scheduled, players are missing,
                the stage is long enough, or the tournament is closed

Each round of a season is a pure function of the stage's seed, the round's number, the entrants, and the results of all
closed rounds of the stage.  Several processes may advance a tournament at once: they compute the same round, and the
store keeps only the first copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Literal

import msgspec

from kibitz.arena.model import (
    REGULAR,
    Entrant,
    Extent,
    Failure,
    GameCounts,
    Lineup,
    MatchResult,
    NextRound,
    Round,
    Stage,
    Submission,
    Tournament,
    stage,
)
from kibitz.arena.rating.standings import Result, SeatForfeit
from kibitz.arena.schedule import TournamentProgress, is_filler, needs_filler, round_entrants, strongest_entered
from kibitz.arena.store import Store
from kibitz.engine.registry import game as find_game
from kibitz.errors import RuleError

# A season.


Step = Literal["playing", "scheduled", "waiting", "done", "closed"]


class StopCondition(msgspec.Struct, frozen=True):
    """When a stage is long enough: by rounds, by games, or when every player is rated precisely; checked after a round.

    A player is rated precisely if its rank is certain or its rating's margin is at most ``max_margin`` points.
    """

    rounds: int | None = None
    games: int | None = None
    max_margin: float | None = None

    def reached(self, extent: Extent, entrants: Sequence[Entrant], results: Sequence[MatchResult]) -> bool:
        """Whether any of these conditions holds."""
        if self.rounds is not None and extent.rounds >= self.rounds:
            return True
        if self.games is not None and extent.matches >= self.games:
            return True
        if self.max_margin is None or not results:
            return False
        from kibitz.arena.pairing import all_precise
        from kibitz.arena.rating.ratings import fit

        return all_precise(fit(results), [entrant.submission for entrant in entrants], self.max_margin)


class SeasonScheduler:
    """The scheduler of a tournament without an end condition; caches the results that it has read."""

    eager = False
    """Whether a round may be scheduled while games of the previous round are still being played."""
    blocks_needed = 0
    """How many blocks must be played, at least, before it is worth calling ``advance`` again."""

    def __init__(self, store: Store, name: str, until: StopCondition, next_round: NextRound | None = None) -> None:
        self.store, self.name, self.until = store, name, until
        self.pairing = next_round
        self.cached: dict[Stage, tuple[int, list[MatchResult]]] = {}
        """For each stage, the number of the last round read, and the results up to it."""

    def advance(self) -> Step:
        """Close the round if it is over, and schedule the next one unless the stage is long enough."""
        last = self.store.rounds(self.name, newest=1)
        number = last[0].number if last else 0
        if last and last[0].closed_at is None and self.store.close_round(self.name, number) is None:
            return "playing"
        tournament = self.store.tournament(self.name)
        if tournament.phase == "closed":
            return "closed"
        current_stage = stage(tournament.phase)
        results = self.results(current_stage, number)
        entrants = self.store.entrants(self.name)
        if needs_filler(entrants, tournament.seats) and tournament.kind != "custom":
            entrants = self.store.fill_seats(self.name)
        if self.until.reached(self.store.extent(self.name, current_stage), entrants, results):
            return "done"
        if needs_filler(entrants, tournament.seats):
            return "waiting"
        seed = self.store.seed(self.name, current_stage)
        lineups = self.next_round(seed, number + 1, tournament.seats, entrants, results)
        if not lineups:
            return "done"
        new_round = self.store.schedule_round(self.name, number + 1, entrants, lineups, phase=tournament.phase)
        return "scheduled" if new_round else "playing"

    def next_round(
        self, seed: int, number: int, seats: int, entrants: Sequence[Entrant], results: Sequence[MatchResult]
    ) -> Sequence[tuple[int, ...]]:
        """The lineups of a round, from the function that was passed or ``kibitz.arena.pairing.next_round``."""
        if self.pairing is None:
            from kibitz.arena.pairing import next_round

            self.pairing = next_round
        return self.pairing(seed, number, seats, entrants, results)

    def results(self, current_stage: Stage, last: int) -> list[MatchResult]:
        """The results of a stage's closed rounds up to number ``last``; results that were read before are cached."""
        last_read, results = self.cached.get(current_stage, (0, []))
        if last_read < last:
            new_rounds = range(last_read + 1, last + 1)
            results += self.store.results(self.name, stage=current_stage, rounds=new_rounds, closed=True)
            self.cached[current_stage] = last, results
        return results


# A tournament with an end condition.
#
# player      a number, in the order in which the players were entered; the filler may be one of them
# pending     the lineups of a round that the store does not have yet
#
# After a stop, the progress is rebuilt from the store, with the same rounds. A stored round that differs raises
# RuleError, since another version of Kibitz must have drawn it.


Failures = Mapping[tuple[int, int], Failure]
"""Failures by match and seat."""
MAX_DETAIL = 4000
"""The maximum number of characters of a failure's details that are kept: the last ones."""


class TournamentPlayers:
    """The players of a tournament, by number.

    ``count`` is their number without a filler that was entered only to fill seats; ``filler`` is the number of the
    player that fills seats; ``numbers`` has each submission's number.
    """

    def __init__(self, game: str, submissions: Sequence[Submission]) -> None:
        accepted = [submission for submission in submissions if submission.state == "accepted"]
        fillers = [submission for submission in accepted if is_filler(submission.owner, submission.sha256)]
        players = [submission for submission in accepted if submission not in fillers]
        # In reverse, so that the first of several players with the same strategy counts.
        built_in = {player.file: number for number, player in reversed([*enumerate(players)]) if not player.is_file}
        self.count = len(players)
        self.filler = len(players) if fillers else built_in[strongest_entered(find_game(game), built_in)]
        self.submissions = tuple(submission.id for submission in (*players, *fillers))
        self.names = tuple(submission.player for submission in (*players, *fillers))
        entered = (Entrant(submission.id, submission.player, submission in fillers) for submission in accepted)
        self.entrants = sorted(entered, key=lambda one: one.player)
        self.numbers = {submission: number for number, submission in enumerate(self.submissions)}

    def result(self, match: MatchResult, failures: Failures) -> Result:
        """A match as a Result, with players by number; ``failures`` has the details and the order of failures."""
        forfeits = []
        for number, seat in enumerate(match.seats):
            if seat.forfeit is not None:
                failure = failures.get((match.match, number))
                order = (failure.moves if failure else 0, seat.forfeit != "load")  # a file loads before it plays
                detail = failure.detail[-MAX_DETAIL:] if failure else ""
                forfeits.append((order, SeatForfeit(number, seat.forfeit, seat.rule or "", detail)))
        return Result(
            deal=match.block - 1,
            rotation=match.rotation,
            seed=match.deal_seed,
            players=tuple(self.numbers[seat.submission] for seat in match.seats),
            scores=tuple(seat.score for seat in match.seats),
            winners=tuple(number for number, seat in enumerate(match.seats) if seat.win_share > 0),
            forfeits=tuple(forfeit for _, forfeit in sorted(forfeits, key=itemgetter(0))),
        )

    def counts(self, by_submission: Mapping[int, GameCounts]) -> dict[int, GameCounts]:
        """Counts by the player's number, from counts by submission."""
        return {self.numbers[submission]: count for submission, count in by_submission.items()}


def progress_of(tournament: Tournament, players: TournamentPlayers, seed: int) -> TournamentProgress:
    """The progress of a tournament with an end condition, before its first round."""
    assert tournament.goal is not None
    by_score = find_game(tournament.game).by_score
    threshold = tournament.threshold
    return TournamentProgress(
        players.count, players.filler, tournament.seats, seed, tournament.goal, threshold, by_score=by_score
    )


class TournamentScheduler:
    """The scheduler of a tournament with an end condition."""

    eager = True

    def __init__(self, store: Store, tournament: Tournament) -> None:
        assert tournament.goal is not None
        self.store, self.tournament, self.name, self.goal = store, tournament, tournament.name, tournament.goal
        self.players = TournamentPlayers(tournament.game, store.submissions(self.name))
        self.progress = progress_of(tournament, self.players, store.seed(self.name, REGULAR))
        self.rounds_followed = 0
        """How many of the store's rounds ``progress`` includes."""
        self.rounds_closed = 0
        self.rounds_counted = 0
        """How many rounds have their final counts in ``progress``."""
        self.rounds_read = 0
        """How many rounds have their results in ``progress``."""
        self.blocks_needed = 0
        self.pending: list[Lineup] | None = None

    def played(self) -> int:
        """How many games have been played, according to the store."""
        blocks = sum(stored.blocks - stored.unplayed for stored in self.store.rounds(self.name))
        return blocks * self.tournament.seats

    def advance(self) -> Step:
        """Close rounds that are over, and schedule the next one as soon as it is certain who takes part."""
        rounds = self.store.rounds(self.name)
        for stored in rounds[self.rounds_closed :]:
            if stored.closed_at is None and (
                stored.unplayed or self.store.close_round(self.name, stored.number) is None
            ):
                break
            self.rounds_closed = stored.number
        self.follow(rounds)
        self.blocks_needed = self.progress.deals_until_decided()
        if self.pending is None and not self.progress.is_decided():  # pending games count as still to be played
            return "playing"
        lineups = self.lineups()
        if not lineups:
            self.blocks_needed = self.progress.unfinished_deals()
            return "done" if self.progress.is_idle else "playing"
        if self.store.schedule_round(self.name, self.rounds_followed + 1, self.entrants(), lineups) is None:
            return "playing"
        self.pending, self.rounds_followed = None, self.rounds_followed + 1
        return "scheduled"

    def follow(self, rounds: Sequence[Round]) -> None:
        """Replay the rounds in the store. Raises RuleError if they differ from the computed ones."""
        for stored in rounds:
            number = stored.number
            if number > self.rounds_followed:
                self.read_results(number - 1)
                if self.lineups() != self.store.lineups(self.name, number):
                    raise RuleError(
                        f"Round {number} of {self.name} isn't the one that this Kibitz would play: continue "
                        "with the version that began it, or begin again in another store."
                    )
                self.pending, self.rounds_followed = None, number
            if number > self.rounds_counted:
                self.progress.count(number, self.players.counts(self.store.counts(self.name, number)))
            if number <= self.rounds_closed:
                self.rounds_counted = max(self.rounds_counted, number)
        self.read_results(self.rounds_closed)

    def read_results(self, last: int) -> None:
        """Give ``progress`` the results up to round ``last``, if the tournament ends by margins."""
        if self.goal.max_margin is not None and self.rounds_read != last:
            self.rounds_read = last
            matches = self.store.results(self.name, rounds=range(1, last + 1), closed=True)
            self.progress.results = [self.players.result(match, {}) for match in matches]

    def results(self) -> tuple[Result, ...]:
        """Every match that the store has, in order of deals and rotations."""
        failures = {(failure.match, failure.seat): failure for failure in self.store.failures(self.name)}
        return tuple(self.players.result(match, failures) for match in self.store.results(self.name))

    def lineups(self) -> list[Lineup]:
        """The lineups of the next round, by submission; advances the progress."""
        if self.pending is None:
            submissions = self.players.submissions
            by_number = self.progress.next_round()
            self.pending = [tuple(submissions[player] for player in lineup) for lineup in by_number] or None
        return self.pending or []

    def entrants(self) -> tuple[Entrant, ...]:
        """The entrants of the next round, by name."""
        excluded = {self.players.submissions[player] for player in self.progress.excluded}
        remaining = [entrant for entrant in self.players.entrants if entrant.submission not in excluded]
        return round_entrants(remaining, self.tournament.seats, self.goal)
