"""Statistics for people: tables, plots with their tables, and one long sheet for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kibitz.arena.csv_files import Cell
from kibitz.data.statistics import GameStatistics, Mean, Spread
from kibitz.engine.sentences import mean_text, share_text
from kibitz.plots.charts import Bar, Panel, bars, histograms
from kibitz.plots.primitives import Plot, file_name, number_text

NOTHING = "–"
SHEET = ("game", "seats", "table", "name", "other", "figure", "value", "margin", "results", "deals")


class TextTable(NamedTuple):
    """A table in words: a title, the heads of its columns, its rows, and which columns are names."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    names: tuple[int, ...] = (0,)


def tables(found: GameStatistics) -> list[TextTable]:
    """The statistics of a game, as tables."""
    return [table for table in (players(found), seats(found), lengths(found), meetings(found)) if table.rows]


def players(found: GameStatistics) -> TextTable:
    """Every player, with their share of the wins and their scores."""
    rows = [
        (
            *(line.player, f"{line.share.results}", share(line.share), score(line.score)),
            quartiles(line.scores),
            ", ".join(f"{count} {kind}" for kind, count in line.forfeits.items()) or "0",
        )
        for line in found.players
    ]
    return TextTable("Players", ("player", "games", "win share", "mean score", "quartiles", "forfeits"), rows)


def seats(found: GameStatistics) -> TextTable:
    """Every seat, with its share of the wins."""
    rows = [
        (
            *(f"seat {line.seat}", f"{line.share.results}", share(line.share)),
            *(f"{100 * line.advantage:+.1f}", score(line.score)),
        )
        for line in found.by_seat
    ]
    return TextTable("Seats", ("seat", "games", "win share", "beyond even", "mean score"), rows)


def lengths(found: GameStatistics) -> TextTable:
    """The lengths of the games."""
    told = found.length, found.lengths
    rows = []
    if told[0] is not None and told[1] is not None:
        rows.append(("actions", f"{told[0].results}", score(told[0]), quartiles(told[1])))
    return TextTable("Lengths", ("of games", "games", "mean", "quartiles"), rows)


def meetings(found: GameStatistics) -> TextTable:
    """How often one player was ahead of another."""
    rows = [(one.player, one.other, f"{one.ahead.results}", share(one.ahead)) for one in found.meetings]
    return TextTable("Head to head", ("player", "other", "meetings", "ahead"), rows, (0, 1))


def share(mean: Mean) -> str:
    """A share in percent with its interval."""
    return share_text(mean.value, mean.margin)


def score(mean: Mean) -> str:
    """A mean with its interval."""
    return mean_text(mean.value, mean.margin)


def quartiles(spread: Spread) -> str:
    """Minimum, lower quartile, median, upper quartile, maximum."""
    five = spread.least, spread.lower, spread.median, spread.upper, spread.most
    return " ".join(number_text(round(value, 2)) for value in five)


def sheet(games: Sequence[GameStatistics]) -> Iterator[tuple[Cell, ...]]:
    """Every figure of every game in a row of its own; unknown ones are empty."""
    yield SHEET
    for found in games:
        start = found.game, found.seats
        for line in found.players:
            yield *start, "players", line.player, "", "win_share", *figures(line.share)
            yield *start, "players", line.player, "", "mean_score", *figures(line.score)
            yield from spread_rows(start, "players", line.player, line.scores, line.score.results)
            for kind, count in line.forfeits.items():
                yield *start, "players", line.player, kind, "forfeits", count, "", line.share.results, line.share.deals
        for seat in found.by_seat:
            yield *start, "seats", str(seat.seat), "", "win_share", *figures(seat.share)
            yield *start, "seats", str(seat.seat), "", "mean_score", *figures(seat.score)
        if found.length is not None and found.lengths is not None:
            yield *start, "lengths", "actions", "", "mean_length", *figures(found.length)
            yield from spread_rows(start, "lengths", "actions", found.lengths, found.length.results)
        for one in found.meetings:
            yield *start, "meetings", one.player, one.other, "ahead", *figures(one.ahead)


def spread_rows(
    start: tuple[Cell, ...], table: str, name: str, spread: Spread, results: int
) -> Iterator[tuple[Cell, ...]]:
    """The figures of a spread."""
    for figure in ("least", "lower", "median", "upper", "most", "deviation"):
        yield *start, table, name, "", figure, getattr(spread, figure), "", results, ""


