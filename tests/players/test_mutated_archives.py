"""Thousands of damaged archives: each is read or refused with little memory, and affects no other."""

import json
import subprocess
import sys
import zipfile
from random import Random

import pytest

from tests.players.class_of import archive, write_files
from tests.players.conftest import HONEST
from tests.players.mutants import originals

MOST = 100
"""MiB by which reading may raise the peak memory."""


def memory_taken(folder, count):
    """MiB that a separate process takes to read ``count`` mutants."""
    for number, content in enumerate(originals(Random(count))):
        (folder / f"{number}.zip").write_bytes(content)
    command = [sys.executable, "-m", "tests.players.mutants", str(folder), str(count), "any seed"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return int(done.stdout)


@pytest.mark.long
def test_reading_50_000_damaged_archives_takes_little_memory(tmp_path):
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
"""Archives of the maximum size in some way."""


def notebook(kind, lines, cells=1):
    """A notebook with ``cells`` cells of ``lines`` lines."""
    cell = {"cell_type": kind, "source": ["ab"] * lines}
    return json.dumps({"metadata": {}, "cells": [cell] * cells}, separators=(",", ":"))


def stored(path, megabytes):
    """Write an archive of a player and ``megabytes`` MiB of other data."""
    with zipfile.ZipFile(path, "w") as zip_file:
        zip_file.writestr("player.py", HONEST)
        with zip_file.open("junk.bin", "w") as junk:
            for _ in range(megabytes):
                junk.write(bytes(1 << 20))


def memory_of_reading(folder, name):
    """MiB that a separate process takes to read a class, after it has read another."""
    command = [sys.executable, "-c", READ, str(folder), name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return int(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", [*LARGE, "much besides"])
def test_class_of_archives_of_maximum_size_takes_little_memory(tmp_path, what, packed):
    write_files(tmp_path, {"honest/ann.zip": archive({"player.py": HONEST})})
    write_files(tmp_path, {"class/zoe.py": HONEST})
    for number in range(40):
        path = tmp_path / "class" / f"s{number}.zip"
        if what in LARGE:
            path.write_bytes(path.with_name("s0.zip").read_bytes() if number else LARGE[what]())
        elif number < 3:
            stored(path, 60 if packed else 200)
    if packed:
        with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as zip_file:
            for path in sorted((tmp_path / "class").iterdir()):
                zip_file.write(path, path.name)
    assert memory_of_reading(tmp_path, "class.zip" if packed else "class") <= MOST


@pytest.mark.long
def test_gradescope_metadata_of_maximum_size_takes_little_memory(tmp_path):
    metadata = "submission_1:\n  :submitters:\n  - :name: zoe\n  :junk: [" + "[]," * 300_000 + "]\n"
    write_files(tmp_path, {"honest/ann.zip": archive({"player.py": HONEST}), "class/submission_1/player.py": HONEST})
    write_files(tmp_path, {"class/submission_metadata.yml": metadata})
    assert memory_of_reading(tmp_path, "class") <= MOST
