"""What a season answers: its tables and the histories of its players, computed from the store when they are asked for.

ranking     the rows of one stage of a tournament, from its complete rounds
version     one version of a player: what became of it, and what it has reached where it has played
stage       the season; or the final, once that has begun
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kibitz.arena.entry.submissions import who_left
from kibitz.arena.model import Disqualification, Stage, Submission, Tournament
from kibitz.arena.rating.ranking import Row, plain, rated
from kibitz.arena.rating.ranking import table as rows_of
from kibitz.arena.rating.ratings import Rating, Ratings
from kibitz.arena.store import Store


class Ranking(msgspec.Struct, frozen=True):
    """Who is how good, from the complete rounds of one stage."""

    tournament: Tournament
    stage: Stage
    rounds: int
    ratings: Ratings | None
    """None before the first round is complete."""
    rows: tuple[Row, ...]
    """The players in play by rank, those without a game yet, and those who are out."""
    left: tuple[str, ...] = ()
    """Those of them who have left; their games count as they did, and so do their ranks."""

    @property
    def plain(self) -> str:
        """The table as text, the same bytes as ``kibitz arena rate`` gives for the exported results."""
        return plain(self.rows)


class Version(msgspec.Struct, frozen=True):
    """One version of a player: what became of it, and what it has reached where it has played."""

    submission: Submission
    kind: str
    rating: Rating | None
    out: Disqualification | None


def latest_stage(tournament: Tournament) -> Stage:
    """The final, once it has begun."""
    return "final" if "final" in tournament.commitments else "season"


def ranking_of(store: Store, tournament: Tournament, stage: Stage) -> Ranking:
    """The table of a stage; before its first round is complete, of those who wait for it."""
    results = store.results(tournament.name, stage=stage, closed=True)
    entrants = store.entrants(tournament.name) if tournament.phase != "closed" else ()
    if not results:
        return Ranking(tournament, stage, 0, None, rows_of(Ratings("wins", 0, (), ()), (), entrants=entrants))
    out = {found.submission: found.reason for found in store.disqualifications(tournament.name)}
    ratings, rows = rated(results, out, entrants)
    gone = who_left(store, tournament.name)
    left = (row.player for row in rows if row.player in gone)
    return Ranking(tournament, stage, len({result.round for result in results}), ratings, rows, tuple(left))


def versions_of(store: Store, tournament: Tournament, player: str) -> Iterator[Version]:
    """The versions of a player in one tournament, oldest first, with their ratings in its latest stage."""
    submissions = store.submissions(tournament.name, player=player)
    if not submissions:
        return
    ratings = ranking_of(store, tournament, latest_stage(tournament)).ratings
    known = {one.submission: one for one in (*ratings.current, *ratings.former)} if ratings else {}
    out = {one.submission: one for one in store.disqualifications(tournament.name)}
    for one in submissions:
        yield Version(one, tournament.kind, known.get(one.id), out.get(one.id))
