"""Vendored files match the checksums on their page, nothing else lies beside them, and licences are included."""

import hashlib
import re
from pathlib import Path

import pytest

import kibitz.web

STATIC = Path(kibitz.web.__file__).parent / "static"
FOLDERS = [STATIC / "vendor", Path(__file__).parent / "vendor"]
ROW = re.compile(r"\| (\S+) \| (\S+) \| (\S+) \| (\S+) \| `([0-9a-f]{64})` \|")
LICENCES = {"MIT", "Apache-2.0", "CC0-1.0", "MPL-2.0"}


def checksums(folder: Path) -> dict[str, str]:
    """The checksums of a folder's files, from its page."""
    rows = ROW.findall((folder / "VENDORED.md").read_text(encoding="utf-8"))
    assert all(row[3] in LICENCES for row in rows)
    return {row[0]: row[4] for row in rows}


@pytest.mark.parametrize("folder", FOLDERS, ids=["pages", "tests"])
def test_vendored_files_match_their_checksums(folder: Path) -> None:
    there = {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and file.name != "VENDORED.md"
    }
    assert there == checksums(folder)


def test_every_card_has_a_picture() -> None:
    drawn = {file.stem for file in (STATIC / "vendor" / "cards").iterdir()}
    assert drawn == {value + suit for value in "A234567890JQK" for suit in "SCHD"}


def test_vendored_libraries_import_only_local_files() -> None:
    for file in STATIC.rglob("*.js"):
        for name in re.findall(r'(?:from|import) ?"([^"]+)"', file.read_text(encoding="utf-8")):
            assert name.startswith("."), f"{file.name} imports {name}"
            assert (file.parent / name).is_file(), f"{file.name} imports {name}"
