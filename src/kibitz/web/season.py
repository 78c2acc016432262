"""The season that the pages show: it is opened once, called from threads, and caches slow results.

curve       a player's rating after some of the rounds, as points
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec

from kibitz.arena.api import Arena
from kibitz.arena.api import open as open_arena
from kibitz.arena.model import MatchInPlay, MatchResult, Phase, Stage, Tournament
from kibitz.arena.rating.ratings import fit
from kibitz.arena.running.runner import file_of
from kibitz.arena.season_reports import Ranking, latest_stage
from kibitz.engine.game import Game
from kibitz.engine.record import parse
from kibitz.engine.sentences import counted
from kibitz.errors import NotationError, StoreError
from kibitz.players.specs import PlayerSpec
from kibitz.web.live_tables.connection import Person
from kibitz.web.problems import missing
from kibitz.web.store.people import INVITED, LECTURER, name_skeleton
from kibitz.web.store.tables import FinishedGame, Seat

T = TypeVar("T")
MAX_CACHED, MAX_CURVE_POINTS = 30, 40
INVITED_ONLY = (
    "Somebody in this season has your account's name. If that is you, open the link from your lecturer once, and sign "
    "in there."
)
RETRY_SECONDS = 60.0
"""Seconds to wait after a season's store could not be opened, before it is opened again to read the roster."""


class RankedTournament(NamedTuple):
    """A tournament with its ranking, and the results that the ranking comes from."""

    tournament: Tournament
    ranking: Ranking
    results: tuple[MatchResult, ...]


class CurvePoint(msgspec.Struct, frozen=True):
    """A rating after ``round`` complete rounds; ``margin`` is half of its 95 % interval, None while it is unknown."""

    round: int
    rating: float
    margin: float | None


