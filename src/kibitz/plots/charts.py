"""The kinds of plot: bars with intervals, histograms, and lines with bands; and a page that shows several plots.

Bars and histograms are stacked vertically, so that any number of them fits a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

from kibitz.plots.primitives import (
    INK,
    LEFT,
    LIGHT,
    MUTED,
    PAPER,
    RIGHT,
    RULE,
    SMALL,
    Cell,
    Plot,
    Scale,
    axis,
    clean,
    fitted,
    heading,
    left_axis,
    line_element,
    multiples,
    nice_step,
    number_text,
    percent_text,
    rectangle_element,
    svg_document,
    text_element,
    ticks,
    whisker,
    widened,
)

# Bars with intervals.


ROW, BAR = 40, 12
BARS_LEFT = 12
MAX_BARS = 60
"""The maximum number of bars that are drawn; the table has all."""


class Bar(NamedTuple):
    """A named value; ``margin`` is None if its interval is unknown."""

    name: str
    value: float
    margin: float | None = None


def bars(
    name: str,
    title: str,
    description: str,
    all_bars: Sequence[Bar],
    *,
    percent: bool = False,
    label: str = "",
    reference: float | None = None,
    reference_name: str = "",
    columns: tuple[str, str, str] = ("name", "value", "margin"),
) -> Plot:
    """Values as bars from 0; ``percent`` is for shares from 0 to 1, ``reference`` is a value to compare with."""
    format_value = percent_text if percent else number_text
    interval_ends = [bar.value + (bar.margin or 0.0) * side for bar in all_bars for side in (-1, 1)]
    if percent:
        interval_ends = [min(max(value, 0.0), 1.0) for value in interval_ends]
    values = (
        ticks(min(0.0, *interval_ends, reference or 0.0), max(1e-9, *interval_ends, reference or 0.0))
        if interval_ends
        else [0.0, 1.0]
    )
    scale = Scale(values[0], values[-1], BARS_LEFT, RIGHT)
    parts, top = heading(title)
    drawn_bars = all_bars[:MAX_BARS]
    bottom = top + ROW * len(drawn_bars)
    parts += axis(scale, values, format_value, top, bottom, label)
    for number, bar in enumerate(drawn_bars):
        y = top + ROW * number
        parts += bar_row(scale, bar, y, value_text(bar, percent=percent))
        if reference is not None:
            parts.append(line_element(scale.at(reference), y + 17, scale.at(reference), y + 35, "ref"))
    remarks = [f"- - -  {reference_name}"] * bool(reference_name)
    remarks += [f"The first {MAX_BARS} of {len(all_bars)}; the table has all."] * (len(all_bars) > MAX_BARS)
    parts += [
        text_element(8, bottom + 54 + 18 * n, fitted(remark, 384, SMALL), "s") for n, remark in enumerate(remarks)
    ]
    height = bottom + 44 + 18 * len(remarks)
    rows = tuple((bar.name, bar.value, "" if bar.margin is None else bar.margin) for bar in all_bars)
    return Plot(name, title, description, columns, rows, svg_document(name, title, description, height, parts))


def bar_row(scale: Scale, bar: Bar, y: float, value: str) -> list[str]:
    """A name with its value, and the bar below them."""
    zero, end = scale.at(0.0), scale.at(bar.value)
    rectangle = rectangle_element(min(zero, end), y + 20, abs(end - zero), BAR, "f0")
    name_width = 370 - 8.2 * len(value)
    return [
        text_element(BARS_LEFT, y + 15, fitted(bar.name, name_width)),
        text_element(RIGHT, y + 15, value, "b", "end"),
        rectangle,
        *whisker(scale, bar.value, bar.margin, y + 20 + BAR / 2),
    ]


def value_text(bar: Bar, *, percent: bool) -> str:
    """A value with its margin as text, both with as many digits as the margin justifies.

    The interval of a share is cut at 0 and 100 %.

    >>> value_text(Bar("Ann", 0.25, 0.0123), percent=True), value_text(Bar("Ann", -1.615, 1.462), percent=False)
    ('25.0 ± 1.2 %', '-1.6 ± 1.5')
    >>> value_text(Bar("Ann", 12.0), percent=False), value_text(Bar("Ann", 0.0, 0.25), percent=True)
    ('12 ± ?', '0 % (0–25 %)')
    """
    scale, unit = (100, " %") if percent else (1, "")
    value = scale * bar.value
    if bar.margin is None:
        return f"{number_text(float(f'{value:.4g}'))} ± ?{unit}"
    margin = scale * bar.margin
    digits = min(max(0, 1 - floor(log10(margin))), 6) if margin > 0 else 2
    if percent and not margin <= value <= 100 - margin:
        ends = (number_text(float(f"{min(max(end, 0.0), 100.0):.3g}")) for end in (value - margin, value + margin))
        return f"{value:.{digits}f} % ({'–'.join(ends)} %)"
    if margin < 1e-9:
        return number_text(float(f"{value:.4g}")) + unit
    return f"{value:.{digits}f} ± {margin:.{digits}f}{unit}"


# Histograms over one axis: the distributions of values for several players, one panel for each.


PANEL_HEIGHT, GAP = 74, 36
MAX_PANELS = 24
"""The maximum number of histograms that are drawn; the table has all."""
BINS = 30


class Histogram(NamedTuple):
    """A histogram: the number of values between each two edges, which all panels share; ``remark`` follows the name."""

    name: str
    counts: tuple[int, ...]
    remark: str = ""


def edges_for(low: float, high: float, *, whole: bool) -> list[float]:
    """The edges of at most about 30 equal intervals from ``low`` to ``high``.

    For ``whole`` numbers, the edges lie halfway between two numbers, and each interval holds equally many.

    >>> edges_for(1, 4, whole=True), edges_for(0, 1, whole=False)[:3]
    ([0.5, 1.5, 2.5, 3.5, 4.5], [0.0, 0.05, 0.1])
    """
    if whole:
        step = max(1.0, nice_step(low, high + 1, BINS))
        first = floor(low / step) * step if step > 1 else low
        return [first - 0.5 + step * n for n in range(max(1, floor((high - first) / step) + 1) + 1)]
    if (around := widened(low, high)) != (low, high):
        return [*around]
    step = nice_step(low, high, BINS)
    first, last = floor(low / step), ceil(high / step)
    edges = multiples(step, first, last)
    return multiples(step, first - (edges[0] > low), last + (edges[-1] < high))


def histograms(
    name: str,
    title: str,
    description: str,
    edges: Sequence[float],
    panels: Sequence[Histogram],
    *,
    label: str = "",
    columns: tuple[str, str, str, str, str] = ("name", "from", "to", "games", "share"),
) -> Plot:
    """The share of values in each interval. An interval includes its lower edge, and the last one both edges."""
    shares = [[count / max(1, sum(panel.counts)) for count in panel.counts] for panel in panels]
    values = ticks(edges[0], edges[-1])
    heights = ticks(0.0, max((max(panel_shares, default=0.0) for panel_shares in shares), default=0.0) or 1.0, 2)
    parts, top = heading(title)
    drawn_panels = list(zip(panels, shares, strict=True))[:MAX_PANELS]
    bottom = top + (PANEL_HEIGHT + GAP) * len(drawn_panels)
    x_scale = Scale(values[0], values[-1], LEFT, RIGHT)
    parts += axis(x_scale, values, number_text, top + GAP, bottom, label)
    for number, (panel, panel_shares) in enumerate(drawn_panels):
        parts += histogram(x_scale, heights, edges, panel, panel_shares, top + (PANEL_HEIGHT + GAP) * number + GAP)
    height = bottom + 44
    if len(drawn_panels) < len(panels):
        parts.append(
            text_element(8, bottom + 52, f"The first {len(drawn_panels)} of {len(panels)}; the table has all.", "s")
        )
        height += 18
    table = tuple(
        (panel.name, low, high, count, share)
        for panel, panel_shares in zip(panels, shares, strict=True)
        for low, high, count, share in zip(edges, edges[1:], panel.counts, panel_shares, strict=False)
    )
    return Plot(name, title, description, columns, table, svg_document(name, title, description, height, parts))


def histogram(
    x_scale: Scale,
    heights: Sequence[float],
    edges: Sequence[float],
    panel: Histogram,
    shares: Sequence[float],
    top: float,
) -> list[str]:
    """One panel, with its name and remark above it."""
    y_scale = Scale(heights[0], heights[-1], top + PANEL_HEIGHT, top)
    parts = [
        text_element(8, top - 14, fitted(panel.name, 370 - 7.2 * len(panel.remark)), "b"),
        text_element(RIGHT, top - 14, panel.remark, "s", "end"),
        *left_axis(y_scale, heights, percent_text),
    ]
    for low, high, share in zip(edges, edges[1:], shares, strict=False):
        if share:
            x, y = x_scale.at(low), y_scale.at(share)
            parts.append(rectangle_element(x + 0.5, y, x_scale.at(high) - x - 1, top + PANEL_HEIGHT - y, "f0"))
    return parts


# Lines with bands show how values change along an axis. Each line has its own colour, dash and mark.


LINES_HEIGHT = 220
MAX_MARKED_POINTS = 40
"""Lines with more points than this have no marks."""
MARKS = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-4-4h8v8h-8z", "M0-5L5 4H-5z", "M0-5L5 0L0 5L-5 0z")


class Point(NamedTuple):
    """A value ``y`` at ``x``, with half the width of its interval, and a note on it for the table."""

    x: float
    y: float
    margin: float | None = None
    remark: str = ""


class Line(NamedTuple):
    """A named line: points in order of ``x``."""

    name: str
    points: tuple[Point, ...]


def lines(
    name: str,
    title: str,
    description: str,
    all_lines: Sequence[Line],
    *,
    percent: bool = False,
    label: str = "",
    reference: float | None = None,
    columns: tuple[str, str, str, str, str] = ("name", "x", "y", "margin", "remark"),
) -> Plot:
    """Lines along an axis; ``percent`` is for shares from 0 to 1, ``reference`` is a value to compare with."""
    points = [point for line in all_lines for point in line.points]
    interval_ends = [point.y + side * (point.margin or 0.0) for point in points for side in (-1, 1)]
    interval_ends += [] if reference is None else [reference]
    heights = ticks(0.0, 1.0) if percent else ticks(min(interval_ends, default=0.0), max(interval_ends, default=1.0))
    values = ticks(min((point.x for point in points), default=0.0), max((point.x for point in points), default=1.0))
    parts, top = heading(title)
    legend = [legend_entry(number, line.name, top + 12 + 20 * number) for number, line in enumerate(all_lines)]
    top += 20 * len(all_lines) + 12
    x_scale = Scale(values[0], values[-1], LEFT, RIGHT)
    y_scale = Scale(heights[0], heights[-1], top + LINES_HEIGHT, top)
    parts += [
        *(part for entry in legend for part in entry),
        *axis(x_scale, values, number_text, top, top + LINES_HEIGHT, label),
        *left_axis(y_scale, heights, percent_text if percent else number_text),
    ]
    if reference is not None:
        parts.append(line_element(LEFT, y_scale.at(reference), RIGHT, y_scale.at(reference), "ref"))
    parts += [part for number, line in enumerate(all_lines) for part in line_path(number, line, x_scale, y_scale)]
    rows: list[tuple[Cell, ...]] = [
        (line.name, point.x, point.y, "" if point.margin is None else point.margin, point.remark)
        for line in all_lines
        for point in line.points
    ]
    svg = svg_document(name, title, description, top + LINES_HEIGHT + 44, parts)
    return Plot(name, title, description, columns, tuple(rows), svg)


def line_style(number: int) -> tuple[str, str]:
    """The CSS classes of a line, and the path of its mark; the first sixteen lines differ in colour, dash or mark."""
    colour, cycle = number % len(LIGHT), number // len(LIGHT)
    return f"l c{colour} d{(number + cycle) % 4}", MARKS[(number + 2 * cycle) % 4]


def legend_entry(number: int, name: str, y: float) -> list[str]:
    """A line's entry in the legend."""
    css_class, mark = line_style(number)
    return [
        line_element(8, y - 5, 44, y - 5, css_class),
        f'<path transform="translate(26 {y - 5:g})" d="{mark}" class="f{number % len(LIGHT)}"/>',
        text_element(52, y, fitted(name, 330)),
    ]


