"""Many games between policies, without referee, views or events: in machine code, as ``play_games`` plays them.

Where a GPU is given they are played on its lanes (``kibitz.engine.gpu_kernels``).

A policy plays the same game here as at the table: it is given the same deal and the same random numbers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kibitz.engine import compilation, contests, gpu_kernels
from kibitz.engine.batch import records
from kibitz.engine.game import Game, seed_words
from kibitz.engine.gpu import Gpu
from kibitz.engine.policies import modules_of, policies, scratch_size
from kibitz.table.match import player_seed

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

AT_ONCE = 1024
"""Games whose last positions are kept at a time."""
WORTH_COMPILING = 20_000
"""For so many games machine code is made where there is none yet."""

Deal = tuple[int, tuple[int, ...]]
"""The seed of a game's deal, and by seat the number of its policy."""
Played = tuple[tuple[float, ...], tuple[int, ...], int]
"""By seat what it has scored, the winners, and the number of actions."""


def policy_numbers(game: Game, names: Sequence[str]) -> list[int] | None:
    """The policies that players' names mean, or None if one is no policy."""
    known = list(policies(game))
    return [known.index(name) for name in names] if all(name in known for name in names) else None


def is_worth_it(game: Game, games: int) -> bool:
    """Whether machine code plays so many games sooner than the table does: it is there, or they are very many."""
    if not find_spec("numba"):
        return False
    return games >= WORTH_COMPILING or compilation.is_ready("contests", contests, *modules_of(game))


def contested(
    game: Game, deals: Sequence[Deal], threads: int | None = None, device: Gpu | None = None
) -> Iterator[list[Played]]:
    """The games of some deals, in order, up to ``AT_ONCE`` at a time; the same with any number of threads.

    A GPU plays all of them at once.
    """
    if device is not None:
        yield played(game, deals, device)
        return
    rows = [deals[i : i + AT_ONCE] for i in range(0, len(deals), AT_ONCE)]
    compilation.compiled(contests, *modules_of(game))
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda row: played(game, row), rows)


def played(game: Game, deals: Sequence[Deal], device: Gpu | None = None) -> list[Played]:
    """Play some games, one after the other, or side by side on a GPU."""
    import numpy as np

    n, seats = len(deals), game.seats
    states, scores, steps = records(game, n), np.zeros(n * seats, np.int64), np.zeros(n, np.int64)
    seeds = np.array([word for seed, _ in deals for word in seed_words(seed)], np.int64)
    seated = np.array([policy for _, row in deals for policy in row], np.int64)
    arrays = states, seated, seeds, rng_keys(game, deals), scores, steps
    if device is None:
        run_here(game, *arrays)
    else:
        run_on(device, game, *arrays)
    return results(game, states, scores.reshape(n, seats), steps)


def run_here(game: Game, states: Array, seated: Array, seeds: Array, keys: Array, scores: Array, steps: Array) -> None:
    """Play the games of some arrays in this thread: see ``kibitz.engine.contests``."""
    import numpy as np

    seats, scratch = game.seats, np.zeros(max(scratch_size(game), game.seats), np.int64)
    play = compilation.compiled(contests, *modules_of(game)).contests
    rng = records(game, seats)
    play(states, seated, rng, scratch, seeds, keys, scores, steps, 0, len(steps), seats, game.longest)


def run_on(
    device: Gpu, game: Game, states: Array, seated: Array, seeds: Array, keys: Array, scores: Array, steps: Array
) -> None:
    """Play the games of some arrays on a GPU: see ``kibitz.engine.gpu_kernels``."""
    n, seats, scratch = len(steps), game.seats, max(scratch_size(game), game.seats)
    arrays = states, seated, seeds, keys, scores, steps
    lanes = device.lanes(n, seats * states.itemsize + 8 * scratch, sum(array.nbytes for array in arrays), None)
    held, seating, deals, rng_seeds, earned, lengths = map(device.put, arrays)
    own = device.put(records(game, lanes * seats)), device.empty(lanes, scratch)
    play = device.kernels(gpu_kernels, *modules_of(game)).contest_shares
    device.run(play, lanes, held, seating, *own, deals, rng_seeds, earned, lengths, n, lanes, seats, game.longest)
    for array, copy in ((states, held), (scores, earned), (steps, lengths)):
        copy.copy_to_host(array)


def rng_keys(game: Game, deals: Sequence[Deal]) -> Array:
    """The keys of all generators, two words for every seat; zeros where no policy of the game draws any."""
    import numpy as np

    keys = np.zeros(2 * game.seats * len(deals), np.int64)
    if getattr(game.policies, "DRAWS", False):
        found = [player_seed(seed, seat) for seed, _ in deals for seat in range(game.seats)]
        keys[0::2] = [seed & 0xFFFFFFFF for seed in found]
        keys[1::2] = [seed >> 32 for seed in found]
    return keys


def results(game: Game, states: Array, scores: Array, steps: Array) -> list[Played]:
    """What the table would say of finished games: the highest score wins; where all are equal, the game is asked."""
    top = scores == scores.max(axis=1, keepdims=True)
    alike = top.all(axis=1)
    found: list[Played] = []
    for i, (row, best, length) in enumerate(zip(scores.tolist(), top.tolist(), steps.tolist(), strict=True)):
        winners = tuple(p for p, wins in enumerate(best) if wins)
        if alike[i]:
            winners = game.result(game.rules.LAYOUT.load(states, i), frozenset()).winners
        found.append((tuple(map(float, row)), winners, length))
    return found
