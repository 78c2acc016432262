"""Seconds to rate a whole season again, and to read it from CSV.

ours        ``kibitz.arena.rating.ratings.fit``: a batch fit with intervals of points and ranks
peer        openskill's Plackett-Luce updates over the same games, where it is installed; they have no intervals and
            depend on the order of the games
"""

from __future__ import annotations

import io
from functools import cache
from importlib.util import find_spec
from time import perf_counter

from benchmarks.harness import Probe, Row, Rows
from benchmarks.seasons import STYLES, Style, season, strengths
from kibitz.arena.model import MatchResult

PLAYERS = 300
BLOCKS = 25_000
ASKED = 3.0


def rows() -> Rows:
    """Rows for ratings by wins, for ratings by places, and for reading the CSV."""
    peer = openskill(STYLES[0]) if find_spec("openskill") else None
    table_rows = [
        Row("rate 100,000 games, wins", "s", rating(STYLES[0]), peer, ASKED),
        Row("rate 100,000 games, places", "s", rating(STYLES[2]), None, ASKED),
        Row("read 100,000 games from CSV", "s", reading(STYLES[0])),
    ]
    return table_rows, [f"{PLAYERS} players, 4 seats, {BLOCKS:,} blocks of 4 games, all intervals included."]


@cache
def results(style: Style) -> list[MatchResult]:
    """The season that is rated."""
    return season(style, strengths(PLAYERS, 1), BLOCKS, 1)


def rating(style: Style) -> Probe:
    """A probe: seconds for a fit."""
    from kibitz.arena.rating.ratings import fit

    def probe() -> float:
        season_results = results(style)
        start = perf_counter()
        if len(fit(season_results).current) != PLAYERS:
            raise RuntimeError("not all players are rated")
        return perf_counter() - start

    return probe


def reading(style: Style) -> Probe:
    """A probe: seconds to read an export."""
    from kibitz.arena.rating.export import read_csv, write_csv

    def probe() -> float:
        out = io.StringIO(newline="")
        write_csv(out, results(style))
        out.seek(0)
        start = perf_counter()
        if len(read_csv(out)) != 4 * BLOCKS:
            raise RuntimeError("not all results are read")
        return perf_counter() - start

    return probe


def openskill(style: Style) -> Probe:
    """A probe: seconds for openskill to update the same players game by game."""
    from openskill.models import PlackettLuce  # type: ignore[import-not-found]

    def probe() -> float:
        season_results = results(style)
        model = PlackettLuce()
        start = perf_counter()
        ratings = {s: model.rating() for s in range(PLAYERS)}
        for result in season_results:
            players = [s.submission for s in result.seats]
            updated = model.rate([[ratings[s]] for s in players], ranks=[s.place for s in result.seats])
            ratings.update(zip(players, (team[0] for team in updated), strict=True))
        return perf_counter() - start

    return probe
