"""Statistics as tables and plots for people, and as one long table (``sheet``) for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kibitz.arena.csv_files import Cell
from kibitz.data.statistics import Distribution, GameStatistics, Mean
from kibitz.engine.sentences import mean_text, share_text
from kibitz.plots.charts import Bar, Histogram, bars, histograms
from kibitz.plots.primitives import Plot, file_name, number_text

SHEET_COLUMNS = ("game", "seats", "table", "name", "other", "figure", "value", "margin", "results", "deals")


class TextTable(NamedTuple):
    """A table of texts; ``names`` are the indices of the columns with names, which are aligned left."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    names: tuple[int, ...] = (0,)


def tables(statistics: GameStatistics) -> list[TextTable]:
    """The statistics of a game, as tables."""
    makers = players_table, seats_table, lengths_table, meetings_table
    return [table for make in makers if (table := make(statistics)).rows]


def players_table(statistics: GameStatistics) -> TextTable:
    """Every player's win share and scores."""
    rows = [
        (
            *(line.player, f"{line.share.results}", share_cell(line.share), score_cell(line.score)),
            quartiles_cell(line.scores),
            ", ".join(f"{count} ({kind})" for kind, count in line.forfeits.items()) or "0",
        )
        for line in statistics.players
    ]
    return TextTable("Players", ("player", "games", "win share", "mean score", "quartiles", "forfeits"), rows)


def seats_table(statistics: GameStatistics) -> TextTable:
    """Every seat's win share, by how many percentage points that exceeds an even share, and mean score."""
    rows = [
        (
            *(f"seat {line.seat}", f"{line.share.results}", share_cell(line.share)),
            *(f"{100 * line.advantage:+.1f}", score_cell(line.score)),
        )
        for line in statistics.by_seat
    ]
    return TextTable("Seats", ("seat", "games", "win share", "vs even share", "mean score"), rows)


def lengths_table(statistics: GameStatistics) -> TextTable:
    """The lengths of the games."""
    mean, spread = statistics.length, statistics.lengths
    rows = []
    if mean is not None and spread is not None:
        rows.append(("actions", f"{mean.results}", score_cell(mean), quartiles_cell(spread)))
    return TextTable("Lengths", ("unit", "games", "mean", "quartiles"), rows)


def meetings_table(statistics: GameStatistics) -> TextTable:
    """How often one player was ahead of another."""
    rows = [
        (meeting.player, meeting.other, f"{meeting.ahead.results}", share_cell(meeting.ahead))
        for meeting in statistics.meetings
    ]
    return TextTable("Head to head", ("player", "other", "meetings", "ahead"), rows, (0, 1))


def share_cell(mean: Mean) -> str:
    """A share in percent with its interval."""
    return share_text(mean.value, mean.margin)


def score_cell(mean: Mean) -> str:
    """A mean with its interval."""
    return mean_text(mean.value, mean.margin)


def quartiles_cell(spread: Distribution) -> str:
    """Minimum, lower quartile, median, upper quartile, maximum."""
    values = spread.least, spread.lower, spread.median, spread.upper, spread.most
    return " ".join(number_text(round(value, 2)) for value in values)


def sheet(games: Sequence[GameStatistics]) -> Iterator[tuple[Cell, ...]]:
    """The column names, and then a row for every figure of every game; unknown figures are empty."""
    yield SHEET_COLUMNS
    for statistics in games:
        game_cells = statistics.game, statistics.seats
        for line in statistics.players:
            yield *game_cells, "players", line.player, "", "win_share", *figures(line.share)
            yield *game_cells, "players", line.player, "", "mean_score", *figures(line.score)
            yield from distribution_rows(game_cells, "players", line.player, line.scores, line.score.results)
            for kind, count in line.forfeits.items():
                results = line.share.results, line.share.deals
                yield *game_cells, "players", line.player, kind, "forfeits", count, "", *results
        for seat in statistics.by_seat:
            yield *game_cells, "seats", str(seat.seat), "", "win_share", *figures(seat.share)
            yield *game_cells, "seats", str(seat.seat), "", "mean_score", *figures(seat.score)
        if statistics.length is not None and statistics.lengths is not None:
            yield *game_cells, "lengths", "actions", "", "mean_length", *figures(statistics.length)
            yield from distribution_rows(
                game_cells, "lengths", "actions", statistics.lengths, statistics.length.results
            )
        for meeting in statistics.meetings:
            yield *game_cells, "meetings", meeting.player, meeting.other, "ahead", *figures(meeting.ahead)


def distribution_rows(
    game_cells: tuple[Cell, ...], table: str, name: str, spread: Distribution, results: int
) -> Iterator[tuple[Cell, ...]]:
    """The rows of a distribution, one for each figure."""
    for figure in ("least", "lower", "median", "upper", "most", "deviation"):
        yield *game_cells, table, name, "", figure, getattr(spread, figure), "", results, ""


def figures(mean: Mean) -> tuple[Cell, ...]:
    """A mean as the last four cells of a row: value, margin, results, deals."""
    return mean.value, "" if mean.margin is None else mean.margin, mean.results, mean.deals


