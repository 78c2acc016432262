"""Submissions in a folder: every student has an entry, whatever they handed in."""

import os
import zipfile

import pytest

from kibitz.errors import NotationError
from kibitz.marking.assignments import assignment
from kibitz.marking.marker import lookalikes, shown_names, submissions
from tests.marking.students import CLASS, hand_in

GO = assignment("go")
SOURCE = "def comp10001go_play(discard_history, player_no, hand):\n    return hand[0]\n"


def fill(folder, files):
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())


def reasons(found):
    return {entry.name: entry.why for entry in found.entries}


def test_every_student_in_a_moodle_export_has_a_submission(tmp_path):
    hand_in(tmp_path)
    found = submissions(GO, tmp_path / "Project 1")
    assert found.layout == "moodle"
    assert {f"{entry.name}_{entry.id}" for entry in found.entries} == set(CLASS)
    why = reasons(found)
    assert {name for name, reason in why.items() if reason} == {"Hugo Hugo", "Yilmaz Ida"}
    assert "'player.py' is listed in its archive as larger than 1 MiB" in why["Hugo Hugo"]
    assert why["Yilmaz Ida"] == "'report.pdf' isn't a Python file: submit a .py file."


def test_moodle_archive_gives_the_same_submissions(tmp_path):
    hand_in(tmp_path)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in sorted((tmp_path / "Project 1").rglob("*")):
            if path.is_file() and path.suffix != ".zip":
                archive.write(path, path.relative_to(tmp_path / "Project 1"))
    found = submissions(GO, tmp_path / "all.zip")
    assert found.layout == "moodle"
    assert {entry.id for entry in found.entries} == {name.split("_")[1] for name in CLASS} - {"1000008"}


def test_every_student_in_a_plain_folder_has_a_submission(tmp_path):
    files = {
        "Ann Lee/my game.py": SOURCE,
        "Bo/readme.txt": "nothing",
        "Cy/empty.py": "",
        "Di/deep/er/main.py": "from common import *\n" + SOURCE,
        "Di/deep/er/common.py": "x = 1\n",
        "ed.py": SOURCE + "import shared\n",
        "shared.py": "y = 2\n",
        "flo.py": "print('no function')\n",
        "Gus/one.py": SOURCE,
        "Gus/two.py": SOURCE,
        ".hidden/x.py": SOURCE,
    }
    fill(tmp_path, files)
    (tmp_path / "Hal").mkdir()
    (tmp_path / "Ivy").symlink_to(tmp_path / "Ann Lee")
    found = submissions(GO, tmp_path)
    why = reasons(found)
    assert set(why) == {"Ann Lee", "Bo", "Cy", "Di", "ed", "flo", "Gus", "Hal", "Ivy"}
    assert {name for name, reason in why.items() if not reason} == {"Ann Lee", "Cy", "Di", "ed", "flo"}
    assert why["Bo"] == "'readme.txt' isn't a Python file: submit a .py file."
    assert why["Hal"] == "No Python file found."
    assert "one.py and two.py both define comp10001go_play" in why["Gus"]
    assert why["Ivy"] == "'Ivy' is a link, which is not followed."
    assert [one.path for one in found.left_out] == [f"{tmp_path}/shared.py"]


def test_folder_is_a_class_even_if_only_one_student_has_a_function(tmp_path):
    fill(tmp_path, {"Ann/a.py": SOURCE, "Bo/b.py": "", "Cy/c.txt": "x"})
    found = submissions(GO, tmp_path)
    assert found.layout == "folders"
    assert list(reasons(found)) == ["Ann", "Bo", "Cy"]


def test_folder_without_functions_is_a_class_but_an_empty_one_is_rejected(tmp_path):
    with pytest.raises(NotationError, match="holds no player file"):
        submissions(GO, tmp_path)
    fill(tmp_path, {"Ann/a.py": "", "Bo/b.py": ""})
    assert list(reasons(submissions(GO, tmp_path))) == ["Ann", "Bo"]
    with pytest.raises(NotationError):
        submissions(GO, tmp_path / "nowhere")


