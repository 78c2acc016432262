"""Archives with damage of every kind, by thousands: each is read or refused, costs little, and spoils nobody else's."""

import json
import subprocess
import sys
import zipfile
from random import Random

import pytest

from tests.players.class_of import archive, laid
from tests.players.conftest import HONEST
from tests.players.mutants import originals

MOST = 100
"""MiB that reading may take above the start."""


def memory_taken(folder, count):
    """MiB that a process of its own takes to read so many mutants."""
    for number, content in enumerate(originals(Random(count))):
        (folder / f"{number}.zip").write_bytes(content)
    asked = [sys.executable, "-m", "tests.players.mutants", str(folder), str(count), "any seed"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return int(done.stdout)


@pytest.mark.long
def test_a_hundred_damaged_archives(tmp_path):
    assert memory_taken(tmp_path, 100) <= MOST


@pytest.mark.long
def test_fifty_thousand_damaged_archives(tmp_path):
    assert memory_taken(tmp_path, 50_000) <= MOST


READ = """
import sys
from pathlib import Path
from kibitz.players.files.entries import players_in
from tests.players.mutants import WANTED, peak

folder = Path(sys.argv[1])
players_in(folder / "honest", WANTED)
start = peak()
found = players_in(folder / sys.argv[2], WANTED)
assert [entry.name for entry in found.entries if entry.name == "zoe" and entry.sources], found
print((peak() - start) >> 20)
"""
LARGE = {
    "much Python": lambda: archive({f"{n}.py": "#" * 1_000_000 for n in range(31)}),
    "many names": lambda: archive({f"{'d' * 200}/{n}.py": "" for n in range(4900)}),
    "many lines": lambda: archive({"x.ipynb": notebook("code", 3_000_000), "y.ipynb": notebook("raw", 3_000_000)}),
    "many cells": lambda: archive({"x.ipynb": notebook("code", 0, 500_000)}),
    "an archive within": lambda: archive({"in.zip": archive({"junk.bin": bytes(31 << 20)}), "x.py": "#" * 1_000_000}),
}
"""Archives that take as much as one may."""


def notebook(kind, lines, cells=1):
    """A notebook with so many cells of so many lines."""
    cell = {"cell_type": kind, "source": ["ab"] * lines}
    return json.dumps({"metadata": {}, "cells": [cell] * cells}, separators=(",", ":"))


def stored(path, megabytes):
    """An archive of a player and of so many MiB besides, on the disk."""
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("player.py", HONEST)
        with made.open("junk.bin", "w") as junk:
            for _ in range(megabytes):
                junk.write(bytes(1 << 20))


def memory_of_reading(folder, name):
    """MiB that a process of its own takes to read a class, once it has read another."""
    asked = [sys.executable, "-c", READ, str(folder), name]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return int(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", [*LARGE, "much besides"])
def test_a_class_of_archives_as_large_as_may_be_costs_little(tmp_path, what, packed):
    laid(tmp_path, {"honest/ann.zip": archive({"player.py": HONEST})})
    laid(tmp_path, {"class/zoe.py": HONEST})
    for number in range(40):
        path = tmp_path / "class" / f"s{number}.zip"
        if what in LARGE:
            path.write_bytes(path.with_name("s0.zip").read_bytes() if number else LARGE[what]())
        elif number < 3:
            stored(path, 60 if packed else 200)
    if packed:
        with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as made:
            for path in sorted((tmp_path / "class").iterdir()):
                made.write(path, path.name)
    assert memory_of_reading(tmp_path, "class.zip" if packed else "class") <= MOST


@pytest.mark.long
def test_metadata_of_gradescope_as_large_as_may_be_cost_little(tmp_path):
    metadata = "submission_1:\n  :submitters:\n  - :name: zoe\n  :junk: [" + "[]," * 300_000 + "]\n"
    laid(tmp_path, {"honest/ann.zip": archive({"player.py": HONEST}), "class/submission_1/player.py": HONEST})
    laid(tmp_path, {"class/submission_metadata.yml": metadata})
    assert memory_of_reading(tmp_path, "class") <= MOST
