"""Archives of strangers: whatever is wrong with one is a sentence, and nothing reaches a disk or fills a memory."""

import io
import os
import stat
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from kibitz.errors import NotationError
from kibitz.players import archives
from kibitz.players.archives import MOST_MEMBERS, members
from kibitz.players.entries import player_at, players_in
from tests.players.class_of import ONE, SEVERAL, archive, laid
from tests.players.conftest import HONEST

WANTED = ("comp10001go_play",)


def with_link(target):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        link = zipfile.ZipInfo("player.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, target)
    return out.getvalue()


def encrypted():
    """An archive whose member says that it is encrypted, in both of its headers."""
    content = bytearray(archive(ONE))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(mark) + place] |= 1
    return bytes(content)


def bomb(megabytes, name="player.py", says=None):
    """An archive that unpacks to so many MiB, or that ``says`` that it would."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, bytes(megabytes << 20))
        made.filelist[0].file_size = (says or megabytes) << 20
    return out.getvalue()


def twice():
    return archive({"player.py": HONEST, "plaXer.py": HONEST}).replace(b"plaXer", b"player")


def nested(depth):
    content = archive(ONE)
    for _ in range(depth):
        content = archive({"inner.zip": content})
    return content


REFUSED = {
    "an absolute path": (
        lambda: archive({"/etc/player.py": HONEST}),
        "'/etc/player.py' in it leads out of the archive",
    ),
    "a climbing path": (lambda: archive({"../../player.py": HONEST}), "leads out of the archive"),
    "a climbing path of Windows": (lambda: archive({"..\\player.py": HONEST}), "leads out of the archive"),
    "a drive of Windows": (lambda: archive({"C:\\player.py": HONEST}), "leads out of the archive"),
    "a link": (lambda: with_link("/etc/passwd"), "'player.py' in it is a link"),
    "many files": (
        lambda: archive({f"{n}.txt": "" for n in range(MOST_MEMBERS + 1)}),
        "it holds 5001 files, more than",
    ),
    "a gigabyte": (lambda: bomb(1, "data.txt", says=1024), "unpacked it would be 1024 MiB, more than 512 MiB"),
    "a password": (encrypted, "it is encrypted; pack it without a password"),
    "a control character": (lambda: archive({"a\x1b[2J.py": HONEST}), "a character that cannot be shown"),
    "a name twice": (twice, "'player.py' is in it twice"),
    "no archive": (lambda: b"hello", "is no ZIP archive that can be read: pack it again"),
    "nothing": (lambda: b"", "is no ZIP archive that can be read"),
    "half an archive": (lambda: archive(SEVERAL)[:-40], "is no ZIP archive that can be read"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_archive_that_reaches_too_far_is_refused_in_one_sentence(tmp_path, what):
    made, why = REFUSED[what]
    path = tmp_path / "ann.zip"
    path.write_bytes(made())
    for look in (player_at, players_in):
        with pytest.raises(NotationError) as caught:
            look(path, WANTED)
        assert why in str(caught.value)
        assert str(caught.value).isprintable()
        assert str(caught.value).endswith(".")
    assert os.listdir(tmp_path) == ["ann.zip"], "nothing is unpacked"


@pytest.mark.parametrize("what", REFUSED)
def test_among_others_it_is_left_out_alone(tmp_path, what):
    laid(tmp_path, {"ben.py": HONEST, "cem.zip": archive(ONE), "ann.zip": REFUSED[what][0]()})
    found = players_in(tmp_path, WANTED)
    assert {entry.name: bool(entry.sources) for entry in found.entries} == {"ben": True, "cem": True, "ann": False}


def test_a_file_that_unpacks_to_much_is_not_unpacked(tmp_path):
    path = tmp_path / "ann.zip"
    path.write_bytes(bomb(40))
    tracemalloc.start()
    try:
        with pytest.raises(NotationError, match="larger than 1 MiB"):
            player_at(path, WANTED)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_archives_in_archives_end_somewhere(tmp_path):
    laid(tmp_path, {"deep.zip": nested(9), "fine.zip": nested(2), "x.py": HONEST})
    found = {entry.name: entry for entry in players_in(tmp_path, WANTED).entries}
    assert found["fine"].sources is not None
    assert "archives lie more than 3 deep in one another" in found["deep"].why


def test_a_bomb_of_many_archives_has_one_room_for_all(monkeypatch):
    monkeypatch.setattr(archives, "MOST_READ_WITHIN", 1 << 20)
    layers = archive({f"{n}.zip": archive({"big.py": "#" * 900_000}) for n in range(50)})
    start = time.process_time()
    found = members(archive({"ann.zip": layers, "ben.py": HONEST}), "class.zip")
    assert len([path for path in found.files if path.startswith("ann")]) == 1
    assert found.files["ben.py"] == HONEST.encode()
    assert "holds more than can be read of one archive" in found.broken["ann.zip/7.zip/big.py"]
    assert time.process_time() - start < 2


@settings(max_examples=60, deadline=None)
@given(place=some.integers(0, 3000), bits=some.binary(min_size=1, max_size=8))
def test_a_damaged_archive_is_read_or_refused_and_never_crashes(place, bits):
    content = bytearray(archive(SEVERAL))
    place %= len(content)
    content[place : place + len(bits)] = bits
    found = archives.Tree()
    found.add("ann.zip", bytes(content))
    assert all(why.isprintable() for why in found.broken.values())
    assert all(path.split("/")[0] == "ann.zip" and ".." not in path.split("/") for path in found.paths)


def member(name="player.py", size=10, flags=0, mode=0):
    """One entry of an archive's directory, as whoever has made it says."""
    info = zipfile.ZipInfo(name)
    info.file_size, info.flag_bits, info.external_attr = size, flags, mode << 16
    return info


