"""Line mode on a real terminal: the screen after a few turns, at 80 and 40 columns."""

import pytest

from tests.terminals import needs_tmux, terminals
from tests.tiers import first_fast

pytestmark = needs_tmux


@pytest.fixture
def terminal(tmp_path):
    """Start line mode in a terminal that is closed after the test."""
    with terminals(tmp_path) as start:
        yield lambda columns, words, rows=50: start(words, columns, rows, TERM="xterm-256color", KIBITZ_LINES="1")


@pytest.mark.parametrize("columns", first_fast([40, 80]))
def test_go_turns_on_a_terminal(terminal, columns):
    go = terminal(columns, "play go --seed 5 --opponents first")
    first = go.wait_for("Type a number, or ? for help. >")
    assert "your hand" in first
    go.type("3")
    go.wait_for("Turn 2 of 10: which card do you keep?")
    go.type("kk")
    go.wait_for("is not a card")
    go.type("5♣")
    shown = go.wait_for("Turn 3 of 10: which card do you keep?")
    assert "You lay 5♣ face down." in shown
    assert "\033[31m8♦" in go.screen("-e"), "red cards are red"
    go.type("q")
    go.type("y")
    go.wait_for("Goodbye")
    go.wait_for("status 0")


def test_questions_set_up_a_game_and_each_hand_is_cleared(terminal):
    """When the second person is called, neither the screen nor the scrollback shows the first hand."""
    go = terminal(80, "play go --seed 5")
    for question, answer in (
        ("How do you want to play Go?", "6"),
        ("How many players (2 to 4)?", "2"),
        ("Who is player 1?", ""),
        ("What is player 1 called?", "Ann"),
        ("Who is player 2?", "1"),
        ("What is player 2 called?", "Ben"),
        ("How many cards does everyone draft (1 to 10)?", ""),
    ):
        go.wait_for(question)
        go.type(answer)
    go.wait_for("Ann, it's your turn.")
    go.type("")
    hand = next(line for line in go.wait_for("Type a number, or ? for help.").splitlines() if "your hand" in line)
    go.type("1")
    go.wait_for("Press Enter to cover your cards.")
    go.type("")
    go.wait_for("Ben, it's your turn.")
    left = go.screen("-S", "-")
    assert "your hand" not in left
    assert not any(card in left for card in hand.split()[2:])
    go.type("")
    other = next(line for line in go.wait_for("Type a number, or ? for help.").splitlines() if "your hand" in line)
    assert other != hand
    go.tmux("send-keys", "C-c")
    go.wait_for("Interrupted: the game is saved")


def test_whole_game_is_played_with_keys_on_a_terminal(terminal, tmp_path):
    """Every prompt fits 24 lines; the game ends and is saved, and a rematch starts."""
    game = terminal(80, f"play president-mini --plain --seed 5 --opponents greedy -o {tmp_path / 'x.game'}", rows=24)
    for _ in range(60):
        shown = game.wait_to_type()
        if "What next?" in shown:
            break
        assert "your hand" in shown or "Press Enter to continue." in shown
        game.type("1")
    assert "The record is saved in" in shown
    game.type("r")
    game.wait_for("Seats: 0 greedy-2, 1 you, 2 greedy-1.")
    game.type("q")
    game.type("y")
    game.wait_for("status 0")
