"""Bars with intervals, one below the other, so that any number of them fits a phone."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple

from kibitz.plots.drawing import (
    RIGHT,
    SMALL,
    Plot,
    Scale,
    axis,
    box,
    fitted,
    heading,
    percents,
    picture,
    plain,
    stroke,
    ticks,
    whisker,
    words,
)

ROW, BAR = 40, 12
LEFT = 12
MOST = 60
"""So many bars are drawn at most; the table has all."""


class Bar(NamedTuple):
    """A value by the name of whose it is; ``margin`` is None where no interval is known."""

    name: str
    value: float
    margin: float | None = None


def bars(
    name: str,
    title: str,
    description: str,
    found: Sequence[Bar],
    *,
    percent: bool = False,
    label: str = "",
    reference: float | None = None,
    reference_name: str = "",
    heads: tuple[str, str, str] = ("name", "value", "margin"),
) -> Plot:
    """Values as bars from 0; ``percent`` for shares, ``reference`` for a value that they are held against."""
    say = percents if percent else plain
    shown = [bar.value + (bar.margin or 0.0) * side for bar in found for side in (-1, 1)]
    if percent:
        shown = [min(max(value, 0.0), 1.0) for value in shown]
    values = ticks(min(0.0, *shown, reference or 0.0), max(1e-9, *shown, reference or 0.0)) if shown else [0.0, 1.0]
    scale = Scale(values[0], values[-1], LEFT, RIGHT)
    parts, top = heading(title)
    drawn = found[:MOST]
    bottom = top + ROW * len(drawn)
    parts += axis(scale, values, say, top, bottom, label)
    for number, bar in enumerate(drawn):
        y = top + ROW * number
        parts += row(scale, bar, y, told(bar, percent=percent))
        if reference is not None:
            parts.append(stroke(scale.at(reference), y + 17, scale.at(reference), y + 35, "ref"))
    remarks = [f"- - -  {reference_name}"] * bool(reference_name)
    remarks += [f"The first {MOST} of {len(found)}; the table has all."] * (len(found) > MOST)
    parts += [words(8, bottom + 54 + 18 * n, fitted(remark, 384, SMALL), "s") for n, remark in enumerate(remarks)]
    height = bottom + 44 + 18 * len(remarks)
    rows = tuple((bar.name, bar.value, "" if bar.margin is None else bar.margin) for bar in found)
    return Plot(name, title, description, heads, rows, picture(name, title, description, height, parts))


def row(scale: Scale, bar: Bar, y: float, value: str) -> list[str]:
    """A name with its value, and the bar below them."""
    zero, end = scale.at(0.0), scale.at(bar.value)
    drawn = box(min(zero, end), y + 20, abs(end - zero), BAR, "f0")
    room = 370 - 8.2 * len(value)
    return [
        words(LEFT, y + 15, fitted(bar.name, room)),
        words(RIGHT, y + 15, value, "b", "end"),
        drawn,
        *whisker(scale, bar.value, bar.margin, y + 20 + BAR / 2),
    ]


def told(bar: Bar, *, percent: bool) -> str:
    """A value with its margin in words, both with as many digits as the margin is good for; a share within 0 and 100 %.

    >>> told(Bar("Ann", 0.25, 0.0123), percent=True), told(Bar("Ann", -1.615, 1.462), percent=False)
    ('25.0 ± 1.2 %', '-1.6 ± 1.5')
    >>> told(Bar("Ann", 12.0), percent=False), told(Bar("Ann", 0.0, 0.25), percent=True)
    ('12 ± ?', '0 % (0–25 %)')
    """
    scale, unit = (100, " %") if percent else (1, "")
    value = scale * bar.value
    if bar.margin is None:
        return f"{plain(float(f'{value:.4g}'))} ± ?{unit}"
    margin = scale * bar.margin
    digits = min(max(0, 1 - floor(log10(margin))), 6) if margin > 0 else 2
    if percent and not margin <= value <= 100 - margin:
        ends = (plain(float(f"{min(max(end, 0.0), 100.0):.3g}")) for end in (value - margin, value + margin))
        return f"{value:.{digits}f} % ({'–'.join(ends)} %)"
    if margin < 1e-9:
        return plain(float(f"{value:.4g}")) + unit
    return f"{value:.{digits}f} ± {margin:.{digits}f}{unit}"
