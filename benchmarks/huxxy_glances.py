"""What a turn of Huxxy lays that is found at a glance, beside searches: ``python -m benchmarks.huxxy_glances``.

Positions are those in which a turn of a seat begins that has opened, and another has too, in games among ``greedy``
that looks LOOKED steps far.  In each of them a turn is found at a glance, and by searches of so many steps; a line says
how many cards that lays in the mean, and how long it takes in machine code.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import TYPE_CHECKING, Any

import kibitz
from benchmarks import huxxy_loop
from benchmarks.harness import progress
from benchmarks.huxxy_ahead import seeds_of
from benchmarks.huxxy_loop import GLANCED
from benchmarks.words import whole
from kibitz.engine import compilation
from kibitz.engine.batch import records
from kibitz.engine.game import Game
from kibitz.engine.policies import modules_of
from kibitz.games.huxxy import glance
from kibitz.search import rollout_kernels

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

WAYS = {GLANCED: ("at a glance", 400), 6: ("6 steps", 100), 48: ("48 steps", 20), 300: ("300 steps", 6), 0: ("all", 3)}
"""How a turn is found, by its limit of steps, and how often, so that it takes long enough to be timed."""
LOOKED = 300
FIRST_SEED = 5_000_000


def found(game: Game, deals: int, limit: int, times: int) -> tuple[int, int, float]:
    """In how many positions a turn was looked for so many times, how many cards it lays, and the CPU seconds of all."""
    import numpy as np

    kernels, state = compilation.compiled(huxxy_loop, *modules_of(game)), records(game, 1)[0]
    scratch, plays, counts = (np.zeros(size, np.int64) for size in (glance.SCRATCH, rollout_kernels.EACH, 2))
    seeds = seeds_of(FIRST_SEED, deals)
    kernels.laid_in(state, scratch, plays, seeds, LOOKED, limit, times, counts, 0, 0)
    start = process_time()
    kernels.laid_in(state, scratch, plays, seeds, LOOKED, limit, times, counts, 0, deals)
    return int(counts[0]), int(counts[1]), process_time() - start


def main() -> None:
    """Print a table for either game."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.huxxy_glances", description=__doc__.partition(":")[0])
    parser.add_argument("deals", type=whole(1), nargs="?", default=40)
    deals = parser.parse_args().deals
    for name in ("huxxy", "huxxy-bonus"):
        game = kibitz.game(name)
        for limit, (words, times) in WAYS.items():
            progress(f"{name}, {words}")
            positions, _, once = found(game, deals, limit, 1)
            _, lays, often = found(game, deals, limit, times)
            progress("")
            taken = 1e6 * (often - once) / (times - 1) / max(1, positions)
            print(f"{name}, {words}: {lays / max(1, positions):.2f} cards of {positions} turns, {taken:.1f} µs")


if __name__ == "__main__":
    main()
