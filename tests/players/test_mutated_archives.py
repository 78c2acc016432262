"""Archives with damage of every kind, by thousands: each is read or refused, costs little, and spoils nobody else's."""

import subprocess
import sys
from random import Random

import pytest

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


def test_hundreds_of_damaged_archives(tmp_path):
    assert memory_taken(tmp_path, 300) <= MOST


@pytest.mark.long
def test_fifty_thousand_damaged_archives(tmp_path):
    assert memory_taken(tmp_path, 50_000) <= MOST
