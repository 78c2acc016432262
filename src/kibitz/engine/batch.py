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

from kibitz.cards import shown
from kibitz.engine import loops, twins
from kibitz.engine.asked import refuse_number
from kibitz.engine.game import Game
from kibitz.errors import NotationError

if TYPE_CHECKING:
    import numpy as np

BATCH_SEEDS = 1 << 64
"""Batch seeds are 0 to 2**64 - 1; the upper 64 bits of a game's seed are its number in the batch."""

LARGEST = 100_000_000
"""Games that one batch has at most: its arrays then need a few GiB."""


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

    n, seed = asked_for(game, n, seed, threads)
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


def asked_for(game: object, n: object, seed: object, threads: object) -> tuple[int, int]:
    """The numbers of a batch; NotationError if one of them, or the game, can be none."""
    if not isinstance(game, Game):
        raise NotationError(f"game must be a Game, such as kibitz.game('bo'), not {shown(game)}.")
    count, first = refuse_number("n", n), refuse_number("seed", seed)
    if count < 0:
        raise NotationError(f"the number of games must be 0 or more, not {shown(count)}")
    if count > LARGEST:
        raise NotationError(f"a batch has at most {LARGEST:,} games, not {shown(count)}: play several, each of a seed.")
    if not 0 <= first < BATCH_SEEDS:
        raise NotationError(f"a batch seed is a whole number from 0 to 2**64 - 1, not {shown(first)}")
    if threads is not None and refuse_number("threads", threads) < 1:
        raise NotationError(f"the number of threads must be 1 or more, not {shown(threads)}")
    return count, first


def records(game: Game, n: int) -> np.ndarray[Any, Any]:
    """``n`` blank states of ``game`` as NumPy records, options set."""
    import numpy as np

    states = np.zeros(n, game.rules.LAYOUT.dtype)
    for name, value in game.options.items():
        states[name] = value
    return states
