"""Plots agree with their tables, are accessible, and handle hostile names and extreme values."""

import re
from itertools import pairwise
from math import isfinite
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kibitz.plots.charts import (
    MAX_BARS,
    MAX_PANELS,
    Bar,
    Histogram,
    Line,
    Point,
    bars,
    edges_for,
    histograms,
    line_style,
    lines,
    page,
)
from kibitz.plots.primitives import SMALL, TEXT, TITLE, WIDTH, character_width, file_name, ticks

HOSTILE = ["<script>alert(1)</script>", 'a" onload="x', "a & b", "]]>", "\x1b[31m\x00\u202e", "𝕏" * 40, "名" * 40, ""]
SVG = "{http://www.w3.org/2000/svg}"
VALUES = st.floats(-1e9, 1e9) | st.floats(0, 1)
ANY = VALUES | st.floats(-1e300, 1e300) | st.floats(-1e-9, 1e-9)
NAMES = st.text(max_size=40) | st.sampled_from(HOSTILE)


def sample_plots(names, values, margins):
    """Plots of every kind from the same data."""
    bar_list = [Bar(name, value, margin) for name, value, margin in zip(names, values, margins, strict=True)]
    yield bars("b", "Bars", "Some bars.", bar_list, reference=values[0], reference_name=names[0])
    yield bars("p", names[0] or "x", "Some shares.", [Bar(bar.name, 0.5, bar.margin) for bar in bar_list], percent=True)
    yield lines(
        "l",
        "Lines",
        "Some lines.",
        [Line(name, tuple(Point(x, value) for x in range(3))) for name, value in zip(names, values, strict=True)],
    )
    edges = edges_for(min(values), max(values), whole=False)
    counts = tuple(range(1, len(edges)))
    yield histograms("h", "Histograms", "Some histograms.", edges, [Histogram(name, counts, "m") for name in names])


@settings(max_examples=25)
@given(st.lists(st.tuples(NAMES, VALUES, st.none() | st.floats(0, 1e6)), min_size=1, max_size=5))
def test_every_svg_is_valid_described_and_script_free(parts):
    for plot in sample_plots(*zip(*parts, strict=True)):
        root = ElementTree.fromstring(plot.svg)
        assert root.get("role") == "img"
        named = {element.get("id"): element.text for element in root if element.tag in (f"{SVG}title", f"{SVG}desc")}
        assert named[root.get("aria-describedby")] == plot.description
        assert root.get("aria-labelledby") in named
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "style", "rect", "line", "text", "path"}
        assert not any(name.startswith("on") or "href" in name for element in root.iter() for name in element.keys())  # noqa: SIM118
        assert "url(" not in plot.svg
        assert "prefers-color-scheme:dark" in plot.svg
        assert len(plot.columns) == len(plot.rows[0])
        assert all(c.isprintable() or c == "\n" for c in plot.svg)


@settings(max_examples=25)
@given(st.lists(st.tuples(NAMES, VALUES, st.none() | st.floats(0, 1e6)), min_size=1, max_size=4))
def test_nothing_is_drawn_or_written_outside_the_svg(parts):
    for plot in sample_plots(*zip(*parts, strict=True)):
        root = ElementTree.fromstring(plot.svg)
        height = float(root.get("viewBox").split()[3])
        for element in root.iter():
            for name in ("x", "x1", "x2"):
                assert -1 <= float(element.get(name, 0)) <= WIDTH + 1
            for name in ("y", "y1", "y2"):
                assert 0 <= float(element.get(name, 0)) <= height
        for text in root.iter(f"{SVG}text"):
            size = {"s": SMALL, "h": TITLE}.get(text.get("class"), TEXT)
            length = size * sum(map(character_width, text.text or ""))
            x, anchor = float(text.get("x")), text.get("text-anchor")
            start = {"start": x, "middle": x - length / 2, "end": x - length}[anchor]
            assert start + length <= WIDTH + 12, text.text


