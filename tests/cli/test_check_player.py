"""``kibitz check-player``: a fit file, a broken one, and none at all."""

FIT = """
def comp10001go_play(discard_history, player_no, hand):
    return hand[0]
def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]
"""


def test_check_player_reports_a_fit_player(kibitz, tmp_path):
    path = tmp_path / "fit.py"
    path.write_text(FIT)
    answer = kibitz("check-player", "go-mini", path, "--games", "2")
    assert answer.status == 0, answer
    assert all(line.startswith("ok      ") for line in answer.lines[:-1])
    assert answer.lines[-1] == f"{path} is fit to play COMP10001-Go."
    assert answer.err == "played 2 of 2 games\n"


def test_check_player_reports_why_a_player_is_unfit(kibitz, tmp_path):
    path = tmp_path / "unfit.py"
    path.write_text(FIT.replace("hand[0]", "hand[99]"))
    answer = kibitz("check-player", "go", path, "--games", "2")
    assert answer.status == 2
    assert any(line.startswith("FAILED  ") and "IndexError" in line for line in answer.lines)
    assert any(line.startswith("kibitz call go ") for line in answer.lines)
    assert answer.lines[-1] == f"{path} is not fit to play COMP10001-Go yet."


def test_a_name_is_not_a_file(refused):
    assert "there is no such file or folder" in refused("check-player", "go", "first")


def test_a_file_of_another_kind_is_not_a_player(refused, tmp_path):
    (tmp_path / "player.txt").write_text("def play(view, legal):\n    return legal[0]\n")
    assert "should end in .py" in refused("check-player", "go", tmp_path / "player.txt")
