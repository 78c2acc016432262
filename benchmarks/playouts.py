"""Random games through the kernels, plain and compiled, on one core: what ``bo`` and ``go`` share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.engine import compilation, loops
from kibitz.engine.batch import records
from kibitz.engine.game import Game


def plain(game: Game) -> Callable[[], tuple[int, int]]:
    """A function that plays the next random game with the plain kernels: games (1) and steps."""
    kernels = compilation.plain(loops, game.rules)
    state, out, number = game.blank(), [0] * game.choices, 0

    def play() -> tuple[int, int]:
        nonlocal number
        game.rules.deal(state, number, 0, 0, 0)
        number += 1
        return 1, kernels.playout(state, out, game.longest)

    return play


def compiled(game: Game, games: int) -> Callable[[], tuple[int, int]]:
    """A function that plays the next batch of ``games`` in machine code: games and steps."""
    kernels = compilation.compiled(loops, game.rules)
    states, out = records(game, 1), np.zeros(game.choices, np.int64)
    earned, scores = np.zeros(game.seats, np.int64), np.zeros(game.seats * games, np.int64)
    steps, key = np.zeros(games, np.int64), 0

    def play() -> tuple[int, int]:
        nonlocal key
        kernels.playouts(states, out, earned, scores, steps, key, 0, 0, games, game.seats, game.longest)
        key += 1
        return games, int(steps.sum())

    play()  # compile, or load
    return play
