"""The strength benchmark measures the players that it names."""

import pytest

from benchmarks import strength
from benchmarks.strength import WARMED, Plan, play
from kibitz.engine.registry import game


def test_machine_code_is_made_once_before_any_game_since_players_without_it_play_as_others(monkeypatch):
    made = []
    monkeypatch.setattr(strength, "warm", lambda played: made.append(played.name))
    monkeypatch.setattr(strength.kibitz, "game", lambda name: Warmed(name, made))
    WARMED.clear()
    try:
        for deal in range(2):
            assert 0 <= play(Plan("kuhn", "greedy", "random"), (deal, 0)).won <= 1
    finally:
        WARMED.clear()
    assert made == ["kuhn", "what it needs besides"]


class Warmed:
    """A game that notes what is made."""

    def __init__(self, name, made):
        self.found = game(name)
        self.warm = [lambda: made.append("what it needs besides")]

    def __getattr__(self, name):
        return getattr(self.found, name)


def test_a_ceiling_is_refused_for_a_player_that_does_not_search(capsys):
    with pytest.raises(SystemExit):
        strength.main(["bo", "2", "marshal", "ceiling"])
    assert "marshal does not search, so it has no ceiling here." in capsys.readouterr().err
