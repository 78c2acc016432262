"""Without compiled code, players that need it say so."""

import pytest

import kibitz as library
from kibitz.players.built_in import weaker_players_notice
from kibitz.players.compiling import WEAKER
from kibitz.players.setup import start_choices

GAME = "president-mini"
NOTICE = f"best plays as greedy until machine code is compiled: run 'kibitz compile {GAME}'."


@pytest.fixture(autouse=True)
def nothing_is_compiled(monkeypatch):
    monkeypatch.setattr("kibitz.players.built_in.is_ready", lambda game: False)
    monkeypatch.setattr("kibitz.players.compiling.is_ready", lambda game: False)
    monkeypatch.setattr("kibitz.search.search_players.is_ready", lambda game: False)


def test_only_search_players_are_weaker_without_compiled_code(monkeypatch):
    game = library.game(GAME)
    assert weaker_players_notice(game, ["best", "random", "mine.py"]) == NOTICE
    assert not weaker_players_notice(game, ["greedy", "quick"])
    assert not weaker_players_notice(library.game("kuhn"), ["best"]), "the game has no search players"
    with monkeypatch.context() as patched:
        patched.setattr("kibitz.players.built_in.is_ready", lambda game: True)
        assert not weaker_players_notice(game, ["best"])
    monkeypatch.setattr("kibitz.players.built_in.search_players", lambda game: {"swift": None, "best": None})
    assert weaker_players_notice(game, ["best", "swift"]).startswith("swift and best play as greedy until")


def test_only_the_level_of_a_search_player_says_so():
    texts = [text for setup, text in start_choices(library.game(GAME)) if setup and not setup.guided]
    assert [text.endswith(WEAKER) for text in texts] == [False, False, True]


@pytest.mark.parametrize(
    "words",
    [
        ("match", GAME, "best", "random", "random", "--quiet"),
        ("tournament", GAME, "best", "random", "--deals", "1", "--workers", "1"),
        ("simulate", GAME, "best", "random", "--games", "3", "--workers", "1", "-o", "games.csv"),
        ("ladder", GAME, "--deals", "1", "--workers", "1"),
    ],
)
def test_commands_that_play_games_report_it_on_stderr(kibitz, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    answer = kibitz(*words)
    assert answer.status == 0, answer
    assert "plays as greedy until" in answer.err or "play as greedy until" in answer.err


def test_table_reports_missing_code_and_compiles_it(kibitz, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    compiled = []
    monkeypatch.setattr("kibitz.players.compiling.compile_later", compiled.append)
    lines = kibitz("play", GAME, "--plain", "--opponents", "best", typed="quit\n").lines
    assert WEAKER in lines
    assert [library.game(name).title for name in compiled] == ["President"]


def test_table_compiles_code_for_hints_of_games_without_search_players(kibitz, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    compiled = []
    monkeypatch.setattr("kibitz.players.compiling.compile_later", compiled.append)
    assert not [line for line in kibitz("play", "eights-mini", "--plain", typed="quit\n").lines if "compiled" in line]
    assert [library.game(name).title for name in compiled] == ["Crazy Eights"]
