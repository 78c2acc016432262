"""Take figures side by side and print them.

    probe       a function without arguments that measures one figure: a rate, or a time in seconds
    row         what is measured, the probe of Kibitz ("ours"), the probe of the peer, and the required figure ("asked")
    figure      the median of the repeats, with the minimum and maximum
    ratio       how many times better ours is than the peer: faster, or more of them a second

All probes of a benchmark take turns within each repeat, since the speed of a shared machine varies: trust the ratios.
A probe that serves several rows runs once a repeat.

This module also has the types of command-line arguments: ``whole`` numbers within bounds, ``a_game`` that exists;
anything else is refused with a sentence.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeAlias

import kibitz
from kibitz.engine.game import Game
from kibitz.errors import KibitzError

Probe: TypeAlias = Callable[[], float]
Rows: TypeAlias = "tuple[list[Row], list[str]]"
"""The result of ``rows()`` of a benchmark: its rows, and notes on what they measure and leave out."""


@dataclass(frozen=True)
class Row:
    """One line of a table; ``unit`` ends in ``/s`` if more is better; otherwise it is ``s``, and less is better."""

    what: str
    unit: str
    ours: Probe
    peer: Probe | None = None
    asked: float | None = None


@dataclass(frozen=True)
class Figure:
    """All values that a probe returned."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value."""
        return statistics.median(self.values)

    def text(self, unit: str) -> str:
        """The median, minimum and maximum, such as ``4.21 M (3.98 M–4.40 M)``."""
        low, high = amount(min(self.values), unit), amount(max(self.values), unit)
        return f"{amount(self.median, unit)} ({low}–{high})"


@dataclass(frozen=True)
class Measured:
    """A row with its figures."""

    row: Row
    ours: Figure
    peer: Figure | None

    @property
    def ratio(self) -> float | None:
        """How many times better ours is, by the medians."""
        if self.peer is None:
            return None
        ratio = self.ours.median / self.peer.median
        return ratio if self.more_is_better else 1 / ratio

    @property
    def more_is_better(self) -> bool:
        """Whether it is a rate."""
        return self.row.unit.endswith("/s")

    @property
    def met(self) -> bool | None:
        """Whether the median is as good as required; None if nothing is required."""
        if self.row.asked is None:
            return None
        return self.ours.median >= self.row.asked if self.more_is_better else self.ours.median <= self.row.asked

    def cells(self) -> list[str]:
        """The row as text."""
        unit, asked = self.row.unit, ""
        if self.row.asked is not None:
            sign = "≥" if self.more_is_better else "≤"
            asked = f"{sign} {amount(self.row.asked, unit)} {'met' if self.met else 'MISSED'}"
        return [
            f"{self.row.what}, {unit}" if self.more_is_better else self.row.what,
            self.ours.text(unit),
            self.peer.text(unit) if self.peer else "",
            "" if not self.ratio else f"{self.ratio:,.0f}" if self.ratio >= 100 else f"{self.ratio:.3g}",
            asked,
        ]

    def as_json(self) -> dict[str, object]:
        """The row as written to a JSON file."""
        return {
            "what": self.row.what,
            "unit": self.row.unit,
            "ours": self.ours.values,
            "peer": self.peer.values if self.peer else None,
            "ratio": self.ratio,
            "asked": self.row.asked,
            "met": self.met,
        }


def amount(value: float, unit: str) -> str:
    """A figure to three digits: ``4.21 M`` of a rate, ``54.3 us`` of a time.

    >>> amount(4_210_000, "steps/s"), amount(0.0000543, "s")
    ('4.21 M', '54.3 us')
    """
    steps = [(1e6, " M"), (1e3, " k"), (1, "")]
    if unit == "s":
        steps = [(1, " s"), (1e-3, " ms"), (1e-6, " us")]
    size, suffix = next((step for step in steps if value >= step[0]), steps[-1])
    digits = value / size
    return f"{digits:.0f}{suffix}" if digits >= 100 else f"{digits:.3g}{suffix}"


def rate(work: Callable[[], int], seconds: float = 0.4, clock: Callable[[], float] = perf_counter) -> Probe:
    """A probe: repeat ``work`` for at least ``seconds``; the sum of its results (what it has done), a second.

    ``work`` is called once before the clock first starts, since it may have to compile or load machine code.
    """
    warm: list[int] = []

    def probe() -> float:
        if not warm:
            warm.append(work())
        done, start = 0, clock()
        while (elapsed := clock() - start) < seconds or not done:
            done += work()
        return done / elapsed

    return probe


def cpu_rate(work: Callable[[], int]) -> Probe:
    """The same by CPU time, which other processes on a busy machine lengthen less."""
    return rate(work, clock=process_time)


def clocks() -> tuple[float, float]:
    """The wall-clock time and this process's CPU time, in seconds."""
    return perf_counter(), process_time()


