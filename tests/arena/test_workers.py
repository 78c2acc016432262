"""Each worker process stays on its own core: players of two games would slow each other down."""

import json
import os
import subprocess
import sys

import pytest

BEGUN = """
import json, multiprocessing, os, sys
from kibitz.arena.entry import qualification
from kibitz.executors import worker
from kibitz.sandbox import Tier

class Channel:
    # gives one order, and then is closed

    orders = [worker.encode(worker.Start(int(sys.argv[2]), os.getppid(), sys.path))]

    def recv_bytes(self):
        if not self.orders:
            raise EOFError
        return self.orders.pop()

    def send_bytes(self, report):
        pass

if sys.argv[1] == "running":
    try:
        worker.serve(Channel())
    except EOFError:
        pass
else:
    context = multiprocessing.get_context("spawn")
    lock, started = context.Lock(), context.Value("i", int(sys.argv[2]))
    qualification.start_worker(Tier("none", "", 0, False), os.getppid(), lock, started)
    assert started.value == int(sys.argv[2]) + 1
json.dump(sorted(os.sched_getaffinity(0)), sys.stdout)
"""


@pytest.mark.parametrize("which", ["running", "trying"])
def test_the_second_worker_is_pinned_to_the_second_core(which):
    words = [sys.executable, "-c", BEGUN, which, "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    cores = sorted(os.sched_getaffinity(0))
    assert json.loads(done.stdout) == [cores[1 % len(cores)]]
