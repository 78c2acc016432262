"""What changes a mark besides the cases: deadlines, extensions and a tutor's overrides."""

import csv
import io
from datetime import datetime, timedelta

import pytest

from kibitz.errors import NotationError
from kibitz.marking.adjustments import (
    Adjustment,
    adjustment_notes,
    adjustments,
    choices_of,
    read_overrides,
)
from kibitz.marking.assignments import assignment, read_plan
from kibitz.marking.deadlines import deadline_text, read_deadline, time_in, without_deadline
from kibitz.marking.feedback import FeedbackSheet, text_page
from kibitz.marking.marker import submissions
from kibitz.marking.platforms import plain_csv
from kibitz.marking.results import FunctionOutcome, SubmissionResult
from tests.players.class_of import write_files
from tests.players.conftest import HONEST

GO = assignment("go")
DEADLINE = """
[deadline]
due = 2026-10-16T17:00:00
grace = 15
per_day = 10
most = 25
[deadline.extensions]
"2" = 2026-10-20T17:00:00
"Oz Cem" = 2026-10-21
"""
HEAD = "Identifier,Full name,Last modified (submission)\n"


def read(folder, name, text, reader):
    """The result of ``reader`` for a file with this text."""
    (folder / name).write_text(text)
    return reader(folder / name)


def days(folder, submitted, id="1", name="Ann"):
    """How many days late a submission is by ``DEADLINE``."""
    (folder / "class").mkdir(exist_ok=True)
    write_files(folder / "class", {f"{name}_{id}_assignsubmission_file/x.py": HONEST})
    (entry,) = submissions(GO, folder / "class").entries
    return read(folder, "marks.toml", DEADLINE, read_deadline).days_late(entry, datetime.fromisoformat(submitted))


@pytest.mark.parametrize(
    ("submitted", "late"),
    [
        ("2026-10-16T16:00", 0),
        ("2026-10-16T17:15", 0),
        ("2026-10-16T17:16", 1),
        ("2026-10-17T17:00", 1),
        ("2026-10-17T17:01", 2),
        ("2026-10-17T17:01+11:00", 2),
    ],
)
def test_days_late_count_from_the_due_date_after_the_grace_period(tmp_path, submitted, late):
    assert days(tmp_path, submitted) == late


@pytest.mark.parametrize(("id", "name"), [("2", "Bob"), ("3", "Oz Cem")])
def test_extension_applies_by_number_or_name(tmp_path, id, name):
    assert days(tmp_path, "2026-10-19T12:00", id, name) == 0


def test_penalty_is_capped(tmp_path):
    deadline = read(tmp_path, "marks.toml", DEADLINE, read_deadline)
    assert [deadline.late_penalty(late) for late in range(5)] == [0, 0.1, 0.2, 0.25, 0.25]


def test_a_deadline_survives_being_written_and_read(tmp_path):
    deadline = read(tmp_path, "marks.toml", DEADLINE, read_deadline)
    assert read(tmp_path, "again.toml", deadline_text(deadline), read_deadline) == deadline


@pytest.mark.parametrize("text", ["deadline.due = 2026-10-16\n", "deadline = { due = 2026-10-16 }\nhidden = 3\n"])
def test_only_a_deadline_with_a_header_can_be_removed(text):
    assert without_deadline(f"hidden = 3  # a few\n{DEADLINE}[rubric]\nstyle = 2\n").split() == [
        *("hidden", "=", "3", "#", "a", "few", "[rubric]", "style", "=", "2"),
    ]
    with pytest.raises(NotationError, match=r"write its settings below a line \[deadline\]"):
        without_deadline(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[deadline]\nper_day = 5", "deadline needs due"),
        ("[deadline]\ndue = 5", "due must be a time such as"),
        ('[deadline]\ndue = "2026-13-40"', "such as 2026-10-16T17:00:00, without quotes, not '2026-13-40'"),
        ("[deadline]\ndue = 17:00:00", "not '17:00:00'"),
        ("[deadline]\ndue = 9999-12-31", "due must be a time .* not '9999-12-31'"),
        ("[deadline]\ndue = 2026-10-16\nper_dya = 5", "did you mean 'per_day'?"),
        ("[deadline]\ndue = 2026-10-16\nper_day = 0.1", "per_day is in per cent: write 10 for 10%"),
        ("[deadline]\ndue = 2026-10-16\nper_day = 500", "per_day must be a number from 0 to 100"),
        ("deadline = 3", "deadline must be a table"),
    ],
)
def test_invalid_deadline_is_rejected(tmp_path, text, why):
    with pytest.raises(NotationError, match=why):
        read(tmp_path, "marks.toml", text, read_deadline)


@pytest.mark.parametrize(
    "words",
    [
        "Friday, 16 October 2026, 5:03 PM",
        "16 October 2026, 5:03 PM",
        "16/10/26, 17:03",
        "2026-10-16 17:03",
        "2026-10-16T17:03:00",
    ],
)
def test_platform_time_formats_are_read(words):
    assert time_in(words) == datetime(2026, 10, 16, 17, 3)


