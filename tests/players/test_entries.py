"""Reading players from a path: single players, classes, owners, and files left out with reasons."""

import os
import shutil

import pytest

from kibitz.errors import NotationError
from kibitz.players.files.entries import player_at, players_in
from tests.players.class_of import COMMON, HELPED, ONE, SEVERAL, archive, in_folder, write_files
from tests.players.conftest import HONEST

WANTED = ("comp10001go_play", "comp10001go_group")


def files(entry):
    return dict(entry.sources.files)


def summary(found):
    return {entry.name: entry.sources and (entry.sources.main, *entry.sources.helpers) for entry in found.entries}


@pytest.fixture(params=["folder", "archive", "archive of a folder", "nested"])
def several(request, tmp_path):
    """A player of several files, in every form of submission."""
    if request.param == "folder":
        return write_files(tmp_path / "ann", SEVERAL)
    inner = {"archive": SEVERAL, "archive of a folder": in_folder("work", SEVERAL)}
    if request.param == "nested":
        return write_files(tmp_path / "ann", {"again/work.zip": archive(in_folder("deep down", SEVERAL))})
    path = tmp_path / "ann.zip"
    path.write_bytes(archive(inner[request.param]))
    return path


def test_player_of_several_files_is_named_after_its_folder_or_archive(several):
    found = player_at(several, WANTED)
    assert found.name == "ann"
    assert (found.sources.main, *found.sources.helpers) == ("player.py", "common.py", "tools/deep.py")
    assert files(found)["common.py"] == COMMON.encode()
    inside = players_in(several, WANTED)
    assert [entry.name for entry in inside.entries] == ["ann"]
    assert inside.entries[0].sources == found.sources
    assert found.sources.sha256 == player_at(several, WANTED).sources.sha256


def test_file_gets_only_the_helpers_that_it_imports(tmp_path):
    write_files(tmp_path, {**SEVERAL, "unused.py": "x = 1", "ben.py": HONEST, "notes.txt": "hello"})
    found = player_at(tmp_path / "player.py", WANTED)
    assert found.name == "player"
    assert found.sources.helpers == ("common.py", "tools/deep.py")
    assert player_at(tmp_path / "ben.py", WANTED).sources.helpers == ()


def test_imported_player_is_not_a_helper_and_is_reported(tmp_path):
    write_files(tmp_path, {"ann.py": "from ben import *\n" + HONEST, "ben.py": HONEST})
    found = player_at(tmp_path / "ann.py", WANTED)
    assert found.sources.helpers == ()
    assert [str(left) for left in found.left_out] == [
        f"{tmp_path}/ben.py: ann.py imports it, but it is a player itself"
    ]


def test_class_folder_may_hold_files_folders_and_archives(tmp_path):
    zipped = archive(SEVERAL)
    everybody = {
        "ann.py": HONEST,
        "ben.py": HELPED,
        "common.py": COMMON,
        "tools/deep.py": SEVERAL["tools/deep.py"],
        "eve.zip": zipped,
        **in_folder("Cem Öz", SEVERAL),
        **in_folder("Dan/final/version 2", SEVERAL),
        **in_folder("tutorial 3/Fay", ONE),
        **in_folder("tutorial 3/Gus", ONE),
        **in_folder("Hal", {"x.py": "pass\n"}),
        "__MACOSX/._ann.py": "junk",
        ".git/hooks/x.py": HONEST,
        "report.pdf": b"%PDF",
    }
    found = players_in(write_files(tmp_path / "class", everybody), WANTED)
    several = ("player.py", "common.py", "tools/deep.py")
    assert found.layout == "folders"
    assert summary(found) == {
        "ann": ("ann.py",),
        "ben": ("ben.py", "common.py", "tools/deep.py"),
        "Cem Öz": several,
        "Dan": several,
        "eve": several,
        "Fay": ("player.py",),
        "Gus": ("player.py",),
        "Hal": ("x.py",),
        "report": None,
    }
    left = {os.path.relpath(one.path, tmp_path / "class"): one.why for one in found.left_out}
    none = "defines no comp10001go_play or comp10001go_group"
    assert left["common.py"] == f"it {none}, but ben imports it"
    assert left["tools"] == f"it {none}, but ben imports it"
    assert set(left) == {"common.py", "tools"}


