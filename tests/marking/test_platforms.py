"""Output for platforms and students: every format matches its schema, and all texts are escaped."""

import csv
import io
import json
import zipfile
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import KibitzError, NotationError
from kibitz.marking.assignments import assignment, plan_from
from kibitz.marking.class_marking import file_names, files_of
from kibitz.marking.feedback import FeedbackSheet, html_page, text_page
from kibitz.marking.marker import submissions
from kibitz.marking.platforms import (
    canvas_gradebook,
    feedback_zip,
    gradebook_names,
    moodle_worksheet,
    plain_csv,
    results_json,
)
from kibitz.marking.results import FailingCase, FunctionOutcome, SubmissionResult
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources
from tests.players.class_of import write_files

PLAN = plan_from(assignment("cribbage-lab"), {"out_of": 20, "functions": {"play": {"weight": 0}}}, 10, [])
VISIBILITY = ("visible", "hidden", "after_due_date", "after_published")


def sheet(name="Ann Lee", id="11", folder="Lee Ann_11_assignsubmission_file", right=10, why="", text="odd", **more):
    """A sheet with one failing case, all of whose texts are ``text``."""
    failing = FailingCase(text, "wrong", text, text, text, text, text, text, 2)
    outcomes = tuple(
        FunctionOutcome(one.name, right, 10, 1, 2, text if i else "", (failing,), (text,))
        for i, one in enumerate(PLAN.functions)
    )
    entry = FolderEntry(name, folder, Sources((("mine.py", b"x"),)), "", id, folder)
    return FeedbackSheet(
        name, entry, PLAN, SubmissionResult(() if why else outcomes, why, more.get("detail", ""), text, 1.234)
    )


def table(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_gradescope_results_match_the_schema():
    found = json.loads(results_json(sheet(right=5)))
    assert set(found) == {"score", "execution_time", "output", "visibility", "tests"}
    assert (found["score"], found["execution_time"]) == (10, 1.23)
    assert found["visibility"] in VISIBILITY
    assert len(found["tests"]) == 4
    for number, test in enumerate(found["tests"], start=1):
        assert set(test) == {"name", "number", "score", "max_score", "output", "visibility", "tags"}
        assert (test["number"], test["score"], test["max_score"]) == (str(number), 2.5, 5)
        assert test["visibility"] in VISIBILITY
        assert "5 of 10 hidden cases right" in test["output"]
        assert "kibitz mark cribbage-lab mine.py" in test["output"]
        assert test["tags"] == ["a wrong answer"]
    lost = json.loads(results_json(sheet(why="No Python file found.")))
    assert lost["score"] == 0
    assert lost["output"] == "No Python file found."
    assert [test["score"] for test in lost["tests"]] == [0, 0, 0, 0]


def written(folder, text):
    """The path of a file with this text."""
    (folder / "written.csv").write_text(text)
    return folder / "written.csv"


HEAD = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Feedback comments"


def test_moodle_worksheet_changes_only_grade_and_comments(tmp_path):
    rows = [
        "Participant 11,Ann Lee,=ann@x.edu,Submitted,,10.00,Yes,",
        '"Participant 12","Bo ""B"" Li",+bo@x.edu,No submission,-,10.00,Yes,"old, and kept"',
        "Participant 13,-Cy,'cy@x.edu,Submitted,3,10.00,Yes,@old",
    ]
    given_file = tmp_path / "worksheet.csv"
    given_file.write_text("\ufeff" + "\r\n".join([HEAD, *rows]) + "\r\n", encoding="utf-8", newline="")
    sheets = [sheet(right=5), sheet("Cy", "13"), sheet("Di", "99")]
    filled = moodle_worksheet(sheets, given_file)
    assert (filled.missing, filled.absent) == (("Di",), ('Bo "B" Li',))
    before, after = table("\r\n".join([HEAD, *rows])), table(filled.text)
    changed = [(r, c) for r, row in enumerate(after) for c, cell in enumerate(row) if cell != before[r][c]]
    assert changed == [(1, 4), (1, 7), (3, 4), (3, 7)]
    assert [after[1][4], after[3][4]] == ["5", "10"], "on the scale of the worksheet"
    assert after[1][7].startswith("10 of 20 marks. generate_deck: 2.5 of 5; shuffle: 2.5 of 5; ")
    assert filled.note == "Marks are out of 20; the platform's table has them out of 10, its maximum."
    assert moodle_worksheet([sheet()], written(tmp_path, f"{HEAD}\n{rows[0].replace('10.00', '20')}")).note == ""


def test_known_columns_are_written_without_a_worksheet():
    (head, row) = table(moodle_worksheet([sheet("=Ann", right=5)]).text)
    assert head == ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    assert row[:4] == ["Participant 11", "'=Ann", "10", "20"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("Identifier,Full name\n", "has no column 'Grade', but Moodle writes one"),
        ("Student,ID,Project 1 (7)\n", "is a table of Canvas's, but the submissions are Moodle's export."),
        ("Identifier,Grade,Grade\n", "has 2 columns 'Grade'"),
        ("Identifier,Grade\nParticipant 11\n", "row 2 has 1 cells, but the first one has 2."),
        ('Identifier,Grade\n"x"y,3\n', "this isn't valid CSV"),
    ],
)
def test_invalid_worksheet_is_rejected(tmp_path, text, sentence):
    file = tmp_path / "worksheet.csv"
    file.write_text(text)
    with pytest.raises(KibitzError) as caught:
        moodle_worksheet([sheet()], file)
    assert sentence in str(caught.value)
    file.write_bytes(b"Identifier,Grade\nM\xfcller,3\n")
    with pytest.raises(NotationError, match="isn't UTF-8 text"):
        moodle_worksheet([sheet()], file)


