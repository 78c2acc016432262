"""Games played in several threads at once, as in a server, do not affect each other."""

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from kibitz.engine.registry import all_games
from tests.tiers import first_fast

MOST = 20
"""The maximum number of choices per game."""


@pytest.fixture
def rapid_thread_switches():
    """Make Python switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("game", first_fast(all_games(), 2), ids=lambda game: game.name)
def test_strategies_are_thread_safe(game, rapid_thread_switches):
    for name, strategy in game.strategies.items():

        def played(seed, strategy=strategy):
            state, random, found = game.deal(seed), Random(seed), []
            while not state.over and len(found) < MOST:
                found.append(strategy(game.view(state, state.player), game.legal(state), random))
                game.rules.apply(state, found[-1])
            return found

        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(played, range(4)))
        assert together == [played(seed) for seed in range(4)], name
