"""Cribbage on the command line, which has no code specific to the game."""

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


def test_choice_that_scores_shows_the_points(kibitz):
    """In a game of first choices some card can make fifteen or a pair."""
    answer = kibitz("play", SHORT, "--seed", 5, "--plain", "--opponents", "greedy", typed="1\n" * 200 + "\n")
    choices = [line for line in answer.lines if ") " in line and "(makes " in line]
    assert any("for two)" in line or "for three)" in line for line in choices)


def test_player_file_with_too_few_arguments_is_told_the_signature(kibitz, tmp_path):
    path = tmp_path / "player.py"
    path.write_text("def play(view):\n    return 1\n")
    answer = kibitz("check-player", "cribbage", path)
    assert answer.status == 2
    assert "play must take 2 arguments: play(view, legal), and is defined as play(view)." in answer.out
