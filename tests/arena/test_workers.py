"""Worker processes: each stays on a core of its own, or players of two games would slow each other down."""

import json
import os
import subprocess
import sys

import pytest

BEGUN = """
import json, multiprocessing, os, sys
from kibitz.arena import pool
from kibitz.arena.entry import trying
from kibitz.sandbox import Tier

context = multiprocessing.get_context("spawn")
lock, started, number = context.Lock(), context.Value("i", int(sys.argv[2])), int(sys.argv[2])
before = (Tier("none", "", 0, False), os.getppid(), lock, started)
if sys.argv[1] == "pool":
    pool.start_worker("go", (), *before)
else:
    trying.start_worker(*before)
json.dump([sorted(os.sched_getaffinity(0)), started.value], sys.stdout)
"""


@pytest.mark.parametrize("which", ["pool", "trying"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_worker_stays_on_one_core_and_the_next_one_takes_the_next(which, number):
    words = [sys.executable, "-c", BEGUN, which, str(number)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    cores = sorted(os.sched_getaffinity(0))
    assert json.loads(done.stdout) == [[cores[number % len(cores)]], number + 1]
