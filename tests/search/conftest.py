"""Game trees of small games, built once."""

import pytest

from kibitz.search.game_tree import tree_of


@pytest.fixture(scope="session")
def kuhn():
    return tree_of("kuhn")


@pytest.fixture(scope="session")
def leduc():
    return tree_of("leduc")
