"""A Dask cluster on this machine: its scheduler and workers are processes that tests can kill."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parents[2]
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "60s"}
UNCONFINED = """
import kibitz.executors.local as local
none = "from kibitz.sandbox import Tier, adopt; adopt(Tier('none', 'This kernel has no Landlock.')); "
local.START_CODE = none + local.START_CODE
"""
"""Start code of a worker without a sandbox."""


def free_port():
    """A free port of the loopback address."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    """A scheduler and workers, each in its own process, on the loopback address."""

    def __init__(self, folder, workers=2):
        self.folder, self.port = folder, free_port()
        self.workers = []
        self.scheduler = self.start_scheduler()
        for _ in range(workers):
            self.add_worker()
        wait_until(self.listens)

    def listens(self):
        """Whether the scheduler can be reached."""
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def on(self):
        """The address of the cluster as an executor."""
        return f"dask://127.0.0.1:{self.port}"

    def start(self, module, *words):
        """Start a process of Dask."""
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--host", "127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            command,
            cwd=HERE,
            env={**os.environ, **QUIET},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start_scheduler(self):
        """Start a scheduler at the cluster's port."""
        return self.start("dask_scheduler", "--port", str(self.port))

    def add_worker(self, before=""):
        """Start another worker with one thread, which first runs the code ``before``."""
        options = ["--no-nanny", "--nthreads", "1", "--local-directory", str(self.folder)]
        if before:
            preload = self.folder / f"preload{len(self.workers)}.py"
            preload.write_text(before, encoding="utf-8")
            options += ["--preload", str(preload)]
        self.workers.append(self.start("dask_worker", f"tcp://127.0.0.1:{self.port}", *options))

    def kill_worker(self, which=0):
        """Kill a worker, and start another."""
        self.end(self.workers.pop(which))
        self.add_worker()

    def kill_scheduler(self):
        """Kill the scheduler and the workers, and restart them."""
        self.end(self.scheduler)
        self.scheduler = self.start_scheduler()
        for worker in self.workers:
            self.end(worker)
        number, self.workers = len(self.workers), []
        for _ in range(number):
            self.add_worker()

    def end(self, process):
        """Kill one process."""
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.wait()

    def close(self):
        """Kill the scheduler and all workers."""
        for process in (*self.workers, self.scheduler):
            self.end(process)


def wait_until(condition, seconds=120):
    """Wait until ``condition()`` is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
