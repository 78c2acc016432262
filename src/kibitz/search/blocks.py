"""MCCFR in blocks, which may be done by many workers at a time.

    round       blocks that begin with the same regrets; the next round begins with the mean of those that they end with
    block       some iterations of external sampling, with a generator of its own; its length grows from round to round

How many blocks a round has depends on nothing, so the same seed gives the same policy in every place.  Each block goes
on as external sampling does (Lanctot et al. 2009); the mean of several has less of what luck has sampled, but has gone
fewer iterations from the start than as many in a row.  In Leduc poker 200,000 iterations come to 0.064 chips a game in
blocks and to 0.048 in a row.  Adding up the changes instead, as if blocks had followed one another, overshoots: 0.7.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz.engine import compilation
from kibitz.engine.sampler import sampler
from kibitz.executors import Executor, results
from kibitz.executors.mapping import shared
from kibitz.search import walks
from kibitz.search.game_tree import Tree

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

BLOCKS = 8
"""Blocks of a round."""
FIRST, LONGEST = 50, 10_000
"""Iterations of a block in the first round, and at most; each round has twice as many as the one before."""


def sampled(
    tree: Tree, iterations: int, seed: int, place: Executor, told: Callable[[int], object] | None = None
) -> Numbers:
    """The average policy after some iterations; ``told`` is called with the number of those done after each round."""
    import numpy as np

    regret, total, policy = (np.zeros(tree.choices) for _ in range(3))
    place.begin()
    name = shared(place, (tree.shape, tree.game.seats))
    done = number = 0
    while done < iterations:
        lengths = round_of(number, iterations - done)
        items = [(block_seed_of(seed, number * BLOCKS + k), length) for k, length in enumerate(lengths)]
        found = dict(results(place, explored, regret, items, more=[name]))
        for k in range(len(items)):
            regret += found[k][0] / len(items)
            total += found[k][1]
        done, number = done + sum(lengths), number + 1
        if told:
            told(done)
    place.drop(name)
    compilation.compiled(walks).match(tree.start, len(tree.sets), total, policy)
    return policy


def round_of(number: int, left: int) -> list[int]:
    """The lengths of a round's blocks, where so many iterations are left.

    >>> round_of(0, 120), round_of(3, 10**6)[:2]
    ([50, 50, 20], [400, 400])
    """
    length = min(LONGEST, FIRST << min(number, 30))
    lengths: list[int] = []
    while left and len(lengths) < BLOCKS:
        lengths.append(min(length, left))
        left -= lengths[-1]
    return lengths


def block_seed_of(seed: int, block: int) -> int:
    """The seed of a block's own generator."""
    return int.from_bytes(hashlib.sha256(f"mccfr {seed} {block}".encode()).digest()[:16])


def explored(
    regret: Numbers, item: tuple[int, int], laid_out: tuple[tuple[Numbers, ...], int]
) -> tuple[Numbers, Numbers]:
    """What one block adds to the regrets and to the sum of policies; ``item`` is its seed and its length."""
    import numpy as np

    block_seed, length = item
    shape, seats = laid_out
    mine, total, policy = regret.copy(), np.zeros_like(regret), np.zeros_like(regret)
    nodes = len(shape[0])
    kernels = compilation.compiled(walks)
    kernels.sample(
        *(
            sampler(block_seed),
            *shape,
            1,
            length + 1,
            seats,
            mine,
            total,
            policy,
            np.zeros(nodes),
            np.zeros(nodes, np.int64),
        )
    )
    return mine - regret, total
