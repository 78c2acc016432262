"""Batches on a GPU beside the same on all cores; where there is no GPU, nothing is timed.

Each row's first batch is held against the cores' before it is timed: both must be the same.  It also compiles, for
which the notes have the time.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import kibitz
from benchmarks.harness import Row, Rows, rate
from benchmarks.peers import pgx_games
from benchmarks.poker_hands import random_sets
from kibitz.engine.kernels import gpu
from kibitz.environments import vector
from kibitz.errors import MachineError
from kibitz.games.cribbage.hands import shows
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
"""The steps a second that are asked for."""
SMALL, CORES, MANY = 1 << 12, 1 << 14, 1 << 20
"""Games that are compared first, those of a batch on the cores, and on the GPU."""
ENVIRONMENTS = {"kuhn": "kuhn_poker", "leduc": "leduc_holdem", "eights": "", "holdem": ""}
"""Games whose vector environment is timed, and their names in Pgx."""
COMPARED = 20
"""Its steps that are compared first."""
HANDS, HANDS_ASKED, SHOWS_ASKED = 1 << 26, 1e10, 5e9
"""Poker hands and cribbage shows of a batch in the GPU's memory, and how many a second are asked for."""


def steps_of(name: str, n: int, on: str | None) -> Callable[[], int]:
    """A batch of random games with a seed of its own every time: how many actions."""
    game, number = kibitz.game(name), [0]

    def play() -> int:
        number[0] += 1
        return int(kibitz.random_games(game, n, number[0], on=on, keep="sums").steps)

    return play


def check_equal(what: str, ours: np.ndarray, theirs: np.ndarray) -> None:
    """ValueError where the GPU says something else than the cores."""
    if not np.array_equal(ours, theirs):
        raise ValueError(f"{what}: the GPU does not say what the cores say, so nothing of it is timed")


def timed(what: str, act: Callable[[], Any], notes: list[str]) -> Any:
    """What the first call says; how long it took becomes a note."""
    start = perf_counter()
    found = act()
    notes.append(f"First batch of {what}, which compiles it: {perf_counter() - start:.1f} s.")
    return found


def random_games(notes: list[str]) -> list[Row]:
    """Random games of every kind, added up on the GPU."""
    rows = []
    for name, asked in GAMES.items():
        game = kibitz.game(name)
        ours = timed(name, lambda game=game: kibitz.random_games(game, SMALL, 1, on=gpu.CUDA), notes)
        theirs = kibitz.random_games(game, SMALL, 1)
        check_equal(name, ours.scores, theirs.scores)
        check_equal(name, ours.steps, theirs.steps)
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
            pgx_games.steps(other, MANY),
        )
        for name, other in ENVIRONMENTS.items()
    ]


def stepped(name: str, notes: list[str]) -> Callable[[], int]:
    """A step of all lanes, after some steps that must equal those on the CPU."""
    random = np.random.default_rng(1)
    here, there = vector(name, SMALL, masks=True), vector(name, SMALL, on=gpu.CUDA)
    timed(f"the vector environment of {name}", lambda: there.step(there.random_choices(random)), notes)
    here.reset(seed=1)
    there.reset(seed=1)
    for _ in range(COMPARED):
        drawn = there.random_choices(random)
        ours, theirs = there.step(drawn), here.step(drawn.copy_to_host())
        for one, other in zip(ours[:3], theirs[:3], strict=True):
            check_equal(name, one.copy_to_host(), other)
        check_equal(name, ours[4]["action_mask"].copy_to_host(), theirs[4]["action_mask"])
    many: list[Any] = []

    def step() -> int:
        if not many:
            many.append(vector(name, MANY, on=gpu.CUDA))
        many[0].step(many[0].random_choices(random))
        return MANY

    return step


def between_policies(notes: list[str]) -> Row:
    """Games between strategies that are kernels, with all that ``play_games`` gives."""

    def games(on: str | None) -> int:
        return len(kibitz.play_games("go", ["quick"], n=CORES, seed=1, on=on))

    timed("go between strategies", lambda: games(gpu.CUDA), notes)
    return Row("go, quick, play_games", "games/s", rate(lambda: games(gpu.CUDA)), rate(lambda: games(None)))


def many_hands(notes: list[str]) -> list[Row]:
    """Hands of seven cards and shows of cribbage, in the GPU's memory, and on their way there and back."""
    device = gpu.open_gpu(gpu.CUDA)
    sets = random_sets(7)
    cards = np.random.default_rng(1).random((len(sets), 52)).argpartition(5, axis=1)[:, :5].astype(np.int8)
    held, starters = np.ascontiguousarray(cards[:, :4]), np.ascontiguousarray(cards[:, 4])
    ours = timed("hands of 7", lambda: bulk.evaluate_many(sets, on=gpu.CUDA), notes)
    check_equal("hands of 7", ours, bulk.evaluate_many(sets))
    ours = timed("shows", lambda: shows.show_points(held, starters, on=gpu.CUDA), notes)
    check_equal("shows", ours, shows.show_points(held, starters))
    copies = HANDS // len(sets)
    there = device.put(np.tile(sets, copies))
    shown = device.put(np.tile(held, (copies, 1))), device.put(np.tile(starters, copies))
    return [
        Row(
            "hands of 7 in the GPU's memory",
            "hands/s",
            rate(lambda: bulk.evaluate_many(there).size),
            rate(lambda: bulk.evaluate_many(sets).size),
            HANDS_ASKED,
        ),
        Row("hands of 7, there and back", "hands/s", rate(lambda: bulk.evaluate_many(sets, on=gpu.CUDA).size)),
        Row(
            "cribbage shows in the GPU's memory",
            "shows/s",
            rate(lambda: shows.show_points(*shown).size),
            rate(lambda: shows.show_points(held, starters).size),
            SHOWS_ASKED,
        ),
        Row(
            "cribbage shows, there and back", "shows/s", rate(lambda: shows.show_points(held, starters, on="cuda").size)
        ),
    ]


def rows() -> Rows:
    """All of it, or why there is nothing."""
    try:
        device = gpu.open_gpu(gpu.CUDA)
    except (ImportError, MachineError) as error:
        return [], [f"No GPU here, so nothing is timed: {error}"]
    notes = [
        f"Ours: {device.name}, {gpu.gib(device.free)} of its memory free; the peer: the same on all cores here, except"
        " that hands and shows take one core."
    ]
    return [*random_games(notes), *environments(notes), between_policies(notes), *many_hands(notes)], notes
