"""Which tests of the contract run in one process: those of a package's games.

So the machine code of their rules is made once, and the positions that cover each are searched for once.
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
    """Games as parameters of tests, in the groups of their packages: the smallest variant of each in the fast tier.

    There the contract counts most exactly, and positions of the larger ones are looked for to meet every branch.
    """
    return [marked(game, *[pytest.mark.long] * (game != smallest(game))) for game in games]


def smallest(game):
    """The mini variant with a game's title, or the only one."""
    return next((each for each in alike(game) if each.variant == "mini"), alike(game)[0])


def few(games):
    """Games as parameters of tests that plant a fault in each: two of different kinds in the fast tier."""
    return [marked(game, *[pytest.mark.long] * (game.name not in ("eights", "kuhn"))) for game in games]


@cache
def fast_huxxy():
    """Huxxy's best turns come from machine code in this process, which pays where they are many."""
    best.warm()


def sharing(name):
    """The mark of tests that need a game's machine code as well."""
    return pytest.mark.xdist_group(coverage.package(find_game(name)))
