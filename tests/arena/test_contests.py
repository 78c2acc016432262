"""Compiled games between policies equal the games played at a table."""

import numpy as np
import pytest

import kibitz
from kibitz.arena import chunks, games
from tests.contract.groups import sharing

pytestmark = sharing("eights")


def fields(played):
    """The fields of games that are compared."""
    return played.scores.tolist(), played.winners.tolist(), played.lengths.tolist(), repr(played)


@pytest.mark.parametrize("name", ["eights"])
def test_compiled_policies_play_the_same_games_as_at_the_table(name, monkeypatch):
    monkeypatch.setattr(games, "should_compile", lambda game, count: True)
    fast = kibitz.play_games(name, ["quick"], n=12, seed=3, workers=2)
    monkeypatch.setattr(games, "should_compile", lambda game, count: False)
    assert fields(kibitz.play_games(name, ["quick"], n=12, seed=3, workers=1)) == fields(fast)


def test_threads_and_batches_do_not_change_results(monkeypatch):
    monkeypatch.setattr(games, "should_compile", lambda game, count: True)
    told = []
    one = kibitz.play_games("eights", ["quick"], n=50, seed=1, workers=1)
    monkeypatch.setattr(chunks, "BATCH", 7)
    more = kibitz.play_games("eights", ["quick"], n=50, seed=1, workers=3, progress=lambda *done: told.append(done))
    assert fields(one) == fields(more)
    assert told[-1] == (50, 50)
    assert len(told) == 8


def test_the_game_decides_who_wins_without_a_leader():
    """In Bo all lose if nobody empties the stockpile; in other games equal scores share the win."""
    for name, wins in (("bo", 0), ("eights", 4)):
        game = kibitz.game(name)
        states = chunks.records(game, 1)
        states["over"], states["winner" if name == "bo" else "top"] = 1, -1
        found = chunks.contest_results(game, states, np.zeros((1, 4), np.int64), np.ones(1, np.int64))
        assert len(found[0][1]) == wins


def test_only_policies_are_played_compiled():
    game = kibitz.game("bo")
    assert chunks.policy_numbers(game, ["quick", "quick"]) == [0, 0]
    assert chunks.policy_numbers(game, ["quick", "greedy"]) is None
