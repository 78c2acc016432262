"""Lines with bands: how values change along an axis, each line with a colour, a dash and a mark of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kibitz.plots.drawing import (
    LEFT,
    LIGHT,
    RIGHT,
    Cell,
    Plot,
    Scale,
    axis,
    fitted,
    heading,
    percents,
    picture,
    plain,
    stroke,
    ticks,
    words,
)

HEIGHT = 220
MARKED = 40
"""Lines with more points have no mark on each of them."""
MARKS = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-4-4h8v8h-8z", "M0-5L5 4H-5z", "M0-5L5 0L0 5L-5 0z")


class Point(NamedTuple):
    """A value ``y`` at ``x``, with half the width of its interval, and a word on it for the table."""

    x: float
    y: float
    margin: float | None = None
    remark: str = ""


class Line(NamedTuple):
    """Points in order of ``x``, by the name of whose they are."""

    name: str
    points: tuple[Point, ...]


def lines(
    name: str,
    title: str,
    description: str,
    found: Sequence[Line],
    *,
    percent: bool = False,
    label: str = "",
    reference: float | None = None,
    heads: tuple[str, str, str, str, str] = ("name", "x", "y", "margin", "remark"),
) -> Plot:
    """Values along an axis; ``percent`` for shares from 0 to 1, ``reference`` for a value they are held against."""
    points = [point for line in found for point in line.points]
    say = percents if percent else plain
    shown = [point.y + side * (point.margin or 0.0) for point in points for side in (-1, 1)]
    shown += [] if reference is None else [reference]
    heights = ticks(0.0, 1.0) if percent else ticks(min(shown, default=0.0), max(shown, default=1.0))
    values = ticks(min((point.x for point in points), default=0.0), max((point.x for point in points), default=1.0))
    parts, top = heading(title)
    legend = [sample(number, line.name, top + 12 + 20 * number) for number, line in enumerate(found)]
    top += 20 * len(found) + 12
    across = Scale(values[0], values[-1], LEFT, RIGHT)
    up = Scale(heights[0], heights[-1], top + HEIGHT, top)
    parts += [*(part for each in legend for part in each), *axis(across, values, plain, top, top + HEIGHT, label)]
    for value in heights:
        parts += [
            stroke(LEFT, up.at(value), RIGHT, up.at(value), "r"),
            words(LEFT - 6, up.at(value) + 4, say(value), "s", "end"),
        ]
    if reference is not None:
        parts.append(stroke(LEFT, up.at(reference), RIGHT, up.at(reference), "ref"))
    parts += [part for number, line in enumerate(found) for part in drawn(number, line, across, up)]
    rows: list[tuple[Cell, ...]] = [
        (line.name, point.x, point.y, "" if point.margin is None else point.margin, point.remark)
        for line in found
        for point in line.points
    ]
    return Plot(
        name, title, description, heads, tuple(rows), picture(name, title, description, top + HEIGHT + 44, parts)
    )


def looks(number: int) -> tuple[str, str]:
    """The classes of a line, and the path of its mark: sixteen lines differ in one of them."""
    colour, turn = number % len(LIGHT), number // len(LIGHT)
    return f"l c{colour} d{(number + turn) % 4}", MARKS[(number + 2 * turn) % 4]


def sample(number: int, name: str, y: float) -> list[str]:
    """A line's entry in the legend."""
    kind, mark = looks(number)
    return [
        stroke(8, y - 5, 44, y - 5, kind),
        f'<path transform="translate(26 {y - 5:g})" d="{mark}" class="f{number % len(LIGHT)}"/>',
        words(52, y, fitted(name, 330)),
    ]


def drawn(number: int, line: Line, across: Scale, up: Scale) -> list[str]:
    """A line with its band and its marks."""
    if not line.points:
        return []
    kind, mark = looks(number)
    at = [(across.at(point.x), up.at(point.y)) for point in line.points]
    parts = []
    if len(at) > 1 and all(point.margin is not None for point in line.points):
        above = [(across.at(point.x), up.at(point.y + (point.margin or 0.0))) for point in line.points]
        below = [(across.at(point.x), up.at(point.y - (point.margin or 0.0))) for point in reversed(line.points)]
        parts.append(f'<path d="{path([*above, *below])}Z" class="band f{number % len(LIGHT)}"/>')
    parts.append(f'<path d="{path(at)}" class="{kind}"/>')
    if len(at) <= MARKED:
        fill = f"f{number % len(LIGHT)}"
        parts += [f'<path transform="translate({x:g} {y:g})" d="{mark}" class="{fill}"/>' for x, y in at]
    return parts


def path(places: Sequence[tuple[float, float]]) -> str:
    """Places as a path from one to the next."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places)
