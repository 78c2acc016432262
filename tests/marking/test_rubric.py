"""The rubric: source counts that help a tutor, and the tutor's points, which become part of the marks."""

from contextlib import closing

import pytest

from kibitz.errors import NotationError
from kibitz.marking.assignments import assignment, plan_from
from kibitz.marking.handout import statement
from kibitz.marking.marker import shown_names, submissions
from kibitz.marking.rubric import SourceCounter, read_rubric
from kibitz.marking.source_counts import count_source
from kibitz.players.files.sources import Sources
from tests.players.class_of import write_files
from tests.players.test_notebooks import notebook

LAB = assignment("cribbage-lab")
RUBRIC = {"rubric": {"comments": 2, "code style": 3}}
SOURCE = '''"""A module."""
HIGH = 5  # a constant
badName = 1


class card_pile:
    def deal(self, Deck):
        """Deal."""
        # one
        # two
        return "# no comment"


def score_hand(hand):
    def inner():
        return 1
    return inner()
'''


def test_source_counts_match_a_count_by_hand():
    assert count_source(SOURCE) == [3, 1, [5, "deal"], 3, ["Deck", "badName", "card_pile"]]
    assert count_source("x = 1\n") == [0, 0, [0, ""], 0, []]


def test_comments_added_by_notebook_conversion_are_not_counted(tmp_path):
    write_files(tmp_path, {"ann.ipynb": notebook("%cd x", "def play(deck):\n    # mine\n    pass\n")})
    (entry,) = submissions(LAB, tmp_path / "ann.ipynb").entries
    with closing(SourceCounter()) as counter:
        assert counter.row(entry.sources)[4] == 1


def test_unparsable_file_has_no_counts_and_affects_no_other():
    bad = [b"def f(:\n", b"-" * 900_000 + b"1", b"(" * 900_000, b"x = '\x00'", b"# coding: none\n"]
    files = (("a.py", SOURCE.encode()), ("common.py", b"def F():\n    pass\n"), ("test_public.py", SOURCE.encode()))
    with closing(SourceCounter()) as counter:
        assert [counter.row(Sources((("a.py", content),)))[1:] for content in bad] == [[""] * 5] * len(bad)
        assert counter.row(Sources(files)) == ["a.py common.py", 4, 1, "deal: 5", 3, "Deck badName card_pile F"]


def assessments_in(tmp_path, text):
    write_files(tmp_path / "c", {"Ann/x.py": SOURCE, "Bob/x.py": SOURCE})
    (tmp_path / "rubric.csv").write_text(text)
    entries = submissions(LAB, tmp_path / "c").entries
    return read_rubric(tmp_path / "rubric.csv", plan_from(LAB, RUBRIC), entries, shown_names(entries))


def test_rubric_sheet_is_read_in_any_order_and_with_other_separators(tmp_path):
    ann, bob = assessments_in(tmp_path, "comments;Student;comment;code style\n1,5;Bob;Good;0\n;Gone;;\n")
    assert (ann.points, ann.comment) == ({}, "")
    assert (bob.points, bob.comment) == ({"comments": 1.5, "code style": 0}, "Good")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name,comments\nAnn,1\n", "needs a first line"),
        ("student,code stile\nAnn,1\n", "did you mean 'code style'"),
        ("student,comments\nAnn,2.5\n", "line 2: comments gives at most 2, not 2.5"),
        ("student,comments\nAnn,good\n", "line 2, comments: the mark must be a number"),
        ("student,comments\nZoe,1\n", "line 2: there is no submission by 'Zoe'"),
        ("student,comments\nAnn,1\nAnn,2\n", "line 3: Ann appears twice"),
    ],
)
def test_invalid_rubric_sheet_is_rejected(tmp_path, text, why):
    with pytest.raises(NotationError, match=why):
        assessments_in(tmp_path, text)


@pytest.mark.parametrize("name", ["student", "docstrings", "Comments", "a,b", ""])
def test_criterion_that_cannot_be_a_column_is_rejected(name):
    with pytest.raises(NotationError, match="can't be the name of a rubric criterion"):
        plan_from(LAB, {"rubric": {name: 1}})


def test_statement_lists_the_rubric_criteria():
    assert "for comments (up to 2), code style (up to 3).\n" in statement(LAB, plan_from(LAB, RUBRIC), "x.py", "t.py")