def test_single_file_or_folder_is_one_submission(tmp_path):
    fill(tmp_path, {"solo/mine.py": f"import common\n{SOURCE}", "solo/common.py": "x = 1\n"})
    assert submissions(GO, tmp_path / "solo" / "mine.py").layout == "player"
    assert submissions(GO, tmp_path / "solo").layout == "player"


def test_gradescope_and_canvas_exports_are_recognised(tmp_path):
    fill(tmp_path / "g", {"submission_1/a.py": SOURCE, "submission_2/b.txt": "x", "submission_metadata.yml": METADATA})
    found = submissions(GO, tmp_path / "g")
    assert found.layout == "gradescope"
    assert reasons(found) == {"Ann Lee": "", "Bo Li": "'b.txt' isn't a Python file: submit a .py file."}
    fill(tmp_path / "c", {"leeann_11_22_mine.py": SOURCE, "libo_LATE_12_23_b.py": "", "licy_13_24_c.zip": b"no zip"})
    found = submissions(GO, tmp_path / "c")
    assert found.layout == "canvas"
    assert {entry.id: bool(entry.why) for entry in found.entries} == {"11": False, "12": False, "13": True}


METADATA = "submission_1:\n  :submitters:\n  - :name: Ann Lee\nsubmission_2:\n  :submitters:\n  - :name: Bo Li\n"


def test_students_with_equal_names_are_told_apart(tmp_path):
    fill(tmp_path, {f"Lee Ann_{n}_assignsubmission_file/a.py": SOURCE for n in (1, 2)})
    assert shown_names(submissions(GO, tmp_path).entries) == ["Lee Ann (1)", "Lee Ann (2)"]


def test_messages_and_names_do_not_reveal_the_class_path(tmp_path):
    large = b"#" * ((1 << 20) + 1)
    fill(tmp_path, {"Ann/a.py": SOURCE, "Ann.py": SOURCE, "Big.py": large, "Huge/a.py": large, "Zip.zip": b"no zip"})
    fill(
        tmp_path,
        {"Two/a.py": SOURCE, "Two/b.py": SOURCE, "In/a.zip": b"no zip", "Odd/a\x07.py": SOURCE, "No/a.txt": "x"},
    )
    (tmp_path / "Link.py").symlink_to(tmp_path / "Ann.py")
    os.mkfifo(tmp_path / "Pipe.py")
    entries = submissions(GO, tmp_path).entries
    assert " ".join(sorted(entry.name for entry in entries if entry.why)) == "Big Huge In Link No Odd Pipe Two Zip"
    assert str(tmp_path) not in " ".join([*(entry.why for entry in entries), *shown_names(entries)])


def test_lookalike_names_are_told_apart_with_a_warning(tmp_path):
    fill(tmp_path / "a", {f"{name}/a.py": SOURCE for name in ("Ann", "\u0410nn", "Ben", "ben")})
    fill(tmp_path / "b", {f"{name}_assignsubmission_file_/a.py": SOURCE for name in ("Ann Lee_1", "\u0410nn Lee_2")})
    entries = submissions(GO, tmp_path / "a").entries
    assert shown_names(entries) == ["Ann (Ann)", "Ben (Ben)", "ben (ben)", "\u0410nn (\\u0410nn)"]
    assert lookalikes(entries) == [
        "'ben' (ben) looks like 'Ben': these are two submissions.",
        "'\u0410nn' (\\u0410nn) looks like 'Ann': these are two submissions.",
    ]
    assert shown_names(submissions(GO, tmp_path / "b").entries) == ["Ann Lee (1)", "\u0410nn Lee (2)"]
    assert lookalikes(submissions(GO, tmp_path / "b").entries)
