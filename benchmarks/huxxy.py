"""COMP10001-Huxxy: the best turn in positions of played games, and random games among turns that can be ended.

The peer is OpenSpiel's gin rummy in C++, the nearest published game, where ``open_spiel`` is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

import kibitz
from benchmarks import games
from benchmarks.harness import Row, Rows, cpu_rate, each_time, rate
from benchmarks.peers import open_spiel
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.games.huxxy import best, random_games, search_state
from kibitz.games.huxxy.best import best_turn
from kibitz.games.huxxy.policies import greedy
from kibitz.games.huxxy.view import HuxxyView

GAMES = 30
GAMES_A_BATCH = 20
WHOLE_A_BATCH = 2000


def rows() -> Rows:
    """Rows of best turns with and without rearranging, and of random games."""
    best.compile_search()
    table_rows, notes = [], []
    for name in ("huxxy", "huxxy-bonus"):
        turn_starts = views(name)
        notes.append(f"{len(turn_starts)} turns of {GAMES} games of {name} that greedy played against itself.")
        for goal, percent, asked in (("cards", 50, 50e-3), ("cards", 99, 500e-3), ("points", 99, None)):
            probe = each_time(search(goal, True), turn_starts, percent)
            table_rows.append(Row(f"{name}: best turn, most {goal}, {percent} %", "s", probe, None, asked))
        hand_only = each_time(search("cards", False), turn_starts)
        table_rows.append(Row(f"{name}: hand cards only, 50 %", "s", hand_only, None, 5e-3))
    whole, uniform = whole_turns("huxxy"), games.compiled(kibitz.game("huxxy"), 2000)
    table_rows.append(
        Row(
            "random games among completable turns",
            "games/s",
            cpu_rate(whole),
            open_spiel.random_games("gin_rummy"),
            10e3,
        )
    )
    notes.append(
        "Every completable turn has a positive probability, if not the same; drawing each play uniformly from all that "
        "leave the turn completable takes an exact search at every play."
    )
    table_rows.append(Row("the same, each play uniform", "games/s", rate(sound_games("huxxy"))))
    table_rows.append(Row("uniformly random games, which soon concede", "games/s", rate(lambda: uniform()[0])))
    return table_rows, notes


def views(name: str) -> list[HuxxyView]:
    """The mover's view at the beginning of every turn of some games."""
    game, random, turn_starts = kibitz.game(name), Random(1), []
    for seed in range(GAMES):
        state = game.deal(seed)
        while not state.over:
            view: HuxxyView = game.view(state, state.player)
            if view.plays == 0:
                turn_starts.append(view)
            game.rules.apply(state, greedy(view, game.legal(state), random))
    return turn_starts


def search(goal: str, rearrange: bool) -> Callable[[HuxxyView], object]:
    """A function that finds the best turn of a view."""

    def find(view: HuxxyView) -> object:
        min_points = 0 if view.opened[view.player] else view.opening
        return best_turn(view.hand, view.table, goal=goal, min_points=min_points, rearrange=rearrange)

    return find


def sound_games(name: str) -> Callable[[], int]:
    """A function that plays a batch of random games among completable turns in machine code."""
    game, kernels, key = kibitz.game(name), compilation.compiled(random_games), 0
    states, out = records(game, 1), np.zeros(game.max_legal, np.int64)
    w, steps = np.zeros(search_state.SEARCH_SIZE, np.int64), np.zeros(GAMES_A_BATCH, np.int64)

    def play() -> int:
        nonlocal key
        kernels.sound_playouts(states, out, w, steps, key, 0, GAMES_A_BATCH)
        key += 1
        return GAMES_A_BATCH

    play()
    return play


def whole_turns(name: str) -> Callable[[], int]:
    """A function that plays a batch of random games of whole turns in machine code."""
    game, kernels, key = kibitz.game(name), compilation.compiled(random_games), 0
    states, w, steps = records(game, 1), np.zeros(random_games.SCRATCH, np.int64), np.zeros(WHOLE_A_BATCH, np.int64)

    def play() -> int:
        nonlocal key
        kernels.playouts(states, w, steps, key, 0, WHOLE_A_BATCH)
        key += 1
        return WHOLE_A_BATCH

    play()
    return play
