"""Which file of a folder is the player, and which others are its helpers."""

import time

import pytest

from kibitz.errors import NotationError
from kibitz.players.files.sources import (
    LARGEST_PLAYER,
    MAX_FILES,
    defining_files,
    one_player,
    with_helpers,
)

PAIR = ("go_play", "go_group")
EITHER = (*PAIR, "play")
BOTH = b"def go_play(): pass\ndef go_group(): pass\n"
ONE, OTHER, PLAY = b"def go_play(): pass\n", b"def go_group(): pass\n", b"def play(view, legal): pass\n"


def choose(files, wanted=EITHER):
    """The names of the main file and its helpers, the folder, and the files left out with reasons."""
    found = one_player(files, wanted)
    return [name for name, _ in found.sources.files], found.main_folder, [str(one) for one in found.left_out]


@pytest.mark.parametrize(
    ("files", "names", "place", "left_out"),
    [
        ({"a.py": BOTH}, ["a.py"], "", []),
        ({"z.py": BOTH, "a.py": b"x = 1", "notes.txt": b""}, ["z.py", "a.py"], "", []),
        (
            {"d/a.py": BOTH, "d/b.py": b"", "c.py": b""},
            ["a.py", "b.py"],
            "d",
            ["c.py: it is outside the folder of d/a.py"],
        ),
        ({"a.py": BOTH, "d/b.py": BOTH}, ["a.py", "d/b.py"], "", []),
        ({"a.py": BOTH, "b.py": PLAY}, ["a.py", "b.py"], "", []),
        ({"a.py": PLAY}, ["a.py"], "", []),
        ({"a.py": b"import b\ndef play(v, l): pass\n", "b.py": PLAY}, ["a.py", "b.py"], "", []),
        ({"a.py": ONE, "b.py": BOTH}, ["b.py", "a.py"], "", []),
        ({"a.py": b"from b import go_group\n" + ONE, "b.py": OTHER}, ["a.py", "b.py"], "", []),
        ({"a.py": b"from b import *\n" + ONE, "b.py": OTHER}, ["a.py", "b.py"], "", []),
        ({"a.py": b"import b\n" + BOTH, "b.py": BOTH}, ["a.py", "b.py"], "", []),
        ({"a.py": ONE}, ["a.py"], "", []),
        ({"a.py": b"Def go_play(): pass"}, ["a.py"], "", []),
        ({"d/a.py": b"import b", "d/b.py": b""}, ["a.py", "b.py"], "d", []),
        ({"a.py": b"def go_play:\n    pass\n", "b.py": b""}, ["a.py", "b.py"], "", []),
        ({"a.py": BOTH, "not a module.py": b""}, ["a.py"], "", ["not a module.py: a module can't have this name"]),
        ({"a.py": BOTH, "json.py": b""}, ["a.py"], "", ["json.py: a module can't have this name"]),
    ],
)
def test_one_file_is_chosen_as_the_player(files, names, place, left_out):
    assert choose(files) == (names, place, left_out)


@pytest.mark.parametrize(
    ("files", "wanted", "why"),
    [
        ({}, EITHER, "no file in it defines go_play or go_group, or play(view, legal)"),
        ({"a.py": b"x = 1", "b.py": b"x = 1"}, PAIR, "no file in it defines go_play or go_group"),
        ({"a.py": BOTH, "b.py": BOTH}, PAIR, "a.py and b.py both define go_group: keep only one"),
        (
            {"a.py": BOTH, "b.py": BOTH, "c.py": BOTH},
            PAIR,
            "a.py, b.py and c.py define go_play or go_group: keep only one",
        ),
        (
            {f"{name}.py": BOTH for name in "abcde"},
            PAIR,
            "a.py, b.py, c.py and d.py define go_play or go_group: keep only one",
        ),
        ({"a.py": ONE, "b.py": OTHER}, PAIR, "a.py and b.py define go_play or go_group: keep only one"),
        ({"a.py": b"import json\n" + BOTH, "json.py": b""}, PAIR, "'json.py' would hide Python's own module json"),
        (
            {"a.py": b"import kibitz\n" + BOTH, "kibitz.py": b""},
            PAIR,
            "'kibitz.py' would hide Kibitz's own module kibitz",
        ),
        (
            {"a.py": BOTH, **{f"m{n}.py": b"" for n in range(MAX_FILES)}},
            PAIR,
            f"a player has up to {MAX_FILES} Python files",
        ),
        ({"a.py": BOTH + b"#" * LARGEST_PLAYER}, PAIR, f"and these are 1 of {LARGEST_PLAYER / 2**20:.1f} MiB"),
    ],
)
def test_ambiguous_or_missing_player_file_is_rejected(files, wanted, why):
    with pytest.raises(NotationError) as caught:
        choose(files, wanted)
    assert why in str(caught.value)


def test_player_may_have_the_maximum_number_of_files_and_bytes():
    files = {"a.py": BOTH, **{f"m{n}.py": b"" for n in range(MAX_FILES - 1)}}
    assert len(choose(files, PAIR)[0]) == MAX_FILES
    assert choose({"a.py": BOTH + b"#" * (LARGEST_PLAYER - len(BOTH))}, PAIR)[0] == ["a.py"]


def test_imported_helpers_are_included_but_not_other_players():
    files = {
        "ann.py": b"import one\nimport ben\nimport json\n" + BOTH,
        "one.py": b"import two.three\n",
        "two/__init__.py": b"",
        "two/three.py": b"import one\n",
        "ben.py": BOTH,
        "json.py": b"",
        "unused.py": b"",
    }
    found = with_helpers("ann.py", files, PAIR)
    assert [name for name, _ in found.sources.files] == ["ann.py", "one.py", "two/__init__.py", "two/three.py"]
    assert [str(one) for one in found.left_out] == [
        "ben.py: ann.py imports it, but it is a player itself",
        "json.py: it would hide Python's own module",
    ]


def test_imported_file_with_the_own_form_is_not_a_player():
    files = {"a.py": b"import b\n" + PLAY, "b.py": PLAY, "c.py": PLAY}
    assert defining_files(files, ("play",)) == ["a.py", "c.py"]
    assert defining_files(files, PAIR) == []
    assert defining_files({"a.txt": BOTH, "b.py": ONE}, EITHER) == ["b.py"]


@pytest.mark.parametrize(
    "file",
    [
        "from a{0} import *\nfrom a{1} import *\ncomp10001go_play = 1\n",
        "".join(f"from a{number} import *\n" for number in range(300)) + "comp10001go_group = 1\n",
        "def comp10001go_play(): pass\ndef comp10001go_group(): pass\n",
        "import a{0}, a{1}\ndef play(view, legal): pass\n",
    ],
)
def test_circular_imports_are_rejected_quickly(file):
    files = {f"a{number}.py": file.format(number + 1, number // 2).encode() for number in range(300)}
    start = time.process_time()
    with pytest.raises(NotationError):
        one_player(files, ("comp10001go_play", "comp10001go_group", "play"))
    assert time.process_time() - start < 5
