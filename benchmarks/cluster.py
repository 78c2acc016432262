"""A Dask cluster on this machine: how much of two workers' time is used, and where many workers would stop scaling.

efficiency      the CPU time of all blocks, divided by the number of workers and by the time that the run took
ours            on one and on two workers of a cluster; each block is half a second of arithmetic

``python -m benchmarks scaling`` measures what a block costs the client, the scheduler, a worker and the store, and
uses that in a model of 10, 100 and 1000 workers (``simulated``), which is first compared with measured runs of one
and two.
"""

from __future__ import annotations

import argparse
import atexit
import heapq
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from random import Random
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.harness import Probe, Row, Rows, progress
from kibitz.executors import Executor, map_unordered, open_executor

SECONDS = 0.5
BLOCKS = 12
"""Blocks of a run, for each worker."""
SMALL, MANY = 400, 2
ASKED = 0.9
STARTING = 60.0
RESULT = 2_000
"""Bytes of a block's result, about as many as for 64 games."""


class TimedRun(NamedTuple):
    """One run: its seconds, and the seconds that each of its blocks took by itself."""

    seconds: float
    blocks: tuple[float, ...]

    def efficiency(self, workers: int) -> float:
        """The CPU time of the blocks, divided by the number of workers and by the time that the run took."""
        return SECONDS * len(self.blocks) / workers / self.seconds


def busy(seconds: float, item: int) -> tuple[float, bytes]:
    """Compute for ``seconds`` of CPU time; return the wall-clock time, and some bytes."""
    start, cpu, total = perf_counter(), process_time(), item
    while process_time() - cpu < seconds:
        total = (total * 1_103_515_245 + 12_345) % 2_147_483_648
    return perf_counter() - start, bytes(RESULT)


def nothing(given: object, item: int) -> bytes:
    """No work at all."""
    return bytes(RESULT)


class Cluster:
    """A scheduler and workers on the loopback address, as processes of their own."""

    def __init__(self, workers: int, stack: ExitStack) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-bench-"))
        self.on, self.workers = f"dask://127.0.0.1:{port}", workers
        self.processes: list[subprocess.Popen[bytes]] = []
        common = "--host", "127.0.0.1", "--no-dashboard"
        programs = [["dask_scheduler", "--port", str(port)]]
        for _ in range(workers):
            options = ["--no-nanny", "--nthreads", "1", "--local-directory", folder]
            programs.append(["dask_worker", f"tcp://127.0.0.1:{port}", *options])
        for module, *more in programs:
            command = [sys.executable, "-m", f"distributed.cli.{module}", *more, *common]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            self.processes.append(process)
        self.place: Executor | None = None
        self.stack = stack

    def connected(self) -> Executor:
        """An executor for the cluster, once all its workers are connected and have done something."""
        if self.place is None:
            end = time.monotonic() + STARTING
            while self.place is None:
                try:
                    with socket.create_connection(("127.0.0.1", int(self.on.rpartition(":")[2])), 1):
                        place = self.stack.enter_context(open_executor(self.on))
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
            list(map_unordered(self.place, nothing, None, range(4 * self.workers)))
        return self.place

    def timed(self, seconds: float, blocks: int) -> TimedRun:
        """Run blocks of ``seconds`` of work each on all workers."""
        place = self.connected()
        start = perf_counter()
        block_times = [took for _, (took, _) in map_unordered(place, busy, seconds, range(blocks))]
        return TimedRun(perf_counter() - start, tuple(block_times))

    def costs(self, blocks: int) -> tuple[float, float, float]:
        """Seconds a block in a run of empty blocks: wall-clock time, CPU time of this process and of the scheduler."""
        place = self.connected()
        clocks = perf_counter, process_time, self.scheduler_time
        before = [clock() for clock in clocks]
        list(map_unordered(place, nothing, None, range(blocks)))
        wall, client, scheduler = ((clock() - start) / blocks for clock, start in zip(clocks, before, strict=True))
        return wall, client, scheduler

    def scheduler_time(self) -> float:
        """CPU time of the scheduler so far, in seconds."""
        from psutil import Process

        used = Process(self.processes[0].pid).cpu_times()
        return float(used.user + used.system)


def rows() -> Rows:
    """Rows with the efficiency of one and two workers, and with the cost of a block."""
    stack = ExitStack()
    atexit.register(stack.close)
    counts = sorted({1, min(MANY, os.cpu_count() or 1)})
    clusters = {count: Cluster(count, stack) for count in counts}
    table_rows = [
        Row(f"{SECONDS} s of work on {count} worker{'s' if count > 1 else ''}, of a worker's time", "s",
            worker_time(cluster),
            None, SECONDS / ASKED if count == MANY else None)
        for count, cluster in clusters.items()
    ]  # fmt: skip
    table_rows.append(Row("a block of nothing", "s", lambda: clusters[counts[-1]].costs(SMALL)[0]))
    return table_rows, [
        f"{SECONDS} s at best; what is asked is an efficiency of {ASKED:.0%}.  Without the start of the cluster.",
        "'python -m benchmarks scaling' says where 10, 100 and 1000 workers stop scaling.",
    ]


