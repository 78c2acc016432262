"""What a file may have meant by a function that it does not define."""

import pytest

from kibitz.players.files.entries import players_in
from kibitz.players.files.sources import suggestion
from tests.players.class_of import laid

PLAY = ("comp10001go_play", "comp10001go_group")


@pytest.mark.parametrize(
    ("defined", "said"),
    [
        ({"comp10001go_paly"}, "Rename comp10001go_paly to comp10001go_play."),
        ({"comp1001go_play"}, "Rename comp1001go_play to comp10001go_play."),
        ({"Comp10001Go_Play"}, "Rename Comp10001Go_Play to comp10001go_play."),
        ({"play_a_card"}, ""),
        ({"comp10001go_play", "comp10001go_plays"}, ""),
        ({"comp10001bo_play"}, ""),
    ],
)
def test_a_misspelt_name_is_found(defined, said):
    assert suggestion(["comp10001go_play"], defined) == said


def test_another_function_of_the_assignment_is_not_a_misspelling():
    assert suggestion(["comp10001go_score_group"], {"comp10001go_group"}) == ""


def test_a_submission_without_the_functions_hears_of_its_misspelt_name(tmp_path):
    wrong = "def comp10001go_plya(a, b, c): pass\n"
    laid(tmp_path, {"Bob/mine.py": wrong, "Bob/more.py": "", "cat.py": wrong.replace("plya", "play")})
    why = {each.name: each.why for each in players_in(tmp_path, PLAY).entries}
    assert why["cat"] == ""
    assert why["Bob"].endswith(" Rename comp10001go_plya to comp10001go_play.")
