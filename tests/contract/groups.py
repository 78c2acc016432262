"""Which tests of the contract run in one process: those of a package's games.

So the machine code of their rules is made once, and the positions that cover each are searched for once.
"""

from functools import cache

import pytest

from kibitz.engine.contract import code
from kibitz.engine.registry import game as find_game
from kibitz.games.huxxy import best
from tests.tiers import further


def marked(game, *marks):
    """A game as a parameter of a test, in the group of its package."""
    return pytest.param(game, marks=[pytest.mark.xdist_group(code.package(game)), *marks], id=game.name)


def by_tier(games):
    """Games as parameters of tests, in the groups of their packages: further variants in the long tier."""
    return [marked(game, *further(game)) for game in games]


def few(games):
    """Games as parameters of tests that plant a fault in each: three of different kinds in the fast tier."""
    return [marked(game, *[pytest.mark.long] * (game.name not in ("go", "eights", "kuhn"))) for game in games]


@cache
def fast_huxxy():
    """Huxxy's best turns come from machine code in this process, which pays where they are many."""
    best.warm()


def sharing(name):
    """The mark of tests that need a game's machine code as well."""
    return pytest.mark.xdist_group(code.package(find_game(name)))
