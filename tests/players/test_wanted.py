"""What a file must define is what a game calls: said by the game's form, and seen in games that are played out."""

from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.players.form_player import required_functions

FORMED = [game for game in all_games() if game.form is not None]


def calls(game, seed):
    """Every function that is called in a game of random actions, with its number of arguments."""
    state, luck, found = game.deal(seed), Random(seed), set()
    while not state.over:
        call = game.form.call(game.view(state, state.player))
        found.add((call.function, len(call.arguments)))
        game.rules.apply(state, luck.choice(game.legal(state)))
    return found


@pytest.mark.parametrize("game", FORMED, ids=lambda game: game.name)
def test_what_a_file_must_define_is_what_the_game_calls(game):
    wanted = required_functions(game)
    assert wanted
    assert {(name, arity) for name, arity, _ in wanted} == set().union(*(calls(game, seed) for seed in range(2)))
    assert {name for name, _, _ in wanted} <= set(game.form.FUNCTIONS)
    assert all(len(names.split(", ")) == arity for _, arity, names in wanted)
