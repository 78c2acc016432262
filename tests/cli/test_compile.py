"""``kibitz compile`` without actually compiling, which the engine's tests cover."""

import sys
from contextlib import nullcontext
from dataclasses import replace
from time import sleep

from kibitz.cli import screen
from kibitz.engine import kernels, registry


def test_every_game_is_compiled_once(kibitz, monkeypatch):
    played, searched, stepped, extra = [], [], [], []
    games = [
        replace(game, compile_more=tuple(lambda name=game.name: extra.append(name) for _ in game.compile_more))
        for game in registry.all_games()
    ]
    monkeypatch.setattr(registry, "all_games", lambda: games)
    monkeypatch.setattr("kibitz.engine.kernels.batch.random_games", lambda game, n: played.append((game.name, n)))
    monkeypatch.setattr("kibitz.search.search_players.compile_search", lambda game: searched.append(game.name))
    monkeypatch.setattr("kibitz.environments.vector_games.compile_lanes", lambda game: stepped.append(game.name))
    answer = kibitz("compile")
    assert answer.status == 0
    assert {("go", 1), ("bo", 1)} <= set(played)
    assert extra == [game.name for game in games if game.compile_more and game.name in searched]
    assert {"huxxy", "holdem"} <= set(extra), "code that only some games have is compiled too"
    assert searched == [name for name, _ in played], "the code of search players is compiled too"
    assert stepped == searched, "and the code of the vector environment"
    assert not any("-" in name for name, _ in played)
    assert len(answer.lines) == len(played)
    assert all(": ready after " in line for line in answer.lines)


def test_only_the_named_games_are_compiled(kibitz, monkeypatch):
    played = []
    monkeypatch.setattr("kibitz.engine.kernels.batch.random_games", lambda game, n: played.append(game.name))
    monkeypatch.setattr("kibitz.search.search_players.compile_search", lambda game: None)
    monkeypatch.setattr("kibitz.environments.vector_games.compile_lanes", lambda game: None)
    answer = kibitz("compile", "go-mini", "bo:players=3")
    assert answer.status == 0
    assert played == ["go-mini", "bo:players=3"]
    assert all("s of CPU time)" in line for line in answer.lines)


def test_missing_compiler_is_reported(refused, monkeypatch):
    def missing(game, n):
        raise ImportError("machine code needs Numba: install it with 'pip install numba'")

    monkeypatch.setattr("kibitz.engine.kernels.batch.random_games", missing)
    assert refused("compile") == "machine code needs Numba: install it with 'pip install numba'."


def test_a_person_who_waits_for_the_compiler_is_told_once(monkeypatch, capsys):
    monkeypatch.setattr(kernels, "compile_notice", nullcontext)
    monkeypatch.setattr(screen, "ANNOUNCE_AFTER", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    screen.announce_compiling()
    told = ""
    with kernels.compile_notice():
        while not told:
            sleep(0.01)
            told = capsys.readouterr().err
    assert told == "Compiling, once per machine ...\n"
    assert kernels.compile_notice is nullcontext