class ServerSeason:
    """The season of a server; opened on first use."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.opened: Arena | None = None
        self.lock = threading.Lock()
        self.retry_at = 0.0
        self.cached_ranking = lru_cache(MAX_CACHED)(self.compute_ranking)
        self.cached_curve = lru_cache(MAX_CACHED)(self.compute_curve)

    def arena(self) -> Arena:
        """The open season. Raises StoreError if it cannot be opened."""
        with self.lock:
            if self.opened is None:
                self.opened = open_arena(self.where or None)
            return self.opened

    def roster_names(self) -> dict[str, str]:
        """The names on the roster, by skeleton.

        Empty if there is no season yet; none is created. If the season's store can't be opened, the result is empty for
        ``RETRY_SECONDS``, since people can play without a season.
        """
        if time.monotonic() < self.retry_at:
            return {}
        try:
            with self.lock:
                if self.opened is None:
                    self.opened = open_arena(self.where or None, create=False)
            return {name_skeleton(name): name for entry in self.opened.roster() for name in (entry.owner, entry.player)}
        except StoreError as error:
            self.retry_at = 0.0 if error.kind == "missing" else time.monotonic() + RETRY_SECONDS
            return {}

    async def in_thread(self, function: Callable[[Arena], T]) -> T:
        """Call a function with the arena, in a thread."""
        return await asyncio.to_thread(lambda: function(self.arena()))

    def tournament(self, name: str) -> Tournament:
        """The tournament with exactly this name; ApiError 404 if it does not exist."""
        for tournament in self.arena().tournaments():
            if tournament.name == name:
                return tournament
        raise missing("tournament")

    def owners(self) -> dict[str, str]:
        """The owners on the roster and of submitted players, by the skeletons of their names."""
        arena = self.arena()
        owners = [entry.owner for entry in arena.roster()]
        for tournament in arena.tournaments():
            owners += [submission.owner for submission in arena.store.submissions(tournament.name)]
        return {name_skeleton(owner): owner for owner in owners}

    def ranked_tournament(self, name: str) -> RankedTournament:
        """The ranking of a tournament's latest stage; computed again only when there are more matches."""
        tournament = self.tournament(name)
        stage = latest_stage(tournament)
        matches = self.arena().store.extent(name, stage).matches
        compute = self.cached_ranking if matches else self.compute_ranking
        return compute(name, stage, tournament.phase, matches)

    def compute_ranking(self, name: str, stage: Stage, phase: Phase, matches: int) -> RankedTournament:
        """The ranking of a stage, in this phase of the tournament and after this many matches."""
        ranking = self.arena().ranking(name, stage=stage)
        return RankedTournament(ranking.tournament, ranking, self.arena().store.results(name, stage=stage, closed=True))

    def so_far(self, name: str) -> str:
        """What a tournament has: "3 players, 1 round complete, 24 matches played"; the last two of its latest stage."""
        tournament = self.tournament(name)
        store, stage = self.arena().store, latest_stage(tournament)
        players = counted(len(store.entrants(name)), "player")
        rounds = counted(store.extent(name, stage).rounds, "round")
        matches = counted(store.extent(name, stage, closed=False).matches, "match", "matches")
        return f"{players}, {rounds} complete, {matches} played"

    def curve(self, name: str, player: str) -> tuple[CurvePoint, ...]:
        """A player's rating after the rounds of the latest stage, or some of them if there are many."""
        return self.cached_curve(name, player, len(self.ranked_tournament(name).results))

    def compute_curve(self, name: str, player: str, matches: int) -> tuple[CurvePoint, ...]:
        """A player's curve after this many matches."""
        return tuple(curve_points(self.ranked_tournament(name).results, player))

    def matches_in_play(self, name: str) -> tuple[MatchInPlay, ...]:
        """The long matches that runners are playing."""
        return self.arena().store.matches_in_play(self.tournament(name).name)

    def match(self, id: str) -> FinishedGame | None:
        """A match (``go.17``) as a finished game; None if it does not exist."""
        name, _, number = id.rpartition(".")
        if not name or not number.isascii() or not number.isdigit() or len(number) > 12:
            return None
        try:
            text = self.arena().store.record(name, int(number))
        except StoreError as error:
            if error.kind == "missing":
                return None
            raise
        record = parse(text)
        return FinishedGame(
            id=id,
            game=record.game,
            names=record.seats,
            kinds=("file",) * len(record.seats),
            scores=record.outcome.scores,
            winners=record.outcome.winners,
            steps=len(record.actions),
            rated=True,
            notes=(),
            at=0.0,
            record=text,
        )

    async def player(self, game: Game, seat: Seat) -> PlayerSpec:
        """A seat's player file, in the version that plays in its tournament now. Raises NotationError if none does."""
        return await asyncio.to_thread(self.file_of, game, seat)

    def file_of(self, game: Game, seat: Seat) -> PlayerSpec:
        """What ``player`` returns, read from the store in this thread."""
        tournament, store = self.tournament(seat.tournament), self.arena().store
        if game.name.partition(":")[0] != tournament.game.partition(":")[0]:
            raise NotationError(f"{seat.player} plays {tournament.game} in {tournament.name}, and not {game.name}.")
        for submission in store.latest_accepted(tournament.name):
            if submission.player == seat.player:
                return file_of(store, submission.id).spec(game, tournament.limits)
        raise NotationError(f"No eligible player {seat.player!r} in {tournament.name}.")

    def close(self) -> None:
        """Close the store."""
        with self.lock:
            if self.opened is not None:
                self.opened.close()
                self.opened = None


def is_invited(person: Person, owner: str) -> bool:
    """Whether somebody has signed in by a lecturer's link for this owner; lecturers need no link."""
    return person.name == owner and bool({INVITED, LECTURER} & {*person.roles})


def may_submit(arena: Arena, person: Person) -> bool:
    """Whether an account may submit under its name: by invitation, or because nobody else in the season has it."""
    if is_invited(person, person.name):
        return True
    for tournament in arena.tournaments():
        if any(version.account != person.id for version in arena.store.submissions(tournament.name, owner=person.name)):
            return False
    return all(entry.owner != person.name for entry in arena.roster())


def curve_points(results: Sequence[MatchResult], player: str) -> Iterable[CurvePoint]:
    """A player's ratings from the results of a growing number of rounds."""
    rounds = sorted({result.round for result in results})
    step = max(1, -(-len(rounds) // MAX_CURVE_POINTS))
    for last in sorted({*rounds[step - 1 :: step], *rounds[-1:]}):
        ratings = fit([result for result in results if result.round <= last])
        for rating in ratings.current:
            if rating.player == player:
                yield CurvePoint(last, rating.points, rating.margin)
