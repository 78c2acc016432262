"""Game trees of small games, built once."""

import pytest

from kibitz.engine.registry import game
from kibitz.search.game_tree import tree_of


@pytest.fixture(scope="session")
def kuhn():
    return tree_of(game("kuhn"))


@pytest.fixture(scope="session")
def leduc():
    return tree_of(game("leduc"))
