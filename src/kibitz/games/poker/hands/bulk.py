"""The strengths of many poker hands at once, in machine code or on a GPU.

    hands       an array of sets: bit ``c`` of an int64 for card ``c``, as everywhere in Kibitz
    strengths   an array of int16, 1 (7-5-4-3-2) to 7462 (royal flush), higher is better

The first call in a process loads or compiles the kernels and builds a table of 217 KB. Raises ImportError without
Numba. Building takes some hundredths of a second in machine code, so storing the table in a file isn't worthwhile.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.cards import FULL_PACK
from kibitz.engine.kernels import compilation, gpu
from kibitz.errors import NotationError
from kibitz.games.poker.hands import boards, gpu_kernels, lookup, ranking, wild

if TYPE_CHECKING:
    from types import SimpleNamespace

    import numpy as np
    from numpy.typing import ArrayLike


# The table of strengths


CARDS = range(5, 8)
"""Sizes of hands that are in the table."""


class HandTable(NamedTuple):
    """The two arrays of the table, read-only: uint32 of shape (ROWS,), and uint16, one-dimensional."""

    rows: np.ndarray[Any, Any]
    strengths: np.ndarray[Any, Any]


@cache
def table() -> HandTable:
    """The table, built once per process. Raises ImportError without Numba."""
    return build(compilation.compiled(lookup))


def all_counts() -> list[int]:
    """The counts (see ``lookup``) of all sets of 5 to 7 cards."""
    partial = [(0, 0)]
    for value in range(13):
        partial = [
            (counts | copies << 4 * value, cards + copies)
            for counts, cards in partial
            for copies in range(min(4, CARDS[-1] - cards) + 1)
        ]
    return [counts for counts, cards in partial if cards in CARDS]


def build(kernels: SimpleNamespace) -> HandTable:
    """A table, built with plain or compiled ``kernels`` of ``lookup``."""
    import numpy as np

    counts = np.array(all_counts(), np.int64)
    key_tops = (counts * lookup.FACTOR & lookup.KEYS) >> (62 - lookup.KEY_BITS)
    by_key = np.argsort(key_tops)
    counts, key_tops = counts[by_key], key_tops[by_key]
    assert (np.diff(key_tops) > 0).all(), "two counts share a key: choose another FACTOR"

    unplaced = np.zeros(len(counts), np.int64)
    kernels.evaluate_counts(counts, 0, len(counts), unplaced)
    starts = np.searchsorted(key_tops >> lookup.COLUMN_BITS, np.arange(lookup.ROWS + 1))
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")
    max_length = 2 * len(counts)
    rows, strengths = np.zeros(lookup.ROWS, np.uint32), np.zeros(max_length, np.uint16)
    used = np.zeros(max_length // lookup.WORD, np.int64)
    columns = key_tops & lookup.COLUMNS - 1
    length = kernels.place_rows(columns, unplaced, starts, order, int((lengths > 0).sum()), used, rows, strengths)
    strengths = strengths[:length].copy()
    rows.flags.writeable = strengths.flags.writeable = False
    return HandTable(rows, strengths)


# Many hands


GPU_BATCH = 1 << 24
"""The maximum number of hands given to a GPU at a time."""


def evaluate_many(hands: ArrayLike, black: ArrayLike = 0, red: ArrayLike = 0, *, on: str | None = None) -> Any:
    """The strengths of many hands of 5, 6 or 7 cards: int16, in the shape of ``hands``.

    ``hands`` are sets of cards, an array of any shape; hands of different sizes may be mixed. ``black`` and ``red`` are
    the numbers of jokers in each hand (0 to 2; one number, or an array of the same shape), which count among its 5 to 7
    cards. NotationError names the first invalid hand.

    ``on="cuda"`` is an NVIDIA GPU (errors: ``kibitz.engine.kernels.gpu.open_gpu``).  Hands that are already
    in its memory, as an int64 array with ``__cuda_array_interface__`` (of CuPy, PyTorch, Numba), are evaluated there,
    and the strengths stay there, as such an array; ``black`` and ``red`` may be such arrays as well.

    >>> int(evaluate_many([0b11111])[0])  # four Aces and a deuce
    7441
    """
    import numpy as np

    device = gpu.gpu_of(on, hands, black, red)
    if device is not None and any(map(gpu.is_on_gpu, (hands, black, red))):
        return evaluate_gpu_arrays(device, hands, black, red)
    sets = int64_array(hands, "hands")
    jokers = int64_array(black, "black"), int64_array(red, "red")
    out = np.zeros(sets.size, np.int16)
    if any(counts.any() for counts in jokers):
        arrays = [flat(counts) for counts in (sets, *(broadcast(counts, sets.shape) for counts in jokers))]
    else:
        arrays = [flat(sets)]
    first_bad = write_strengths(arrays, out) if device is None else write_strengths_by_gpu(device, arrays, out)
    check_hands(first_bad, sets.shape)
    return out.reshape(sets.shape)


def broadcast(counts: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Numbers of jokers, broadcast to the shape of the hands. Raises NotationError if that is impossible."""
    import numpy as np

    try:
        return np.broadcast_to(counts, shape)
    except ValueError:
        raise NotationError(f"the numbers of jokers have the shape {counts.shape}, not {shape}.") from None


def check_hands(first_bad: int, shape: tuple[int, ...]) -> None:
    """Raise NotationError if ``first_bad``, the index of an invalid hand among all hands, isn't -1."""
    import numpy as np

    if first_bad >= 0:
        where = ", ".join(map(str, np.unravel_index(first_bad, shape)))
        raise NotationError(
            f"hands[{where}] must be a set of 5 to 7 cards of one pack, with up to two jokers of each colour."
        )