def line_path(number: int, line: Line, x_scale: Scale, y_scale: Scale) -> list[str]:
    """A line with its band and its marks."""
    if not line.points:
        return []
    css_class, mark = line_style(number)
    positions = [(x_scale.at(point.x), y_scale.at(point.y)) for point in line.points]
    parts = []
    if len(positions) > 1 and all(point.margin is not None for point in line.points):
        above = [(x_scale.at(point.x), y_scale.at(point.y + (point.margin or 0.0))) for point in line.points]
        below = [(x_scale.at(point.x), y_scale.at(point.y - (point.margin or 0.0))) for point in reversed(line.points)]
        parts.append(f'<path d="{path_data([*above, *below])}Z" class="band f{number % len(LIGHT)}"/>')
    parts.append(f'<path d="{path_data(positions)}" class="{css_class}"/>')
    if len(positions) <= MAX_MARKED_POINTS:
        fill = f"f{number % len(LIGHT)}"
        parts += [f'<path transform="translate({x:g} {y:g})" d="{mark}" class="{fill}"/>' for x, y in positions]
    return parts


def path_data(positions: Sequence[tuple[float, float]]) -> str:
    """Positions as SVG path data, from one to the next."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in positions)


# A page of plots, each with its table below it: one HTML file without script or request.


PAGE_STYLE = (
    "body{{font:100%/1.5 system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;margin:0 auto;max-width:44rem}}"
    "main{{padding:0 1rem}}"
    "img{{width:100%;height:auto;display:block}}figure{{margin:0}}.scroll{{overflow-x:auto}}summary{{min-height:44px}}"
    "table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}th,td{{padding:.25rem .6rem;text-align:left;"
    "border-bottom:1px solid {rule}}}td.n{{text-align:right}}"
)
PAGE_COLOURS = "body{{background:{paper};color:{ink}}}th,figcaption{{color:{muted}}}a{{color:inherit}}"


def page_style() -> str:
    """The page's style sheet, with colours for light and dark mode."""
    light, dark = (PAGE_COLOURS.format(paper=PAPER[n], ink=INK[n], muted=MUTED[n]) for n in (0, 1))
    return PAGE_STYLE.format(rule=RULE[0]) + light + f"@media(prefers-color-scheme:dark){{{dark}}}"


