"""The table of strengths, built on first use: what ``lookup`` and ``boards`` look hands up in.

    table       ``rows`` (uint32, shape (ROWS,)) and ``strengths`` (uint16, 1-D)

Building takes some hundredths of a second in machine code, less than reading it from a file would be worth.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.engine import compilation
from kibitz.games.poker import lookup

if TYPE_CHECKING:
    from types import SimpleNamespace

    import numpy as np

CARDS = range(5, 8)
"""Sizes of hands that are in the table."""


class HandTable(NamedTuple):
    """The two arrays of the table, read-only."""

    rows: np.ndarray[Any, Any]
    strengths: np.ndarray[Any, Any]


@cache
def table() -> HandTable:
    """The table for machine code, the same every time; ImportError with a clear sentence without Numba."""
    return build(compilation.compiled(lookup))


def every_count() -> list[int]:
    """The counts of all sets of 5 to 7 cards."""
    found = [(0, 0)]
    for value in range(13):
        found = [
            (counts | copies << 4 * value, cards + copies)
            for counts, cards in found
            for copies in range(min(4, CARDS[-1] - cards) + 1)
        ]
    return [counts for counts, cards in found if cards in CARDS]


def build(kernels: SimpleNamespace) -> HandTable:
    """A table, built with plain or compiled ``kernels`` of ``lookup``."""
    import numpy as np

    counts = np.array(every_count(), np.int64)
    places = (counts * lookup.FACTOR & lookup.KEYS) >> (62 - lookup.KEY_BITS)
    by_place = np.argsort(places)
    counts, places = counts[by_place], places[by_place]
    assert (np.diff(places) > 0).all(), "two counts share a key: FACTOR must be another"

    worths = np.zeros(len(counts), np.int64)
    kernels.worth_each(counts, 0, len(counts), worths)
    starts = np.searchsorted(places >> lookup.COLUMN_BITS, np.arange(lookup.ROWS + 1))
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")
    room = 2 * len(counts)
    rows, strengths = np.zeros(lookup.ROWS, np.uint32), np.zeros(room, np.uint16)
    used = np.zeros(room // lookup.WORD, np.int64)
    columns = places & lookup.COLUMNS - 1
    length = kernels.place_rows(columns, worths, starts, order, int((lengths > 0).sum()), used, rows, strengths)
    strengths = strengths[:length].copy()
    rows.flags.writeable = strengths.flags.writeable = False
    return HandTable(rows, strengths)