def write_strengths(arrays: list[np.ndarray[Any, Any]], out: np.ndarray[Any, Any]) -> int:
    """Write the strengths of hands into ``out``; return the index of the first invalid hand, or -1.

    ``arrays`` are the sets of cards and, if there are jokers, the numbers of black and of red ones.
    """
    if len(arrays) > 1:
        return int(compilation.compiled(wild).evaluate_wild_slice(*arrays, 0, out.size, out))
    return int(compilation.compiled(lookup).evaluate_slice(*arrays, 0, out.size, *table(), out))


def write_strengths_by_gpu(device: gpu.Gpu, arrays: list[np.ndarray[Any, Any]], out: np.ndarray[Any, Any]) -> int:
    """``write_strengths``, computed on a GPU in batches of GPU_BATCH hands."""
    for first in range(0, out.size, GPU_BATCH):
        batch = out[first : first + GPU_BATCH]
        strengths = device.empty(batch.size, dtype="int16")
        first_bad = launch(device, [device.put(array[first : first + GPU_BATCH]) for array in arrays], strengths)
        if first_bad >= 0:
            return first + first_bad
        strengths.copy_to_host(batch)
    return -1


def evaluate_gpu_arrays(device: gpu.Gpu, hands: Any, black: Any, red: Any) -> Any:
    """The strengths of hands in a GPU's memory, as an array in that memory."""
    import numpy as np

    sets = device.on_device(hands if gpu.is_on_gpu(hands) else int64_array(hands, "hands"), "hands")
    arrays = [sets]
    if gpu.is_on_gpu(black) or gpu.is_on_gpu(red) or np.any(black) or np.any(red):
        for counts, what in ((black, "black"), (red, "red")):
            numbers = counts if gpu.is_on_gpu(counts) else flat(broadcast(int64_array(counts, what), sets.shape))
            arrays.append(device.on_device(numbers, what))
            if arrays[-1].size != sets.size:
                raise NotationError(f"the numbers of jokers have the shape {arrays[-1].shape}, not {sets.shape}.")
    out = device.empty(*sets.shape, dtype="int16")
    check_hands(launch(device, [array.reshape(-1) for array in arrays], out.reshape(-1)), sets.shape)
    return out


def launch(device: gpu.Gpu, arrays: list[Any], out: Any) -> int:
    """``write_strengths`` for arrays in a GPU's memory: run the kernel on all its lanes."""
    import numpy as np

    n = out.size
    if not n:
        return -1
    first_bad = device.put(np.full(1, n))
    kernels, lanes = device.kernels(gpu_kernels), min(n, gpu.LANES)
    if len(arrays) > 1:
        device.run(kernels.evaluate_wild_hands, lanes, *arrays, out, first_bad, n, lanes)
    else:
        device.run(kernels.evaluate_hands, lanes, *arrays, *device.tables_of(table), out, first_bad, n, lanes)
    index = int(first_bad.copy_to_host()[0])
    return index if index < n else -1


def sets_of(cards: ArrayLike) -> np.ndarray[Any, Any]:
    """Sets (int64, shape (n,)) from card numbers 0 to 51 of shape (n, cards in a hand).

    Raises NotationError if a number is not a card or a hand has a card twice.
    """
    import numpy as np

    numbers = int64_array(cards, "cards")
    if numbers.ndim != 2:
        raise NotationError(f"cards must have the shape (hands, cards in a hand), not {numbers.shape}.")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < 52:
        raise NotationError("cards are the numbers 0 to 51: 4 * (value - 1) + suit.")
    sets: np.ndarray[Any, Any] = np.bitwise_or.reduce(np.int64(1) << numbers, axis=1)
    twice = np.bitwise_count(sets) < numbers.shape[1]
    if twice.any():
        raise NotationError(f"cards[{int(twice.argmax())}] has a card twice.")
    return sets


def strength_counts(cards: int) -> np.ndarray[Any, Any]:
    """The number of hands of 5, 6 or 7 cards with each strength: int64, shape (7463,), index 0 unused.

    Counts all C(52, cards) hands: the 133 784 560 of seven cards take about half a second.
    """
    import numpy as np

    if cards not in CARDS:
        raise NotationError(f"hands have 5, 6 or 7 cards, not {cards}.")
    kernels, work = compilation.compiled(boards), np.zeros(boards.WORK, np.int64)
    result = np.zeros(ranking.BEST_STRENGTH + 1, np.int64)
    kernels.prepare(np.zeros(1, np.int64), 0, np.arange(52), 52, work)
    kernels.count_boards(0, 52, cards, 1, 53, *table(), work, result)
    return result


def category_counts(counts: np.ndarray[Any, Any]) -> list[int]:
    """The sums of ``strength_counts`` by category, high card first."""
    ends = (*ranking.FIRST_STRENGTH[1:], ranking.BEST_STRENGTH + 1)
    return [int(counts[first:end].sum()) for first, end in zip(ranking.FIRST_STRENGTH, ends, strict=True)]


def int64_array(numbers: ArrayLike, what: str) -> np.ndarray[Any, Any]:
    """Numbers as an array of int64. Raises NotationError, which calls them ``what``, if that is impossible."""
    import numpy as np

    array = np.asarray(numbers)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu" or (array.dtype == np.uint64 and (array > FULL_PACK).any()):
        raise NotationError(f"{what} must be whole numbers below 2**52, not {array.dtype}.")
    return array.astype(np.int64, copy=False)


def flat(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers as a one-dimensional array of the only type that the machine code takes."""
    import numpy as np

    return np.require(numbers, np.int64, ["C", "A", "W"]).reshape(-1)
