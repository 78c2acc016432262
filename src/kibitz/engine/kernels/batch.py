"""Many random games at once, compiled, on all cores or on a GPU.

    batch       n random games as arrays
    threads     of this machine: each plays a range of the games; compiled code releases the GIL
    lanes       the threads of a GPU (``kibitz.engine.kernels.gpu_kernels``)

Game ``i`` of a batch is dealt from the batch seed and ``i`` alone, so neither the number of threads nor the device
changes the results.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation, gpu, gpu_kernels, loops
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.errors import MachineError, NotationError

if TYPE_CHECKING:
    import numpy as np

BATCH_SEEDS = 1 << 64
"""Batch seeds are 0 to 2**64 - 1; the upper 64 bits of a game's seed are its number in the batch."""

MAX_GAMES = 100_000_000
"""The maximum number of games in a batch: its arrays then need a few GiB."""

GAMES_PER_LAUNCH = 64
"""How many games a lane plays in one launch of a kernel; between launches, Python can be interrupted."""


@dataclass(frozen=True)
class Batch:
    """Games as arrays: ``scores[i, seat]`` is what a seat earned in game ``i``; ``steps[i]``, the game's length."""

    scores: np.ndarray[Any, Any]
    steps: np.ndarray[Any, Any]


SCORES, SUMS, DEVICE = KEEP = "scores", "sums", "device"


def random_games(
    game: Game | str, n: int, seed: int = 0, threads: int | None = None, *, on: str | None = None, keep: str = SCORES
) -> Batch:
    """Play ``n`` games of uniformly random legal actions; ``game`` is a Game or the name of one.

    Game ``i`` is ``playout`` from ``game.deal(seed + (i << 64))``.  ``scores`` has shape (n, seats), ``steps`` shape
    (n,), both int64.  ``keep="sums"`` adds all games up: then ``scores`` has shape (seats,), and ``steps`` is one
    number. Raises NotationError if an argument is out of range, and ImportError without Numba.

    ``on="cuda"`` plays them on an NVIDIA GPU, ``threads`` being the lanes that play side by side there; the result is
    the same.  There, ``keep="device"`` leaves the arrays in the GPU's memory: they have ``__cuda_array_interface__``
    (for CuPy, PyTorch, Numba) and ``copy_to_host()``.  With ``keep="sums"`` nothing is copied for each game. Raises
    ImportError without numba-cuda, and MachineError without a GPU or with too little memory.
    """
    game = game_of(game)
    n, seed = check_batch(n, seed, threads)
    if not isinstance(keep, str) or keep not in KEEP:
        raise NotationError(f"keep must be {', '.join(map(repr, KEEP[:-1]))} or {KEEP[-1]!r}, not {short_repr(keep)}.")
    if on is not None and (not isinstance(on, str) or on not in gpu.LOCAL_NAMES):
        return on_gpu(gpu.open_gpu(on), game, n, seed, threads, keep)
    if keep == DEVICE:
        raise NotationError("keep='device' leaves results on a GPU: it needs on='cuda'.")
    batch = on_cores(game, n, seed, threads)
    return Batch(batch.scores.sum(axis=0), batch.steps.sum()) if keep == SUMS else batch


def on_cores(game: Game, n: int, seed: int, threads: int | None) -> Batch:
    """The batch on this machine's cores, with this many threads."""
    import numpy as np

    seats = game.seats
    scores = np.zeros(n * seats, np.int64)
    steps = np.zeros(n, np.int64)
    play = compilation.compiled(loops, game.rules).playouts

    def work(first: int, last: int) -> None:
        states = records(game, 1)
        out = np.zeros(game.max_legal, np.int64)
        earned = np.zeros(seats, np.int64)
        key = seed & 0xFFFFFFFF, seed >> 32
        play(states, out, earned, scores, steps, *key, first, last, seats, game.max_length)

    workers = max(1, min(threads or os.cpu_count() or 1, n))
    if workers == 1:
        work(0, n)
        return Batch(scores.reshape(n, seats), steps)
    bounds = [n * k // workers for k in range(workers + 1)]
    work(0, 0)  # loads or compiles the kernel, once for all threads
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, bounds[:-1], bounds[1:]))
    return Batch(scores.reshape(n, seats), steps)


def on_gpu(device: gpu.Gpu, game: Game, n: int, seed: int, threads: int | None, keep: str = SCORES) -> Batch:
    """The batch on a GPU, with ``threads`` lanes; equal to that of ``on_cores``."""
    import numpy as np

    seats, words = game.seats, 2 * gpu_kernels.MAX_SEATS + game.max_legal
    if seats > gpu_kernels.MAX_SEATS:
        raise MachineError(
            f"on='cuda' plays games of at most {gpu_kernels.MAX_SEATS} seats, not {seats}: {gpu.LEAVE_ON_OUT}"
        )
    rows = 0 if keep == SUMS else n
    lane_bytes = game.rules.LAYOUT.dtype.itemsize + 8 * words
    lanes = device.lanes(n, lane_bytes, 8 * rows * (seats + 1), threads)
    play = device.kernels(gpu_kernels, game.rules, words=words).play_random_games
    lane_memory = device.put(records(game, 1)), device.columns(words, lanes)
    scores, steps = device.empty(rows * seats), device.empty(rows)
    sums = device.put(np.zeros(gpu_kernels.SUM_ROWS * (seats + 1), np.int64))
    key = seed & 0xFFFFFFFF, seed >> 32
    for first in range(0, n, lanes * GAMES_PER_LAUNCH):
        last = min(n, first + lanes * GAMES_PER_LAUNCH)
        device.run(
            play,
            lanes,
            *lane_memory,
            scores,
            steps,
            sums,
            int(rows > 0),
            *key,
            first,
            last,
            lanes,
            seats,
            game.max_length,
        )
    if keep == SUMS:
        total = sums.copy_to_host().reshape(-1, seats + 1).sum(axis=0)
        return Batch(total[:-1], total[-1])
    if keep == DEVICE:
        return Batch(scores.reshape(n, seats), steps)
    return Batch(scores.copy_to_host().reshape(n, seats), steps.copy_to_host())


def check_batch(n: object, seed: object, threads: object) -> tuple[int, int]:
    """The number of games and the seed of a batch, as ints. Raises NotationError if an argument is out of range."""
    count, batch_seed = check_number("n", n), check_number("seed", seed)
    if count < 0:
        raise NotationError(f"the number of games must be 0 or more, not {short_repr(count)}")
    if count > MAX_GAMES:
        raise NotationError(f"a batch has at most {MAX_GAMES:,} games, not {short_repr(count)}: play several batches.")
    if not 0 <= batch_seed < BATCH_SEEDS:
        raise NotationError(f"a batch seed is a whole number from 0 to 2**64 - 1, not {short_repr(batch_seed)}")
    if threads is not None and check_number("threads", threads) < 1:
        raise NotationError(f"the number of threads must be 1 or more, not {short_repr(threads)}")
    return count, batch_seed


def records(game: Game, n: int) -> np.ndarray[Any, Any]:
    """``n`` blank states of ``game`` as NumPy records, options set."""
    import numpy as np

    states = np.zeros(n, game.rules.LAYOUT.dtype)
    for name, value in game.options.items():
        states[name] = value
    return states
