"""COMP10001-Bo, uniformly random play: steps a second of the class version, the plain and the compiled kernels."""

from __future__ import annotations

from random import Random

import kibitz
from benchmarks import playouts
from benchmarks.harness import Row, Rows, rate
from benchmarks.peers import bo_classes


def rows() -> Rows:
    """Both forms of the kernels against the class version."""
    game = kibitz.game("bo")
    plain, compiled = playouts.plain(game), playouts.compiled(game, 2000)
    below = Random(1).randrange
    classes = rate(lambda: len(bo_classes.random_game(below).play_history))
    return [
        Row("plain kernels", "steps/s", rate(lambda: plain()[1]), classes, 40e3),
        Row("compiled kernels", "steps/s", rate(lambda: compiled()[1]), classes, 4e6),
    ], ["The peer is benchmarks/peers/bo_classes.py."]
