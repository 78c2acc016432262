"""How large the tree of a game is, where it is too large to be laid out.

A walk goes from the root to an end and takes one branch of each node at random.  The number of branches that it met,
multiplied up, is how many nodes there would be at each depth if all looked like those: on average over walks that is
the number of nodes (Knuth 1975, "Estimating the efficiency of backtrack programs").
"""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from kibitz.engine.game import Game
from kibitz.errors import NotationError
from kibitz.search.game_tree import Growth, Outcomes


class Size(NamedTuple):
    """An estimate of a number of nodes, with its standard error: unbiased, and too low more often than too high."""

    nodes: float
    error: float


def estimate(game: Game, walks: int = 1000, seed: int = 0) -> Size:
    """How many nodes ``tree_of`` would lay out, by so many walks, 2 or more (NotationError).

    TooLarge if one throw of chance, such as the deal, has too many outcomes to be gone through.
    """
    if walks < 2:
        raise NotationError(f"a size is estimated by 2 walks or more, not {walks}.")
    random, growth = Random(seed), Growth(game, most=2**63)
    deals = growth.deals()
    counts = [float(walk(growth, deals, random)) for _ in range(walks)]
    return Size(fmean(counts), stdev(counts) / walks**0.5)


def walk(growth: Growth, outcomes: Outcomes, random: Random) -> int:
    """What one walk from the root makes the number of nodes, if the first throw of chance has these outcomes."""
    nodes = wide = 1
    while True:
        if len(outcomes) > 1:
            wide *= len(outcomes)
            nodes += wide
        _, state, memories = random.choice(outcomes)
        if state.over:
            return nodes
        legal = growth.game.legal(state)
        wide *= len(legal)
        nodes += wide
        outcomes = growth.after(state, memories, random.choice(legal))
