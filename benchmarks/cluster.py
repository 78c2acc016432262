"""A Dask cluster on this machine: how much of two workers' time is used, and where many workers would stop scaling.

efficiency      the CPU time of all blocks, over the workers, as a part of the time that the run took
ours            on one and on two workers of a cluster, whose blocks are half a second of arithmetic each

``python -m benchmarks.cluster`` measures what a block costs the client, the scheduler, a worker and the store, and
computes from that what 10, 100 and 1000 workers would do (``benchmarks.cluster_model``), after holding the model
against one and two.
"""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks import cluster_model
from benchmarks.harness import Probe, Row, Rows, progress
from kibitz.executors import Executor, opened, results

SECONDS = 0.5
BLOCKS = 12
"""Blocks of a run, for each worker."""
SMALL, MANY = 400, 2
ASKED = 0.9
STARTING = 60.0
RESULT = 2_000
"""Bytes of a block's result: a chunk of 64 games has some."""


class Timed(NamedTuple):
    """One run: its seconds, and those that each of its blocks took by itself."""

    seconds: float
    blocks: tuple[float, ...]

    def efficiency(self, workers: int) -> float:
        """The CPU time of the blocks, over the workers, as a part of the time that the run took."""
        return SECONDS * len(self.blocks) / workers / self.seconds


def busy(given: float, item: int) -> tuple[float, bytes]:
    """Arithmetic for so many seconds of CPU time: what it took on the wall, and some bytes."""
    start, cpu, total = perf_counter(), process_time(), item
    while process_time() - cpu < given:
        total = (total * 1_103_515_245 + 12_345) % 2_147_483_648
    return perf_counter() - start, bytes(RESULT)


def nothing(given: object, item: int) -> bytes:
    """No work at all."""
    return bytes(RESULT)


class Cluster:
    """A scheduler and workers on the loopback address, as processes of their own."""

    def __init__(self, workers: int, stack: ExitStack) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-bench-"))
        self.on, self.workers = f"dask://127.0.0.1:{port}", workers
        self.processes: list[subprocess.Popen[bytes]] = []
        common = "--host", "127.0.0.1", "--no-dashboard"
        words = [["dask_scheduler", "--port", str(port)]]
        for _ in range(workers):
            given = ["--no-nanny", "--nthreads", "1", "--local-directory", folder]
            words.append(["dask_worker", f"tcp://127.0.0.1:{port}", *given])
        for module, *more in words:
            command = [sys.executable, "-m", f"distributed.cli.{module}", *more, *common]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            self.processes.append(process)
        self.place: Executor | None = None
        self.stack = stack

    def begun(self) -> Executor:
        """The cluster as a place, once all its workers are there and have done something."""
        if self.place is None:
            end = time.monotonic() + STARTING
            while self.place is None:
                try:
                    with socket.create_connection(("127.0.0.1", int(self.on.rpartition(":")[2])), 1):
                        place = self.stack.enter_context(opened(self.on))
                except OSError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.2)
                    continue
                assert place is not None
                self.place = place
            self.place.begin()
            while self.place.size < 2 * self.workers:
                if time.monotonic() > end:
                    raise TimeoutError("the workers do not come.")
                list(self.place.listen(0.1))
            list(results(self.place, nothing, None, range(4 * self.workers)))
        return self.place

    def timed(self, seconds: float, blocks: int) -> Timed:
        """Blocks of so many seconds, on all workers."""
        place = self.begun()
        start = perf_counter()
        found = [took for _, (took, _) in results(place, busy, seconds, range(blocks))]
        return Timed(perf_counter() - start, tuple(found))

    def costs(self, blocks: int) -> tuple[float, float, float]:
        """Seconds a block of a run whose blocks are nothing: on the wall, of this process, of the scheduler."""
        place = self.begun()
        clocks = perf_counter, process_time, self.scheduler_time
        before = [clock() for clock in clocks]
        list(results(place, nothing, None, range(blocks)))
        wall, client, scheduler = ((clock() - start) / blocks for clock, start in zip(clocks, before, strict=True))
        return wall, client, scheduler

    def scheduler_time(self) -> float:
        """CPU time of the scheduler so far, in seconds."""
        from psutil import Process

        used = Process(self.processes[0].pid).cpu_times()
        return float(used.user + used.system)


def rows() -> Rows:
    """The efficiency of one and two workers, and what a block costs."""
    stack = ExitStack()
    atexit.register(stack.close)
    counts = sorted({1, min(MANY, os.cpu_count() or 1)})
    clusters = {count: Cluster(count, stack) for count in counts}
    found = [
        Row(f"{SECONDS} s of work on {count} worker{'s' if count > 1 else ''}, of a worker's time", "s", taken(cluster),
            None, SECONDS / ASKED if count == MANY else None)
        for count, cluster in clusters.items()
    ]  # fmt: skip
    found.append(Row("a block of nothing", "s", lambda: clusters[counts[-1]].costs(SMALL)[0]))
    return found, [
        f"{SECONDS} s at best; what is asked is an efficiency of {ASKED:.0%}.  Without the start of the cluster.",
        "'python -m benchmarks.cluster' says where 10, 100 and 1000 workers stop scaling.",
    ]


def taken(cluster: Cluster) -> Probe:
    """A probe: the time of a worker that one block has taken, whatever it was used for."""
    return lambda: SECONDS / cluster.timed(SECONDS, BLOCKS * cluster.workers).efficiency(cluster.workers)


def stored(stack: ExitStack) -> float:
    """Seconds of the store for a block of four matches with their records, in a file."""
    from benchmarks import arena

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-bench-"))
    return arena.SEATS * arena.cost(arena.opened(os.path.join(folder, "cost.db"), stack))()


def main() -> None:
    """Measure what the model needs, hold it against one and two workers, and print what it says of many."""
    with ExitStack() as stack:
        one, two = Cluster(1, stack), Cluster(min(MANY, os.cpu_count() or 1), stack)
        progress("measuring the cluster")
        worker = one.costs(SMALL)[0]
        _, client, scheduler = two.costs(SMALL)
        costs = cluster_model.Costs(client, scheduler, worker)
        runs = {cluster.workers: cluster.timed(SECONDS, BLOCKS * cluster.workers) for cluster in (one, two)}
        progress("measuring the store")
        kept = replace(costs, store=stored(stack))
        progress("")
    print("workers  measured  modelled, seconds")
    for workers, run in runs.items():
        model = cluster_model.simulated(workers, run.blocks, len(run.blocks), costs)
        print(f"{workers:>7}  {run.seconds:>8.2f}  {model.seconds:>8.2f}")
    print(*cluster_model.report(kept, [time for run in runs.values() for time in run.blocks]), sep="\n")


if __name__ == "__main__":
    main()
