"""Suggestions for misspelt function names."""

import pytest

from kibitz.players.files.entries import players_in
from kibitz.players.files.sources import suggestion
from tests.players.class_of import write_files

PLAY = ("comp10001go_play", "comp10001go_group")


@pytest.mark.parametrize(
    ("defined", "suggested"),
    [
        ({"comp10001go_paly"}, "Rename comp10001go_paly to comp10001go_play."),
        ({"comp1001go_play"}, "Rename comp1001go_play to comp10001go_play."),
        ({"Comp10001Go_Play"}, "Rename Comp10001Go_Play to comp10001go_play."),
        ({"play_a_card"}, ""),
        ({"comp10001go_play", "comp10001go_plays"}, ""),
        ({"comp10001bo_play"}, ""),
    ],
)
def test_misspelt_function_name_is_found(defined, suggested):
    assert suggestion(["comp10001go_play"], defined) == suggested


def test_another_function_of_the_assignment_is_not_a_misspelling():
    assert suggestion(["comp10001go_score_group"], {"comp10001go_group"}) == ""


def test_submission_with_a_misspelt_function_gets_a_suggestion(tmp_path):
    wrong = "def comp10001go_plya(a, b, c): pass\n"
    write_files(tmp_path, {"Bob/mine.py": wrong, "Bob/more.py": "", "cat.py": wrong.replace("plya", "play")})
    why = {each.name: each.why for each in players_in(tmp_path, PLAY).entries}
    assert why["cat"] == ""
    assert why["Bob"].endswith(" Rename comp10001go_plya to comp10001go_play.")
