"""Rosters: columns are found by their usual names, and every invalid row is reported with its line."""

from itertools import product

import pytest

from kibitz.arena.entry.roster import FIRST, LAST, NAMES, NUMBERS, OWNERS, read_roster, usual_spelling
from kibitz.arena.model import RosterEntry
from kibitz.errors import KibitzError


@pytest.fixture
def read(tmp_path):
    def roster(content):
        path = tmp_path / "roster.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_roster(path)

    return roster


ANN = (RosterEntry("Ann Lee", "ann@uni"),)


def test_columns_are_found_by_their_usual_names(read):
    for name, owner in product(NAMES, [word for word in OWNERS if word not in NUMBERS]):
        assert read(f"{owner},{name}\nann@uni,Ann Lee\n").people == ANN
        assert read(f"{owner.upper()},x,{name.title().replace(' ', '_')}\nann@uni,7,Ann Lee\n").people == ANN
    for first, last in product(FIRST, LAST):
        assert read(f"{last},{first},email\nLee,Ann,ann@uni\n").people == ANN


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ("Identifier,Full name,Email address,Status\nParticipant 1101,Ann Lee,ann@uni,Submitted\n", "1101"),
        (
            "Student,ID,SIS User ID,SIS Login ID,Section,Go (77)\n"
            "    Points Possible,,,,,10\n"
            '"Lee, Ann",1101,77,ann@uni,A,\n',
            "1101",
        ),
        ("First Name,Last Name,SID,Email\nAnn,Lee,77,ann@uni\n", ""),
    ],
    ids=["moodle", "canvas", "gradescope"],
)
def test_learning_platform_exports_are_rosters(read, content, number):
    assert read(content).people == (RosterEntry("Ann Lee", "ann@uni", number),)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_byte_order_marks_and_empty_lines_are_accepted(read, separator):
    lines = ["", separator.join(("name", "owner")), separator.join(("Ann Lee", " ann@uni ")), separator, ""]
    assert read(b"\xef\xbb\xbf" + "\r\n".join(lines).encode()).people == ANN


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Ann Lee,bob@uni", "already in line 2"),
        ("ann lee,bob@uni", "looks too much like 'Ann Lee' in line 2"),
        ("Αnn Lee,bob@uni", "looks too much like"),
        (",bob@uni", "the name of a player is missing, owner 'bob@uni'"),
        ("Bob,", "'Bob' has no owner"),
        ("Bob", "'Bob' has no owner"),
        ("Bob@2,bob@uni", "what follows an @"),
        ("=cmd|x,bob@uni", "isn't a valid player name"),
        ("B" * 41 + ",bob@uni", "isn't a valid player name"),
        ("Bob,b\x07b@uni", "isn't a valid owner"),
        ("Bob," + "b" * 201, "isn't a valid owner"),
    ],
)
def test_each_invalid_row_is_reported_with_its_line(read, row, why):
    found = read(f"name,owner\nAnn Lee,ann@uni\n{row}\nCem,cem@uni\n,\nDot,\n")
    assert len(found.errors) == 2
    assert "roster.csv:3: " in found.errors[0]
    assert why in found.errors[0]
    assert "roster.csv:6: 'Dot' has no owner" in found.errors[1]
    assert all(sentence.isprintable() and sentence.endswith(".") for sentence in found.errors)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "names its columns"),
        ("a,b\n1,2\n", "no column holds names"),
        ("name,b\n1,2\n", "no column holds owners"),
        ("given name,owner\nAnn,1\n", "no column holds names"),
        (b"name,owner\nJos\xe9,1\n", "UTF-8"),
        ('name,owner\n"Ann,1\n', "valid CSV"),
    ],
)
def test_a_file_that_is_not_a_roster_is_refused(read, content, why):
    with pytest.raises(KibitzError, match=why):
        read(content)


def test_an_empty_roster_is_invalid(read):
    assert "no people" in read("name,owner\n").errors[0]


def test_a_missing_roster_file_is_refused(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(KibitzError, match="cannot be read"):
            read_roster(path)


def test_a_line_break_in_a_cell_becomes_a_space(read):
    assert read('name,owner\n"Ann\nLee","\nann@uni\n"\n').people == ANN


def test_a_roster_may_have_at_most_four_mebibytes(read):
    rows, blank = b"name,owner\nAnn Lee,ann@uni\n", b" " * 99_999 + b"\n"
    most = (rows + blank * 42)[: 4 * 1024 * 1024]
    assert read(most).people == ANN
    with pytest.raises(KibitzError, match="is larger than 4 MiB, the limit for a table"):
        read(most + b" ")


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("Lee, Ann", "Ann Lee"),
        ("  Lee ,  Ann  Mary ", "Ann Mary Lee"),
        ("Ann Lee", "Ann Lee"),
        ("Lee,", "Lee,"),
        (", Ann", "Ann"),
        ("a, b, c", "a, b, c"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_a_surname_before_a_comma_moves_to_the_end(cell, name):
    assert usual_spelling(cell) == name


def test_short_rows_are_accepted_and_numbers_are_their_last_digits(read):
    head = "x,name,owner,Identifier\n"
    rows = [",Ann Lee,ann@uni", ",Ben,ben@uni,Participant 12", ",Cem,cem@uni,12a", f",Dot,dot@uni,{'7' * 41}", ",E"]
    found = read(head + "\n".join(rows) + "\n")
    assert [(one.player, one.number) for one in found.people] == [
        *(("Ann Lee", ""), ("Ben", "12"), ("Cem", ""), ("Dot", "7" * 40), ("E", "")),
    ]
    assert len(found.errors) == 1
    assert "roster.csv:6: 'E' has no owner" in found.errors[0]
    assert read(f"name,owner\nAnn,{'x' * 200}\n").errors == ()