def test_time_in_reads_an_offset_and_returns_none_for_non_times():
    assert time_in("2026-10-16 17:03:00 +1100").utcoffset() == timedelta(hours=11)
    assert time_in("-") is None
    assert time_in("") is None


def test_submission_times_come_from_worksheet_or_gradescope_metadata(tmp_path):
    (tmp_path / "marks.toml").write_text(DEADLINE)
    write_files(tmp_path / "m", {f"Ann_{n}_assignsubmission_file/x.py": HONEST for n in (1, 9)})
    (tmp_path / "w.csv").write_text(f'{HEAD}Participant 1,Ann,"Sunday, 18 October 2026, 9:00 AM"\nParticipant 9,Bo,-\n')
    found_submissions = submissions(GO, tmp_path / "m")
    found = adjustments(found_submissions, tmp_path / "m", (), tmp_path / "marks.toml", tmp_path / "w.csv")
    assert [(one.days_late, one.late_share) for one in found] == [(2, 0.2), (None, 0.0)]
    metadata = "submission_1:\n  :created_at: 2026-10-17 09:00:00.12 +1100\n  :submitters:\n  - :name: Ann\n"
    write_files(tmp_path / "g", {"submission_1/x.py": HONEST, "submission_metadata.yml": metadata})
    found_submissions = submissions(GO, tmp_path / "g")
    assert [one.days_late for one in adjustments(found_submissions, tmp_path / "g", (), tmp_path / "marks.toml")] == [1]


def test_gradescope_students_are_found_by_their_own_number_too(tmp_path):
    metadata = "".join(
        f"submission_{n}:\n  :created_at: 2026-10-19 09:00:00\n  :submitters:\n"
        + "".join(f"  - :name: {name}\n    :sid: '{sid}'\n" for name, sid in students)
        for n, students in {501: [("Ann", "2")], 502: [("Bo", "3"), ("Cy", "4")]}.items()
    )
    write_files(tmp_path / "g", {f"submission_{n}/{f}.py": HONEST for n in (501, 502) for f in "xy"})
    write_files(tmp_path / "g", {"submission_metadata.yml": metadata})
    (tmp_path / "marks.toml").write_text(DEADLINE)
    overrides = read(tmp_path, "o.csv", "student,file,mark\n2,x.py,\n4,y.py,7\n", read_overrides)
    found_submissions = submissions(GO, tmp_path / "g", choices_of(overrides))
    assert [(one.id, one.name, one.sources.main) for one in found_submissions.entries] == [
        ("2", "Ann", "x.py"),
        ("502", "Bo, Cy", "y.py"),
    ]
    found = adjustments(found_submissions, tmp_path / "g", overrides, tmp_path / "marks.toml")
    assert [(one.days_late, one.mark) for one in found] == [(0, None), (3, 7)]
    assert adjustment_notes(found_submissions, found, tmp_path / "marks.toml")[-1].endswith(
        "deadline for Oz Cem, but there is no such submission."
    )


def sheet(**changes):
    """A sheet that earns half of all marks, with this adjustment."""
    plan = read_plan(GO, None, only=["comp10001go_play", "comp10001go_group"], hidden=4)
    outcomes = (FunctionOutcome("comp10001go_play", 4, 4, 1, 1), FunctionOutcome("comp10001go_group", 0, 4, 1, 1))
    laid_entry = submissions(GO, changes.pop("path")).entries[0]
    return FeedbackSheet("Ann", laid_entry, plan, SubmissionResult(outcomes), Adjustment(**changes))


def test_marks_before_and_after_the_penalty_have_separate_columns(tmp_path):
    write_files(tmp_path, {"x.py": HONEST})
    late = sheet(
        path=tmp_path / "x.py", submitted="2026-10-18 09:00", due="2026-10-16 17:00", days_late=2, late_share=0.2
    )
    (row,) = csv.DictReader(io.StringIO(plain_csv([late])))
    assert [row[name] for name in ("mark", "before penalty", "penalty", "days late")] == ["30", "50", "20", "2"]
    assert "2 days late (due 2026-10-16 17:00): 20 marks deducted from 50." in text_page(late)
    assert sheet(path=tmp_path / "x.py", days_late=9, late_share=0.9).mark == 0


def test_tutor_mark_and_comment_replace_the_computed_mark(tmp_path):
    write_files(tmp_path, {"x.py": HONEST})
    own = sheet(
        path=tmp_path / "x.py",
        days_late=2,
        late_share=0.2,
        mark=44.0,
        comment="Talked on Monday.",
        rubric={"style": (1.0, 2.0)},
    )
    assert "Style" not in text_page(own), "its points aren't in the mark"
    assert (own.mark, own.penalty) == (44, 0)
    assert "late" not in text_page(own)
    assert "The mark was set by hand.\n  Talked on Monday." in text_page(own)


