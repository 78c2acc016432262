"""The set-up dialogue in line mode: scripted with ``--setup``, and on a terminal."""

import ast
import inspect
import textwrap

import pytest

from kibitz.cli.line_mode.decision import Questioner
from kibitz.engine.record import read_file
from kibitz.engine.registry import game
from kibitz.engine.words import COMMANDS
from kibitz.players.built_in import default_player

PRESIDENT = ["play", "president", "--setup", "--seed", "4"]


def typed(*lines):
    return "\n".join(map(str, lines)) + "\n"


def test_president_is_set_up_by_answers_and_starts(kibitz):
    answers = [3, "", "Ann", 1, "Ben", "report", "", 2, "1 3", 2, 3, "", "", ""]
    lines = kibitz(*PRESIDENT, typed=typed(*answers, "", "q", "y")).lines
    assert "President (president:fives=5,pass_locks=1,players=3,rounds=2,upper_names=2)" in lines
    assert "Seats: 0 Ann, 1 Ben, 2 report." in lines
    assert "Ann and Ben share this keyboard; hands are hidden between turns." in lines
    summary = next(line for line in lines if line.startswith("3 players. 2 rounds are played"))
    assert "Straights and full houses count." in summary


def lines_on_a_terminal(kibitz, monkeypatch, *answers):
    """The lines printed on a terminal, where line mode asks how to begin."""
    monkeypatch.setattr("kibitz.cli.play.is_interactive", lambda: True)
    return kibitz("play", "bo", typed=typed(*answers)).lines


def test_levels_are_listed_from_easiest_to_hardest(kibitz, monkeypatch):
    lines = lines_on_a_terminal(kibitz, monkeypatch, "", "q", "y")
    assert [line[4:].partition(":")[0] for line in lines[2:6]] == ["Easy", "Medium", "Hard", "Expert"]
    assert "Seats: 0 you, 1 Easy-1, 2 Easy-2, 3 Easy-3." in lines


def test_guided_first_hand_says_what_to_type(kibitz, monkeypatch):
    lines = lines_on_a_terminal(kibitz, monkeypatch, 5, "2H h5>b1", "q", "y")
    tips = [line for line in lines if line.startswith(("Tip: ", "To do this, "))]
    assert tips[0].startswith("Tip: Empty your stockpile: 3♥ lies on it.")
    assert tips[1] == "To do this, type '2H h5>b1'."
    assert tips[2].startswith("Tip: One higher or one lower")


def test_dot_accepts_all_remaining_defaults(kibitz, tmp_path):
    path = tmp_path / "x.game"
    answer = kibitz("play", "go", "--setup", "--seed", 5, "-o", path, typed=typed(2, ".", *[1] * 20))
    assert answer.status == 0
    assert read_file(path).seats == ("Guest", default_player(game("go")))
    assert sum(line.startswith("Enter: ") for line in answer.lines) == 2


def test_invalid_answer_is_explained_and_asked_again(kibitz):
    lines = kibitz(*PRESIDENT, typed=typed(9, "many", "?", 2, ".", "q", "y")).lines
    assert lines.count("'9' isn't a valid answer: type a number from 2 to 8, or press Enter.") == 1
    assert lines.count("'many' isn't a valid answer: type a number from 2 to 8, or press Enter.") == 1
    assert any(line.startswith("q ") for line in lines)
    assert f"Seats: 0 you, 1 {default_player(game('president'))}." in lines


@pytest.mark.parametrize("answers", [(), (3,), (3, "", "Ann"), ("q",), (3, "q")])
def test_end_of_input_and_quitting_say_goodbye(kibitz, answers):
    answer = kibitz(*PRESIDENT, typed=typed(*answers) if answers else "")
    assert (answer.status, answer.err) == (0, "")
    assert answer.lines[-1] == "Goodbye: the game has ended, and nothing is saved."


def test_ctrl_c_ends_the_dialogue_with_a_message(kibitz, monkeypatch):
    def interrupt(self, prompt=""):
        raise KeyboardInterrupt

    monkeypatch.setattr("kibitz.cli.screen.Screen.ask", interrupt)
    answer = kibitz(*PRESIDENT)
    assert answer.status == 130
    assert answer.lines[-1] == "Interrupted: the game has ended, and nothing is saved."


@pytest.mark.parametrize(
    ("words", "asked"),
    [([], True), (["--name", "Ann"], False), (["--seat", "1"], False), (["--people", "Ann,Ben"], False)],
)
@pytest.mark.parametrize("name", ["president", "president:rounds=2"])
def test_questions_are_asked_on_a_terminal_unless_options_answer_them(kibitz, monkeypatch, words, asked, name):
    monkeypatch.setattr("kibitz.cli.play.is_interactive", lambda: True)
    answer = kibitz("play", name, *words, "--seed", 4, typed=typed("q", "y", "q", "y"))
    assert any(line.startswith("Enter: ") for line in answer.lines) == (asked and ":" not in name)


def test_people_option_names_several_people(kibitz, refused, tmp_path):
    path = tmp_path / "x.game"
    kibitz("play", "go-mini", "--people", "Ann,Ben", "--seed", 3, "-o", path, typed="1\n" * 60)
    assert read_file(path).seats == ("Ann", "Ben")
    seated = kibitz("play", "go", "--people", "Ann,Ben", "--seat", 2, "--seed", 3, typed="q\ny\n")
    strongest = default_player(game("go"))
    assert f"Seats: 0 {strongest}-1, 1 {strongest}-2, 2 Ann, 3 Ben." in seated.lines
    assert "too few for 2 people from seat 3" in refused("play", "go", "--people", "Ann,Ben", "--seat", 3)
    assert "leave --name out" in refused("play", "go", "--people", "Ann,Ben", "--name", "Cem")
    assert "not a list of names" in refused("play", "go", "--people", "Ann,,Ben")
    assert "it has 41 characters; use at most 40" in refused("play", "go", "--people", f"Ann,{'x' * 41}")
    assert "Not a valid name: '|' isn't allowed" in refused("play", "go", "--name", "a|b")


def test_contract_lists_every_line_mode_command():
    """No action may have the text of a command (``kibitz.engine.words.COMMANDS``)."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(Questioner.run_command)))
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.MatchValue))
    assert {value.value for value in values if isinstance(value, ast.Constant)} == COMMANDS
