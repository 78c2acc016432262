"""The work of ``benchmarks.referee``, in a process of its own: a line ``game work seconds`` in, steps a second out.

It runs with older versions of Kibitz, too, which have no table: there the views are taken in the loop that everybody
had to write.
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time
from typing import Any

import kibitz
from kibitz.players.built_in import StrategyPlayer
from kibitz.table import play_match

try:
    from kibitz.table import Table
except ImportError:
    Table = None  # type: ignore[assignment, misc]


def uniform(view: Any, legal: list[int], random: Random) -> int:
    """Any legal action."""
    return legal[int(random.random() * len(legal))]


def match(game: Any, seed: int) -> int:
    """One match; its steps."""
    players = [StrategyPlayer(f"P{seat}", uniform) for seat in range(game.seats)]
    return len(play_match(game, players, seed).record.actions)


def views(game: Any, seed: int) -> int:
    """One game driven at random, with what every seat sees at every step; its steps."""
    return driven(game, seed) if Table is not None else looped(game, seed)


def driven(game: Any, seed: int) -> int:
    """With a table."""
    table, random, seats = Table.deal(game, seed), Random(seed), range(game.seats)
    while not table.over:
        seat = table.player
        for each in seats:
            table.view(each)
        table.act(seat, uniform(None, table.legal(seat), random))
    return table.step


def looped(game: Any, seed: int) -> int:
    """Without one."""
    state, random, seats, steps = game.deal(seed), Random(seed), range(game.seats), 0
    told = [game.opening(state)]
    while not state.over:
        for each in seats:
            game.view(state, each)
        told.append(game.play(state, uniform(None, game.legal(state), random)))
        steps += 1
    return steps


def main() -> None:
    """Serve until there is nothing more to do; the same games again and again."""
    for line in sys.stdin:
        name, work, seconds = line.split()
        game, play = kibitz.game(name), {"match": match, "views": views}[work]
        play(game, 0)
        steps, seed, start = 0, 0, process_time()
        while (spent := process_time() - start) < float(seconds):
            steps += play(game, seed % 5)
            seed += 1
        print(steps / spent, flush=True)


if __name__ == "__main__":
    main()
