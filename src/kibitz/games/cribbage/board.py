"""The table of board positions: the chance to win from every score, as dealer and as the other seat.

Found by going back from the end over deals that were played (``racing``, ``study``).  It counts games, not skunks, and
both seats play for points in it up to the end.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.games.cribbage.stored import WHOLE, stored

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

TARGET = 121
MOST = 70
"""No seat scores more in one deal, nor nearly so much."""


class BoardStanding(NamedTuple):
    """The chance to win, and half its 95 % interval."""

    chance: float
    margin: float


def standing(mine: int, theirs: int, *, dealer: bool, target: int = TARGET) -> BoardStanding:
    """The chance to win of a seat with ``mine`` points against ``theirs`` before a deal; ``dealer`` if it deals.

    >>> round(standing(0, 0, dealer=True).chance, 2)
    0.56
    """
    short = TARGET - target
    place = (mine + short, theirs + short) if dealer else (theirs + short, mine + short)
    number = place[0] * TARGET + place[1]
    chance, margin = stored("chances")[number] / WHOLE, stored("errors")[number] / WHOLE
    return BoardStanding(chance if dealer else 1 - chance, margin)


@cache
def tables() -> tuple[Numbers, Numbers]:
    """The dealer's chances by both scores, and their margins: shapes (TARGET, TARGET)."""
    import numpy as np

    chances, errors = (np.array(stored(name), np.float64).reshape(TARGET, TARGET) for name in ("chances", "errors"))
    return chances / WHOLE, errors / WHOLE


def window(own: int, other: int, *, dealer: bool) -> tuple[Numbers, Numbers]:
    """The chances and margins from here on, by what each seat has scored more: 0 to ``own``, and 0 to ``other``.

    ``own`` and ``other`` are what a seat and the other need; whoever has scored that has won.  More than a deal can
    bring is left out.  ``dealer`` if the seat deals next.
    """
    import numpy as np

    found = []
    for whole in tables():
        part = np.zeros((min(own, MOST) + 1, min(other, MOST) + 1))
        mine = (whole if dealer else whole.T)[TARGET - own :, TARGET - other :][: MOST + 1, : MOST + 1]
        part[: mine.shape[0], : mine.shape[1]] = mine
        found.append(part)
    if not dealer:
        found[0] = 1 - found[0]
    close(found[0], found[1], own, other)
    return found[0], found[1]


def close(chances: Numbers, errors: Numbers, own: int, other: int) -> None:
    """Where a window reaches the end of the game it is won at the seat's end, and lost at the other's."""
    if own <= MOST:
        chances[-1], errors[-1] = 1.0, 0.0
    if other <= MOST:
        chances[:, -1], errors[:, -1] = 0.0, 0.0
