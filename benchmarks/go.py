"""COMP10001-Go, random drafts and optimal grouping: games a second with and without the brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import kibitz
from benchmarks import playouts
from benchmarks.harness import Row, Rows, rate
from benchmarks.peers import go_classes


def rows() -> Rows:
    """Both forms of the kernels against the class version."""
    go = kibitz.game("go")
    game = replace(go, options={**go.options, "auto": 1})
    plain, compiled = playouts.plain(game), playouts.compiled(game, 5000)
    below = Random(1).randrange

    def class_game() -> int:
        go_classes.random_game(below)
        return 1

    classes = rate(class_game)
    return [
        Row("plain kernels", "games/s", rate(lambda: plain()[0]), classes),
        Row("compiled kernels", "games/s", rate(lambda: compiled()[0]), classes, 60e3),
    ], ["The peer is benchmarks/peers/go_classes.py with its brute force, one game a repeat: a small sample."]
