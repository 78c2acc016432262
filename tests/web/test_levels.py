"""The levels at which the start page offers computer players."""

import json
import re
from importlib.resources import files

import pytest

from kibitz.engine.registry import families
from kibitz.players.built_in import strategies

PICKED = files("kibitz.web").joinpath("static/js/levels.js").read_text(encoding="utf-8")
GAMES = [(family.name, game) for family in families() for game in family.games if game.variant != "mini"]


@pytest.mark.parametrize(("family", "game"), GAMES, ids=[game.name for _, game in GAMES])
def test_the_hardest_level_is_the_strongest_player(family, game):
    picked = dict(re.findall(r"(\w+): (\[\".*\])", PICKED))
    level = json.loads(picked[game.name if game.name in picked else family])
    players = list(strategies(game))
    assert [name for name in players if name in level][-1] == players[-1]
