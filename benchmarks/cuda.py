"""Batches on a GPU beside the same batches on all cores; without a GPU nothing is timed.

Before a row is timed its first batch is compared with that of the cores, and must be equal.  The first batch also
compiles; the notes have its time.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import kibitz
from benchmarks.hands import random_sets
from benchmarks.harness import Row, Rows, rate
from benchmarks.peers import published
from kibitz.engine.kernels import gpu
from kibitz.environments import vector
from kibitz.errors import MachineError
from kibitz.games.cribbage.hands import bulk as cribbage_bulk
from kibitz.games.poker.hands import bulk

GAMES = {
    "kuhn": 1e9,
    "leduc": 1e9,
    "holdem:hands=1,players=2": None,
    "draw": None,
    "eights": None,
    "cribbage": None,
    "hearts-deal": None,
    "go": None,
    "bo": None,
    "president:rounds=1": None,
    "huxxy": None,
}
"""The games, and the required steps a second."""
SMALL, CORES, MANY = 1 << 12, 1 << 14, 1 << 20
"""How many games are compared, how many make a batch on the cores, and on the GPU."""
ENVIRONMENTS = {"kuhn": "kuhn_poker", "leduc": "leduc_holdem", "eights": "", "holdem": ""}
"""Games whose vector environment is timed, and their names in Pgx."""
COMPARED = 20
"""How many steps of a vector environment are compared."""
HANDS, HANDS_ASKED, SHOWS_ASKED = 1 << 26, 1e10, 5e9
"""Poker hands and cribbage shows of a batch in the GPU's memory, and the required numbers of both a second."""


def steps_of(name: str, n: int, on: str | None) -> Callable[[], int]:
    """A function that plays a batch of random games, with another seed each time, and returns the number of actions."""
    game, number = kibitz.game(name), [0]

    def play() -> int:
        number[0] += 1
        return int(kibitz.random_games(game, n, number[0], on=on, keep="sums").steps)

    return play


def check_equal(what: str, gpu_result: np.ndarray, cpu_result: np.ndarray) -> None:
    """Raise ValueError if the results of the GPU and of the cores differ."""
    if not np.array_equal(gpu_result, cpu_result):
        raise ValueError(f"{what}: the GPU does not say what the cores say, so nothing of it is timed")


def timed(what: str, act: Callable[[], Any], notes: list[str]) -> Any:
    """The result of the first call, whose time becomes a note."""
    start = perf_counter()
    result = act()
    notes.append(f"First batch of {what}, which compiles it: {perf_counter() - start:.1f} s.")
    return result


def random_games(notes: list[str]) -> list[Row]:
    """Rows of random games of every kind, whose scores are added up on the GPU."""
    rows = []
    for name, asked in GAMES.items():
        game = kibitz.game(name)
        gpu_batch = timed(name, lambda game=game: kibitz.random_games(game, SMALL, 1, on=gpu.CUDA), notes)
        cpu_batch = kibitz.random_games(game, SMALL, 1)
        check_equal(name, gpu_batch.scores, cpu_batch.scores)
        check_equal(name, gpu_batch.steps, cpu_batch.steps)
        on_gpu, here = steps_of(name, MANY, gpu.CUDA), steps_of(name, CORES, None)
        rows.append(Row(f"{name}, random", "steps/s", rate(on_gpu), rate(here), asked))
    return rows


def environments(notes: list[str]) -> list[Row]:
    """The vector environment with random legal choices, its arrays in the GPU's memory, beside Pgx's."""
    return [
        Row(
            f"{name}, vector environment, beside Pgx",
            "steps/s",
            rate(stepped(name, notes)),
            published.pgx_steps(other, MANY),
        )
        for name, other in ENVIRONMENTS.items()
    ]


