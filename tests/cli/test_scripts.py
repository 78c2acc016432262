"""Whole games in line mode, typed by scripts: every registered game, and every worked example."""

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from kibitz.cli.line_mode.person import HumanPlayer
from kibitz.cli.screen import Screen
from kibitz.engine.record import read_file
from kibitz.engine.registry import all_games
from tests.tiers import further

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.game"))
SHORTER = {
    "bo": "rounds=3",
    "cribbage": "target=31",
    "holdem": "hands=3,players=3",
    "draw": "hands=3",
    "huxxy": "hand_size=5",
}
"""Options that make a long game short enough for a test."""
SHORTER |= {"huxxy-bonus": "hand_size=4", "president": "rounds=2"}
GAMES = [
    pytest.param(
        f"{played.name}:{SHORTER[played.name]}" if played.name in SHORTER else played.name,
        id=played.name,
        marks=further(played),
    )
    for played in all_games()
]


@pytest.mark.parametrize("name", GAMES)
def test_whole_game_of_every_kind_is_played_in_plain_mode(kibitz, tmp_path, monkeypatch, name):
    """Random numbers, with some hints, scores and histories; the output has no control characters."""
    if name.startswith("huxxy"):  # finding dead ends takes long, and is tested with the game
        monkeypatch.setattr(HumanPlayer, "numbered_actions", lambda person, view, legal: legal)
    rng, path = random.Random(name), tmp_path / "x.game"
    lines = [rng.choice((*[str(rng.randrange(1, 6))] * 14, "1", "h", "score", "b")) for _ in range(3000)]
    answer = kibitz("play", name, "--plain", "--seed", 3, "-o", path, typed="\n".join([*lines, ""]))
    assert answer.status == 0
    assert answer.err == ""
    assert "What next?" in answer.lines
    assert all(sign.isprintable() or sign == "\n" for sign in answer.out)
    assert read_file(path).outcome.reason in answer.out
    assert kibitz("verify", path).status == 0


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in EXAMPLES])
def test_every_worked_example_can_be_replayed_as_a_script(kibitz, tmp_path, path):
    again, record = tmp_path / "again.game", read_file(path)
    answer = kibitz("play", "--plain", "--script", path, "-o", again)
    if record.forfeits:
        assert answer.status == 2
        assert "a seat forfeits in this game, which can't be typed" in answer.err
    else:
        assert answer.status == 0
        assert again.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
        assert "There is no choice" not in answer.out


def test_person_types_on_after_the_end_of_a_script(kibitz, tmp_path):
    script = tmp_path / "begin.txt"
    script.write_text("# the ace of spades\nas\n# and then the first card\n1\n", encoding="utf-8")
    answer = kibitz("play", "go", "--seed", 5, "--opponents", "first", "--script", script, typed="q\ny\n")
    assert "You lay A♠ face down." in answer.lines
    assert answer.out.count("face down.") == 8
    assert answer.lines[-1] == "Goodbye: the game is saved; 'kibitz resume' continues it."


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "script.txt cannot be read: no such file or directory."),
        (b"\xff\xfe", "script.txt is not a script: it isn't UTF-8 text."),
        (b"Kibitz record 1\ngame: go\n", "script.txt"),
    ],
)
def test_invalid_script_is_rejected_with_the_reason(refused, tmp_path, content, sentence):
    script = tmp_path / "script.txt"
    if content is not None:
        script.write_bytes(content)
    assert sentence in refused("play", "go", "--script", script)


def test_record_as_a_script_determines_its_game(refused):
    assert "leave those options out" in refused("play", "go", "--script", EXAMPLES[0])


def test_score_is_shown_between_deals_until_enter(kibitz, monkeypatch):
    monkeypatch.setattr(Screen, "is_watched", property(lambda screen: True))
    lines = kibitz("play", "cribbage:target=31", "--opponents", "greedy", "--seed", 5, typed="1\n" * 300).lines
    pauses = [i for i, line in enumerate(lines) if line == "Press Enter to continue."]
    deals = [line for line in lines if line.startswith("Deal ")]
    assert len(pauses) == len(deals) - 1
    for at in pauses:
        assert lines[at - 1].startswith("greedy: score ")
        assert lines[at - 2].startswith("You: score ")


def test_score_is_not_repeated_after_a_sentence_with_it(kibitz, monkeypatch):
    monkeypatch.setattr(Screen, "is_watched", property(lambda screen: True))
    lines = kibitz("play", "kuhn:hands=3,stack=20", "--opponents", "caller", "--seed", 5, typed="1\n" * 60).lines
    pauses = [i for i, line in enumerate(lines) if line == "Press Enter to continue."]
    assert len(pauses) == 2
    assert all(lines[at - 1].startswith("Hand ") and "is over" in lines[at - 1] for at in pauses)


def test_rematch_rotates_the_seats(kibitz):
    typed = "1\n" * 12 + "n\nr\n" + "1\n" * 12 + "n\nq\n"
    lines = kibitz("play", "go-mini", "--seed", 3, "--opponents", "first", typed=typed).lines
    assert [line for line in lines if line.startswith("Seats: ")] == [
        "Seats: 0 you, 1 first.",
        "Seats: 0 first, 1 you.",
    ]
    assert "The seed was 4. Its SHA-256 is the one shown at the deal; a saved record lets anyone check it." in lines


def test_history_or_another_game_can_be_chosen_after_a_game(kibitz):
    typed = "1\n" * 12 + "n\nl\nm\nkuhn\n.\n"
    lines = kibitz("play", "go-mini", "--seed", 3, "--opponents", "first", typed=typed).lines
    start = lines.index("What next?")
    assert any(line.startswith("Turn 1: Guest ") for line in lines[start:]), "the history uses names"
    assert "Kuhn poker (kuhn)" in lines[start:]


def test_person_is_called_you_from_deal_to_result(kibitz):
    answer = kibitz("play", "go-mini", "--seed", 3, "--opponents", "first", "--name", "Zoë", typed="1\n" * 12)
    assert "Zoë" not in answer.out
    assert "Guest" not in answer.out
    assert "The game is over: You " in answer.out


def test_forced_actions_are_reported_and_not_asked(kibitz):
    lines = kibitz("play", "go-mini", "--seed", 3, "--opponents", "first", typed="1\n1\n1\n1\n1\n").lines
    reports = [after for line, after in pairwise(lines) if line == "You have no other choice."]
    assert reports
    assert all(re.fullmatch(r"You (lay|group) .*\.", line) for line in reports), "the action is reported once"