def worker_time(cluster: Cluster) -> Probe:
    """A probe: the worker's time that one block takes, idle time included."""
    return lambda: SECONDS / cluster.timed(SECONDS, BLOCKS * cluster.workers).efficiency(cluster.workers)


def stored(stack: ExitStack) -> float:
    """The seconds that the store takes for a block of four matches with their records, in a file."""
    from benchmarks import arena

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-bench-"))
    return arena.SEATS * arena.cost(arena.opened(os.path.join(folder, "cost.db"), stack))()


# The model.
#
# A discrete-event model of a cluster: with how many workers it stops scaling, and why.
#
# client      Kibitz's own process: sends blocks and receives results, one after the other, and writes them to the store
# scheduler   Dask's process: handles each block when it is sent and when it is done
# worker      runs its blocks in turn, with a second one ready, and takes a little longer than the block for each
# straggler   a worker that runs the last blocks while the others have nothing left to do
#
# Each of these does one thing at a time, in the order of the requests.  What a block costs each of them is measured
# (``Costs``); the times of blocks are drawn from measured times.


AHEAD = 2
"""The maximum number of blocks that a worker has at a time (``kibitz.executors.cluster``)."""
WORKERS = (1, 2, 10, 100, 1000)
EACH = 100
"""Blocks of a modelled run, for each worker."""
GOOD = 0.9


@dataclass(frozen=True)
class Costs:
    """The seconds that each part of the cluster spends on one block; ``store`` is 0 if nothing is stored."""

    client: float
    scheduler: float
    worker: float
    store: float = 0.0


@dataclass
class Server:
    """A part of the cluster that does one thing at a time; ``free`` is when it has done everything so far."""

    free: float = 0.0
    busy: float = 0.0

    def done(self, requested: float, seconds: float) -> float:
        """The moment at which a request of the moment ``requested`` is done."""
        self.free = max(self.free, requested) + seconds
        self.busy += seconds
        return self.free


@dataclass
class Worker:
    """One worker: the blocks that wait for it, and when it last finished one."""

    queue: deque[float] = field(default_factory=deque)
    at_work: bool = False
    last: float = 0.0


@dataclass(frozen=True)
class Run:
    """The result of a modelled run: its seconds, and the shares of the workers' time used and lost at the end.

    ``shares`` are the shares of the run in which the client, the store and the scheduler were busy.
    """

    workers: int
    seconds: float
    efficiency: float
    at_the_end: float
    shares: dict[str, float]

    @property
    def limit(self) -> str:
        """What causes most of the lost time."""
        lost = 1 - self.efficiency
        if lost < 1 - GOOD:
            return "nothing yet"
        if self.at_the_end > lost / 2:
            return "stragglers"
        return max(self.shares, key=self.shares.__getitem__)


def simulated(workers: int, times: Sequence[float], blocks: int, costs: Costs, seed: int = 1) -> Run:
    """Model a run; the blocks take ``times`` in their order if there are as many, else times drawn from them."""
    random = Random(seed)
    drawn = list(times) if len(times) == blocks else random.choices(times, k=blocks)
    return Model(workers, drawn, costs).run()


