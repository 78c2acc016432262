"""Untrusted archives: every fault is reported, nothing is written to disk, and memory stays bounded."""

import io
import os
import stat
import struct
import time
import tracemalloc
import zipfile
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from kibitz.errors import NotationError
from kibitz.players.files import archives
from kibitz.players.files.archives import MAX_MEMBERS, read_player_archive
from kibitz.players.files.entries import player_at, players_in
from tests.players.class_of import ONE, SEVERAL, archive, write_files
from tests.players.conftest import HONEST
from tests.tiers import first_fast

WANTED = ("comp10001go_play",)


def with_link(target):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip_file:
        link = zipfile.ZipInfo("player.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        zip_file.writestr(link, target)
    return out.getvalue()


def encrypted():
    """An archive whose member is marked as encrypted in both headers."""
    content = bytearray(archive(ONE))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(mark) + place] |= 1
    return bytes(content)


def packed_by(method, content=HONEST, name="player.py"):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as zip_file:
        zip_file.writestr(name, content)
    return out.getvalue()


def bomb(megabytes, method=zipfile.ZIP_DEFLATED, says=None, name="player.py"):
    """An archive that unpacks to ``megabytes`` MiB; ``says`` replaces the size in both headers."""
    content = packed_by(method, bytes(megabytes << 20), name)
    if says is not None:
        content = content.replace((megabytes << 20).to_bytes(4, "little"), says.to_bytes(4, "little"))
    return content


def damaged(content, start=40, length=20):
    """An archive with damaged data in its first member."""
    return content[:start] + bytes(byte ^ 0x55 for byte in content[start : start + length]) + content[start + length :]


def with_duplicate_name():
    return archive({"player.py": HONEST, "plaXer.py": HONEST}).replace(b"plaXer", b"player")


def without_a_name():
    """An archive with an unnamed member, which ``zipfile`` would not write."""
    content = archive({"\x7f": HONEST})
    for mark, length, name in ((b"PK\x03\x04", 26, 30), (b"PK\x01\x02", 28, 46)):
        at = content.find(mark)
        content = content[: at + length] + b"\0\0" + content[at + length + 2 : at + name] + content[at + name + 1 :]
    last = content.find(b"PK\x05\x06")
    start = content.find(b"PK\x01\x02")
    return content[: last + 12] + struct.pack("<II", last - start, start) + content[last + 20 :]


def huge_directory(megabytes=4):
    """An archive with a central directory of ``megabytes`` MiB that repeats the same entry."""
    content = archive({"x.txt": ""})
    start = content.find(b"PK\x01\x02")
    end = content.find(b"PK\x05\x06")
    entries = (megabytes << 20) // (end - start)
    directory = content[start:end] * entries
    last = bytearray(content[end:])
    last[8:12] = b"\xff\xff\xff\xff"
    last[12:16] = len(directory).to_bytes(4, "little")
    return content[:start] + directory + bytes(last)


def nested(depth):
    content = archive(ONE)
    for _ in range(depth):
        content = archive({"inner.zip": content})
    return content