def test_feedback_archive_has_the_folders_of_the_export():
    sheets = [sheet(), sheet("Bo", "12", "Li Bo_12_assignsubmission_file")]
    with zipfile.ZipFile(io.BytesIO(feedback_zip(sheets))) as archive:
        names = archive.namelist()
        assert names == [f"{one.entry.folder}/feedback.{kind}" for one in sheets for kind in ("html", "txt")]
        assert archive.read(names[1]).decode() == text_page(sheets[0])
    assert feedback_zip(sheets) == feedback_zip(sheets), "packing is deterministic"


CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Project 1 (12345),Project 2 (777),Final Score"


def test_canvas_gradebook_changes_only_one_column(tmp_path):
    rows = ["    Points Possible,,,,,40,10,(read only)", '"Lee, Ann",11,a1,ann,S1,,3,50', '"Li, Bo",12,a2,bo,S1,7,,']
    file = tmp_path / "grades.csv"
    file.write_text("\n".join([CANVAS, *rows]))
    before = table("\n".join([CANVAS, *rows]))
    for column in ("Project 1", "Project 1 (12345)"):
        filled = canvas_gradebook([sheet(right=5)], file, column)
        after = table(filled.text)
        changed = [(r, c) for r, row in enumerate(after) for c, cell in enumerate(row) if cell != before[r][c]]
        assert changed == [(2, 5)]
        assert after[2][5] == "20", "half of the points possible"
    with pytest.raises(
        KibitzError, match=r"with --column; columns of assignments: 'Project 1 \(12345\)', 'Project 2 \(777\)'"
    ):
        canvas_gradebook([sheet()], file)
    with pytest.raises(KibitzError, match="there is no single column 'Project 3'"):
        canvas_gradebook([sheet()], file, "Project 3")
    (head, points, row) = table(canvas_gradebook([sheet()]).text)
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "APS106, the cribbage lab"]
    assert (points[0], points[-1]) == ("    Points Possible", "20")
    assert (row[0], row[1], row[-1]) == ("Ann Lee", "11", "20")