class Model:
    """The state of a modelled run; ``events`` is a heap of moments and what happens then."""

    def __init__(self, workers: int, times: list[float], costs: Costs) -> None:
        self.costs, self.times = costs, times
        self.waiting = deque(times)
        self.workers = [Worker() for _ in range(workers)]
        self.client, self.scheduler, self.stored = Server(), Server(), 0.0
        self.events: list[tuple[float, int, Callable[[float], None]]] = []
        self.numbers: Iterator[int] = iter(range(1 << 62))
        self.end = 0.0

    def run(self) -> Run:
        """Model the run to its end."""
        for _ in range(AHEAD):
            for worker in self.workers:
                self.at(0.0, self.sending(worker))
        while self.events:
            moment, _, act = heapq.heappop(self.events)
            act(moment)
        worker_seconds = self.end * len(self.workers)
        shares = {
            "client": (self.client.busy - self.stored) / self.end,
            "store": self.stored / self.end,
            "scheduler": self.scheduler.busy / self.end,
        }
        lost_at_the_end = sum(self.end - worker.last for worker in self.workers) / worker_seconds
        return Run(len(self.workers), self.end, sum(self.times) / worker_seconds, lost_at_the_end, shares)

    def at(self, moment: float, act: Callable[[float], None]) -> None:
        """Add an event."""
        heapq.heappush(self.events, (moment, next(self.numbers), act))

    def sending(self, worker: Worker) -> Callable[[float], None]:
        """The client sends a worker a block, if there is one left."""

        def send(now: float) -> None:
            if self.waiting:
                time = self.waiting.popleft()
                self.at(self.client.done(now, self.costs.client / 2), self.placing(worker, time))

        return send

    def placing(self, worker: Worker, time: float) -> Callable[[float], None]:
        """The scheduler passes the block on."""
        return lambda now: self.at(self.scheduler.done(now, self.costs.scheduler / 2), self.coming(worker, time))

    def coming(self, worker: Worker, time: float) -> Callable[[float], None]:
        """The worker receives the block."""

        def come(now: float) -> None:
            worker.queue.append(time)
            self.work(worker, now)

        return come

    def work(self, worker: Worker, now: float) -> None:
        """Begin the next block, if there is one and the worker is free."""
        if worker.at_work or not worker.queue:
            return
        worker.at_work = True
        self.at(now + worker.queue.popleft() + self.costs.worker, self.worked(worker))

    def worked(self, worker: Worker) -> Callable[[float], None]:
        """A block is done: the scheduler handles it, then the client receives the result and sends another block."""

        def over(now: float) -> None:
            worker.at_work, worker.last = False, now
            self.at(self.scheduler.done(now, self.costs.scheduler / 2), receive)
            self.work(worker, now)

        def receive(now: float) -> None:
            self.stored += self.costs.store
            moment = self.client.done(now, self.costs.client / 2 + self.costs.store)
            self.end = max(self.end, moment)
            self.at(moment, self.sending(worker))

        return over


def saturation(costs: Costs, seconds: float) -> dict[str, float]:
    """The number of workers that keep the client or the scheduler busy all the time, if a block takes ``seconds``."""
    block_costs = {"client and store": costs.client + costs.store, "scheduler": costs.scheduler}
    return {name: (seconds + costs.worker) / cost for name, cost in block_costs.items() if cost}


def report(costs: Costs, times: Sequence[float]) -> list[str]:
    """The lines of the table of many workers, with a store and without, and what limits them."""
    mean = sum(times) / len(times)
    lines = [
        f"A block takes {mean:.3f} s on average ({min(times):.3f}-{max(times):.3f}); it costs the client"
        f" {1000 * costs.client:.2f} ms, the scheduler {1000 * costs.scheduler:.2f} ms, the worker"
        f" {1000 * costs.worker:.2f} ms more than the block, the store {1000 * costs.store:.2f} ms.",
        f"Modelled runs of {EACH} blocks for each worker:",
        f"{'workers':>8}  {'kept':>5}  {'efficiency':>10}  {'lost at the end':>15}  limit",
    ]
    for stores in (True, False):
        run_costs = costs if stores else Costs(costs.client, costs.scheduler, costs.worker)
        for workers in WORKERS:
            run = simulated(workers, times, EACH * workers, run_costs)
            figures = f"{run.efficiency:>10.1%}  {run.at_the_end:>15.1%}"
            lines.append(f"{workers:>8}  {'yes' if stores else 'no':>5}  {figures}  {run.limit}")
    full = ", ".join(f"{name} by {count:.0f} workers" for name, count in saturation(costs, mean).items())
    lines.append(f"Busy all the time: {full}; longer blocks move that up in proportion.")
    return lines


def main(arguments: list[str]) -> None:
    """Measure the costs for the model, compare it with one and two workers, and print its results for many."""
    argparse.ArgumentParser(prog="python -m benchmarks scaling", description=main.__doc__).parse_args(arguments)
    with ExitStack() as stack:
        one, two = Cluster(1, stack), Cluster(min(MANY, os.cpu_count() or 1), stack)
        progress("measuring the cluster")
        worker = one.costs(SMALL)[0]
        _, client, scheduler = two.costs(SMALL)
        costs = Costs(client, scheduler, worker)
        runs = {cluster.workers: cluster.timed(SECONDS, BLOCKS * cluster.workers) for cluster in (one, two)}
        progress("measuring the store")
        with_store = replace(costs, store=stored(stack))
        progress("")
    print("workers  measured  modelled, seconds")
    for workers, run in runs.items():
        model = simulated(workers, run.blocks, len(run.blocks), costs)
        print(f"{workers:>7}  {run.seconds:>8.2f}  {model.seconds:>8.2f}")
    print(*report(with_store, [time for run in runs.values() for time in run.blocks]), sep="\n")
