"""Reports on a season: its rankings, the histories of its players, and games lost by a player's own failure.

    ranking     the rows of one stage of a tournament, from its complete rounds
    version     one version of a player: its state, and its results if it has played
    stage       the regular rounds (``season``), or the final once it has begun
    finding     what went wrong, as in ``kibitz.players.findings``: the position, the call, its result, the rule it
                broke, the traceback, and a command that reproduces it
    alone       a command that repeats only this call, in the sandbox; it needs only the player's file
    match_name  ``go/17``: match 17 of the tournament ``go``

A match is a function of its files, its deal and its seating, so ``kibitz arena replay go/17`` plays the same game.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import msgspec

from kibitz.arena.entry.submissions import withdrawn_players
from kibitz.arena.model import REGULAR, Disqualification, Failure, Stage, Submission, Tournament
from kibitz.arena.rating.ratings import RankingRow, Rating, Ratings, ranking_rows, ratings_and_ranking, ratings_text
from kibitz.arena.store import Store
from kibitz.cards import short_repr
from kibitz.engine import record
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.errors import NotationError, RecordError
from kibitz.players.calls import call_command, parse_call
from kibitz.players.findings import Finding, position_lines

# Tables and histories, computed from the store on request.


class Ranking(msgspec.Struct, frozen=True):
    """The ranking from the complete rounds of one stage."""

    tournament: Tournament
    stage: Stage
    rounds: int
    ratings: Ratings | None
    """None before the first round is complete."""
    rows: tuple[RankingRow, ...]
    """The players with a rank, then those without a game yet, then those who are excluded."""
    withdrawn: tuple[str, ...] = ()
    """Withdrawn players; their games and ranks still count."""

    @property
    def rounds_text(self) -> str:
        """How many rounds of which stage it covers."""
        if self.tournament.kind == "custom":
            return counted(self.rounds, "round")
        return counted(self.rounds, "regular round" if self.stage == REGULAR else "final round")

    @property
    def text(self) -> str:
        """The ranking as text, the same bytes as ``kibitz arena rate`` prints for the exported results."""
        return ratings_text(self.rows)


class Version(msgspec.Struct, frozen=True):
    """One version of a player: its state, and its results if it has played."""

    submission: Submission
    kind: str
    rating: Rating | None
    disqualification: Disqualification | None


def latest_stage(tournament: Tournament) -> Stage:
    """The final if it has begun, otherwise the regular rounds."""
    return "final" if "final" in tournament.commitments else REGULAR


def ranking_of(store: Store, tournament: Tournament, stage: Stage) -> Ranking:
    """The ranking of a stage; before the first round is complete, it lists the players without ratings."""
    results = store.results(tournament.name, stage=stage, closed=True)
    entrants = store.entrants(tournament.name) if tournament.phase != "closed" else ()
    if not results:
        return Ranking(tournament, stage, 0, None, ranking_rows(Ratings("wins", 0, (), ()), (), entrants=entrants))
    excluded = {
        disqualification.submission: disqualification.reason
        for disqualification in store.disqualifications(tournament.name)
    }
    ratings, rows = ratings_and_ranking(results, excluded, entrants)
    withdrawn = withdrawn_players(store, tournament.name)
    listed = (row.player for row in rows if row.player in withdrawn)
    return Ranking(tournament, stage, len({result.round for result in results}), ratings, rows, tuple(listed))


def versions_of(store: Store, tournament: Tournament, player: str) -> Iterator[Version]:
    """The versions of a player in one tournament, oldest first, with their ratings in its latest stage."""
    submissions = store.submissions(tournament.name, player=player)
    if not submissions:
        return
    ratings = ranking_of(store, tournament, latest_stage(tournament)).ratings
    rating_of = {rating.submission: rating for rating in (*ratings.current, *ratings.former)} if ratings else {}
    disqualification_of = {
        disqualification.submission: disqualification for disqualification in store.disqualifications(tournament.name)
    }
    for submission in submissions:
        rating, disqualification = rating_of.get(submission.id), disqualification_of.get(submission.id)
        yield Version(submission, tournament.kind, rating, disqualification)


# Failures.


MatchName = tuple[str, int]


def match_name(tournament: str, match: int) -> str:
    """The name of a match.

    >>> match_name("bo:players=3", 17)
    'bo:players=3/17'
    """
    return f"{tournament}/{match}"


def parse_match_name(name: str) -> MatchName:
    """The tournament and number in a match's name. Raises NotationError if it isn't the name of a match.

    >>> parse_match_name("bo:players=3/17")
    ('bo:players=3', 17)
    """
    tournament, _, number = name.strip().rpartition("/")
    if not tournament or not number.isascii() or not number.isdigit() or len(number) > 12 or int(number) < 1:
        raise NotationError(f"{short_repr(name)} isn't a match: write its tournament and number, such as 'go/17'.")
    return tournament, int(number)


def failure_report(store: Store, failure: Failure) -> Finding:
    """The full report on a game that a player lost by a failure."""
    match = match_name(failure.tournament, failure.match)
    printed = f"It printed last:\n{failure.prints.rstrip()}" if failure.prints.strip() else ""
    where = f"seat {failure.seat}, after {failure.moves} moves"
    return Finding(
        ok=False,
        what=f"Match {match}, version {failure.version} of {failure.player} ({failure.kind}) in {where}",
        why=failure.rule,
        kind=failure.kind,
        reproduce=shlex.join(["kibitz", "arena", "replay", match]),
        detail="\n".join(filter(None, (failure.detail, printed))),
        position="\n".join(view_at_failure(store, failure)),
        alone=repeat_command(
            store.tournament(failure.tournament), store.submission(failure.submission).file, failure.detail
        ),
    )


def view_at_failure(store: Store, failure: Failure) -> list[str]:
    """What the seat saw when it failed, line by line; empty if this Kibitz can't read the record."""
    try:
        played = record.parse(store.record(failure.tournament, failure.match))
    except RecordError:
        return []
    (forfeit,) = (forfeit for forfeit in played.forfeits if forfeit.seat == failure.seat)
    return position_lines(find_game(played.game), played, forfeit)


def repeat_command(tournament: Tournament, file: str, detail: str) -> str:
    """A command that repeats the call with which a failure's ``detail`` begins; it is run in the player's folder.

    Empty if the detail doesn't begin with a call.
    """
    first = detail.partition("\n")[0]
    try:
        parse_call(first)
    except NotationError:
        return ""
    return call_command(tournament.game, file, first, tournament.limits)
