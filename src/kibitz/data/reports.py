"""Statistics for people: tables, plots with their tables, and one long sheet for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kibitz.arena.csv_files import Cell
from kibitz.data.statistics import GameStatistics, Mean, Spread
from kibitz.engine.sentences import mean_text, share_text
from kibitz.plots.charts import Bar, Panel, bars, histograms
from kibitz.plots.primitives import Plot, file_name, number_text

SHEET = ("game", "seats", "table", "name", "other", "figure", "value", "margin", "results", "deals")


class TextTable(NamedTuple):
    """A table in words: a title, the heads of its columns, its rows, and which columns are names."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    names: tuple[int, ...] = (0,)


def tables(found: GameStatistics) -> list[TextTable]:
    """The statistics of a game, as tables."""
    found_tables = players_table(found), seats_table(found), lengths_table(found), meetings_table(found)
    return [table for table in found_tables if table.rows]


def players_table(found: GameStatistics) -> TextTable:
    """Every player, with their share of the wins and their scores."""
    rows = [
        (
            *(line.player, f"{line.share.results}", share_cell(line.share), score_cell(line.score)),
            quartiles_cell(line.scores),
            ", ".join(f"{count} {kind}" for kind, count in line.forfeits.items()) or "0",
        )
        for line in found.players
    ]
    return TextTable("Players", ("player", "games", "win share", "mean score", "quartiles", "forfeits"), rows)


def seats_table(found: GameStatistics) -> TextTable:
    """Every seat, with its share of the wins."""
    rows = [
        (
            *(f"seat {line.seat}", f"{line.share.results}", share_cell(line.share)),
            *(f"{100 * line.advantage:+.1f}", score_cell(line.score)),
        )
        for line in found.by_seat
    ]
    return TextTable("Seats", ("seat", "games", "win share", "beyond even", "mean score"), rows)


def lengths_table(found: GameStatistics) -> TextTable:
    """The lengths of the games."""
    mean, spread = found.length, found.lengths
    rows = []
    if mean is not None and spread is not None:
        rows.append(("actions", f"{mean.results}", score_cell(mean), quartiles_cell(spread)))
    return TextTable("Lengths", ("of games", "games", "mean", "quartiles"), rows)


def meetings_table(found: GameStatistics) -> TextTable:
    """How often one player was ahead of another."""
    rows = [
        (meeting.player, meeting.other, f"{meeting.ahead.results}", share_cell(meeting.ahead))
        for meeting in found.meetings
    ]
    return TextTable("Head to head", ("player", "other", "meetings", "ahead"), rows, (0, 1))


def share_cell(mean: Mean) -> str:
    """A share in percent with its interval."""
    return share_text(mean.value, mean.margin)


def score_cell(mean: Mean) -> str:
    """A mean with its interval."""
    return mean_text(mean.value, mean.margin)


def quartiles_cell(spread: Spread) -> str:
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
        for meeting in found.meetings:
            yield *start, "meetings", meeting.player, meeting.other, "ahead", *figures(meeting.ahead)


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
    for statistics in games:
        base = name = file_name(statistics.title)
        number = 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        found += game_plots(statistics, name)
    return found


def game_plots(found: GameStatistics, name: str) -> list[Plot]:
    """The plots of one game."""
    sample_size = f"{found.games} games, {found.deals} deals"
    always = win_share_plot, mean_score_plot, score_plot, seat_share_plot
    drawn = [draw(found, name, sample_size) for draw in always]
    if found.lengths is not None:
        drawn.append(length_plot(found, name, sample_size))
    if found.meetings:
        drawn.append(head_to_head_plot(found, name, sample_size))
    return drawn


def win_share_plot(found: GameStatistics, name: str, sample_size: str) -> Plot:
    """Every player's share of the wins."""
    best = max(found.players, key=lambda line: line.share.value)
    return bars(
        f"{name}-wins",
        f"{found.title}: shares of the wins",
        f"Of {sample_size}, {best.player} has the largest share of the wins, {share_cell(best.share)}."
        " Lines span 95 % intervals.",
        [Bar(line.player, line.share.value, line.share.margin) for line in found.players],
        percent=True,
        label="share of the wins",
        reference=1 / found.seats,
        reference_name="an even share",
        heads=("player", "win_share", "margin"),
    )


def mean_score_plot(found: GameStatistics, name: str, sample_size: str) -> Plot:
    """Every player's mean score."""
    best = max(found.players, key=lambda line: line.score.value)
    return bars(
        f"{name}-means",
        f"{found.title}: mean scores",
        f"In {sample_size}, {best.player} has the highest mean score, {score_cell(best.score)}."
        " Lines span 95 % intervals.",
        [Bar(line.player, line.score.value, line.score.margin) for line in found.players],
        label="mean score",
        heads=("player", "mean_score", "margin"),
    )


def score_plot(found: GameStatistics, name: str, sample_size: str) -> Plot:
    """The distribution of every player's scores."""
    edges = found.score_edges
    return histograms(
        f"{name}-scores",
        f"{found.title}: how scores are spread",
        f"Scores in {sample_size}, from {number_text(edges[0])} to {number_text(edges[-1])},"
        " a histogram for each player.",
        edges,
        [Panel(line.player, line.scores.counts, f"median {number_text(line.scores.median)}") for line in found.players],
        label="score",
        heads=("player", "from", "to", "games", "share"),
    )


def seat_share_plot(found: GameStatistics, name: str, sample_size: str) -> Plot:
    """Every seat's share of the wins."""
    best = max(found.by_seat, key=lambda line: line.share.value)
    return bars(
        f"{name}-seats",
        f"{found.title}: what a seat is worth",
        f"Of {sample_size}, seat {best.seat} won most, {share_cell(best.share)}; an even share is"
        f" {100 / found.seats:.1f} %. Lines span 95 % intervals.",
        [Bar(f"seat {line.seat}", line.share.value, line.share.margin) for line in found.by_seat],
        percent=True,
        label="share of the wins",
        reference=1 / found.seats,
        reference_name="an even share",
        heads=("seat", "win_share", "margin"),
    )


def length_plot(found: GameStatistics, name: str, sample_size: str) -> Plot:
    """The distribution of the lengths of games."""
    assert found.lengths is not None
    lengths = found.lengths
    return histograms(
        f"{name}-lengths",
        f"{found.title}: how long games are",
        f"The lengths of {sample_size}: half of them have from {number_text(lengths.lower)}"
        f" to {number_text(lengths.upper)} actions.",
        found.length_edges,
        [Panel("all games", lengths.counts, f"median {number_text(lengths.median)}")],
        label="actions",
        heads=("of", "from", "to", "games", "share"),
    )


def head_to_head_plot(found: GameStatistics, name: str, sample_size: str) -> Plot:
    """How often one player was ahead of another."""
    return bars(
        f"{name}-meetings",
        f"{found.title}: head to head",
        f"How often the player named first was ahead of the second where both sat at one table, in {sample_size}."
        " Lines span 95 % intervals.",
        [
            Bar(f"{meeting.player} / {meeting.other}", meeting.ahead.value, meeting.ahead.margin)
            for meeting in found.meetings
        ],
        percent=True,
        label="ahead",
        reference=0.5,
        reference_name="as often as not",
        heads=("players", "ahead", "margin"),
    )
