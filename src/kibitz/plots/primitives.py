"""The building blocks of plots: scales with round numbers, shapes, a frame, and colours for light and dark.

The four colours are those of the suits (``web/static/css/cards.css``), which people with any kind of colour vision can
tell apart; dark mode has lighter versions. tests/plots/test_colours.py tests both with simulated colour blindness.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, isfinite, log10
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

ValueFormat = Callable[[float], str]
"""A function that writes a value as text."""
MIN_SPAN = 1e-100
"""The least distance between the ends of a scale."""


class Scale(NamedTuple):
    """Values from ``low`` to ``high``, which lie from ``start`` to ``end`` in the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The position of a value; values beyond an end are drawn at that end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)


def nice_step(low: float, high: float, most: int) -> float:
    """The least step, 1, 2 or 5 times a power of ten, that fits at most ``most`` times from ``low`` to ``high``."""
    least_step = (high - low) / most
    power = 10.0 ** floor(log10(least_step))
    return next(power * nice for nice in (1, 2, 5, 10) if power * nice >= least_step * (1 - 1e-9))


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round values at equal distances, the first at or below ``low`` and the last at or above ``high``.

    >>> ticks(0, 0.43), ticks(-3, 12)
    ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [-5.0, 0.0, 5.0, 10.0, 15.0])
    """
    if not (isfinite(low) and isfinite(high)):
        raise ValueError("an axis needs finite values.")
    low, high = widened(low, high)
    step = nice_step(low, high, most)
    return multiples(step, floor(low / step + 1e-9), ceil(high / step - 1e-9))


def widened(low: float, high: float) -> tuple[float, float]:
    """Two values, moved apart if they are too close to distinguish in a picture."""
    size = max(abs(low), abs(high))
    if high - low > max(1e-9 * size, MIN_SPAN):
        return low, high
    half = max(0.5, 1e-6 * size)
    return low - half, high + half


def multiples(step: float, first: int, last: int) -> list[float]:
    """The multiples of a step that has one significant digit, from ``first`` to ``last`` times."""
    digits = -floor(log10(step))
    return [round(number * step, digits) for number in range(first, last + 1)]


def number_text(value: float) -> str:
    """A value as people write it.

    >>> number_text(1200000.0), number_text(0.30000000000000004), number_text(-2.0)
    ('1,200,000', '0.3', '-2')
    """
    text = f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.3g}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def percent_text(value: float) -> str:
    """A share as a percentage.

    >>> percent_text(0.25), percent_text(0.333)
    ('25 %', '33.3 %')
    """
    return f"{number_text(round(100 * value, 1))} %"


WIDTH, LEFT, RIGHT = 400, 54, 388
"""A picture's width in units, about one pixel each on a phone, and the ends of an axis below it."""
TITLE, TEXT, SMALL = 16, 14, 12.5
LIGHT = ("#354ef0", "#e83f09", "#0d0d0d", "#a70107")
DARK = ("#9db0ff", "#ffb02e", "#ffffff", "#ff6a6a")
DASHES = ("", "7 4", "2 3", "11 4 2 4")
PAPER, INK, MUTED, RULE = ("#ffffff", "#141a18"), ("#1c2521", "#edf2ee"), ("#56625c", "#a9b7b0"), ("#d8d3c7", "#35413b")

Cell = str | int | float


class Plot(NamedTuple):
    """A picture and its table; ``name`` is the name of their files, without extensions."""

    name: str
    title: str
    description: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    svg: str


def clean(text: str) -> str:
    """A text in which invisible characters, and those that XML doesn't allow, are replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def file_name(text: str) -> str:
    """A text as the name of a file on every system.

    >>> file_name("bo:players=3/seats")
    'bo-players-3-seats'
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")[:80] or "plot"


def character_width(character: str) -> float:
    """The approximate width of a character, relative to the font size."""
    return 1.0 if unicodedata.east_asian_width(character) in "WF" else 0.62 if character.isupper() else 0.53


def fitted(text: str, width: float, size: float = TEXT) -> str:
    """A text, shortened if it would be wider than ``width``."""
    room, shortened = width / size, ""
    for character in clean(text):
        room -= character_width(character)
        if room < 1 and len(shortened) + 1 < len(text):
            return shortened + "…"
        shortened += character
    return shortened


def text_element(x: float, y: float, text: str, css_class: str = "t", anchor: str = "start") -> str:
    """A text; ``css_class`` is its style."""
    return f'<text x="{x:g}" y="{y:g}" class="{css_class}" text-anchor="{anchor}">{escape(clean(text))}</text>'


