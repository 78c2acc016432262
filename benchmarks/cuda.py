"""Batches on a GPU beside the same on all cores; where there is no GPU, nothing is timed.

Each row's first batch is held against the cores' before it is timed: both must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import kibitz
from benchmarks.harness import Row, Rows, rate
from benchmarks.poker_hands import random_sets
from kibitz.engine import gpu
from kibitz.errors import MachineError
from kibitz.games.poker.hands import bulk

GAMES = ("go", "bo", "cribbage", "eights", "huxxy", "president:rounds=1", "holdem:hands=1", "kuhn", "leduc")
N, SMALL = 1 << 18, 1 << 13
"""Games of a batch on the GPU, and those that are compared first."""
CORES = 1 << 12
"""Games of a batch on the cores."""


def steps_of(name: str, n: int, on: str | None) -> Callable[[], int]:
    """A batch of random games with a seed of its own every time: how many actions."""
    game, number = kibitz.game(name), [0]

    def play() -> int:
        number[0] += 1
        return int(kibitz.random_games(game, n, number[0], on=on).steps.sum())

    return play


def check_equal(what: str, ours: np.ndarray, theirs: np.ndarray) -> None:
    """ValueError where the GPU says something else than the cores."""
    if not np.array_equal(ours, theirs):
        raise ValueError(f"{what}: the GPU does not say what the cores say, so nothing of it is timed")


def random_games() -> list[Row]:
    """Random games of every kind."""
    rows = []
    for name in GAMES:
        both = [kibitz.random_games(kibitz.game(name), SMALL, 1, on=on) for on in (gpu.CUDA, None)]
        check_equal(name, both[0].scores, both[1].scores)
        check_equal(name, both[0].steps, both[1].steps)
        rows.append(
            Row(f"{name}, random", "steps/s", rate(steps_of(name, N, gpu.CUDA)), rate(steps_of(name, CORES, None)))
        )
    return rows


def between_policies(name: str, players: Sequence[str]) -> Row:
    """Games between strategies that are kernels, with all that ``play_games`` gives."""

    def games(on: str | None) -> int:
        return len(kibitz.play_games(name, list(players), n=N >> 2, seed=1, on=on))

    return Row(f"{name}, {players[0]}, play_games", "games/s", rate(lambda: games(gpu.CUDA)), rate(lambda: games(None)))


def hands() -> Row:
    """Hands of seven cards, the way to the GPU and back included."""
    sets = random_sets(7)
    check_equal("hands of 7", bulk.evaluate_many(sets, on=gpu.CUDA), bulk.evaluate_many(sets))
    ours, theirs = (lambda on=on: (bulk.evaluate_many(sets, on=on), len(sets))[1] for on in (gpu.CUDA, None))
    return Row("hands of 7, evaluate_many", "hands/s", rate(ours), rate(theirs))


def rows() -> Rows:
    """All of it, or why there is nothing."""
    try:
        device = gpu.opened(gpu.CUDA)
    except (ImportError, MachineError) as error:
        return [], [f"No GPU here, so nothing is timed: {error}"]
    notes = [f"Ours: {device.name}, {gpu.gib(device.free)} of its memory free; the peer: the same on all cores here."]
    return [*random_games(), between_policies("go", ["quick"]), hands()], notes
