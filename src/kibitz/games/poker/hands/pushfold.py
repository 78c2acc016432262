"""Push or fold heads-up: the equilibrium for stacks of 1 to 20 big blinds, as charts.

    stack       the smaller of the two stacks before the blinds, in big blinds; the small blind is half a big one
    push        by class of hands, the probability that the small blind, which acts first, goes all-in and doesn't fold
    call        by class, the probability that the big blind calls a push and doesn't fold
    chart       the probabilities for all classes (``ranges.NAMES``)

With up to about 8 big blinds, no better strategy than push or fold is known for the small blind; with up to 10, it
loses little. ``pushfold.z`` has the charts for every tenth of a big blind; ``python -m tools.poker_pushfold`` makes it.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib.resources import files

from kibitz.errors import NotationError
from kibitz.games.poker.hands.ranges import CLASSES

FILE = "pushfold.z"
PROBABILITY_ONE = 200
"""The byte for a probability of 1; smaller bytes are in proportion."""
MAX_GAP = 1.05
"""Ranges of stacks that are less than this apart are joined, in big blinds."""
STACKS = tuple(tenth / 10 for tenth in range(10, 201))


@cache
def stored_charts() -> bytes:
    """For each of STACKS the push chart and the call chart, a byte per class."""
    return zlib.decompress(files(__package__).joinpath(FILE).read_bytes())


def chart(stack: float, *, calling: bool = False) -> tuple[float, ...]:
    """The probability of a push with each class, or of a call, by the chart of the nearest stack.

    Raises NotationError for stacks outside 1 to 20 big blinds.

    >>> from kibitz.games.poker.hands.ranges import NAMES
    >>> chart(10)[NAMES.index("A2o")], chart(10)[NAMES.index("72o")]
    (1.0, 0.0)
    """
    if not STACKS[0] <= stack <= STACKS[-1]:
        raise NotationError(f"the charts are for stacks of 1 to 20 big blinds, not {stack:g}.")
    first = (2 * round(10 * stack - 10) + calling) * CLASSES
    return tuple([byte / PROBABILITY_ONE for byte in stored_charts()[first : first + CLASSES]])


def stacks_of(number: int, *, calling: bool = False) -> list[tuple[float, float]]:
    """The stacks at which a class is mostly pushed, or called: pairs (from, to), the smallest first.

    As in published charts, gaps of up to one big blind are ignored: there the equilibrium folds or mixes because of
    single classes of the opponent, and a push or call is worth hardly less than a fold.

    >>> from kibitz.games.poker.hands.ranges import NAMES
    >>> stacks_of(NAMES.index("63s"))
    [(1.0, 2.3), (5.1, 7.1)]
    """
    result: list[tuple[float, float]] = []
    for stack in STACKS:
        if chart(stack, calling=calling)[number] < 0.5:
            continue
        if result and stack - result[-1][1] < MAX_GAP:
            result[-1] = result[-1][0], stack
        else:
            result.append((stack, stack))
    return result