def test_override_chooses_a_file_and_unknown_files_are_reported(tmp_path):
    write_files(tmp_path / "c", {f"{name}/{file}.py": HONEST for name in ("Ann", "Bob") for file in ("old", "new")})
    overrides = read(tmp_path, "o.csv", "student;file;mark;comment\nAnn;new.py;;\nBob;none.py;7,5;\n", read_overrides)
    found_submissions = submissions(GO, tmp_path / "c", choices_of(overrides))
    ann, bob = found_submissions.entries
    assert ann.sources.main == "new.py"
    assert [str(one) for one in ann.left_out] == [f"{tmp_path}/c/Ann/old.py: another file was chosen"]
    assert bob.why == "'none.py' was chosen, but isn't in the submission, which has new.py and old.py."
    assert adjustments(found_submissions, tmp_path / "c", overrides)[1].mark == 7.5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name,mark\nAnn,3\n", "needs a first line"),
        ("student,points\nAnn,3\n", "unknown column in .*: 'points'"),
        ("student,mark\nAnn,many\n", "line 2: the mark must be a number"),
        ("student,mark\nAnn,nan\n", "line 2: the mark must be a number"),
        ("student,mark\n,3\n", "line 2: the student is missing"),
        ("mark,student\n3\n", "line 2: the student is missing"),
        ("student,mark\nAnn,-3\n", "isn't negative, not '-3'"),
        ("student,comment\nAnn,Late, but ill\n", "line 2 has 3 cells for 2 columns: put a text with a comma in quotes"),
        ("student,student\nAnn,Bob\n", "names a column twice"),
        ("student,mark\nAnn,3\nAnn,4\n", "line 3: Ann appears twice"),
        ("student,mark\nZoe,3\n", "line 2: there is no submission by 'Zoe'"),
    ],
)
def test_invalid_overrides_are_rejected(tmp_path, text, why):
    write_files(tmp_path / "c", {"Ann/x.py": HONEST, "Bob/x.py": HONEST})
    with pytest.raises(NotationError, match=why):
        adjustments(
            submissions(GO, tmp_path / "c"),
            tmp_path / "c",
            read(tmp_path, "o.csv", text, read_overrides),
        )


def test_file_chosen_for_a_single_file_submission_must_exist(tmp_path):
    write_files(tmp_path, {"Ann.py": HONEST, "Bob.py": HONEST})
    ann, bob = submissions(GO, tmp_path, {"Ann": "none.py", "Bob": "Bob.py"}).entries
    assert ann.why == "'none.py' was chosen, but the submission has only Ann.py."
    assert bob.sources is not None


def test_unused_deadline_and_extensions_are_noted(tmp_path):
    (tmp_path / "marks.toml").write_text(DEADLINE)
    write_files(tmp_path / "c", {"Oz Cem.py": HONEST, "Bob.py": HONEST})
    found_submissions = submissions(GO, tmp_path / "c")
    found = adjustments(found_submissions, tmp_path / "c", (), tmp_path / "marks.toml")
    assert adjustment_notes(found_submissions, found, tmp_path / "marks.toml") == [
        "No time is known for 2 submissions (Bob; Oz Cem), so the deadline doesn't apply to them: times come from "
        "Moodle's worksheet (--worksheet) or Gradescope's export.",
        f"{tmp_path}/marks.toml extends the deadline for 2, but there is no such submission.",
    ]
    assert adjustment_notes(found_submissions, found, None) == []


def test_note_asks_the_tutor_to_choose_among_undated_files(tmp_path):
    write_files(tmp_path, {f"Ann_1_assignsubmission_file/{file}.py": HONEST for file in ("old", "new")})
    found_submissions = submissions(GO, tmp_path)
    assert adjustment_notes(found_submissions, [Adjustment()], None) == [
        "1 submission (Ann 1) has several files, and it is unclear which is the newest. Name the file to mark in "
        "overrides.csv (columns student, file)."
    ]


def test_canvas_submission_uses_the_latest_file(tmp_path):
    write_files(tmp_path, {"leeann_1_500_old.py": HONEST, "leeann_1_700_new.py": HONEST, "ozcem_2_600_x.py": HONEST})
    ann, oz = submissions(GO, tmp_path).entries
    assert ann.sources.main == "new.py"
    assert [one.why for one in ann.left_out] == ["new.py was submitted later"]
    assert oz.sources.main == "x.py"


def test_late_canvas_submissions_are_named(tmp_path):
    (tmp_path / "marks.toml").write_text(DEADLINE)
    write_files(tmp_path / "c", {"leeann_1_500_go.py": HONEST, "ozcem_LATE_2_600_go.py": HONEST})
    found_submissions = submissions(GO, tmp_path / "c")
    _, late, *_ = adjustment_notes(found_submissions, [Adjustment()] * 2, tmp_path / "marks.toml")
    assert late == (
        "Canvas marks 1 submission (ozcem 2) as late, but doesn't say how late: deduct the penalty by setting marks "
        "in overrides.csv (columns student, mark)."
    )
