"""Every registered game keeps every promise of the contract; being registered is all it takes."""

import pytest

from kibitz.engine.contract import CHECKS
from kibitz.engine.registry import all_games
from tests.contract.groups import by_tier
from tests.parts import times

GAMES = by_tier(all_games())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract(game, check):
    check(game)


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract_thoroughly(game, check):
    check(game, times(10, 4))