@pytest.mark.parametrize(
    ("infos", "why"),
    [
        ([member(f"{n}.py", 0) for n in range(5000)], ""),
        ([member(f"{n}.py", 0) for n in range(5001)], "it holds 5001 files, more than 5000"),
        ([member("a.py", 511 << 20), member("b.py", 1 << 20)], ""),
        ([member("a.py", 511 << 20), member("b.py", (1 << 20) + 1)], "unpacked it would be 513 MiB, more than 512 MiB"),
        ([member(flags=1)], "it is encrypted; pack it without a password"),
        ([member(flags=3)], "it is encrypted; pack it without a password"),
        ([member(flags=0x808)], ""),
        ([member(mode=stat.S_IFREG | 0o644)], ""),
        ([member(mode=stat.S_IFLNK | 0o777)], "'player.py' in it is a link"),
        ([member("a/"), member("a/"), member("a/x.py")], ""),
        ([member("a.py"), member("./a.py")], "'a.py' is in it twice"),
        ([member("a..b.py"), member("..c.py")], ""),
        ([member("a/../b.py")], "'a/../b.py' in it leads out of the archive"),
        ([member("a/b:/c.py")], ""),
        ([member("C:/c.py")], "'C:/c.py' in it leads out of the archive"),
    ],
)
def test_an_archive_may_hold_so_much_and_no_more(infos, why):
    assert archives.objection(infos) == why


def test_what_is_read_of_a_name_and_what_is_shown_of_it():
    assert [archives.is_hidden(path) for path in (".git/x.py", "a/.x.py", "a/__MACOSX/x.py", "venv/x.py")] == [True] * 4
    assert [archives.is_hidden(path) for path in ("a/x.py", "a.b/x.py", "my_venv/x.py")] == [False] * 3
    wanted = [archives.is_wanted(path) for path in ("x.py", "a/x.ZIP", "a/submission_metadata.yml", "x.pyc", "zip")]
    assert wanted == [True, True, True, False, False]
    assert archives.named("x" * 100) == repr("x" * 100)
    assert archives.named("y" + "x" * 100) == repr("..." + "x" * 100)
    assert archives.too_large("a.py") == "'a.py' is larger than 1 MiB, the most that a player file may have."
    assert archives.too_large("a.zip") == "'a.zip' is larger than 256 MiB, the most that an archive may have."


def test_what_there_is_no_room_for_is_not_read_and_all_that_fits_is():
    content = archive({"a.py": "#" * 600, "b.py": "#" * 400, "c.py": "#"})
    found = members(content, "x.zip", room=archives.Room(1000))
    assert sorted(found.files) == ["a.py", "b.py"]
    assert found.broken == {"c.py": "'x.zip' holds more than can be read of one archive."}
    assert found.paths == ["a.py", "b.py", "c.py"]
    inner = archive({"in.zip": content, "notes.txt": "", "empty/": ""})
    deep = members(inner, "x.zip")
    assert sorted(deep.files) == ["in.zip/a.py", "in.zip/b.py", "in.zip/c.py"]
    assert deep.others == ["notes.txt", "empty/"]