REFUSED = {
    "an absolute path": (
        lambda: archive({"/etc/player.py": HONEST}),
        "'/etc/player.py' in it points outside the archive",
    ),
    "a climbing path": (lambda: archive({"../../player.py": HONEST}), "points outside the archive"),
    "a climbing path of Windows": (lambda: archive({"..\\player.py": HONEST}), "points outside the archive"),
    "a link": (lambda: with_link("/etc/passwd"), "'player.py' in it is a link"),
    "many files": (lambda: archive({f"{n}.txt": "" for n in range(MAX_MEMBERS + 1)}), "it holds 5001 files, more than"),
    "a list that fills the memory": (huge_directory, "it has too many files: submit only your own"),
    "bzip2": (lambda: packed_by(zipfile.ZIP_BZIP2), "'player.py' in it is compressed by bzip2; pack it as an ordinary"),
    "damage": (lambda: damaged(archive(ONE)), "can't be read as a ZIP archive: pack it again"),
    "more than it says": (lambda: bomb(24, says=10), "can't be read as a ZIP archive"),
    "a file without a name": (without_a_name, "a file in it has no name"),
    "folders without end": (lambda: archive({"a/" * 2000 + "player.py": HONEST}), "is more than 50 folders deep"),
    "a password": (encrypted, "it is encrypted; pack it without a password"),
    "a control character": (lambda: archive({"a\x1b[2J.py": HONEST}), "an unprintable character"),
    "a name twice": (with_duplicate_name, "'player.py' is in it twice"),
    "no archive": (lambda: b"hello", "can't be read as a ZIP archive: pack it again"),
    "half an archive": (lambda: archive(SEVERAL)[:-40], "can't be read as a ZIP archive"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_dangerous_archive_is_refused_with_the_reason(tmp_path, what):
    build, why = REFUSED[what]
    path = tmp_path / "ann.zip"
    path.write_bytes(build())
    for look in (player_at, players_in):
        with pytest.raises(NotationError) as caught:
            look(path, WANTED)
        assert why in str(caught.value)
        assert str(caught.value).isprintable()
        assert str(caught.value).endswith(".")
    assert os.listdir(tmp_path) == ["ann.zip"], "nothing is unpacked"


HOSTILE = {
    **{what: build for what, (build, _) in REFUSED.items()},
    "a bomb": lambda: bomb(70),
    "a bomb in a bomb": lambda: archive({f"{n}.zip": bomb(20, name="data.zip") for n in range(3)}),
    "deep archives": lambda: nested(9),
}


@cache
def hostile(what):
    return HOSTILE[what]()


@pytest.mark.parametrize(("packed", "layout"), first_fast(product([True, False], ["moodle", "canvas", "folders"])))
def test_hostile_archives_in_a_class_are_refused_and_the_others_play(tmp_path, layout, packed):
    called = {
        "folders": "{}/hand in.zip",
        "moodle": "{0}_{1}_assignsubmission_file/hand in.zip",
        "canvas": "{0}_{1}_7_a.zip",
    }
    files, plain = {}, {what: "".join(what.split()) for what in HOSTILE}
    for number, what in enumerate(HOSTILE):
        files[called[layout].format(plain[what], number)] = hostile(what)
        files[called[layout].format(f"honest{number}", 1000 + number)] = archive(ONE)
    path = tmp_path / "class.zip" if packed else write_files(tmp_path / "class", files)
    if packed:
        path.write_bytes(archive(files))
    found = players_in(path, WANTED)
    assert sorted(entry.name for entry in found.entries if entry.sources) == sorted(
        f"honest{n}" for n in range(len(HOSTILE))
    )
    whys = {entry.name: entry.why for entry in found.entries if not entry.sources}
    assert sorted(whys) == sorted(plain.values())
    assert all(why.isprintable() and why.endswith(".") and len(why) < 300 for why in whys.values())
    assert found.layout == layout


def test_bad_member_of_a_class_archive_is_refused_alone(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip_file:
        for name, content in {
            "ann/player.py": HONEST,
            "../../ben.py": HONEST,
            "cem\x07.py": HONEST,
            "dan.py": HONEST,
            "eve/player.py": HONEST * 10_000,
            "fay/" * 60 + "player.py": HONEST,
            "gus/notes\u202e.txt": "",
            "gus/player.py": HONEST,
            ".hidden/x.py": HONEST,
        }.items():
            zip_file.writestr(name, content)
        link = zipfile.ZipInfo("hal.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        zip_file.writestr(link, "/etc/passwd")
        zip_file.writestr("ivy.py", HONEST, zipfile.ZIP_LZMA)
        zip_file.writestr("daX.py", HONEST)
    path = tmp_path / "class.zip"
    content = out.getvalue()
    path.write_bytes(content.replace(b"def comp10001go_play", b"def comp10001go_plaX", 1).replace(b"daX.py", b"dan.py"))
    found = players_in(path, WANTED)
    assert [entry.name for entry in found.entries if entry.sources] == ["gus"]
    assert {entry.name: entry.why for entry in found.entries if not entry.sources} == {
        "ann": "'ann/player.py' is damaged: pack it again.",
        "ben": "'../../ben.py' points outside the archive.",
        "cem\x07": r"'cem\x07.py' has an unprintable character in its name.",
        "dan": "'dan.py' is in it twice.",
        "eve": "'eve/player.py' is listed in its archive as larger than 1 MiB, the limit for a player file.",
        "fay": f"{archives.quoted_path('fay/' * 60 + 'player.py')} is more than 50 folders deep.",
        "hal": "'hal.py' is a link.",
        "ivy": "'ivy.py' is compressed by lzma; pack it as an ordinary ZIP archive (deflate).",
    }


def test_student_with_too_many_files_does_not_affect_the_class(tmp_path):
    files = {f"submission_1/{number}.txt": "" for number in range(MAX_MEMBERS + 1)}
    path = tmp_path / "class.zip"
    path.write_bytes(archive({**files, "submission_2/player.py": HONEST}))
    assert [entry.name for entry in players_in(path, WANTED).entries if entry.sources] == ["submission_2"]


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (lambda: bomb(24), "is listed in its archive as larger than 1 MiB"),
        (lambda: bomb(24, says=10), "can't be read as a ZIP archive"),
        (lambda: bomb(24, zipfile.ZIP_BZIP2, says=10), "compressed by bzip2"),
        pytest.param(lambda: archive({"ann.zip": bomb(36, says=10)}), "can't be read as a ZIP archive", id="within"),
        (
            lambda: archive({"ann.zip": archive({"data.zip": bytes(36 << 20)})}),
            "is listed in its archive as larger than 32 MiB",
        ),
        (lambda: archive({"ann.zip": huge_directory()}), "it has too many files"),
    ],
)
def test_archive_bomb_is_not_unpacked(tmp_path, build, why):
    path = tmp_path / "ann.zip"
    path.write_bytes(build())
    tracemalloc.start()
    try:
        with pytest.raises(NotationError, match=why):
            player_at(path, WANTED)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_class_archive_with_a_huge_directory_is_refused_with_advice(tmp_path):
    path = tmp_path / "class.zip"
    path.write_bytes(huge_directory(7))
    with pytest.raises(NotationError, match=r"is refused: it has too many files: unpack it, and name the folder\.$"):
        players_in(path, WANTED)


def test_truncated_archive_is_not_read_as_the_one_inside_it(tmp_path):
    """Python would find the end of the inner archive, and skip everything before it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip_file:
        zip_file.writestr("ann.zip", archive(ONE))
    cut = out.getvalue()[: out.getvalue().rindex(b"PK\x01\x02")]
    (tmp_path / "class.zip").write_bytes(cut)
    for read in (lambda: read_player_archive(cut, "class.zip"), lambda: players_in(tmp_path / "class.zip", WANTED)):
        with pytest.raises(NotationError, match=r"'class.zip' can't be read as a ZIP archive"):
            read()


def test_nested_archives_have_a_depth_limit(tmp_path):
    write_files(tmp_path, {"deep.zip": nested(9), "fine.zip": nested(2), "x.py": HONEST})
    found = {entry.name: entry for entry in players_in(tmp_path, WANTED).entries}
    assert found["fine"].sources is not None
    assert "archives are nested more than 3 deep" in found["deep"].why


def test_nested_bombs_share_one_size_budget(monkeypatch):
    monkeypatch.setattr(archives, "MAX_SUBMISSION_BYTES", 1 << 20)
    layers = archive({f"{n}.zip": archive({"big.py": "#" * 900_000}) for n in range(50)})
    start = time.process_time()
    found = read_player_archive(archive({"ann.zip": layers, "ben.py": HONEST}), "class.zip")
    assert len([path for path in found.files if path.startswith("ann")]) == 1
    assert found.files["ben.py"] == HONEST.encode()
    assert "holds more than can be read from one archive" in found.broken["ann.zip/7.zip/big.py"]
    assert time.process_time() - start < 2


def test_time_is_linear_in_the_number_of_files_beyond_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_CLASS_BYTES", 100)
    path = tmp_path / "class.zip"
    path.write_bytes(archive({f"{number}.py": "#" * 20 for number in range(5_000)}))
    start = time.process_time()
    assert len(archives.read_tree(path).broken) == 4_995
    assert time.process_time() - start < 2


@settings(max_examples=60, deadline=None)
@given(place=some.integers(0, 3000), bits=some.binary(min_size=1, max_size=8))
def test_damaged_archive_is_read_or_refused_without_a_crash(place, bits):
    content = bytearray(archive(SEVERAL))
    place %= len(content)
    content[place : place + len(bits)] = bits
    found = archives.SourceTree()
    found.add("ann.zip", bytes(content))
    assert all(why.isprintable() for why in found.broken.values())
    assert all(path.split("/")[0] == "ann.zip" and ".." not in path.split("/") for path in found.paths)


def member(name="player.py", flags=0, mode=0, method=zipfile.ZIP_STORED):
    """One entry of an archive's central directory."""
    info = zipfile.ZipInfo(name)
    info.flag_bits, info.external_attr, info.compress_type = flags, mode << 16, method
    return info


@pytest.mark.parametrize(
    ("info", "why"),
    [
        (member(method=zipfile.ZIP_DEFLATED), ""),
        (member(method=9), "is compressed by deflate64; pack it as an ordinary ZIP archive (deflate)"),
        (member(flags=1), "is encrypted; pack it without a password"),
        (member(flags=0x808), ""),
        (member(mode=stat.S_IFREG | 0o644), ""),
        (member(mode=stat.S_IFLNK | 0o777), "is a link"),
        (member("a//./b.py"), ""),
        (member("a..b.py"), ""),
        (member("..c.py"), ""),
        (member("a/../b.py"), "points outside the archive"),
        (member("a/b:/c.py"), ""),
        (member("C:/c.py"), "points outside the archive"),
        (member("a/" * 50 + "b.py"), ""),
        (member("a/" * 51 + "b.py"), "is more than 50 folders deep"),
        (member("a\u202eyp.exe"), "has an unprintable character in its name"),
        (member(""), "has no name"),
        (member("\0"), "has no name"),
    ],
)
def test_member_is_accepted_or_refused_with_the_reason(info, why):
    assert archives.objection(info, archives.inner_path(info)) == why


def test_only_files_outside_ignored_folders_count_towards_the_limit(tmp_path):
    some = {f"{number}.txt": "" for number in range(MAX_MEMBERS)}
    assert len(read_player_archive(archive({**some, "node_modules/a.js": ""}), "ann.zip").others) == MAX_MEMBERS
    with pytest.raises(NotationError, match="it holds 5001 files, more than 5000"):
        read_player_archive(archive({**some, "a.js": ""}), "ann.zip")


def test_hidden_and_readable_paths_and_shortened_names():
    assert [
        archives.is_hidden(path)
        for path in ("env/lib/site-packages/x.py", ".git/x.py", "a/.x.py", "a/__MACOSX/x.py", "venv/x.py")
    ] == [True] * 5
    assert [archives.is_hidden(path) for path in ("a/x.py", "a.b/x.py", "my_venv/x.py", "../x.py")] == [False] * 4
    wanted = [archives.is_read(path) for path in ("x.py", "a/x.ZIP", "a/submission_metadata.yml", "x.pyc", "zip")]
    assert wanted == [True, True, True, False, False]
    assert archives.quoted_path("x" * 100) == repr("x" * 100)
    assert archives.quoted_path("y" + "x" * 100) == repr("..." + "x" * 100)
    assert archives.too_large("a.py") == "'a.py' is larger than 1 MiB, the limit for a player file."
    assert archives.too_large("a.zip") == "'a.zip' is larger than 256 MiB, the limit for an archive."


def test_files_beyond_the_byte_budget_are_not_read():
    content = archive({"a.py": "#" * 600, "b.py": "#" * 400, "c.py": "#"})
    found = read_player_archive(content, "x.zip", budget=archives.ByteBudget(1000))
    assert sorted(found.files) == ["a.py", "b.py"]
    assert found.broken == {"c.py": "'x.zip' holds more than can be read from one archive."}
    assert found.paths == ["a.py", "b.py", "c.py"]
    inner = archive({"in.zip": content, "notes.txt": "", "empty/": ""})
    deep = read_player_archive(inner, "x.zip")
    assert sorted(deep.files) == ["in.zip/a.py", "in.zip/b.py", "in.zip/c.py"]
    assert deep.others == ["notes.txt", "empty/"]
