"""The size of a tree, estimated by walks."""

import pytest

import kibitz
from kibitz.errors import NotationError
from kibitz.search.game_tree import TooLarge, estimate_size, tree_of
from tests.tiers import first_fast


@pytest.mark.parametrize("name", first_fast(["kuhn", "kuhn:hands=2", "leduc"]))
def test_walks_tell_how_large_the_laid_out_tree_is(name):
    """Within four standard errors, which are small; the same again for the same seed."""
    game = kibitz.game(name)
    found, nodes = estimate_size(game, 4000, seed=1), tree_of(game).nodes
    assert abs(found.nodes - nodes) < 4 * found.error
    assert found.error < 0.05 * nodes
    assert estimate_size(game, 50, seed=2) == estimate_size(game, 50, seed=2)


@pytest.mark.long
def test_what_cannot_be_walked_is_refused():
    """Too few walks, and a deal that cannot be gone through."""
    with pytest.raises(NotationError, match="at least 2 walks to estimate, not 1"):
        estimate_size(kibitz.game("kuhn"), 1)
    with pytest.raises(TooLarge, match="a chance node has more than"):
        estimate_size(kibitz.game("holdem"))
