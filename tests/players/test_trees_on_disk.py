"""Reading a folder on disk: within limits, in order, and without generated files."""

import os

import pytest

from kibitz.errors import NotationError
from kibitz.players.files import archives
from kibitz.players.files.archives import content_of, read_folder, regular_content, walk_folder

MIB = 1 << 20


@pytest.mark.parametrize(
    ("size", "most", "read"),
    [(0, 0, 0), (10, 10, 10), (MIB + 1, MIB, MIB + 1), (3 * MIB, 2 * MIB, 2 * MIB + 1)],
)
def test_at_most_one_byte_beyond_the_limit_is_read(size, most, read, tmp_path):
    path = tmp_path / "x.py"
    path.write_bytes(b"#" * size)
    assert len(regular_content(path, most)) == read
    if size > most:
        with pytest.raises(NotationError, match=rf"x\.py' is larger than {most >> 20} MiB"):
            content_of(path, most)
    else:
        assert content_of(path, most) == b"#" * size


def test_special_file_is_rejected_and_nothing_stays_open(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    before = len(os.listdir("/proc/self/fd"))
    for path, why in (
        (tmp_path / "pipe.py", "it isn't a regular file"),
        (tmp_path, "it isn't a regular file"),
        (tmp_path / "none.py", "no such file"),
        ("a\0b", "isn't a path"),
    ):
        with pytest.raises(NotationError, match=why):
            content_of(path, 10)
    assert len(os.listdir("/proc/self/fd")) == before


def write_files(place, *paths):
    for path in paths:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).mkdir() if path.endswith("/") else (place / path).write_text(path)


def test_files_come_in_order_and_empty_folders_end_in_a_slash(tmp_path):
    write_files(tmp_path, "b/z.py", "b/a.py", "a/", "c.py", ".git/x.py", "d/.hidden.py", "b/__pycache__/x.py")
    assert [inner for _, inner in walk_folder(tmp_path)] == ["c.py", "a/", "b/a.py", "b/z.py", "d/"]
    empty = tmp_path / "a"
    assert list(walk_folder(empty)) == [], "the folder doesn't list itself"


def test_folder_has_limits_on_bytes_and_files(tmp_path, monkeypatch):
    write_files(tmp_path, *(f"{letter}.py" for letter in "abcd"))
    (tmp_path / "a.py").write_text("of more")
    monkeypatch.setattr(archives, "MAX_CLASS_BYTES", 12)
    found = read_folder(tmp_path)
    assert sorted(found.files) == ["b.py", "c.py", "d.py"], "the largest file is left out, in any position"
    assert found.broken == {"a.py": "'a.py' is left out: the class has more than 0 MiB of Python."}
    monkeypatch.setattr(archives, "MAX_CLASS_BYTES", 19)
    assert len(read_folder(tmp_path).files) == 4
    monkeypatch.setattr(archives, "MAX_FILES", 4)
    assert len(read_folder(tmp_path).files) == 4
    monkeypatch.setattr(archives, "MAX_FILES", 3)
    with pytest.raises(NotationError, match="holds more than 3 files: name the folder of players"):
        read_folder(tmp_path)


def test_unreadable_folder_is_reported_alone(tmp_path, monkeypatch):
    write_files(tmp_path, "ann/player.py", "ben/player.py")
    scan = os.scandir

    def guarded(path):
        if str(path).endswith("ann"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = read_folder(tmp_path)
    assert sorted(found.files) == ["ben/player.py"]
    assert found.broken == {"ann/": f"the folder {str(tmp_path / 'ann')!r} cannot be read: permission denied."}
    with pytest.raises(NotationError, match="cannot be read: permission denied"):
        read_folder(tmp_path / "ann")


def test_files_nested_too_deep_are_reported_alone(tmp_path):
    write_files(tmp_path, "ben/player.py", "a/" * 50 + "player.py", "b/" * 51 + "player.py", "c/" * 70 + "player.py")
    found = read_folder(tmp_path)
    assert sorted(found.files) == ["a/" * 50 + "player.py", "ben/player.py"]
    assert [why[-31:] for why in found.broken.values()] == ["' is more than 50 folders deep."]