def line_element(x: float, y: float, to_x: float, to_y: float, css_class: str) -> str:
    """A straight line."""
    return f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" class="{css_class}"/>'


def rectangle_element(x: float, y: float, width: float, height: float, css_class: str) -> str:
    """A filled box."""
    return f'<rect x="{x:g}" y="{y:g}" width="{max(width, 0.75):g}" height="{height:g}" class="{css_class}"/>'


def whisker(scale: Scale, value: float, margin: float | None, y: float) -> list[str]:
    """The interval of a value, drawn at height ``y``; empty if the margin is unknown."""
    if margin is None:
        return []
    low, high = scale.at(value - margin), scale.at(value + margin)
    strokes = (low, y, high, y), (low, y - 4, low, y + 4), (high, y - 4, high, y + 4)
    return [line_element(*stroke, css_class) for css_class in ("halo", "w") for stroke in strokes]


def axis(
    scale: Scale, values: Sequence[float], format_value: ValueFormat, top: float, bottom: float, label: str
) -> list[str]:
    """An axis below a picture: vertical lines at ``values`` with their labels, and the axis's title."""
    parts = []
    for value in values:
        x = scale.at(value)
        parts += [
            line_element(x, top, x, bottom, "r"),
            text_element(x, bottom + 16, format_value(value), "s", anchor_at(x)),
        ]
    return [*parts, text_element((scale.start + scale.end) / 2, bottom + 34, fitted(label, 330, SMALL), "s", "middle")]


def left_axis(scale: Scale, values: Sequence[float], format_value: ValueFormat) -> list[str]:
    """An axis at the left of a picture: horizontal lines at ``values`` with their labels."""
    parts = []
    for value in values:
        y = scale.at(value)
        parts += [line_element(LEFT, y, RIGHT, y, "r"), text_element(LEFT - 6, y + 4, format_value(value), "s", "end")]
    return parts


def anchor_at(x: float) -> str:
    """The anchor of a text below ``x`` that keeps it in the picture."""
    return "start" if x < 20 else "end" if x > WIDTH - 24 else "middle"


def style() -> str:
    """The style sheet for both modes; it has no CSS variables, which some programs don't support.

    Text: s small, h heading, b bold, t plain (no CSS rule). Lines: r grid line, w whisker, halo its outline, l data,
    ref reference. Series N: cN stroke, fN fill, dN dashes.
    """

    def rules(side: int) -> str:
        colours = (LIGHT, DARK)[side]
        base_rules = f"text{{fill:{INK[side]}}}.s{{fill:{MUTED[side]}}}.paper{{fill:{PAPER[side]}}}"
        base_rules += f".halo{{stroke:{PAPER[side]}}}.r{{stroke:{RULE[side]}}}.w,.ref{{stroke:{INK[side]}}}"
        return base_rules + "".join(
            f".c{n}{{stroke:{colour};color:{colour}}}.f{n}{{fill:{colour}}}" for n, colour in enumerate(colours)
        )

    dashes = "".join(f".d{n}{{stroke-dasharray:{dash}}}" for n, dash in enumerate(DASHES) if dash)
    return (
        f"text{{font:{TEXT}px system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif}}"
        f".h{{font-size:{TITLE}px;font-weight:700}}.s{{font-size:{SMALL}px}}.b{{font-weight:600}}"
        ".w{stroke-width:1.75}.halo{stroke-width:4.5}.ref{stroke-width:1.25;stroke-dasharray:5 4}"
        f".l{{fill:none;stroke-width:2.25}}.band{{stroke:none;fill-opacity:.16}}{dashes}{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}"
    )


def heading(title: str) -> tuple[list[str], float]:
    """The lines of a title as text elements, and the y at which the picture continues below them."""
    lines = [fitted(line, 384, TITLE) for line in textwrap.wrap(clean(title), 44) or [""]]
    return [text_element(8, 22 + 20 * n, line, "h") for n, line in enumerate(lines)], 18.0 + 20 * len(lines)


def svg_document(name: str, title: str, description: str, height: float, parts: Iterable[str]) -> str:
    """A whole picture as SVG."""
    mark = file_name(name)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img"'
            f" aria-labelledby={quoteattr(mark + '-title')} aria-describedby={quoteattr(mark + '-description')}>",
            f'<title id="{mark}-title">{escape(clean(title))}</title>',
            f'<desc id="{mark}-description">{escape(clean(description))}</desc>',
            f"<style>{style()}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{height:g}"/>',
            *parts,
            "</svg>",
            "",
        ]
    )
