"""A file must define the functions that a game calls; checked by playing games to the end."""

from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.players.function_player import required_functions

WITH_CALLS = [game for game in all_games() if game.assignment is not None]


def calls(game, seed):
    """Every function called in a random game, with its number of arguments."""
    state, random, found = game.deal(seed), Random(seed), set()
    while not state.over:
        call = game.assignment.call(game.view(state, state.player))
        found.add((call.function, len(call.arguments)))
        game.rules.apply(state, random.choice(game.legal(state)))
    return found


@pytest.mark.parametrize("game", WITH_CALLS, ids=lambda game: game.name)
def test_required_functions_are_those_that_the_game_calls(game):
    wanted = required_functions(game)
    assert wanted
    assert {(name, arity) for name, arity, _ in wanted} == set().union(*(calls(game, seed) for seed in range(2)))
    assert {name for name, _, _ in wanted} <= set(game.assignment.FUNCTIONS)
    assert all(len(names.split(", ")) == arity for _, arity, names in wanted)
