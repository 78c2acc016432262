"""Every registered game keeps every promise of the contract."""

import pytest

from kibitz.engine.contract import CHECKS
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from tests.contract.groups import by_tier, marked
from tests.parts import times

HOLDEM = find_game("holdem")
"""It has no mini variant; with few players it is small, and other options come up in the search for positions."""
GAMES = [
    *by_tier(game for game in all_games() if game != HOLDEM),
    marked(HOLDEM.with_options(players=3, hands=2)),
    marked(HOLDEM, pytest.mark.long),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract(game, check):
    check(game)


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract_thoroughly(game, check):
    check(game, times(10, 4))
