"""The levels at which people are offered computer players."""

import pytest

from kibitz.engine.registry import all_games
from kibitz.players.built_in import levels, strategies


@pytest.mark.parametrize("game", [game for game in all_games() if game.variant != "mini"], ids=lambda game: game.name)
def test_levels_start_easy_and_end_with_the_strongest_player(game):
    found = levels(game)
    players = [player.name for player in found.values()]
    assert next(iter(found)) == "Easy"
    assert players == [name for name in strategies(game) if name in players]
    assert players[-1] == list(strategies(game))[-1]