MOODLE = {
    "Öz Cem_1234567_assignsubmission_file/my player.py": HONEST,
    "Lee Ann_1234568_assignsubmission_file_/work.zip": archive(in_folder("work", SEVERAL)),
    "Two Ways_1234569_assignsubmission_file/a.py": HONEST,
    "Two Ways_1234569_assignsubmission_file/b.py": HONEST,
    "Flat Fay_1234570_assignsubmission_file_player.py": HONEST,
}
SUBMITTERS = """---
submission_101:
  :submitters:
  - :name: Ann Lee
    :sid: '17'
    :email: ann@example.org
  - :name: Ben Oz
  :created_at: 2026-03-01 10:00:00.000000000 +11:00
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess {score: 3}
submission_102:
  :submitters:
  - :name: Cem Öz
"""
GRADESCOPE = {
    "submission_metadata.yml": SUBMITTERS,
    **in_folder("submission_101", SEVERAL),
    **in_folder("submission_102", ONE),
    **in_folder("submission_103", ONE),
}
CANVAS = {
    "leeann_11_901_player-2.py": HELPED,
    "leeann_11_902_common.py": COMMON,
    "leeann_11_903_tools.zip": archive({"deep.py": "x = 1\n"}),
    "ozcem_LATE_12_904_go.py": HONEST,
    "twoways_13_905_a.py": HONEST,
    "twoways_13_906_b.py": HONEST,
}
PLATFORMS = {
    "moodle": (
        MOODLE,
        {
            ("1234567", "Öz Cem", "Öz Cem_1234567_assignsubmission_file"): ("my player.py",),
            ("1234568", "Lee Ann", "Lee Ann_1234568_assignsubmission_file_"): (
                "player.py",
                "common.py",
                "tools/deep.py",
            ),
            ("1234569", "Two Ways", "Two Ways_1234569_assignsubmission_file"): None,
            ("1234570", "Flat Fay", "Flat Fay_1234570_assignsubmission_file"): ("player.py",),
        },
    ),
    "gradescope": (
        GRADESCOPE,
        {
            ("101", "Ann Lee, Ben Oz", "submission_101"): ("player.py", "common.py", "tools/deep.py"),
            ("102", "Cem Öz", "submission_102"): ("player.py",),
            ("103", "submission_103", "submission_103"): ("player.py",),
        },
    ),
    "canvas": (
        CANVAS,
        {
            ("11", "leeann", "leeann_11_901"): ("player.py", "common.py"),
            ("12", "ozcem", "ozcem_LATE_12_904"): ("go.py",),
            ("13", "twoways", "twoways_13_905"): ("b.py",),
        },
    ),
}


@pytest.mark.parametrize("layout", PLATFORMS)
@pytest.mark.parametrize("form", ["folder", "archive", "folder within", "archive of a folder"])
def test_platform_exports_are_recognised(tmp_path, layout, form):
    uploads, expected = PLATFORMS[layout]
    inner = in_folder("assignment_1_export", uploads) if "of a" in form or "within" in form else uploads
    path = tmp_path / "down load"
    if form.startswith("archive"):
        path = tmp_path / "download.zip"
        path.write_bytes(archive(inner))
    else:
        write_files(path, inner)
    found = players_in(path, WANTED)
    assert found.layout == layout
    seen = {
        (entry.id, entry.name, entry.folder): entry.sources
        and tuple(name for name in (entry.sources.main, *entry.sources.helpers) if "zip/" not in name)
        for entry in found.entries
    }
    assert seen == expected
    for entry in found.entries:
        assert bool(entry.why) == (entry.sources is None)
        assert not entry.why or entry.why == "a.py and b.py both define comp10001go_group: keep only one."


@pytest.mark.parametrize(
    "metadata", [b"", b"- 1\n- 2\n", b"a: [", b"\xff\xfe\x00", b"a: &a [*a]\n", b"x: !!python/object:os.system {}\n"]
)
def test_damaged_metadata_loses_only_the_names(tmp_path, metadata):
    write_files(tmp_path, {**GRADESCOPE, "submission_metadata.yml": metadata})
    found = players_in(tmp_path, WANTED)
    assert [entry.name for entry in found.entries] == ["submission_101", "submission_102", "submission_103"]


WHOLE, PLAY, GROUP = HONEST, *(f"def {part}" for part in HONEST.split("def ")[1:])


