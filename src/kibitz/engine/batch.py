"""Many games at once, in machine code on all cores.

    batch       n random games as arrays
    threads     each has a state of its own and every ``threads``-th slice of games; the machine code holds no lock

Game ``i`` of a batch is dealt from the batch seed and ``i`` alone: the number of threads changes nothing.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.engine import loops, twins
from kibitz.engine.game import Game
from kibitz.errors import NotationError

if TYPE_CHECKING:
    import numpy as np

BATCH_SEEDS = 1 << 64
"""Batch seeds are 0 to 2**64 - 1; the upper 64 bits of a game's seed are its number in the batch."""


@dataclass(frozen=True)
class Batch:
    """The result: ``scores[i, seat]`` (what ``returns`` gives) and ``steps[i]``, the actions of game ``i``."""

    scores: np.ndarray[Any, Any]
    steps: np.ndarray[Any, Any]


def random_games(game: Game, n: int, seed: int = 0, threads: int | None = None) -> Batch:
    """Play ``n`` games of uniformly random legal actions.

    Game ``i`` is ``playout`` from ``game.deal(seed + (i << 64))``.  ``scores`` has shape (n, seats), ``steps``
    shape (n,), both int64.  NotationError if ``n`` or ``seed`` is out of range; ImportError without Numba.
    """
    import numpy as np

    if n < 0:
        raise NotationError(f"the number of games must be 0 or more, not {n}")
    if not 0 <= seed < BATCH_SEEDS:
        raise NotationError(f"a batch seed is a whole number from 0 to 2**64 - 1, not {seed}")
    seats = game.seats
    scores = np.zeros(n * seats, np.int64)
    steps = np.zeros(n, np.int64)
    play = twins.compiled(loops, game.rules).playouts

    def work(first: int, last: int) -> None:
        states = records(game, 1)
        out = np.zeros(game.choices, np.int64)
        earned = np.zeros(seats, np.int64)
        key = seed & 0xFFFFFFFF, seed >> 32
        play(states, out, earned, scores, steps, *key, first, last, seats, game.longest)

    workers = max(1, min(threads or os.cpu_count() or 1, n))
    cuts = [n * k // workers for k in range(workers + 1)]
    work(0, 0)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, cuts[:-1], cuts[1:]))
    return Batch(scores.reshape(n, seats), steps)


def records(game: Game, n: int) -> np.ndarray[Any, Any]:
    """``n`` blank states of ``game`` as NumPy records, options set."""
    import numpy as np

    states = np.zeros(n, game.rules.LAYOUT.dtype)
    for name, value in game.options.items():
        states[name] = value
    return states