def stepped(name: str, notes: list[str]) -> Callable[[], int]:
    """A function that steps all lanes, after some steps that must equal those on the CPU."""
    random = np.random.default_rng(1)
    cpu_games, gpu_games = vector(name, SMALL, masks=True), vector(name, SMALL, on=gpu.CUDA)
    timed(f"the vector environment of {name}", lambda: gpu_games.step(gpu_games.random_choices(random)), notes)
    cpu_games.reset(seed=1)
    gpu_games.reset(seed=1)
    for _ in range(COMPARED):
        drawn = gpu_games.random_choices(random)
        gpu_step, cpu_step = gpu_games.step(drawn), cpu_games.step(drawn.copy_to_host())
        for gpu_array, cpu_array in zip(gpu_step[:3], cpu_step[:3], strict=True):
            check_equal(name, gpu_array.copy_to_host(), cpu_array)
        check_equal(name, gpu_step[4]["action_mask"].copy_to_host(), cpu_step[4]["action_mask"])
    many: list[Any] = []

    def step() -> int:
        if not many:
            many.append(vector(name, MANY, on=gpu.CUDA))
        many[0].step(many[0].random_choices(random))
        return MANY

    return step


def between_policies(notes: list[str]) -> Row:
    """A row of games between strategies that are kernels, with all results of ``play_games``."""

    def games(on: str | None) -> int:
        return len(kibitz.play_games("go", ["quick"], n=CORES, seed=1, on=on))

    timed("go between strategies", lambda: games(gpu.CUDA), notes)
    return Row("go, quick, play_games", "games/s", rate(lambda: games(gpu.CUDA)), rate(lambda: games(None)))


def many_hands(notes: list[str]) -> list[Row]:
    """Rows of poker hands and cribbage shows that lie in the GPU's memory, or that are copied there and back."""
    device = gpu.open_gpu(gpu.CUDA)
    sets = random_sets(7)
    cards = np.random.default_rng(1).random((len(sets), 52)).argpartition(5, axis=1)[:, :5].astype(np.int8)
    hands, starters = np.ascontiguousarray(cards[:, :4]), np.ascontiguousarray(cards[:, 4])
    gpu_result = timed("hands of 7", lambda: bulk.evaluate_many(sets, on=gpu.CUDA), notes)
    check_equal("hands of 7", gpu_result, bulk.evaluate_many(sets))
    gpu_result = timed("shows", lambda: cribbage_bulk.show_points(hands, starters, on=gpu.CUDA), notes)
    check_equal("shows", gpu_result, cribbage_bulk.show_points(hands, starters))
    copies = HANDS // len(sets)
    sets_on_gpu = device.put(np.tile(sets, copies))
    shows_on_gpu = device.put(np.tile(hands, (copies, 1))), device.put(np.tile(starters, copies))
    return [
        Row(
            "hands of 7 in the GPU's memory",
            "hands/s",
            rate(lambda: bulk.evaluate_many(sets_on_gpu).size),
            rate(lambda: bulk.evaluate_many(sets).size),
            HANDS_ASKED,
        ),
        Row("hands of 7, there and back", "hands/s", rate(lambda: bulk.evaluate_many(sets, on=gpu.CUDA).size)),
        Row(
            "cribbage shows in the GPU's memory",
            "shows/s",
            rate(lambda: cribbage_bulk.show_points(*shows_on_gpu).size),
            rate(lambda: cribbage_bulk.show_points(hands, starters).size),
            SHOWS_ASKED,
        ),
        Row(
            "cribbage shows, there and back",
            "shows/s",
            rate(lambda: cribbage_bulk.show_points(hands, starters, on="cuda").size),
        ),
    ]


def rows() -> Rows:
    """All rows, or a note on why there are none."""
    try:
        device = gpu.open_gpu(gpu.CUDA)
    except (ImportError, MachineError) as error:
        return [], [f"No GPU here, so nothing is timed: {error}"]
    notes = [
        f"Ours: {device.name}, {gpu.gib(device.free)} of its memory free; the peer: the same on all cores here, except"
        " that hands and shows take one core."
    ]
    return [*random_games(notes), *environments(notes), between_policies(notes), *many_hands(notes)], notes