def test_text_is_readable_on_a_phone():
    """A phone shows a plot at about one pixel per SVG unit."""
    assert WIDTH <= 400
    assert min(SMALL, TEXT, TITLE) >= 12


@given(ANY, ANY, st.integers(1, 8))
@example(0.0, 1e-13, 5)
@example(0.0, 5e-324, 5)
@example(1e16, 1e16 + 2, 5)
def test_axis_ticks_are_increasing_and_span_the_data(low, high, most):
    low, high = sorted((low, high))
    found = ticks(low, high, most)
    assert all(less < more for less, more in pairwise(found))
    span = max(abs(found[0]), abs(found[-1]))
    assert found[0] <= low + 1e-9 * span + 1e-12
    assert found[-1] >= high - 1e-9 * span - 1e-12
    assert 2 <= len(found) <= most + 3
    assert all(map(isfinite, found))


def test_an_axis_needs_finite_values():
    with pytest.raises(ValueError, match="finite"):
        ticks(0, float("inf"))


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=50))
def test_integer_bins_have_edges_between_integers(values):
    edges = edges_for(min(values), max(values), whole=True)
    assert edges[0] < min(values) <= max(values) < edges[-1]
    assert len(edges) <= 34
    assert all(edge % 1 == 0.5 for edge in edges)


@given(st.lists(ANY, min_size=1, max_size=50))
@example([0.0, 1e-13])
@example([0.0, 5e-324])
@example([1e16, 1e16 + 2])
def test_bin_edges_enclose_all_values(values):
    edges = edges_for(min(values), max(values), whole=False)
    assert edges[0] <= min(values)
    assert max(values) <= edges[-1]
    assert all(less < more for less, more in pairwise(edges))
    assert len(edges) <= 34


def test_values_beyond_a_plots_limit_are_in_its_table():
    many = bars("b", "B", "B.", [Bar(f"p{n}", n) for n in range(MAX_BARS + 5)])
    assert f"The first {MAX_BARS} of {MAX_BARS + 5}; the table has all." in many.svg
    assert len(many.rows) == MAX_BARS + 5
    panels = histograms("h", "H", "H.", [0, 1, 2], [Histogram(f"p{n}", (1, 2)) for n in range(MAX_PANELS + 1)])
    assert len(panels.rows) == 2 * (MAX_PANELS + 1)
    assert f"The first {MAX_PANELS} of" in panels.svg


def test_histogram_bars_agree_with_the_table():
    plot = histograms("h", "H", "H.", [0.0, 1.0, 2.0, 3.0], [Histogram("a", (1, 0, 3))])
    heights = [float(height) for height in re.findall(r'height="([\d.]+)" class="f0"', plot.svg)]
    assert heights[1] / heights[0] == pytest.approx(3, abs=0.02)
    assert [row[3:] for row in plot.rows] == [(1, 0.25), (0, 0.0), (3, 0.75)]


def test_sixteen_lines_have_distinct_styles():
    assert len({line_style(number) for number in range(16)}) == 16


def test_an_empty_plot_can_be_drawn():
    for plot in (bars("b", "B", "B.", []), lines("l", "L", "L.", []), histograms("h", "H", "H.", [0, 1], [])):
        ElementTree.fromstring(plot.svg)
        assert plot.rows == ()


def test_page_has_every_plot_with_its_table_and_loads_nothing_else():
    plots = list(sample_plots(HOSTILE, [float(n) for n in range(8)], [1.0] * 8))
    html = page("<b>Page", plots, ["A & B"])
    for plot in plots:
        assert f'src="{plot.name}.svg" alt="{plot.description}"' in html
        assert f'href="{plot.name}.csv"' in html
    assert html.count("<table>") == len(plots)
    assert html.count("<tr>") == sum(len(plot.rows) + 1 for plot in plots)
    assert "<script>" not in html
    assert "http" not in html
    assert "\x1b" not in html


def test_file_names_are_valid_on_every_system():
    assert file_name("bo:players=3") == "bo-players-3"
    assert file_name("../..") == "plot"
    assert len(file_name("x" * 500)) == 80
