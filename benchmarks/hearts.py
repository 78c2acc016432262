"""Hearts: random deals, and unseen cards dealt anew in the middle of one.

Peers: OpenSpiel's Hearts in C++, where ``open_spiel`` is installed, whose redeal takes no account of voids; and
benchmarks/peers/hearts_classes.py, as a student would write it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import kibitz
from benchmarks import playouts
from benchmarks.harness import Row, Rows, rate
from benchmarks.peers import open_spiel
from benchmarks.peers.hearts_classes import RANKS, Hearts

PACK = [rank + suit for rank in RANKS for suit in "CDSH"]
STEPS = 30
"""Cards are dealt anew after so many actions: 12 are passed, and some players have shown voids by then."""


def class_deals() -> Callable[[], int]:
    """Random deals of the class version."""
    random = Random(1)

    def play() -> int:
        pack = PACK[:]
        random.shuffle(pack)
        game = Hearts([pack[p::4] for p in range(4)], 1, 3)
        while not game.over:
            game.play(random.choice(game.legal()))
        return 1

    return play


def redeals() -> Callable[[], int]:
    """Positions imagined in plain Python, from views in the middle of random deals."""
    game, random, views = kibitz.game("hearts-deal"), Random(1), []
    for seed in range(50):
        state = game.deal(seed)
        for _ in range(STEPS):
            game.rules.apply(state, random.choice(game.legal(state)))
        views.append(game.view(state, state.player))

    def imagine() -> int:
        for seed, view in enumerate(views):
            game.imagine(view, seed)
        return len(views)

    return imagine


def rows() -> Rows:
    """Deals in plain Python and in machine code, and redeals."""
    game = kibitz.game("hearts-deal")
    plain, fast = playouts.plain(game), playouts.compiled(game, 2000)
    return [
        Row("deals of four, plain", "deals/s", rate(lambda: plain()[0]), rate(class_deals())),
        Row("deals of four, compiled", "deals/s", rate(lambda: fast()[0]), open_spiel.random_games("hearts")),
        Row("unseen cards dealt anew, plain", "positions/s", rate(redeals())),
    ], [] if open_spiel.random_games("hearts") else [open_spiel.MISSING]