def share_of(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A sentence on how much of the time this process had a processor, to show how busy the machine was.

    >>> share_of((0, 0), (10, 8))
    'Taken in 10 s; this process itself had 8.0 s of CPU time (80 %).'
    """
    wall, own = (after - before for before, after in zip(start, end, strict=True))
    return f"Taken in {wall:.0f} s; this process itself had {own:.1f} s of CPU time ({100 * own / wall:.0f} %)."


def each_time(work: Callable[..., object], inputs: Sequence[object], percent: int = 50) -> Probe:
    """A probe: the percentile ``percent`` of the times of the calls with these inputs, in seconds."""

    def probe() -> float:
        times = []
        for argument in inputs:
            start = perf_counter()
            work(argument)
            times.append(perf_counter() - start)
        return sorted(times)[(len(times) - 1) * percent // 100]

    return probe


def measure(name: str, rows: Sequence[Row], repeats: int) -> list[Measured]:
    """Measure every figure ``repeats`` times, with all probes in turn."""
    values: dict[Probe, list[float]] = {p: [] for row in rows for p in (row.ours, row.peer) if p}
    start = perf_counter()
    for repeat in range(repeats):
        for k, (probe, probe_values) in enumerate(values.items()):
            if perf_counter() - start > 1:
                progress(f"{name}: repeat {repeat + 1} of {repeats}, probe {k + 1} of {len(values)}")
            probe_values.append(probe())
    progress("")
    figures = {probe: Figure(tuple(probe_values)) for probe, probe_values in values.items()}
    return [Measured(row, figures[row.ours], figures[row.peer] if row.peer else None) for row in rows]


def progress(text: str) -> None:
    """Show a line of progress in place of the last one, if standard error is a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


WIDTHS = (12, 58, 24, 24, 7, 16)
"""The widths of the table's columns; every benchmark prints its rows as soon as it has them."""


def line(*cells: str) -> str:
    """A line of the table.

    >>> line("games", "Go, compiled, games/s", "155 k (155 k–160 k)")
    'games         Go, compiled, games/s                                       155 k (155 k–160 k)'
    """
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=False)).rstrip()


def machine() -> dict[str, str | int]:
    """The machine and the versions that the figures were measured with."""
    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), cpu)
    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = "none"
    return {"cpu": cpu, "cores": os.cpu_count() or 1, "python": platform.python_version(), "numba": numba}


def header(machine: dict[str, str | int]) -> str:
    """The lines above the rows."""
    return (
        f"{machine['cpu']}, one of {machine['cores']} cores; Python {machine['python']}, Numba {machine['numba']}.\n"
        "Each figure is the median of the repeats (minimum–maximum); ours and peers take turns in one process.\n\n"
        f"{line('benchmark', 'what', 'ours', 'peer', 'ratio', 'asked')}\n{line(*('─' * width for width in WIDTHS))}"
    )


# Types of command-line arguments.


MAX_NUMBER = 10_000_000
"""The default upper limit of numbers on the command line."""
LONGEST = 60
"""The maximum number of characters of a number, and of a wrong argument that is quoted in a message."""
MIN_SAMPLE = 2
"""The fewest values from which a standard deviation can be computed."""


def whole(low: int, high: int = MAX_NUMBER) -> Callable[[str], int]:
    """A type for argparse: a whole number from ``low`` to ``high``.

    >>> whole(2)("30")
    30
    """

    def read(text: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdigit()) or len(text) > LONGEST:
            raise ArgumentTypeError(f"a whole number is wanted, not {text[:LONGEST]!r}")
        if not low <= int(text) <= high:
            raise ArgumentTypeError(f"{low} to {high} is wanted, not {text}")
        return int(text)

    return read


def wholes(low: int, high: int = MAX_NUMBER) -> Callable[[str], list[int]]:
    """A type for argparse: whole numbers with commas between them."""
    read = whole(low, high)
    return lambda text: [read(number) for number in text.split(",")]


def fraction(low: float, high: float) -> Callable[[str], float]:
    """A type for argparse: a number from ``low`` to ``high``."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise ArgumentTypeError(f"a number is wanted, not {text[:LONGEST]!r}") from None
        if not low <= value <= high:
            raise ArgumentTypeError(f"{low:g} to {high:g} is wanted, not {text[:LONGEST]}")
        return value

    return read


def one_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """A type for argparse: some of these names, with commas between them."""
    allowed = list(names)

    def read(text: str) -> list[str]:
        for name in text.split(","):
            if name not in allowed:
                raise ArgumentTypeError(f"there is no {name[:LONGEST]!r}; known names: {', '.join(allowed)}")
        return text.split(",")

    return read


def a_game(text: str) -> Game:
    """A type for argparse: the game with this name."""
    try:
        return kibitz.game(text)
    except KibitzError as error:
        raise ArgumentTypeError(str(error)) from error


def games(text: str) -> list[Game]:
    """A type for argparse: games, with commas between their names."""
    return [a_game(name) for name in text.split(",")]
