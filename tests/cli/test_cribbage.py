"""Cribbage on the command line, which has no code specific to the game."""

import pytest

from kibitz.engine.record import read_file

SHORT = "cribbage:target=31"


def test_prompts_explain_each_choice(kibitz):
    answer = kibitz("play", "cribbage", "--seed", 1, typed="ts\njd\n1\ns\nq\ny\n")
    assert "You cut Q♥ and best J♥: best deals first." in answer.lines
    assert "Deal 1: best deals and has the crib. You hold 7♣ 8♦ 10♠ J♦ Q♦ Q♠." in answer.lines
    assert "Which two cards do you discard to your opponent's crib?" in answer.lines
    assert "J♦  (keeps 4 points)" in answer.out
    assert "You lay 10♠ J♦ away." in answer.lines
    assert "The starter is 8♥." in answer.lines
    assert "You lead. Which card do you play?" in answer.lines
    assert "You play 7♣, which makes 7." in answer.lines
    assert "The count is 17. Which card do you play?" in answer.lines
    assert any(line.startswith("You ") and "score 0 of 121" in line for line in answer.lines)


def test_invalid_choices_are_refused_with_the_rule_and_asked_again(kibitz):
    answer = kibitz("play", "cribbage", "--seed", 1, typed="7C 8D TS\n7C 7C\n7C 2D\ngo\nTS JD\ngo\n7C 8D\nKD\nq\ny\n")
    for sentence in (
        "Discard exactly 2 cards, not 3.",
        "7C appears 2 times, but a pack has only one: remove the extra copies.",
        "You don't hold 2♦: you can only use cards from your own hand.",
        "Go is for the play, which has not begun: first discard to the crib.",
        "You can say go only if none of your cards fits under 31: play if you can.",
        "Cards are played one at a time: name exactly one card.",
        "You can only use cards from your own hand.",
    ):
        assert sentence in answer.lines


def test_whole_game_can_be_played_saved_shown_and_verified(kibitz, tmp_path):
    path = tmp_path / "mine.game"
    answer = kibitz("play", SHORT, "--seed", 5, "--name", "Ann", "-o", path, typed="1\n" * 200)
    assert answer.status == 0
    assert "Game 1 is over: " in answer.out
    assert read_file(path).game == SHORT
    assert "verified" in kibitz("verify", path).out
    shown = kibitz("show", path).out
    assert " shows " in shown
    assert "crib is " in shown


def test_choice_that_scores_shows_the_points(kibitz):
    """In a game of first choices some card can make fifteen or a pair."""
    answer = kibitz("play", SHORT, "--seed", 5, "--plain", "--opponents", "greedy", typed="1\n" * 200 + "\n")
    choices = [line for line in answer.lines if ") " in line and "(makes " in line]
    assert any("for two)" in line or "for three)" in line for line in choices)


def test_matches_and_tournaments_run(kibitz):
    answer = kibitz("match", "cribbage:games=2,target=31", "greedy", "random", "--seed", 3)
    assert "All 2 games have been played." in answer.out
    table = kibitz("tournament", "cribbage", "greedy", "random", "--deals", 2, "--seed", 1, "--workers", 1)
    assert table.status == 0
    assert table.out.index("greedy") < table.out.index("random")


def test_rules_are_printed(kibitz):
    answer = kibitz("rules", "cribbage")
    assert answer.lines[0].startswith("# Cribbage") or "Cribbage" in answer.lines[0]
    for word in ("starter", "crib", "go", "nob", "skunk"):
        assert word in answer.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("play cribbage:games=0", "takes games from 1 to 100, not 0"),
        ("play cribbage --seat 2", "has the seats 0 to 1"),
        ("match cribbage greedy", "has 2 seats"),
        ("match cribbage greedy gredy", "did you mean 'greedy'?"),
        ("play crib", "did you mean"),
    ],
)
def test_invalid_arguments_are_rejected_with_the_reason(refused, words, why):
    assert why in refused(*words.split())


def test_player_file_with_too_few_arguments_is_told_the_signature(kibitz, tmp_path):
    path = tmp_path / "player.py"
    path.write_text("def play(view):\n    return 1\n")
    answer = kibitz("check-player", "cribbage", path)
    assert answer.status == 2
    assert "play must take 2 arguments: play(view, legal), and is defined as play(view)." in answer.out
