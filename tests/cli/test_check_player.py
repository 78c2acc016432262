"""``kibitz check-player``: a working file, a broken one, and a missing one."""

import pytest

FIT = """
def comp10001go_play(discard_history, player_no, hand):
    return hand[0]
def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
"""


def test_working_player_is_reported_as_fit(kibitz, tmp_path):
    path = tmp_path / "fit.py"
    path.write_text(FIT)
    answer = kibitz("check-player", "go-mini", path, "--games", "2")
    assert answer.status == 0, answer
    assert all(line.startswith("ok      ") for line in answer.lines[:-2])
    assert answer.lines[-2] == f"{path} can play Go."
    assert answer.lines[-1].startswith(f"'kibitz mark go {path}' tests every function")
    assert answer.err == "played 2 of 2 games\n"


def test_failing_player_is_reported_with_the_reason(kibitz, tmp_path):
    path = tmp_path / "unfit.py"
    path.write_text(FIT.replace("hand[0]", "hand[99]"))
    answer = kibitz("check-player", "go", path, "--games", "2")
    assert answer.status == 2
    assert any(line.startswith("FAILED  ") and "IndexError" in line for line in answer.lines)
    assert any(line.startswith("kibitz call go ") for line in answer.lines)
    assert answer.lines[-2] == f"{path} can't play Go yet."


@pytest.mark.parametrize(
    ("game", "functions", "command"),
    [
        ("bo", ("comp10001go_play(history, player, hand)",), "check-player go"),
        ("cribbage", ("play(shuffled_deck)", "score_hand(hand)"), "mark cribbage-lab"),
        ("holdem", ("poker(hands)", "hand_rank(hand)"), "mark poker"),
    ],
)
def test_file_of_another_assignment_is_recognised(kibitz, tmp_path, game, functions, command):
    path = tmp_path / "mine.py"
    path.write_text("".join(f"def {function}:\n    pass\n" for function in functions))
    answer = kibitz("check-player", game, path)
    assert answer.status == 2
    assert f"'kibitz {command} {path}'" in answer.lines[-1]
    assert "Rename" not in answer.out


def test_built_in_name_is_not_accepted_as_a_file(refused):
    assert "no such file or folder" in refused("check-player", "go", "first")


def test_file_with_another_extension_is_rejected(refused, tmp_path):
    (tmp_path / "player.txt").write_text("def play(view, legal):\n    return legal[0]\n")
    assert "should end in .py" in refused("check-player", "go", tmp_path / "player.txt")
