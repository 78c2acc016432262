"""Plots as SVG, each made from its table: bars with intervals, histograms, lines.

    plot        a picture with its table: it shows exactly the rows of the table
    margin      half the width of an interval, drawn as a whisker or a band; None if unknown
    reference   a value to compare all others with, drawn as a broken line

A picture is one file without script, font or request. It has a title and a description for screen readers, it is
legible on a phone, it follows the system's light or dark mode, and colour is never the only cue.

>>> plot = bars("wins", "Wins", "Ann wins most.", [Bar("Ann", 0.6, 0.1), Bar("Ben", 0.4, 0.1)], percent=True)
>>> plot.columns, plot.rows[0]
(('name', 'value', 'margin'), ('Ann', 0.6, 0.1))
"""

from kibitz.plots.charts import Bar, Histogram, Line, Point, bars, edges_for, histograms, lines, page
from kibitz.plots.primitives import Plot, clean

__all__ = ["Bar", "Histogram", "Line", "Plot", "Point", "bars", "clean", "edges_for", "histograms", "lines", "page"]
