"""The simple players that the built-in ones are measured against."""

from random import Random

import pytest

import kibitz
from benchmarks.strength import MIXED, Plan, pool, rival

GAMES = ("bo", "cribbage", "eights", "go", "hearts-deal", "holdem:players=2", "huxxy", "leduc", "president")


@pytest.mark.parametrize("name", GAMES)
def test_every_style_plays_legal_games(name):
    game = kibitz.game(name)
    styles = pool(game)
    assert len(styles) >= 8
    for seed, choose in enumerate(styles.values()):
        state, random = game.deal(seed), Random(seed)
        while not state.over:
            legal = game.legal(state)
            action = choose(game.view(state, state.player), legal, random)
            assert not game.rules.refusal(state, action)
            game.rules.apply(state, action)
        outcome = game.result(state, frozenset())
        assert name != "huxxy" or min(outcome.scores) > -1000  # nobody was stuck with an invalid table


def test_a_mixed_table_seats_different_styles():
    game = kibitz.game("bo")
    plan = Plan("bo", "greedy", MIXED)
    assert len({rival(game, plan, 0, seat) for seat in range(game.seats)}) == game.seats