@pytest.mark.parametrize(
    ("uploads", "main"),
    [
        ({"a.py": WHOLE, "b.py": f"'''\n{WHOLE}'''\n"}, "a.py"),
        (
            {
                "a.py": "# " + WHOLE.strip().replace("\n", "\n# "),
                "b.py": "comp10001go_play = comp10001go_group = len\n",
            },
            "b.py",
        ),
        ({"test_a.py": "from a import comp10001go_play\n", "a.py": WHOLE}, "a.py"),
        ({"a.py": 'print "hello"\n' + WHOLE}, "a.py"),
        ({"a.py": WHOLE.replace("\n", "\r\n")}, "a.py"),
        ({"a.py": WHOLE.encode("utf-16")}, "a.py"),
        ({"a.py": b"\xef\xbb\xbf" + WHOLE.strip().encode()}, "a.py"),
        ({"a.py": b"# caf\xe9\n" + WHOLE.encode()}, "a.py"),
        ({"a.py": GROUP}, "a.py"),
    ],
)
def test_file_that_defines_the_functions_is_found(tmp_path, uploads, main):
    assert player_at(write_files(tmp_path / "ann", uploads), WANTED).sources.main == main


@pytest.mark.parametrize(
    ("uploads", "why"),
    [
        ({"a.py": WHOLE, "b.py": WHOLE}, "a.py and b.py both define comp10001go_group: keep only one"),
        ({**ONE, "random.py": "x = 1", "b.py": "import random"}, "would hide Python's own module random"),
        ({**ONE, **{f"m{n}.py": "" for n in range(100)}}, "up to 100 Python files, at most 1 MiB in total"),
    ],
)
def test_folder_that_is_not_a_player_is_rejected(tmp_path, uploads, why):
    with pytest.raises(NotationError) as caught:
        player_at(write_files(tmp_path / "ann", uploads), WANTED)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_files_that_are_not_modules_are_left_out(tmp_path):
    found = player_at(
        write_files(tmp_path / "ann", {**ONE, "my helper.py": "", "random.py": "", "other/x.py": ""}), WANTED
    )
    assert found.sources.helpers == ("other/x.py",)
    assert {os.path.basename(left.path) for left in found.left_out} == {"my helper.py", "random.py"}


def test_unreadable_file_does_not_affect_other_players(tmp_path):
    write_files(tmp_path, {"ann.py": HONEST, "ben.py": "#" * (1 << 21), "cem.zip": b"damaged", "dan.py": HONEST})
    (tmp_path / "eve.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "fay.py")
    (tmp_path / "gu\ns.py").write_text(HONEST)
    found = players_in(tmp_path, WANTED)
    assert [entry.name for entry in found.entries if entry.sources] == ["ann", "dan"]
    whys = {entry.name: entry.why for entry in found.entries if entry.why}
    assert "larger than 1 MiB" in whys["ben"]
    assert "read as a ZIP archive" in whys["cem"]
    assert "is a link" in whys["eve"]
    assert "isn't a regular file" in whys["fay"]
    assert "an unprintable character" in whys["gu\ns"]
    assert all(why.isprintable() for why in whys.values())


def test_folder_without_players_is_rejected(tmp_path):
    with pytest.raises(NotationError, match=r"holds no player file: no .py file or notebook is in it"):
        players_in(tmp_path, WANTED)
    write_files(tmp_path, {"x.txt": "pass"})
    with pytest.raises(NotationError, match=r"no .py file or notebook is in it"):
        players_in(tmp_path, WANTED)


EXPORTS = {
    "moodle": ({**in_folder("Lee Ann_11_assignsubmission_file", ONE)}, "Poe Bo_12_assignsubmission_file/"),
    "canvas": ({"leeann_11_101_player.py": HONEST}, "Poe Bo_12_102_"),
    "gradescope": ({**in_folder("submission_11", ONE)}, "submission_12/"),
}


@pytest.mark.parametrize("layout", EXPORTS)
@pytest.mark.parametrize("packed", [False, True])
def test_participant_without_python_is_listed_with_the_reason(tmp_path, layout, packed):
    files, start = EXPORTS[layout]
    write_files(tmp_path / "class", {**files, f"{start}report.pdf": b"%PDF"})
    if layout != "canvas":
        (tmp_path / "class" / start.replace("12", "13")).mkdir()
    place = tmp_path / "class"
    if packed:
        shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "class")
        place = tmp_path / "all.zip"
    found = players_in(place, WANTED)
    assert found.layout == layout
    why = {"12": "'report.pdf' isn't a Python file: submit a .py file.", "13": "No Python file found."}
    if layout == "canvas":
        del why["13"]
    assert {one.id: one.why for one in found.entries if one.sources is None} == why
    assert [one.id for one in found.entries if one.sources] == ["11"]