# ---------------------------------------------------------------- plots


def plots(games: Sequence[GameStatistics]) -> list[Plot]:
    """All plots of all games; no two have the same name."""
    all_plots: list[Plot] = []
    used_names: set[str] = set()
    for statistics in games:
        base = name = file_name(statistics.title)
        number = 1
        while name in used_names:
            number += 1
            name = f"{base}-{number}"
        used_names.add(name)
        all_plots += game_plots(statistics, name)
    return all_plots


def game_plots(statistics: GameStatistics, name: str) -> list[Plot]:
    """The plots of one game."""
    sample_size = f"{statistics.games} games, {statistics.deals} deals"
    always = win_share_plot, mean_score_plot, score_plot, seat_share_plot
    drawn = [draw(statistics, name, sample_size) for draw in always]
    if statistics.lengths is not None:
        drawn.append(length_plot(statistics, name, sample_size))
    if statistics.meetings:
        drawn.append(head_to_head_plot(statistics, name, sample_size))
    return drawn


def win_share_plot(statistics: GameStatistics, name: str, sample_size: str) -> Plot:
    """Every player's win share."""
    best = max(statistics.players, key=lambda line: line.share.value)
    sentence = f"Of {sample_size}, {best.player} has the largest win share, {share_cell(best.share)}."
    shares = {line.player: line.share for line in statistics.players}
    return share_plot(statistics, f"{name}-wins", "win shares by player", sentence, shares, "player")


def share_plot(
    statistics: GameStatistics, name: str, title: str, sentence: str, shares: Mapping[str, Mean], column: str
) -> Plot:
    """Win shares by player or by seat, beside an even share."""
    return bars(
        name,
        f"{statistics.title}: {title}",
        f"{sentence} Lines span 95 % intervals.",
        [Bar(label, share.value, share.margin) for label, share in shares.items()],
        percent=True,
        label="win share",
        reference=1 / statistics.seats,
        reference_name="an even share",
        columns=(column, "win_share", "margin"),
    )


def mean_score_plot(statistics: GameStatistics, name: str, sample_size: str) -> Plot:
    """Every player's mean score."""
    best = max(statistics.players, key=lambda line: line.score.value)
    return bars(
        f"{name}-means",
        f"{statistics.title}: mean scores",
        f"In {sample_size}, {best.player} has the highest mean score, {score_cell(best.score)}."
        " Lines span 95 % intervals.",
        [Bar(line.player, line.score.value, line.score.margin) for line in statistics.players],
        label="mean score",
        columns=("player", "mean_score", "margin"),
    )


def score_plot(statistics: GameStatistics, name: str, sample_size: str) -> Plot:
    """The distribution of every player's scores."""
    edges = statistics.score_edges
    return histograms(
        f"{name}-scores",
        f"{statistics.title}: distribution of scores",
        f"Scores in {sample_size}, from {number_text(edges[0])} to {number_text(edges[-1])},"
        " a histogram for each player.",
        edges,
        [
            Histogram(line.player, line.scores.counts, f"median {number_text(line.scores.median)}")
            for line in statistics.players
        ],
        label="score",
        columns=("player", "from", "to", "games", "share"),
    )


def seat_share_plot(statistics: GameStatistics, name: str, sample_size: str) -> Plot:
    """Every seat's win share."""
    best = max(statistics.by_seat, key=lambda line: line.share.value)
    even = f"an even share is {100 / statistics.seats:.1f} %."
    sentence = f"Of {sample_size}, seat {best.seat} won most, {share_cell(best.share)}; {even}"
    shares = {f"seat {line.seat}": line.share for line in statistics.by_seat}
    return share_plot(statistics, f"{name}-seats", "win shares by seat", sentence, shares, "seat")


def length_plot(statistics: GameStatistics, name: str, sample_size: str) -> Plot:
    """The distribution of the lengths of games."""
    assert statistics.lengths is not None
    lengths = statistics.lengths
    return histograms(
        f"{name}-lengths",
        f"{statistics.title}: lengths of games",
        f"The lengths of {sample_size}: half of them have from {number_text(lengths.lower)}"
        f" to {number_text(lengths.upper)} actions.",
        statistics.length_edges,
        [Histogram("all games", lengths.counts, f"median {number_text(lengths.median)}")],
        label="actions",
        columns=("of", "from", "to", "games", "share"),
    )


def head_to_head_plot(statistics: GameStatistics, name: str, sample_size: str) -> Plot:
    """How often one player was ahead of another."""
    return bars(
        f"{name}-meetings",
        f"{statistics.title}: head to head",
        f"How often the player named first was ahead of the second when both sat at one table, in {sample_size}."
        " Lines span 95 % intervals.",
        [
            Bar(f"{meeting.player} / {meeting.other}", meeting.ahead.value, meeting.ahead.margin)
            for meeting in statistics.meetings
        ],
        percent=True,
        label="ahead",
        reference=0.5,
        reference_name="equally often",
        columns=("players", "ahead", "margin"),
    )
