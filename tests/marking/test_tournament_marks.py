"""Marks for places in a tournament."""

import pytest

from kibitz.errors import NotationError
from kibitz.marking.adjustments import PlaceMarks, adjustment_notes, adjustments, place_marks, read_ranks, read_rule
from kibitz.marking.assignments import assignment
from kibitz.marking.marker import submissions
from tests.players.class_of import write_files
from tests.players.conftest import HONEST

GO = assignment("go")
TABLE = "rank,player,identifier\n1,Ann Lee,11\n2,greedy,\n3,Oz,12\n4,random,\n5,Flo,13\n,Eve,14\n"
RULE = """
[tournament]
qualified = 4
beats = { random = 6, greedy = 8 }
quantile = { "0.34" = 9 }
place = { "1" = 10 }
"""


def marks(folder, rule=RULE, table=TABLE):
    """The marks of five students by this rule and table."""
    names = "Lee Ann_11", "Oz_12", "Flo_13", "Eve_14", "Pia_15"
    write_files(folder / "c", {f"{name}_assignsubmission_file/x.py": HONEST for name in names})
    write_files(folder, {"marks.toml": rule, "table.csv": table})
    found_submissions = submissions(GO, folder / "c")
    found = place_marks(found_submissions.entries, read_ranks(folder / "table.csv"), read_rule(folder / "marks.toml"))
    return {entry.id: one for entry, one in zip(found_submissions.entries, found, strict=True)}


def test_best_matching_rule_counts(tmp_path):
    assert marks(tmp_path) == {
        "11": PlaceMarks(10.0, "1 of 3"),
        "12": PlaceMarks(6.0, "2 of 3"),
        "13": PlaceMarks(4.0, "3 of 3"),
        "14": PlaceMarks(0.0, "no place"),
        "15": PlaceMarks(0.0, ""),
    }


def test_quantile_counts_students_and_not_built_in_players(tmp_path):
    found = marks(tmp_path, '[tournament]\nquantile = { "0.5" = 5, "1" = 2 }')
    assert [found[id].marks for id in ("11", "12", "13")] == [5, 2, 2]


def test_file_that_forfeited_every_game_has_no_place(tmp_path):
    table = "rank,player,identifier,games,forfeits\n1,Ann Lee,11,4,0\n2,Oz,12,4,3\n3,Flo,13,4,4\n"
    found = marks(tmp_path, "[tournament]\nqualified = 4\n", table)
    assert [found[id].place for id in ("11", "12", "13")] == ["1 of 2", "2 of 2", "no place"]


@pytest.mark.parametrize(
    ("rule", "table", "why"),
    [
        (RULE.replace("greedy", "gredy"), TABLE, "did you mean 'greedy'?"),
        ("[tournament]\nbeats = { paul = 3 }", TABLE, "no player called 'paul'; let it play in the tournament too."),
        ("[tournament]\nplace = { first = 3 }", TABLE, 'place needs keys such as "1"'),
        ("[tournament]\nquantile = { 0.5 = 3 }", TABLE, 'quantile needs quotes around a key with a dot, such as "0.1"'),
        ("[tournament]\nquantile = { '2' = 3 }", TABLE, "from 0 to 1"),
        ("[tournament]\nqualified = -1", TABLE, "qualified must be a number"),
        (RULE, "player,points\nAnn,3\n", "needs the columns rank and player"),
        (RULE, "rank,player\nfirst,Ann\n", "line 2: the rank must be a number"),
        (RULE, f"rank,player\n{'9' * 5000},Ann\n", "line 2: the rank must be a number"),
    ],
)
def test_invalid_rule_or_table_is_rejected(tmp_path, rule, table, why):
    with pytest.raises(NotationError, match=why):
        marks(tmp_path, rule, table)


def test_ranking_and_rule_need_each_other(tmp_path):
    marks(tmp_path)
    found_submissions = submissions(GO, tmp_path / "c")
    with pytest.raises(NotationError, match="give the tournament's ranking too"):
        adjustments(found_submissions, tmp_path / "c", (), tmp_path / "marks.toml")
    with pytest.raises(NotationError, match=r"\[tournament\]"):
        adjustments(found_submissions, tmp_path / "c", standings=tmp_path / "table.csv")
    found = adjustments(
        found_submissions, tmp_path / "c", (), tmp_path / "marks.toml", standings=tmp_path / "table.csv"
    )
    assert {one.place_worth for one in found} == {10}
    assert adjustment_notes(found_submissions, found, tmp_path / "marks.toml") == [
        "The tournament's ranking has no line for 1 submission (Pia 15), so they get no marks for it: they did not "
        "play, or have another number and name there."
    ]
