"""Which tests of the contract run in one process: those of a package's games.

So the machine code of their rules is made once, and the positions that cover each are searched for once.
"""

import pytest

from kibitz.engine.contract import code


def marked(game, *marks):
    """A game as a parameter of a test, in the group of its package."""
    group = pytest.mark.xdist_group(code.package(game))
    return pytest.param(game, marks=[group, *marks], id=game.name)
