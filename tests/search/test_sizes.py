"""Estimates of the size of a game tree by random walks."""

import pytest

import kibitz
from kibitz.errors import NotationError
from kibitz.search.exploitability import local_response
from kibitz.search.game_tree import TooLarge, estimate_size, tree_of
from kibitz.search.tree_search import Search
from tests.tiers import first_fast


@pytest.mark.parametrize("name", first_fast(["kuhn", "kuhn:hands=2", "leduc"]))
def test_estimated_tree_size_is_within_its_error(name):
    """Within four small standard errors, and deterministic for a seed."""
    game = kibitz.game(name)
    found, nodes = estimate_size(game, 4000, seed=1), tree_of(game).nodes
    assert abs(found.nodes - nodes) < 4 * found.error
    assert found.error < 0.05 * nodes
    assert estimate_size(game, 50, seed=2) == estimate_size(game, 50, seed=2)


@pytest.mark.long
def test_too_few_walks_and_too_large_games_are_refused():
    """One walk is too few, and a deal of hold'em has too many outcomes."""
    with pytest.raises(NotationError, match="walks must be 2 or more, not 1"):
        estimate_size(kibitz.game("kuhn"), 1)
    with pytest.raises(TooLarge, match="a chance node has more than"):
        estimate_size(kibitz.game("holdem"))


def test_searches_take_the_name_of_a_game():
    game = kibitz.game("kuhn")
    state = game.deal(1)
    view, legal = game.view(state, state.player), game.legal(state)
    assert estimate_size("kuhn", 50) == estimate_size(game, 50)
    assert Search("kuhn", view, legal, plain=True).game is game
    with pytest.raises(NotationError, match="needs heads-up hold'em"):
        local_response("holdem", lambda view, legal: legal[0], 4)