def figures(mean: Mean) -> tuple[Cell, ...]:
    """A mean as cells."""
    return mean.value, "" if mean.margin is None else mean.margin, mean.results, mean.deals


# ---------------------------------------------------------------- plots


def plots(games: Sequence[GameStatistics]) -> list[Plot]:
    """All plots of all games, each with its own name."""
    found: list[Plot] = []
    taken: set[str] = set()
    for one in games:
        base = name = file_name(one.title)
        number = 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        found += plots_of(one, name)
    return found


def plots_of(found: GameStatistics, name: str) -> list[Plot]:
    """The plots of one game."""
    whole = f"{found.games} games, {found.deals} deals"
    made = [win_shares(found, name, whole), mean_scores(found, name, whole), score_spreads(found, name, whole)]
    made.append(seat_shares(found, name, whole))
    if found.lengths is not None:
        made.append(length_spread(found, name, whole))
    if found.meetings:
        made.append(ahead(found, name, whole))
    return made


def win_shares(found: GameStatistics, name: str, whole: str) -> Plot:
    """Every player's share of the wins."""
    most = max(found.players, key=lambda line: line.share.value)
    return bars(
        f"{name}-wins",
        f"{found.title}: shares of the wins",
        f"Of {whole}, {most.player} has the largest share of the wins, {share(most.share)}. Lines span 95 % intervals.",
        [Bar(line.player, line.share.value, line.share.margin) for line in found.players],
        percent=True,
        label="share of the wins",
        reference=1 / found.seats,
        reference_name="an even share",
        heads=("player", "win_share", "margin"),
    )


def mean_scores(found: GameStatistics, name: str, whole: str) -> Plot:
    """Every player's mean score."""
    most = max(found.players, key=lambda line: line.score.value)
    return bars(
        f"{name}-means",
        f"{found.title}: mean scores",
        f"In {whole}, {most.player} has the highest mean score, {score(most.score)}. Lines span 95 % intervals.",
        [Bar(line.player, line.score.value, line.score.margin) for line in found.players],
        label="mean score",
        heads=("player", "mean_score", "margin"),
    )


def score_spreads(found: GameStatistics, name: str, whole: str) -> Plot:
    """The distribution of every player's scores."""
    edges = found.score_edges
    return histograms(
        f"{name}-scores",
        f"{found.title}: how scores are spread",
        f"Scores in {whole}, from {number_text(edges[0])} to {number_text(edges[-1])}, a histogram for each player.",
        edges,
        [Panel(line.player, line.scores.counts, f"median {number_text(line.scores.median)}") for line in found.players],
        label="score",
        heads=("player", "from", "to", "games", "share"),
    )


def seat_shares(found: GameStatistics, name: str, whole: str) -> Plot:
    """Every seat's share of the wins."""
    most = max(found.by_seat, key=lambda line: line.share.value)
    return bars(
        f"{name}-seats",
        f"{found.title}: what a seat is worth",
        f"Of {whole}, seat {most.seat} won most, {share(most.share)}; an even share is"
        f" {100 / found.seats:.1f} %. Lines span 95 % intervals.",
        [Bar(f"seat {line.seat}", line.share.value, line.share.margin) for line in found.by_seat],
        percent=True,
        label="share of the wins",
        reference=1 / found.seats,
        reference_name="an even share",
        heads=("seat", "win_share", "margin"),
    )


def length_spread(found: GameStatistics, name: str, whole: str) -> Plot:
    """The distribution of the lengths of games."""
    assert found.lengths is not None
    lengths = found.lengths
    return histograms(
        f"{name}-lengths",
        f"{found.title}: how long games are",
        f"The lengths of {whole}: half of them have from {number_text(lengths.lower)}"
        f" to {number_text(lengths.upper)} actions.",
        found.length_edges,
        [Panel("all games", lengths.counts, f"median {number_text(lengths.median)}")],
        label="actions",
        heads=("of", "from", "to", "games", "share"),
    )


def ahead(found: GameStatistics, name: str, whole: str) -> Plot:
    """How often one player was ahead of another."""
    return bars(
        f"{name}-meetings",
        f"{found.title}: head to head",
        f"How often the player named first was ahead of the second where both sat at one table, in {whole}."
        " Lines span 95 % intervals.",
        [Bar(f"{one.player} / {one.other}", one.ahead.value, one.ahead.margin) for one in found.meetings],
        percent=True,
        label="ahead",
        reference=0.5,
        reference_name="as often as not",
        heads=("players", "ahead", "margin"),
    )
