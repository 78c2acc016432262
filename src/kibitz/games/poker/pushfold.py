"""Push or fold heads-up: the equilibrium for stacks of 1 to 20 big blinds, as charts.

    stack       what the shorter of both has before the blinds, in big blinds; the small blind is half a big one
    push        how often the small blind, who acts first, goes all-in with a class of hands; else it folds
    call        how often the big blind calls that
    chart       by class (see ``classes``), how often, from 0 to 1

Up to about 8 big blinds nothing better is known for the small blind than to push or fold; up to 10 little is lost.
The charts are kept for every tenth of a big blind in ``pushfold.z``, made by ``python -m kibitz.games.poker.pushing``.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib.resources import files

from kibitz.errors import NotationError
from kibitz.games.poker.classes import CLASSES

FILE = "pushfold.z"
ALWAYS = 200
"""The byte that stands for always; smaller ones are shares of it."""
HOLE = 1.05
"""Stacks that are less than this apart count as neighbours."""
STACKS = tuple(tenth / 10 for tenth in range(10, 201))


@cache
def stored() -> bytes:
    """For each of STACKS the push chart and the call chart, a byte a class."""
    return zlib.decompress(files(__package__).joinpath(FILE).read_bytes())


def chart(stack: float, *, calling: bool = False) -> tuple[float, ...]:
    """How often to push with each class, or to call a push; the charts' nearest stack is taken.

    NotationError for stacks outside 1 to 20 big blinds.

    >>> from kibitz.games.poker.classes import NAMES
    >>> chart(10)[NAMES.index("A2o")], chart(10)[NAMES.index("72o")]
    (1.0, 0.0)
    """
    if not STACKS[0] <= stack <= STACKS[-1]:
        raise NotationError(f"the charts are for stacks of 1 to 20 big blinds, not {stack:g}.")
    first = (2 * round(10 * stack - 10) + calling) * CLASSES
    return tuple([byte / ALWAYS for byte in stored()[first : first + CLASSES]])


def stacks_of(number: int, *, calling: bool = False) -> list[tuple[float, float]]:
    """From which stack to which a class is mostly pushed, or called, the smallest stacks first.

    As in published charts, gaps of up to one big blind are passed over: there the equilibrium folds or mixes because of
    what single classes of the opponent do, and a push or call is worth hardly less than a fold.

    >>> from kibitz.games.poker.classes import NAMES
    >>> stacks_of(NAMES.index("63s"))
    [(1.0, 2.3), (5.1, 7.1)]
    """
    found: list[tuple[float, float]] = []
    for stack in STACKS:
        if chart(stack, calling=calling)[number] < 0.5:
            continue
        if found and stack - found[-1][1] < HOLE:
            found[-1] = found[-1][0], stack
        else:
            found.append((stack, stack))
    return found