def test_students_get_their_names_from_the_gradebook(tmp_path):
    write_files(
        tmp_path / "c",
        {f"leeann_11_9{i}_{name}.py": "def shuffle(deck):\n    return deck\n" for i, name in enumerate("xy")},
    )
    (tmp_path / "g.csv").write_text(f'{CANVAS}\n"    Points Possible",,,,,40,10,\n"Lee, Ann",11,a1,ann,S1,,3,50\n')
    names = gradebook_names(tmp_path / "g.csv")
    for student in ("11", "Lee, Ann", "leeann"):
        (entry,) = submissions(assignment("cribbage-lab"), tmp_path / "c", {student: "x.py"}, names).entries
        assert (entry.name, entry.sources.main) == ("Lee, Ann", "x.py")
    assert file_names(["Lee, Ann"]) == ["Lee, Ann"]


def test_plain_table_has_a_row_for_every_student():
    head, *rows = table(plain_csv([sheet(), sheet("Bo", why="No Python file found.")]))
    assert head[:5] == ["student", "id", "mark", "out of", "generate_deck"]
    assert [row[:4] for row in rows] == [["Ann Lee", "11", "20", "20"], ["Bo", "11", "0", "20"]]
    assert rows[1][head.index("note")] == "No Python file found."


@given(st.text(max_size=20).map(lambda text: text + "=1+1"), st.sampled_from("=+-@\t\r＝"))
def test_no_text_in_any_table_starts_a_formula(text, sign):
    odd = sheet(sign + text, why=sign + text)
    for written in (plain_csv([odd]), moodle_worksheet([odd]).text, canvas_gradebook([odd]).text):
        for row in table(written)[1:]:
            for cell in row:
                assert not cell.lstrip().startswith(("=", "+", "-", "@", "＝")) or float(cell) <= 0


class Tags(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self):
        super().__init__()
        self.found, self.attributes, self.texts = set(), set(), []

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        self.attributes |= {(tag, *pair) for pair in attributes}

    def handle_data(self, data):
        self.texts.append(data)


def tags(page):
    parser = Tags()
    parser.feed(page)
    parser.close()
    return parser


PLAIN = tags(html_page(sheet()))
NASTY = [
    "</pre><script>alert(1)</script>",
    "<img src=x onerror=y>",
    "&lt;b&gt;",
    "]]><!--",
    "\x1b[31mred",
    "\x00",
    "</title>",
]


@given(st.sampled_from(NASTY) | st.text(max_size=40))
def test_feedback_page_escapes_every_text(text):
    text = f"x{text}x"
    page = html_page(sheet(text, text=text, folder=text))
    parsed = tags(page)
    assert parsed.found <= PLAIN.found
    assert parsed.attributes == PLAIN.attributes
    assert not [c for c in page if not c.isprintable() and c not in "\n\t"]
    assert not [c for c in text_page(sheet(text, text=text)) if not c.isprintable() and c not in "\n\t"]


def test_feedback_page_loads_no_external_resources():
    usual = "html head meta style title body h1 h2 h3 p table tr th td dl dt dd pre"
    assert PLAIN.found <= set(usual.split())
    assert not {name for _, name, _ in PLAIN.attributes} & {"src", "href", "style", "onload", "action"}
    assert ("meta", "content", "default-src 'none'; style-src 'unsafe-inline'") in PLAIN.attributes


def test_file_names_are_safe_and_distinct():
    names = ["Ann", "ann", "../x", "a/b", "a\\b", "CON:", "", "x" * 300, "x" * 301, "Zoë Ng"]
    found = file_names(names)
    assert len({name.casefold() for name in found}) == len(names)
    assert not [name for name in found if set(name) & set('/\\:*?"<>|.') or len(name) > 90 or not name]
    assert found[-1] == "Zoë Ng"


@pytest.mark.parametrize("layout", ["moodle", "gradescope", "canvas", "folders", "player"])
def test_every_layout_has_its_own_files(layout):
    files, table = files_of([sheet(folder="submission_11")], layout)
    assert (table.missing, table.absent) == ((), ())
    more = {
        "moodle": {"moodle-worksheet.csv", "moodle-feedback.zip"},
        "canvas": {"canvas-gradebook.csv"},
        "gradescope": {"results/submission_11/results.json"},
    }
    assert set(files) == {"marks.csv", "feedback/Ann Lee.txt", "feedback/Ann Lee.html"} | more.get(layout, set())
