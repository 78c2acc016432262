"""The sample calls that explain a template are those of a whole game, each with the history before it."""

from collections import Counter

import pytest

import kibitz
from kibitz.engine.views.assignment_interface import assignment_of_package
from kibitz.players.calls import game_calls, samples, types_in_words


def histories(name):
    """The history argument of every call of a game's player function, in order."""
    function = f"comp10001{name}_play"
    described = assignment_of_package(f"kibitz.games.{name}")
    (found,) = (one for one in described.PUBLISHED if one.name == function)
    at = next(k for k, (parameter, _) in enumerate(found.parameters) if "history" in parameter)
    return [arguments[at] for called, arguments in game_calls(kibitz.game(name)) if called == function]


def test_go_has_forty_plays_with_the_history_of_finished_turns():
    assert [len(turns) for turns in histories("go")] == [k // 4 for k in range(40)]
    assert Counter(name for name, _ in game_calls(kibitz.game("go"))) == {
        "comp10001go_play": 40,
        "comp10001go_group": 40,
    }


@pytest.mark.parametrize("name", ["bo", "huxxy"])
def test_every_play_appears_once_in_all_later_histories(name):
    all_histories = histories(name)
    assert [len(history) for history in all_histories] == list(range(len(all_histories)))
    assert all(history == all_histories[-1][: len(history)] for history in all_histories)


@pytest.mark.parametrize("name", ["bo", "go", "huxxy"])
def test_samples_include_the_calls_of_all_games(name):
    game, described = kibitz.game(name), assignment_of_package(f"kibitz.games.{name}")
    without, once, twice = (samples(described, games) for games in ([], [game], [game, game]))
    in_a_game = Counter(function for function, _ in game_calls(game))
    assert sum(in_a_game.values()) >= 40
    for function in without:
        assert len(once[function]) - len(without[function]) == in_a_game[function]
        assert len(twice[function]) - len(once[function]) == in_a_game[function]


def test_type_of_an_initially_empty_history_is_found_from_later_calls():
    described = assignment_of_package("kibitz.games.go")
    calls = samples(described, [kibitz.game("go")])["comp10001go_play"]
    assert types_in_words([arguments[0] for arguments in calls]) == "list of lists of str"