def page(title: str, plots: Sequence[Plot], remarks: Sequence[str] = ()) -> str:
    """All plots with their tables; the pictures are beside the page as NAME.svg, and the tables as NAME.csv."""
    head = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escaped(title)}</title>\n'
        f"<style>{page_style()}</style>"
    )
    body = [f"<h1>{escaped(title)}</h1>", *(f"<p>{escaped(remark)}</p>" for remark in remarks), *map(section, plots)]
    return "\n".join([head, "<main>", *body, "</main>", ""])


def section(plot: Plot) -> str:
    """One plot and its table, as HTML."""
    header = "".join(f'<th scope="col">{escaped(column)}</th>' for column in plot.columns)
    rows = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in plot.rows)
    return (
        f"<section>\n<h2>{escaped(plot.title)}</h2>\n"
        f'<figure><img src="{plot.name}.svg" alt="{escaped(plot.description)}">'
        f"<figcaption>{escaped(plot.description)}</figcaption></figure>\n"
        f'<details><summary>The table (<a href="{plot.name}.csv">CSV</a>)</summary>\n<div class="scroll" tabindex="0">'
        f"<table><thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div></details>\n</section>"
    )


def cell(value: Cell) -> str:
    """A cell of a table, as HTML."""
    if isinstance(value, str):
        return f"<td>{escaped(value)}</td>"
    return f'<td class="n">{number_text(float(f"{value:.6g}")) if isinstance(value, float) else value}</td>'


def escaped(text: str) -> str:
    """A text as HTML."""
    return escape(clean(text))
