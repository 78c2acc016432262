"""The table of an arena for people: who stands where, how certain that is, and why somebody is out.

    ranks       the 95 % interval of a rank: "3-5" says that the player is third at best and fifth at worst
    rating      points with the margin of their 95 % interval; "?" while a player has fewer than two blocks
    out         a submission that has lost too many games by its own failures; it has no rank

Rows are values and ``plain`` prints them in one way only, so two tables of the same results are
the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from kibitz.arena.model import Entrant, MatchResult, Threshold
from kibitz.arena.rating.ratings import Rating, Ratings, fit
from kibitz.arena.rating.standings import reason
from kibitz.engine.columns import tabulated

HEADS = ("#", "ranks", "player", "rating", "games", "wins", "failed")
NAME = HEADS.index("player")
FILLS = "a built-in player, which takes the seats that are left over while players are too few"


class Row(msgspec.Struct, frozen=True):
    """One player's line; ``rank``, ``best`` and ``worst`` are 0 without a rank, and ``margin`` None if unknown."""

    rank: int
    best: int
    worst: int
    player: str
    version: int | None
    points: float | None
    margin: float | None
    games: int
    win_share: float
    failures: int
    reasons: tuple[str, ...]
    """Why it failed, by kind: how often, and the sentence given most often."""
    status: str
    """Empty for a player with a rank, else why it has none, in a sentence."""
    fills: bool = False
    """Whether it is a built-in player, which takes the seats that are left over."""


def rated(
    results: Sequence[MatchResult], out: Mapping[int, str] | None = None, entrants: Sequence[Entrant] = ()
) -> tuple[Ratings, tuple[Row, ...]]:
    """The ratings and the table of a stage's results, as the arena and ``kibitz arena rate`` print them.

    ``out`` has the reasons of those who are out of the tournament, by submission.
    """
    ratings = fit(results, out=out or {})
    return ratings, table(ratings, results, out, entrants)


def out_of(results: Sequence[MatchResult], threshold: Threshold | None = None) -> dict[int, str]:
    """The submissions that have lost too many of their games by failing, and the reason of each.

    Over all results of a tournament, season and final, these are just those that the same threshold has put out at
    the end of a round: they have played no more.
    """
    asked = threshold or Threshold()
    games: dict[int, int] = {}
    failures: dict[int, int] = {}
    for result in results:
        for seat in result.seats:
            games[seat.submission] = games.get(seat.submission, 0) + 1
            if seat.forfeit is not None:
                failures[seat.submission] = failures.get(seat.submission, 0) + 1
    owners = {seat.submission: (seat.player, seat.version) for result in results for seat in result.seats}
    return {
        submission: disqualified(*owners[submission], lost, games[submission], asked)
        for submission, lost in sorted(failures.items())
        if asked.passed(lost, games[submission])
    }


def disqualified(player: str, version: int, failures: int, games: int, threshold: Threshold) -> str:
    """Why a submission is out; the store's closing of a round must say the same.

    >>> disqualified("ann", 2, 6, 120, Threshold())
    'ann (version 2) is out of the tournament: it has lost 6 of 120 games by failures of its own, ...'
    """
    return threshold.sentence(f"{player} (version {version})", failures, games)


def table(
    ratings: Ratings,
    results: Sequence[MatchResult],
    out: Mapping[int, str] | None = None,
    entrants: Sequence[Entrant] = (),
) -> tuple[Row, ...]:
    """The lines of a table: those with a rank, the entrants without a game that counts, then those who are ``out``.

    ``out`` has the reason of each by submission; it must be what ``fit`` was told.  A player whose new version has not
    played yet stands there with the one before.
    """
    out = out or {}
    reasons = failure_reasons(results)
    rows = [row(rating, reasons, "") for rating in ratings.current]
    rated = {rating.submission for rating in ratings.current + ratings.former}
    shown = {rating.player for rating in ratings.current}
    new = sorted(e.player for e in entrants if e.submission not in rated and e.player not in shown)
    rows += [Row(0, 0, 0, player, None, None, None, 0, 0.0, 0, (), f"{player} has no games yet.") for player in new]
    rows += [row(rating, reasons, out[rating.submission]) for rating in ratings.former if rating.submission in out]
    fillers = {seat.player for result in results for seat in result.seats if seat.fills}
    fillers |= {one.player for one in entrants if one.fills}
    return tuple(msgspec.structs.replace(one, fills=one.player in fillers) for one in rows)


def row(rating: Rating, reasons: Mapping[int, tuple[str, ...]], status: str) -> Row:
    """The line of a rating."""
    return Row(
        rank=rating.rank,
        best=rating.best,
        worst=rating.worst,
        player=rating.player,
        version=rating.version,
        points=rating.points,
        margin=rating.margin,
        games=rating.games,
        win_share=rating.wins / rating.games,
        failures=rating.failures,
        reasons=reasons.get(rating.submission, ()),
        status=status,
    )


def failure_reasons(results: Iterable[MatchResult]) -> dict[int, tuple[str, ...]]:
    """Why each submission failed, by kind."""
    found: dict[int, dict[str, list[str]]] = {}
    for result in results:
        for seat in result.seats:
            if seat.forfeit is not None:
                kinds = found.setdefault(seat.submission, {})
                kinds.setdefault(seat.forfeit, []).append(seat.rule or "")
    return {
        submission: tuple(reason(kind, sorted(kinds[kind])) for kind in sorted(kinds))
        for submission, kinds in found.items()
    }


def cells(row: Row) -> tuple[str, ...]:
    """A row as text, under ``HEADS``."""
    ranks = "" if not row.rank else f"{row.best}" if row.best == row.worst else f"{row.best}-{row.worst}"
    margin = "?" if row.margin is None else f"{row.margin:.0f}"
    return (
        str(row.rank or "-"),
        ranks,
        row.player,
        "" if row.points is None else f"{row.points:.0f} ± {margin}",
        str(row.games),
        f"{100 * row.win_share:.1f} %" if row.games else "",
        str(row.failures),
    )


def plain(rows: Sequence[Row]) -> str:
    """The table as text: aligned columns, then why seats failed and who is out."""
    lines = tabulated([HEADS, *map(cells, rows)], (NAME,))
    notes = [f"{row.player} is Kibitz's own: {FILLS}." for row in rows if row.fills]
    notes += [row.status for row in rows if row.status]
    notes += [f"{row.player} failed: {why}" for row in rows for why in row.reasons]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"
