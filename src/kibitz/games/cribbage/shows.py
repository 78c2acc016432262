"""Many shows at once, in machine code: scores of arrays of hands, and the tally of all hands there are.

Needs NumPy and Numba; the table (371 293 numbers) is made in each process on first use.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.engine import compilation, gpu
from kibitz.errors import NotationError
from kibitz.games.cribbage import gpu_kernels, lookup

if TYPE_CHECKING:
    import numpy as np


@cache
def table() -> np.ndarray[Any, Any]:
    """What five ranks score, by ``lookup``'s number; must not be changed."""
    import numpy as np

    made = np.zeros(lookup.TABLE, np.uint8)
    compilation.compiled(lookup).fill(made)
    made.flags.writeable = False
    return made


def show_points(hands: Any, starters: Any, *, crib: bool = False, on: str | None = None) -> np.ndarray[Any, Any]:
    """What each hand scores: ``hands`` of shape (n, 4) and ``starters`` of shape (n,) are cards 0 to 51; (n,), uint8.

    NotationError for other shapes, for numbers that are not cards and for a card that is there twice.  ``on="cuda"`` is
    an NVIDIA GPU (errors: ``kibitz.engine.gpu.opened``).

    >>> show_points([[16, 17, 18, 43]], [19])  # 5♦ 5♣ 5♥ J♠ with 5♠
    array([29], dtype=uint8)
    """
    import numpy as np

    device = None if on in gpu.CORES else gpu.opened(on)
    held, turned = np.asarray(hands), np.asarray(starters)
    if held.ndim != 2 or held.shape[1] != 4 or turned.shape != held.shape[:1]:
        raise NotationError(f"hands must have the shape (n, 4) and starters (n,), not {held.shape} and {turned.shape}.")
    for cards in (held, turned):
        if cards.dtype.kind not in "iu" or (cards.size and not 0 <= cards.min() <= cards.max() < 52):
            raise NotationError("cards must be whole numbers from 0 (A♦) to 51 (K♠).")
    five = np.sort(np.column_stack([held, turned]).astype(np.int64), axis=1)
    if (five[:, 1:] == five[:, :-1]).any():
        row = int((five[:, 1:] == five[:, :-1]).any(axis=1).argmax())
        raise NotationError(f"row {row} has a card twice, and one pack has it once.")
    out = np.zeros(len(turned), np.uint8)
    given = held.astype(np.int8), turned.astype(np.int8)
    if device is not None:
        return scored_on(device, *given, int(crib), out)
    compilation.compiled(lookup).score_each(table(), *given, int(crib), out)
    return out


def scored_on(
    device: gpu.Gpu, hands: np.ndarray[Any, Any], starters: np.ndarray[Any, Any], crib: int, out: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Write what hands score, on a GPU."""
    n = out.size
    if n:
        points = table()
        lanes = device.lanes(n, 1, points.nbytes + 6 * n, None)
        scores = device.put(out)
        given = device.put(points), device.put(hands), device.put(starters)
        device.run(device.kernels(gpu_kernels).show_shares, lanes, *given, crib, scores, n, lanes)
        scores.copy_to_host(out)
    return out


def tally() -> tuple[int, ...]:
    """By points 0 to 29, how many of the 12 994 800 hands with a starter score them; no cribs."""
    import numpy as np

    counts = np.zeros(lookup.TALLY, np.int64)
    compilation.compiled(lookup).tally_all(table(), counts)
    return tuple(int(n) for n in counts[:30])
