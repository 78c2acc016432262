"""Scores of arrays of hands in machine code, and the tally of all possible hands.

Needs NumPy and Numba; the table (371 293 numbers) is made in each process on first use.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.engine.kernels import compilation, gpu
from kibitz.errors import NotationError
from kibitz.games.cribbage.hands import gpu_kernels, lookup

if TYPE_CHECKING:
    import numpy as np


@cache
def table() -> np.ndarray[Any, Any]:
    """The table of ``lookup``, read-only: shape (TABLE_SIZE,)."""
    import numpy as np

    scores = np.zeros(lookup.TABLE_SIZE, np.uint8)
    compilation.compiled(lookup).fill(scores)
    scores.flags.writeable = False
    return scores


def show_points(hands: Any, starters: Any, *, crib: bool = False, on: str | None = None) -> Any:
    """The score of each hand with its starter, as an array of uint8 with the shape (n,).

    ``hands`` (n, 4) and ``starters`` (n,) are cards, 0 to 51. Raises NotationError for other shapes, for numbers that
    aren't cards and for a card that appears twice.  ``on="cuda"`` is an NVIDIA GPU (errors:
    ``kibitz.engine.kernels.gpu.open_gpu``).  Arrays with ``__cuda_array_interface__`` (of CuPy, PyTorch, Numba) are
    already in its memory: then the points stay there too, as such an array.

    >>> show_points([[16, 17, 18, 43]], [19])  # 5♦ 5♣ 5♥ J♠ with 5♠
    array([29], dtype=uint8)
    """
    import numpy as np

    device = gpu.gpu_of(on, hands, starters)
    if device is not None:
        return points_by_gpu(device, hands, starters, int(crib))
    hand_rows, starter_cards = as_card_array(hands), as_card_array(starters)
    check_cards(hand_rows, starter_cards)
    out = np.zeros(len(starter_cards), np.uint8)
    compilation.compiled(lookup).score_rows(table(), hand_rows, starter_cards, int(crib), out)
    return out


def as_card_array(cards: Any) -> np.ndarray[Any, Any]:
    """Cards as int8. Raises NotationError for anything else."""
    import numpy as np

    array = np.asarray(cards)
    if array.dtype.kind not in "iu" or (array.size and not 0 <= array.min() <= array.max() < 52):
        raise NotationError("cards must be whole numbers from 0 (A♦) to 51 (K♠).")
    return array.astype(np.int8, copy=False)


def check_shapes(hands: Any, starters: Any) -> None:
    """Raise NotationError unless there are four cards per hand, and a starter for each."""
    if hands.ndim != 2 or hands.shape[1] != 4 or starters.shape != hands.shape[:1]:
        raise NotationError(
            f"hands must have the shape (n, 4) and starters (n,), not {hands.shape} and {starters.shape}."
        )


def check_cards(hands: np.ndarray[Any, Any], starters: np.ndarray[Any, Any], first: int = 0) -> None:
    """Raise NotationError for a row with a card twice; rows are numbered from ``first``."""
    import numpy as np

    check_shapes(hands, starters)
    cards = np.bitwise_or.reduce(np.int64(1) << hands.astype(np.int64), axis=1) | np.int64(1) << starters
    twice = np.bitwise_count(cards) < 5
    if twice.any():
        raise NotationError(f"row {first + int(twice.argmax())} has a card twice, but a pack has it only once.")


def points_by_gpu(device: gpu.Gpu, hands: Any, starters: Any, crib: int) -> Any:
    """The scores of hands, computed by a GPU; the result is in its memory if one of the arrays is."""
    import numpy as np

    result_stays = gpu.is_on_gpu(hands) or gpu.is_on_gpu(starters)
    arrays = [cards if gpu.is_on_gpu(cards) else as_card_array(cards) for cards in (hands, starters)]
    check_shapes(*arrays)
    hand_rows, starter_cards = (device.on_device(cards, "cards") for cards in arrays)
    n = starter_cards.size
    out, first_bad = device.empty(n, dtype="uint8"), device.put(np.full(1, n))
    if n:
        lanes, points = min(n, gpu.LANES), device.tables_of(table)
        arguments = *points, hand_rows, starter_cards, crib, out, first_bad, n, lanes
        device.run(device.kernels(gpu_kernels).score_hands, lanes, *arguments)
    row = int(first_bad.copy_to_host()[0])
    if row < n:
        hand, starter = (as_card_array(cards[row : row + 1].copy_to_host()) for cards in (hand_rows, starter_cards))
        check_cards(hand, starter, row)
    return out if result_stays else out.copy_to_host()


def tally() -> tuple[int, ...]:
    """By points from 0 to 29, how many of the 12 994 800 hands with a starter score them; no cribs."""
    import numpy as np

    counts = np.zeros(lookup.TALLY_SIZE, np.int64)
    compilation.compiled(lookup).tally_all(table(), counts)
    return tuple(int(n) for n in counts[:30])
