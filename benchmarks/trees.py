"""How large the trees of the mini variants are, by sampling: ``python -m benchmarks.trees [WALKS]``.

nodes       an estimate of what ``kibitz solve`` would lay out, with its 95 % interval (``kibitz.search.game_tree``)
"""

from __future__ import annotations

import argparse

from benchmarks.harness import progress
from benchmarks.words import SPREAD, whole
from kibitz.engine.game import Game
from kibitz.engine.registry import all_games
from kibitz.search.game_tree import TooLarge, estimate

WALKS = 1000


def line(game: Game, walks: int) -> str:
    """What is found for one game."""
    try:
        size = estimate(game, walks)
    except TooLarge as refusal:
        return str(refusal)
    return f"{game.name}: {size.nodes:.3g} ± {1.96 * size.error:.2g} nodes by {walks:,} walks"


def main() -> None:
    """A line for every game, with the refusal where its chance cannot be gone through."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trees", description=__doc__.partition("\n")[0])
    parser.add_argument("walks", type=whole(SPREAD), nargs="?", default=WALKS)
    walks = parser.parse_args().walks
    for game in all_games():
        progress(game.name)
        print(line(game, walks), flush=True)


if __name__ == "__main__":
    main()
