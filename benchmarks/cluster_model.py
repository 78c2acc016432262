"""A cluster as a discrete-event model: where many workers stop scaling, and what stops them.

client      Kibitz's own process: sends blocks and takes results, one after the other, and hands those to the store
scheduler   Dask's process: hears of each block when it is sent and when it is done
worker      does its blocks in turn, with a second one at hand, and a little more than the block for each
straggler   who does the last blocks while the others have nothing left

Each of these does one thing at a time, in the order in which it is asked.  What each costs for a block is measured
(``Costs``); how long blocks take is drawn from measured times.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

AHEAD = 2
"""Blocks that a worker has at most (``kibitz.executors.cluster``)."""
WORKERS = (1, 2, 10, 100, 1000)
EACH = 100
"""Blocks of a modelled run, for each worker."""
GOOD = 0.9


@dataclass(frozen=True)
class Costs:
    """Seconds of each for one block; ``store`` is 0 where nothing is kept."""

    client: float
    scheduler: float
    worker: float
    store: float = 0.0


@dataclass
class Server:
    """Something that does one thing at a time."""

    free: float = 0.0
    busy: float = 0.0

    def done(self, asked: float, seconds: float) -> float:
        """When something is done that it is asked for at a moment."""
        self.free = max(self.free, asked) + seconds
        self.busy += seconds
        return self.free


@dataclass
class Worker:
    """One worker: what it has at hand, and when it was last at work."""

    queue: deque[float] = field(default_factory=deque)
    at_work: bool = False
    last: float = 0.0


@dataclass(frozen=True)
class Run:
    """What came of a modelled run: its seconds, and the parts of all workers' time that were used and that were lost.

    ``shares`` are the parts of the run in which the client, the store and the scheduler were busy.
    """

    workers: int
    seconds: float
    efficiency: float
    at_the_end: float
    shares: dict[str, float]

    @property
    def limit(self) -> str:
        """What costs most of the time that is lost."""
        lost = 1 - self.efficiency
        if lost < 1 - GOOD:
            return "nothing yet"
        if self.at_the_end > lost / 2:
            return "stragglers"
        return max(self.shares, key=self.shares.__getitem__)


def simulated(workers: int, times: Sequence[float], blocks: int, costs: Costs, seed: int = 1) -> Run:
    """A run of so many blocks; if there are as many ``times``, those in their order, else drawn from them."""
    random = Random(seed)
    drawn = list(times) if len(times) == blocks else random.choices(times, k=blocks)
    return Model(workers, drawn, costs).run()


class Model:
    """A run while it is modelled: ``events`` are moments at which something happens, in order."""

    def __init__(self, workers: int, times: list[float], costs: Costs) -> None:
        self.costs, self.times = costs, times
        self.waiting = deque(times)
        self.workers = [Worker() for _ in range(workers)]
        self.client, self.scheduler, self.stored = Server(), Server(), 0.0
        self.events: list[tuple[float, int, Callable[[float], None]]] = []
        self.numbers: Iterator[int] = iter(range(1 << 62))
        self.end = 0.0

    def run(self) -> Run:
        """Model it to its end."""
        for _ in range(AHEAD):
            for worker in self.workers:
                self.at(0.0, self.sending(worker))
        while self.events:
            moment, _, act = heapq.heappop(self.events)
            act(moment)
        whole = self.end * len(self.workers)
        shares = {
            "client": (self.client.busy - self.stored) / self.end,
            "store": self.stored / self.end,
            "scheduler": self.scheduler.busy / self.end,
        }
        idle = sum(self.end - worker.last for worker in self.workers) / whole
        return Run(len(self.workers), self.end, sum(self.times) / whole, idle, shares)

    def at(self, moment: float, act: Callable[[float], None]) -> None:
        """Something that will happen."""
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
        """The worker has the block."""

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
        """A block is done: the scheduler hears of it, then the client takes the result and sends another block."""

        def over(now: float) -> None:
            worker.at_work, worker.last = False, now
            self.at(self.scheduler.done(now, self.costs.scheduler / 2), taken)
            self.work(worker, now)

        def taken(now: float) -> None:
            self.stored += self.costs.store
            moment = self.client.done(now, self.costs.client / 2 + self.costs.store)
            self.end = max(self.end, moment)
            self.at(moment, self.sending(worker))

        return over


def most(costs: Costs, seconds: float) -> dict[str, float]:
    """With how many workers each of them is busy all the time, where a block takes so long."""
    found = {"client and store": costs.client + costs.store, "scheduler": costs.scheduler}
    return {name: (seconds + costs.worker) / cost for name, cost in found.items() if cost}


def report(costs: Costs, times: Sequence[float]) -> list[str]:
    """The table of many workers, with a store and without, and what limits them."""
    mean = sum(times) / len(times)
    lines = [
        f"A block takes {mean:.3f} s on average ({min(times):.3f}-{max(times):.3f}); it costs the client"
        f" {1000 * costs.client:.2f} ms, the scheduler {1000 * costs.scheduler:.2f} ms, the worker"
        f" {1000 * costs.worker:.2f} ms more than the block, the store {1000 * costs.store:.2f} ms.",
        f"Modelled runs of {EACH} blocks for each worker:",
        f"{'workers':>8}  {'kept':>5}  {'efficiency':>10}  {'lost at the end':>15}  limit",
    ]
    for kept in (True, False):
        asked = costs if kept else Costs(costs.client, costs.scheduler, costs.worker)
        for workers in WORKERS:
            run = simulated(workers, times, EACH * workers, asked)
            figures = f"{run.efficiency:>10.1%}  {run.at_the_end:>15.1%}"
            lines.append(f"{workers:>8}  {'yes' if kept else 'no':>5}  {figures}  {run.limit}")
    full = ", ".join(f"{name} by {count:.0f} workers" for name, count in most(costs, mean).items())
    lines.append(f"Busy all the time: {full}; longer blocks move that up in proportion.")
    return lines
