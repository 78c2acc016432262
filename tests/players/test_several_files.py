"""A player of several files in its process: what it can import, and what its tracebacks show."""

import sys

import pytest

from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.files.sources import Sources, unpacked
from kibitz.players.isolation.conversation import CODE_CACHE
from kibitz.players.specs import find_player
from kibitz.table.match import play_match
from tests.players.class_of import COMMON, DEEP, HELPED, SEVERAL, archive, write_files
from tests.players.conftest import BAD_SEAT, GO, HONEST


def sources(files, main="player.py"):
    rest = sorted(name for name in files if name != main)
    return Sources(tuple((name, bytes_of(files[name])) for name in (main, *rest)))


def bytes_of(content):
    return content.encode() if isinstance(content, str) else content


def match_with(files, make=FilePlayer):
    players = [FilePlayer(f"player {seat}", "honest.py", HONEST) for seat in range(4)]
    players[BAD_SEAT] = make("several", "player.py", sources(files))
    return play_match(GO, players, 1)


@pytest.mark.parametrize("make", [FilePlayer, TrustedFilePlayer])
def test_helpers_can_be_imported_from_memory_in_every_way(make):
    ways = """import common, tools, tools.deep
from common import *
from tools import deep as d
import importlib, inspect, sys
assert importlib.import_module('common') is common
assert 'return hand[0]' in inspect.getsource(common.lowest)
assert common.__file__.endswith('common.py') and tools.deep.__name__ == 'tools.deep'
assert d is tools.deep and 'player' in sys.modules
"""
    match = match_with({**SEVERAL, "player.py": ways + HELPED}, make)
    assert match.record.forfeits == ()
    assert "common" not in sys.modules, "a player's modules don't stay in this process"


def test_second_game_uses_the_compiled_code_of_the_first():
    files = {**SEVERAL, "player.py": HELPED + "import common\nprint(common.lowest.__code__.co_filename)\n"}
    first, second = match_with(files), match_with(files)
    assert first.record == second.record
    assert first.prints[BAD_SEAT] == second.prints[BAD_SEAT] == "common.py\n"
    assert CODE_CACHE.get(sources(files))


@pytest.mark.parametrize("name", ["ben", "tests.players.conftest", "kibitz.engine.game"])
def test_other_modules_cannot_be_imported(name):
    match = match_with({**SEVERAL, "player.py": f"import {name}\n{HELPED}"})
    (forfeit,) = match.record.forfeits
    assert forfeit.kind == "load"
    assert "ModuleNotFoundError" in forfeit.sentence or "Error" in forfeit.sentence


@pytest.mark.parametrize("make", [FilePlayer, TrustedFilePlayer])
def test_a_traceback_shows_the_right_files_and_lines(make):
    match = match_with({**SEVERAL, "common.py": "# one\n\ndef lowest(hand):\n    return hand[99]\n"}, make)
    (forfeit,) = match.record.forfeits
    assert "IndexError" in forfeit.sentence
    detail = match.details[BAD_SEAT]
    assert 'player.py", line 5, in comp10001go_play\n    return lowest(hand)' in detail
    assert 'common.py", line 4, in lowest\n    return hand[99]' in detail
    assert "importlib" not in detail
    assert "imports.py" not in detail
    assert "child.py" not in detail


def test_traceback_of_an_import_shows_only_the_players_lines():
    match = match_with({**SEVERAL, "tools/deep.py": DEEP + "1 / 0\n"})
    detail = match.details[BAD_SEAT]
    assert 'File "player.py", line 2' in detail
    assert 'File "tools/deep.py", line 5' in detail
    assert "importlib" not in detail
    assert "imports.py" not in detail


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("def f(:\n", "common.py isn't valid Python: invalid syntax in line 1"),
        (b"# \xe9\n", "common.py is not UTF-8 text: look at line 1, and save it as UTF-8"),
        (COMMON + "raise SystemExit\n", "called exit"),
    ],
)
def test_error_in_a_helper_names_the_helper(content, why):
    (forfeit,) = match_with({**SEVERAL, "common.py": content}).record.forfeits
    assert forfeit.kind in ("load", "exit")
    assert why in forfeit.sentence


def test_unused_helper_may_be_invalid():
    assert match_with({**SEVERAL, "old.py": "def f(:\n", "latin.py": b"\xe9"}).record.forfeits == ()


LATIN = "# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'\nassert len(NAME) == 4 and ord(NAME[3]) == 233\n"


@pytest.mark.parametrize(
    "content",
    [
        (LATIN + HONEST).encode("latin-1"),
        b"\xef\xbb\xbf" + (LATIN.replace("latin-1", "utf-8") + HONEST).encode(),
        HONEST.replace("\n", "\r").encode(),
    ],
)
def test_every_encoding_that_python_reads_is_accepted(tmp_path, content):
    path = tmp_path / "ann.py"
    path.write_bytes(content)
    assert play_match(GO, [find_player(GO, str(path)).make() for _ in range(4)], 1).record.forfeits == ()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"# one\n# caf\xe9\n", "The file is not UTF-8 text: look at line 2, and save it as UTF-8."),
        (HONEST.encode("utf-16"), "The file is UTF-16 text: save it as UTF-8."),
        (b"print 'hello'\n", "The file isn't valid Python: Missing parentheses in call to 'print'"),
    ],
)
def test_file_that_python_cannot_read_is_the_players_failure(content, why):
    players = [FilePlayer(f"{seat}", "honest.py", HONEST) for seat in range(4)]
    players[BAD_SEAT] = FilePlayer("bad", "bad.py", Sources((("bad.py", content),)))
    (forfeit,) = play_match(GO, players, 1).record.forfeits
    assert (forfeit.seat, forfeit.kind) == (BAD_SEAT, "load")
    assert why in forfeit.sentence


def test_trusted_players_each_import_their_own_helper_of_one_name():
    high = {**SEVERAL, "common.py": COMMON.replace("[0]", "[-1]"), "player.py": LATE}
    low = {**SEVERAL, "player.py": LATE}
    here = [TrustedFilePlayer(f"{seat}", "player.py", sources(high if seat % 2 else low)) for seat in range(4)]
    there = [FilePlayer(f"{seat}", "player.py", sources(high if seat % 2 else low)) for seat in range(4)]
    assert play_match(GO, here, 1).record == play_match(GO, there, 1).record


LATE = HELPED.replace("    return lowest(hand)", "    import common\n    return common.lowest(hand)")


@pytest.mark.parametrize("form", ["folder", "archive"])
def test_debugger_finds_the_original_files(tmp_path, form):
    write_files(tmp_path / "ann", {f"src/{name}": content for name, content in SEVERAL.items()})
    spec = find_player(GO, str(tmp_path / "ann"), trusted=True)
    player = spec.make()
    assert player.file == str(tmp_path / "ann" / "src" / "player.py")
    player.start(GO, 0, 1)
    assert player.module.lowest.__code__.co_filename == str(tmp_path / "ann" / "src" / "common.py")
    player.end(None)


def test_packed_files_round_trip():
    several = sources(SEVERAL)
    assert several.packed == sources(SEVERAL).packed
    assert unpacked(several.packed_name("Ann"), several.packed) == several
    alone = sources({"player.py": HONEST})
    assert (alone.packed_name("Ann"), alone.packed) == ("player.py", HONEST.encode())
    assert unpacked("player.py", alone.packed) == alone
    assert archive(SEVERAL) != several.packed, "other archives are packed again"
