"""Every registered game keeps every promise of the contract; being registered is all it takes."""

import pytest

from kibitz.engine.contract import CHECKS
from kibitz.engine.registry import all_games

# All checks of a game run in one process, which makes its machine code once.
GAMES = [pytest.param(game, marks=pytest.mark.xdist_group(game.name), id=game.name) for game in all_games()]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract(game, check):
    check(game)


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract_thoroughly(game, check):
    check(game, 10)
