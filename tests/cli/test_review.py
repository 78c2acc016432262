"""``kibitz review`` and ``kibitz ladder``."""

import json
import re

import pytest

from kibitz.engine.registry import game as game_called
from kibitz.players.built_in import characters


@pytest.fixture
def game(kibitz, tmp_path):
    """The record of a hand of Leduc poker."""
    path = tmp_path / "game.game"
    assert kibitz("match", "leduc", "random", "greedy", "--seed", "5", "-q", "-o", str(path)).status == 0
    return str(path)


def test_review_begins_with_each_seats_mistakes_and_names_its_judge(kibitz, game):
    lines = kibitz("review", game, "--rollouts", "8").lines
    assert re.fullmatch(r"Review of leduc: (No|\d+) mistakes? in \d+ decisions?\.", lines[0])
    for seat, line in zip(("random", "greedy"), lines[1:3], strict=True):
        assert re.match(rf"{seat}: (No mistakes|1 mistake|\d+ mistakes) in \d+ decisions?; ", line)
    assert any(line.startswith("Evaluated with: search over 8 simulated games") for line in lines)
    again = kibitz("review", game, "--rollouts", "8").lines
    # Machine code may have become ready in between; it finds the same.
    assert [line.replace("(compiled)", "(plain Python)") for line in again] == [
        line.replace("(compiled)", "(plain Python)") for line in lines
    ]


@pytest.mark.long
def test_progress_of_a_review_reaches_its_end(kibitz, tmp_path):
    path, players = tmp_path / "game.game", ("greedy", "random", "greedy", "quick")
    assert kibitz("match", "president:rounds=1", *players, "--seed", "4", "-q", "-o", str(path)).status == 0
    judged, count = re.search(r"judged (\d+) of (\d+) actions", kibitz("review", path, "--rollouts", "2").err).groups()
    assert judged == count


def test_review_as_json_has_every_decision(kibitz, game):
    report = json.loads("\n".join(kibitz("review", game, "--rollouts", "8", "--json").lines))
    assert report["game"] == "leduc"
    assert {"step", "seat", "chosen", "best", "judgement", "why"} == set(report["verdicts"][0])
    assert len(report["seat_summaries"]) == 2


def test_single_decision_is_ranked_with_the_choice_marked(kibitz, game):
    report = json.loads("\n".join(kibitz("review", game, "--step", "0", "--rollouts", "20", "--json").lines))
    lines = kibitz("review", game, "--step", "0", "--rollouts", "20").lines
    assert len(report["choices"]) >= 2
    assert sum("← chosen" in line for line in lines) == 1


def test_mistakes_have_the_number_that_step_takes(kibitz, tmp_path):
    path = str(tmp_path / "hands.game")
    assert kibitz("match", "leduc:hands=3", "random", "random", "--seed", "1", "-q", "-o", path).status == 0
    mistakes = re.findall(r"(\d+)\. .*chose (\w+)", "\n".join(kibitz("review", path, "--rollouts", "20").lines))
    assert mistakes
    for step, chosen in mistakes[:2]:
        lines = kibitz("review", path, "--step", step, "--rollouts", "20").lines
        assert any(chosen in line and "← chosen" in line for line in lines)


def test_step_without_a_choice_is_rejected(refused, game):
    assert "nobody had a choice after 999 actions; there was one after" in refused("review", game, "--step", "999")


def test_ladder_has_a_line_for_every_player(kibitz):
    lines = kibitz("ladder", "kuhn", "--deals", "4", "--workers", "1").lines
    assert lines[0] == "Kuhn poker (kuhn), 8 games, seed 0"
    everybody = {character.name for character in characters(game_called("kuhn"))}
    assert everybody > {"random", "greedy"}
    assert {line.split()[1] for line in lines[1:-1]} == everybody
    assert "kibitz tournament" in lines[-1]
    report = json.loads("\n".join(kibitz("ladder", "kuhn", "--deals", "4", "--workers", "1", "--json").lines))
    assert len(report["rungs"]) == len(everybody)
