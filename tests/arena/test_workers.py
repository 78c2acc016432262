"""Each worker process stays on its own core: players of two games would slow each other down."""

import json
import os
import subprocess
import sys

BEGUN = """
import json, os, sys
from kibitz.executors import worker

class Channel:
    # gives one order, and then is closed

    orders = [worker.encode(worker.Start(1, os.getppid(), sys.path))]

    def recv_bytes(self):
        if not self.orders:
            raise EOFError
        return self.orders.pop()

    def send_bytes(self, report):
        pass

try:
    worker.serve(Channel())
except EOFError:
    pass
json.dump(sorted(os.sched_getaffinity(0)), sys.stdout)
"""


def test_the_second_worker_is_pinned_to_the_second_core():
    done = subprocess.run([sys.executable, "-c", BEGUN], capture_output=True, text=True, timeout=60, check=True)
    cores = sorted(os.sched_getaffinity(0))
    assert json.loads(done.stdout) == [cores[1 % len(cores)]]
