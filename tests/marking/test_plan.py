"""The marking plan file: its settings, and the errors for invalid ones."""

import pytest

from kibitz.errors import NotationError
from kibitz.marking.assignments import NAMES, assignment, read_plan

LAB = assignment("cribbage-lab")


def plan(tmp_path, text, **more):
    file = tmp_path / "marks.toml"
    file.write_text(text)
    return read_plan(LAB, file, **more)


@pytest.mark.parametrize("name", NAMES.values())
def test_functions_have_equal_weights_without_a_plan_file(name):
    found = assignment(name)
    standard = read_plan(found, None)
    assert tuple(one.name for one in standard.functions) == tuple(n for n in found.functions if n in found.edge_cases)
    worths = [standard.worth(one.name) for one in standard.functions]
    assert worths == pytest.approx([100 / len(worths)] * len(worths), abs=0.01)
    assert sum(round(100 * worth) for worth in worths) == 100 * 100  # what is shown adds up to the maximum
    assert {one.hidden for one in standard.functions} == {100}


def test_plan_file_sets_weights_cases_limits_and_total(tmp_path):
    text = "out_of = 30\nhidden = 7\npartial = false\n"
    text += "[functions.play]\nweight = 2\nseconds = 0.5\nhidden = 9\npartial = true\n[functions.shuffle]\nweight = 0\n"
    found = plan(tmp_path, text)
    assert [one.name for one in found.functions] == ["generate_deck", "deal_card", "score_hand", "play"]
    assert [found.worth(one.name) for one in found.functions] == [6, 6, 6, 12]
    assert [one.hidden for one in found.functions] == [7, 7, 7, 9]
    assert [one.partial for one in found.functions] == [False, False, False, True]
    assert found.functions[3].limits.call == 0.5
    assert [one.hidden for one in plan(tmp_path, text, hidden=3).functions] == [3, 3, 3, 3]
    assert [one.name for one in plan(tmp_path, text, only=["play"]).functions] == ["play"]
    assert {one.seconds for one in plan(tmp_path, text, seconds=0.2).functions} == {0.2}
    with pytest.raises(NotationError, match=r"seconds must be a number from 0\.01 to 60, not '0'"):
        plan(tmp_path, text, seconds=0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[functions.score_hands]\n", "unknown function: 'score_hands'; did you mean 'score_hand'?"),
        ("[functions.play]\nweigth = 2\n", "unknown setting of play: 'weigth'; did you mean 'weight'?"),
        ("outof = 3\n", "unknown setting: 'outof'; did you mean 'out_of'?"),
        ("xyz = 3\n", "known names: out_of, hidden, partial, bonus, functions, rubric, deadline, tournament."),
        ("out_of = 0\n", "out_of must be a number from 0.01 to 1,000,000, not '0'."),
        ("out_of = nan\n", "out_of must be a number from 0.01 to 1,000,000, not 'nan'."),
        ("hidden = 0\n", "hidden must be a whole number from 1 to 10000, not '0'."),
        ("hidden = true\n", "hidden must be a whole number from 1 to 10000, not 'True'."),
        ("bonus = true\n", "cribbage-lab has no bonus rules: leave out bonus."),
        ("partial = 1\n", "partial must be true or false, not '1'."),
        ("functions = 3\n", "functions must be a table with a line [functions] of its own, not '3'."),
        ("[functions]\nplay = 3\n", "functions.play must be a table with a line [functions.play] of its own, not '3'."),
        ("[functions.comp10001go_play]\n", "comp10001go_play is a function of go, not of cribbage-lab."),
        ("[functions.play]\nweight = -1\n", "weight must be a number from 0 to 1,000,000, not '-1'."),
        ("[functions.play]\nseconds = '1'\n", "seconds must be a number from 0.01 to 60"),
        ("out_of = \n", "isn't valid TOML: Invalid value"),
        (f"hidden = {'9' * 5000}\n", "isn't valid TOML"),
        ("x" * 70_000, "is larger than 64 kB"),
    ],
)
def test_invalid_plan_is_rejected_with_the_valid_choices(tmp_path, text, sentence):
    with pytest.raises(NotationError) as caught:
        plan(tmp_path, text)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "marks.toml"))


def test_bonus_rules_are_marked_only_on_request(tmp_path):
    huxxy, play = assignment("huxxy"), "comp10001huxxy_bonus_play"
    file = tmp_path / "marks.toml"
    file.write_text("bonus = true\n")
    assert play not in [one.name for one in read_plan(huxxy, None).functions]
    assert play in [one.name for one in read_plan(huxxy, file).functions]
    assert [one.name for one in read_plan(huxxy, None, only=[play]).functions] == [play]
    file.write_text(f"[functions.{play}]\nweight = 2\n")
    with pytest.raises(NotationError, match="is marked only with bonus = true"):
        read_plan(huxxy, file)


def test_plan_without_functions_or_a_readable_file_is_rejected(tmp_path):
    with pytest.raises(NotationError, match="all functions have weight 0"):
        plan(tmp_path, "[functions.play]\nweight = 0\n", only=["play"])
    with pytest.raises(NotationError, match="cannot be read: no such file"):
        read_plan(LAB, tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b"# M\xfcller\n")
    with pytest.raises(NotationError, match="isn't valid TOML"):
        read_plan(LAB, tmp_path / "latin.toml")