def test_class_folder_without_python_is_listed_with_the_reason(tmp_path):
    write_files(tmp_path / "class", {"ann.py": HONEST, "zoe.py": HONEST, **in_folder("Bo", {"report.pdf": b"%PDF"})})
    (tmp_path / "class" / "Cy" / "deep").mkdir(parents=True)
    found = players_in(tmp_path / "class", WANTED)
    assert {one.name: one.why for one in found.entries} == {
        "ann": "",
        "zoe": "",
        "Bo": "'report.pdf' isn't a Python file: submit a .py file.",
        "Cy": "No Python file found.",
    }


def test_long_list_of_files_without_python_is_shortened(tmp_path):
    write_files(
        tmp_path / "class", {"ann.py": HONEST, "zoe.py": HONEST, **in_folder("Bo", dict.fromkeys("abcde", b"x"))}
    )
    (why,) = (one.why for one in players_in(tmp_path / "class", WANTED).entries if one.name == "Bo")
    assert why == "'a', 'b', 'c' and 2 more aren't Python files: submit a .py file."


def test_every_file_that_is_not_a_player_is_listed_with_the_reason(tmp_path):
    name = "isn't a Python file: its name should end in .py, or .zip for an archive."
    broken = {
        "Cat": name,
        "Dee.py.txt": name,
        "Eve.pyw": name,
        "Ida Word.docx": name,
        "Kim.tar.gz": name,
        "Lou.7z": name,
        "Rob Note.ipynb": "isn't a notebook: its JSON is damaged. Save it again in Jupyter.",
    }
    files = dict.fromkeys(broken, HONEST)
    tables = {"roster.csv": "x", "README.txt": "x", "marks.toml": "x"}
    write_files(tmp_path, {**files, **tables, "Ann.py": HONEST, "Bob.PY": HONEST, ".DS_Store": "x"})
    found = players_in(tmp_path, WANTED)
    assert {os.path.basename(one.path): one.why for one in found.entries if one.why} == {
        path: f"{path!r} {why}" for path, why in broken.items()
    }
    assert summary(found) == {"Ann": ("Ann.py",), "Bob": ("Bob.py",)} | dict.fromkeys(
        ["Cat", "Dee", "Eve", "Ida Word", "Kim", "Lou", "Rob Note"]
    )
    assert {os.path.basename(one.path) for one in found.left_out} == {*tables}


def test_names_that_differ_only_in_extension_case_are_rejected(tmp_path):
    write_files(tmp_path, {"Ann.py": HONEST, "Bob.PY": HONEST, "Bob.py": HONEST})
    whys = {one.name: one.why for one in players_in(tmp_path, WANTED).entries}
    assert whys == {"Ann": "", "Bob": "'Bob.py' appears twice, apart from capital letters: keep only one."}


@pytest.mark.parametrize(
    ("beside", "names"),
    [
        ({"Hen.ipynb": "{}"}, ["Ada", "Hen"]),
        ({"Bob.PY": HONEST, "Gil/game.ipynb": "{}"}, ["Ada", "Bob", "Gil"]),
        ({"Bob.py": "x = 1\n"}, ["Ada", "Bob"]),
        ({"Bob.zip": b"damaged"}, ["Ada", "Bob"]),
        ({"Hen.docx": "x"}, ["class"]),
        ({"helper.py": "import tools.deep\n", "tools/deep.py": "", "data/x.csv": "1", "report.pdf": "x"}, ["class"]),
        ({"test_Ada.py": "from Ada import *\n", "README.md": "x"}, ["class"]),
    ],
)
def test_files_beside_the_only_player_decide_whether_a_folder_is_a_class(tmp_path, beside, names):
    found = players_in(write_files(tmp_path / "class", {"Ada.py": f"import helper\n{HONEST}", **beside}), WANTED)
    assert [one.name for one in found.entries] == names


def test_doubtful_reading_of_a_folder_is_noted(tmp_path):
    write_files(tmp_path / "one", {"Ada.py": HONEST, "Hen.docx": "x"})
    write_files(tmp_path / "all", {"Ada.py": HONEST, "Hen.java": "x"})
    write_files(tmp_path / "sure", {"Ada.py": HONEST, "x.csv": "x"})
    assert [players_in(tmp_path / name, WANTED).note for name in ("one", "all", "sure")] == [
        f"{tmp_path}/one is read as one player. For a class, put each student's files into a folder.",
        f"{tmp_path}/all is read as a class. To use only the player in it, give {tmp_path}/all/Ada.py.",
        "",
    ]


def test_empty_folders_in_an_archive_are_not_students(tmp_path):
    (tmp_path / "ann.zip").write_bytes(archive({**SEVERAL, "tools/": "", "img/": "", "img/a/": "", "img/a/b.png": "x"}))
    assert players_in(tmp_path / "ann.zip", WANTED).layout == "player"
