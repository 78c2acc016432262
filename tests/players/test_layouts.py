"""Exports of learning platforms: recognising the platform and the owner of each path."""

import pytest

from kibitz.players.files.entries import gradescope_submissions, platform_of, with_original_names

MOODLE = "Lee Ann_1234567_assignsubmission_file"


@pytest.mark.parametrize(
    ("paths", "layout"),
    [
        ([f"{MOODLE}/player.py"], "moodle"),
        ([f"{MOODLE}_player.py", "readme.txt"], "moodle"),
        (["submission_12/player.py", "submission_13/player.py"], "gradescope"),
        (["submission_12/player.py", "other/player.py"], None),
        (["other/player.py", "submission_metadata.yml"], "gradescope"),
        (["leeann_12345_67890_player.py", "ozcem_LATE_12346_67891_player.zip"], "canvas"),
        (["leeann_12345_67890_player.py", "player.py"], None),
        (["leeann_12345_67890_notes.txt"], None),
        (["ann/player.py", "ben/player.py"], None),
        ([], None),
    ],
)
def test_export_is_recognised_by_its_file_names(paths, layout):
    assert platform_of(paths) == layout


def test_resubmitted_file_gets_its_original_name_unless_two_would_clash():
    assert with_original_names({"x-1.py": b"1", "y-12.py": b"2", "z-1.txt": b"3"}) == {
        "x.py": b"1",
        "y.py": b"2",
        "z-1.txt": b"3",
    }
    assert with_original_names({"x-1.py": b"1", "x.py": b"2"}) == {"x-1.py": b"1", "x.py": b"2"}


def student(*names):
    return "\n".join(f"  - :name: {name}" for name in names)


def test_gradescope_submission_names_up_to_three_students():
    text = (
        f"submission_1:\n  :submitters:\n{student('Ann')}\n"
        f"submission_2:\n  :submitters:\n{student('Ann', 'Ben', 'Cem')}\n"
        f"submission_3:\n  submitters:\n{student('Ann', 'Ben', 'Cem', 'Dot', 'Eve')}\n"
        f"submission_4:\n  :submitters: []\n"
        f"other:\n  :submitters:\n{student('Fay')}\n"
        f"submission_5: nothing\n"
        f"submission_6:\n  :submitters:\n  - :email: x\n"
    )
    names = {number: one.name for number, one in gradescope_submissions(text.encode()).items() if one.name}
    assert names == {"1": "Ann", "2": "Ann, Ben, Cem", "3": "Ann, Ben, Cem and 2 more"}
    for damaged in (b"", b"- a\n", b"\xff\xfe\x00", b"a: [", b"? {a: b}\n: c\n"):
        assert gradescope_submissions(damaged) == {}
