"""Histograms over one axis, one below the other: how values are spread, by whom they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from kibitz.plots.drawing import (
    LEFT,
    RIGHT,
    Plot,
    Scale,
    apart,
    axis,
    box,
    fitted,
    heading,
    multiples,
    percents,
    picture,
    plain,
    step_for,
    stroke,
    ticks,
    words,
)

HEIGHT, GAP = 74, 36
MOST = 24
"""So many histograms are drawn at most; the table has all."""
BINS = 30


class Panel(NamedTuple):
    """How often values fall between the edges that all panels share; ``remark`` stands beside the name."""

    name: str
    counts: tuple[int, ...]
    remark: str = ""


def edges_for(low: float, high: float, *, whole: bool) -> list[float]:
    """The edges of at most about 30 equal intervals from ``low`` to ``high``.

    Of ``whole`` numbers each interval holds the same number of them, and its edges lie halfway between two.

    >>> edges_for(1, 4, whole=True), edges_for(0, 1, whole=False)[:3]
    ([0.5, 1.5, 2.5, 3.5, 4.5], [0.0, 0.05, 0.1])
    """
    if whole:
        step = max(1.0, step_for(low, high + 1, BINS))
        first = floor(low / step) * step if step > 1 else low
        return [first - 0.5 + step * n for n in range(max(1, floor((high - first) / step) + 1) + 1)]
    if (around := apart(low, high)) != (low, high):
        return [*around]
    step = step_for(low, high, BINS)
    first, last = floor(low / step), ceil(high / step)
    edges = multiples(step, first, last)
    return multiples(step, first - (edges[0] > low), last + (edges[-1] < high))


def histograms(
    name: str,
    title: str,
    description: str,
    edges: Sequence[float],
    panels: Sequence[Panel],
    *,
    label: str = "",
    heads: tuple[str, str, str, str, str] = ("name", "from", "to", "games", "share"),
) -> Plot:
    """The shares of values in each interval; an interval holds its lower edge, and the last one both."""
    shares = [[count / max(1, sum(panel.counts)) for count in panel.counts] for panel in panels]
    values = ticks(edges[0], edges[-1])
    heights = ticks(0.0, max((max(row, default=0.0) for row in shares), default=0.0) or 1.0, 2)
    parts, top = heading(title)
    drawn = list(zip(panels, shares, strict=True))[:MOST]
    bottom = top + (HEIGHT + GAP) * len(drawn)
    across = Scale(values[0], values[-1], LEFT, RIGHT)
    parts += axis(across, values, plain, top + GAP, bottom, label)
    for number, (panel, row) in enumerate(drawn):
        parts += histogram(across, heights, edges, panel, row, top + (HEIGHT + GAP) * number + GAP)
    height = bottom + 44
    if len(drawn) < len(panels):
        parts.append(words(8, bottom + 52, f"The first {len(drawn)} of {len(panels)}; the table has all.", "s"))
        height += 18
    table = tuple(
        (panel.name, low, high, count, share)
        for panel, row in zip(panels, shares, strict=True)
        for low, high, count, share in zip(edges, edges[1:], panel.counts, row, strict=False)
    )
    return Plot(name, title, description, heads, table, picture(name, title, description, height, parts))


def histogram(
    across: Scale, heights: Sequence[float], edges: Sequence[float], panel: Panel, row: Sequence[float], top: float
) -> list[str]:
    """One panel, with its name and remark above it."""
    up = Scale(heights[0], heights[-1], top + HEIGHT, top)
    parts = [
        words(8, top - 14, fitted(panel.name, 370 - 7.2 * len(panel.remark)), "b"),
        words(RIGHT, top - 14, panel.remark, "s", "end"),
    ]
    for value in heights:
        y = up.at(value)
        parts += [stroke(LEFT, y, RIGHT, y, "r"), words(LEFT - 6, y + 4, percents(value), "s", "end")]
    for low, high, share in zip(edges, edges[1:], row, strict=False):
        if share:
            x, y = across.at(low), up.at(share)
            parts.append(box(x + 0.5, y, across.at(high) - x - 1, top + HEIGHT - y, "f0"))
    return parts
