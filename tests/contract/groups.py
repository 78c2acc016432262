"""Groups of contract tests that run in one process: those of a package's games.

So their rules are compiled once, and covering positions are searched for once.
"""

from functools import cache

import pytest

from kibitz.engine.contract import coverage
from kibitz.engine.registry import game as find_game
from kibitz.games.huxxy import best
from tests.tiers import alike


def marked(game, *marks):
    """A game as a parameter of a test, in the group of its package."""
    return pytest.param(game, marks=[pytest.mark.xdist_group(coverage.package(game)), *marks], id=game.name)


def by_tier(games):
    """Games as test parameters in the groups of their packages; only the smallest variant of each is in the fast tier.

    On it the contract enumerates exactly; larger variants are covered by searching for positions.
    """
    return [marked(game, *[pytest.mark.long] * (game != smallest(game))) for game in games]


def smallest(game):
    """The mini variant with a game's title, or the only one."""
    return next((each for each in alike(game) if each.variant == "mini"), alike(game)[0])


def few(games):
    """Games as parameters of tests that plant a fault in each; two different ones are in the fast tier."""
    return [marked(game, *[pytest.mark.long] * (game.name not in ("eights-mini", "kuhn"))) for game in games]


@cache
def fast_huxxy():
    """Compile Huxxy's turn search in this process, which pays off for many turns."""
    best.compile_search()


def sharing(name):
    """The mark of other tests that need a game's machine code."""
    return pytest.mark.xdist_group(coverage.package(find_game(name)))
