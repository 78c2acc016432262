"""The levels, descriptions and stated strengths of computer players."""

import pytest

from kibitz.engine.registry import all_games, families, game
from kibitz.players.built_in import (
    character_line,
    characters,
    ladders,
    levels,
    reproducible_players,
    strategies,
    strength,
)
from kibitz.web.api.games import computers

STANDARD = {family.games[0].name: family.games[0] for family in families()}


@pytest.mark.parametrize("name", ladders())
def test_every_ladder_matches_todays_rules_and_players(name):
    """If this fails, measure again with ``python -m benchmarks ladders``."""
    played, found = STANDARD[name], ladders()[name]
    assert found.rules == played.rules.VERSION
    assert set(found.players) <= set(reproducible_players(played))
    assert len(found.players) >= 2
    assert all(margin <= 150 for _, margin in found.players.values())


def test_strengths_are_shown_only_for_the_measured_game():
    bo, other = game("bo"), game("bo:rounds=10")
    greedy = strength(bo, "greedy")
    assert greedy is not None
    assert strength(other, "greedy") is None
    assert strength(bo, "nobody") is None
    shown = next(one for one in computers(bo) if one.name == "greedy")
    assert (shown.points, shown.margin) == tuple(greedy)
    assert all(one.points is None for one in computers(other))
    character = next(one for one in characters(bo) if one.name == "greedy")
    assert character_line(bo, character) == f"{character.line} {greedy} points on the ladder."
    assert character_line(other, character) == character.line


@pytest.mark.parametrize("name", STANDARD)
def test_every_game_has_several_players_with_distinct_descriptions(name):
    players = characters(STANDARD[name])
    assert len(players) >= 3
    assert len({player.line for player in players}) == len(players)
    assert all(player.line != "No description." for player in players)


@pytest.mark.parametrize("played", [each for each in all_games() if each.variant != "mini"], ids=lambda each: each.name)
def test_levels_start_easy_and_end_with_the_strongest_player(played):
    found = levels(played)
    players = [player.name for player in found.values()]
    assert next(iter(found)) == "Easy"
    assert players == [name for name in strategies(played) if name in players]
    assert players[-1] == list(strategies(played))[-1]
