"""A Dask cluster as an executor: each block goes to a suitable worker that is connected at the moment.

    scheduler   Dask's process that knows all workers, and which block each of them has; it doesn't see results
    slot        room for a block at a worker; for each of its threads a worker has one slot for the block being done,
                and one for a block that waits
    refusal     a worker lacks what some blocks need, such as a sandbox or this version of Kibitz, so it gets no more
                blocks with this need

Workers may come, go and be killed, and the scheduler may be restarted: lost blocks are done again, which changes
nothing, since a block gives the same result wherever it is done. If no worker can do a block, or none comes back,
MachineError is raised after some seconds.

Anyone who can reach a scheduler can run any code on its workers.  Kibitz connects to one and never starts any.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Awaitable, Coroutine, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import kibitz
from kibitz.errors import KibitzError, MachineError
from kibitz.executors.dask_worker import decode_answer, encode, relay
from kibitz.executors.worker import THIS_KIBITZ, ExecutorReport, Heartbeat, Lost, Need, Note, Refused, Work, blob_name

if TYPE_CHECKING:
    from distributed import Client, Future

# The thread in which Kibitz talks to Dask, and how it opens and closes a connection.


REACH_SECONDS, CONNECT_SECONDS = 5.0, 20.0
"""Seconds after which an address counts as unreachable, and after which an address that answers isn't a scheduler's."""
NO_CERTIFICATES = "Dask's configuration names no certificates: set distributed.comm.tls, as docs/machines.md has it."
NO_DASK = "Playing on a cluster needs Dask: pip install 'kibitz[cluster]'."

T = TypeVar("T")


class EventLoopThread:
    """A thread with an event loop for all communication with the scheduler; it silences Dask's messages."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(lambda loop, context: None)  # Dask leaves tasks behind that nobody awaits
        self.logger = logging.getLogger("distributed")
        self.level = self.logger.level
        self.logger.setLevel(logging.CRITICAL + 1)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True, name="kibitz-cluster")
        self.thread.start()

    def result(self, coroutine: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """Run a coroutine in the thread and wait for its result, at most ``seconds`` if given."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(seconds)

    def call(self, function: Any) -> None:
        """Have the thread call a function without arguments; returns at once."""
        self.loop.call_soon_threadsafe(function)

    def end(self) -> None:
        """Cancel all tasks that still run in the thread, and end it."""

        async def stop() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.wait_for(asyncio.gather(*others, return_exceptions=True), CONNECT_SECONDS)

        with suppress(Exception):
            self.result(stop(), 2 * CONNECT_SECONDS)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(CONNECT_SECONDS)
        if not self.thread.is_alive():
            self.loop.close()
        self.logger.setLevel(self.level)


async def connect_client(address: str) -> tuple[Client, list[str]]:
    """Connect to the scheduler at an address; returns the connection, and Dask's warnings.

    MachineError within seconds if that fails.
    """
    client = None
    try:
        await require_listener(address)
        from distributed import Client

        with warnings.catch_warnings(record=True) as caught:
            client = Client(
                address,
                asynchronous=True,
                set_as_default=False,
                timeout=CONNECT_SECONDS,
                name="kibitz",
                direct_to_workers=True,
            )
            vars(client)["close"] = lambda: None  # or it would start to close itself when collected
            await asyncio.wait_for(client, 2 * CONNECT_SECONDS)
    except BaseException as error:
        if client is not None:
            await close_client(client)
        if not isinstance(error, Exception):
            raise
        if isinstance(error, TypeError) and address.startswith("tls"):
            raise MachineError(NO_CERTIFICATES) from error
        raise MachineError(
            f"There is no Dask scheduler at {address} ({cause(error)}): start it, or check host and port."
        ) from error
    return client, [str(warning.message).strip().splitlines()[0] for warning in caught]


async def require_listener(address: str) -> None:
    """Raise OSError at once if nothing listens at an address: Dask would retry until its time is up."""
    url = urlsplit(address)
    _, writer = await asyncio.wait_for(asyncio.open_connection(url.hostname, url.port), REACH_SECONDS)
    writer.close()
    await writer.wait_closed()


async def close_client(client: Client) -> None:
    """Close a connection, or abandon it if that takes long."""
    closing = type(client).close(client, timeout=None)
    with suppress(Exception):
        await asyncio.wait_for(closing, REACH_SECONDS)


def require_dask() -> None:
    """Raise MachineError, with what to install, if Dask is missing."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MachineError(NO_DASK) from error


def cause(error: BaseException) -> str:
    """An error in a few words."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200].rstrip(".")


# One of the cluster's workers.


SLOTS_PER_THREAD = 2
"""Slots for each thread of a worker: with two, it never waits for the next block."""


class ClusterWorker:
    """One of the cluster's workers: its slots, its current tickets, and what it has refused."""

    def __init__(self, address: str, threads: int) -> None:
        self.address, self.slots = address, SLOTS_PER_THREAD * threads
        self.tickets: set[int] = set()
        self.refusals: dict[Need, str] = {}
        self.has_answered = False
        """Whether it has answered which version of Kibitz it has."""
        self.gone = asyncio.Event()
        """Set when the worker has left the cluster."""

    def refusal(self, work: Work) -> str:
        """Why the worker may not get a block; empty if it may."""
        return next((self.refusals[need] for need in (THIS_KIBITZ, *work.needs) if need in self.refusals), "")

    def has_room(self) -> bool:
        """Whether the worker has answered and has a free slot."""
        return self.has_answered and len(self.tickets) < self.slots

    @property
    def load(self) -> float:
        """How full its slots are, from 0 to 1."""
        return len(self.tickets) / self.slots


async def result_unless_gone(awaitable: Awaitable[T], worker: ClusterWorker) -> T | None:
    """Wait for a result from a worker; None if the worker leaves the cluster first."""
    result, gone = asyncio.ensure_future(awaitable), asyncio.ensure_future(worker.gone.wait())
    try:
        await asyncio.wait({result, gone}, return_when=asyncio.FIRST_COMPLETED)
        return await result if result.done() else None
    finally:
        result.cancel()
        gone.cancel()


POLL_SECONDS = 0.5
"""Seconds between two reads of the list of workers; for every hundred workers it is this much longer."""
WORKERS_SECONDS = 60.0
"""Seconds to wait for workers, if the cluster has none."""
SUITABLE_SECONDS = 10.0
"""Seconds to wait for a suitable worker, if none of the cluster's workers can do a block."""
RECONNECT_SECONDS = 120.0
"""Seconds to wait for a scheduler that is lost."""
RECONNECT_PAUSE = 0.5
"""Seconds between two tries to reconnect."""
VERSION_QUESTION = "(__import__('kibitz.executors.dask_worker'), __import__('kibitz').__version__)[1]"
"""The first question to a worker, as source code: a worker without Kibitz would crash on one of our functions."""

BlockReport = ExecutorReport | Refused


class Cluster:
    """The workers of a Dask cluster; ``address`` is the scheduler's as Dask writes it, such as ``tcp://host:8786``."""

    is_local = False

    def __init__(self, address: str) -> None:
        self.address, self.name = address, uuid.uuid4().hex[:12]
        self.reports: queue.SimpleQueue[BlockReport | KibitzError] = queue.SimpleQueue()
        self.contents: dict[str, bytes] = {}
        self.sent: set[int] = set()
        """Tickets without a final report yet; used by the caller's thread only, like ``contents``."""
        self.size = 1
        self.thread: EventLoopThread | None = None
        # used by the loop's thread only
        self.workers: dict[str, ClusterWorker] = {}
        self.waiting: deque[tuple[int, Work]] = deque()
        self.running: set[asyncio.Task[None]] = set()
        self.client: Client | None = None
        self.scheduler: str | None = None
        self.blobs: dict[str, Future[Any]] = {}
        self.none_suitable_since: float | None = None

    # called by the caller's thread

    def begin(self) -> None:
        """Connect, unless connected. Raises MachineError if there is no cluster."""
        if self.thread is None:
            require_dask()
            self.thread = EventLoopThread()
            try:
                self.thread.result(self.connect())
                self.thread.result(self.wait_for_workers())
            except BaseException:
                self.end()
                raise
            self.thread.call(lambda: self.run(self.watch()))

    def prepare(self, work: Work) -> None:
        """Do nothing: workers outlive this executor, and their first block prepares them."""

    def free_slots(self) -> int:
        """How many more blocks it can take now."""
        return self.size - len(self.sent)

    def add_blob(self, content: bytes) -> str:
        """Keep a blob for later blocks; returns its name."""
        name = blob_name(content)
        self.contents[name] = content
        return name

    def forget_blob(self, name: str) -> None:
        """Forget a blob that no block needs any more."""
        self.contents.pop(name, None)
        if self.thread:
            self.thread.call(lambda: self.blobs.pop(name, None))

    def send(self, ticket: int, work: Work) -> None:
        """Have a block done by a suitable worker."""
        assert self.thread is not None
        self.sent.add(ticket)
        self.thread.call(lambda: self.queue_block(ticket, work))

    def listen(self, seconds: float) -> Iterator[ExecutorReport]:
        """Reports that arrive within a time; returns at once if there are any."""
        while True:
            try:
                report = self.reports.get(timeout=seconds) if seconds else self.reports.get_nowait()
            except queue.Empty:
                return
            seconds = 0
            if isinstance(report, KibitzError):
                raise report
            assert not isinstance(report, Refused)
            if isinstance(report, Note):
                yield report
            elif report.ticket in self.sent:
                if not isinstance(report, Heartbeat):
                    self.sent.remove(report.ticket)
                yield report

    def end(self) -> None:
        """Disconnect from the cluster; blocks that were sent are forgotten."""
        if self.thread is not None:
            thread, self.thread = self.thread, None
            with suppress(Exception):
                thread.result(self.leave(), CONNECT_SECONDS)
            thread.end()
            self.sent.clear()

    # the connection

    async def connect(self) -> None:
        """Connect to the scheduler; MachineError within seconds if there is none."""
        client, messages = await connect_client(self.address)
        for sentence in messages:
            self.reports.put(Note(sentence))
        client.subscribe_topic(f"kibitz-{self.name}", self.receive_heartbeat)
        self.client, self.blobs = client, {}

    async def wait_for_workers(self) -> None:
        """Read the list of workers, and give new ones a moment to answer."""
        await self.find_workers()
        if self.running:
            await asyncio.wait(self.running, timeout=REACH_SECONDS)

    async def find_workers(self) -> None:
        """Read the list of workers, and ask new ones for their version; an error if the scheduler doesn't answer."""
        assert self.client is not None
        identity = await asyncio.wait_for(self.client.scheduler.identity(n_workers=-1), CONNECT_SECONDS)
        if self.scheduler not in (None, identity["id"]):
            raise ConnectionError("another scheduler has replaced it, without the work that was sent.")
        self.scheduler = identity["id"]
        workers = identity["workers"]
        for address in [address for address in self.workers if address not in workers]:
            self.workers.pop(address).gone.set()
        for address, description in workers.items():
            if address not in self.workers:
                self.workers[address] = ClusterWorker(address, description["nthreads"])
                self.run(self.ask_version(self.workers[address], self.client))
        self.count_slots()
        self.distribute()

    def count_slots(self) -> None:
        """Set ``size`` to the number of slots at workers with this version of Kibitz."""
        able = [
            worker for worker in self.workers.values() if worker.has_answered and THIS_KIBITZ not in worker.refusals
        ]
        self.size = max(1, sum(worker.slots for worker in able))

    async def ask_version(self, worker: ClusterWorker, client: Client) -> None:
        """Ask a worker for its version of Kibitz, and exclude it if that is another one."""
        future = self.submit(client, worker, eval, VERSION_QUESTION)
        try:
            version = await result_unless_gone(client.gather(future), worker)
        except Exception as error:
            if future.status != "error":
                return
            self.refuse(worker, THIS_KIBITZ, f"it doesn't have Kibitz {kibitz.__version__}: {cause(error)}.")
        else:
            if version is None:
                return
            if version != kibitz.__version__:
                self.refuse(worker, THIS_KIBITZ, f"it has Kibitz {version}, but this is {kibitz.__version__}.")
        finally:
            future.release()
        worker.has_answered = True
        self.count_slots()
        self.distribute()

    def submit(self, client: Client, worker: ClusterWorker, function: Any, *arguments: Any) -> Future[Any]:
        """Have one particular worker call a function."""
        return client.submit(
            function,
            *arguments,
            key=f"kibitz-{self.name}-{uuid.uuid4().hex}",
            workers=[worker.address],
            allow_other_workers=False,
            pure=False,
        )

    def refuse(self, worker: ClusterWorker, need: Need, sentence: str) -> None:
        """Exclude a worker from blocks with this need, and report it."""
        if need not in worker.refusals:
            worker.refusals[need] = f"{worker.address}: {sentence}"
            self.reports.put(Note(f"A worker is left out: {worker.refusals[need]}"))
            self.count_slots()

    def run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, until it ends or the executor does."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self.running.add(task)
        task.add_done_callback(self.running.discard)

    async def watch(self) -> None:
        """Read the list of workers every ``POLL_SECONDS``, and reconnect to a lost scheduler."""
        while True:
            await asyncio.sleep(POLL_SECONDS * (1 + len(self.workers) / 100))
            try:
                await self.find_workers()
                self.check_waiting()
            except MachineError as error:
                self.reports.put(error)
                return
            except Exception:
                if not await self.reconnect():
                    return

    async def reconnect(self) -> bool:
        """Try to reconnect for ``RECONNECT_SECONDS``; returns whether that succeeded."""
        self.reports.put(Note(f"The scheduler at {self.address} is lost; waiting for it."))
        for address in list(self.workers):
            self.workers.pop(address).gone.set()
        end = time.monotonic() + RECONNECT_SECONDS
        await self.close()
        while True:
            try:
                await self.connect()
                await self.find_workers()
            except Exception as error:
                if time.monotonic() > end:
                    self.reports.put(MachineError(f"The scheduler at {self.address} hasn't come back."))
                    return False
                del error
                await self.close()
                await asyncio.sleep(RECONNECT_PAUSE)
            else:
                self.reports.put(Note(f"The scheduler at {self.address} is back."))
                return True

    async def close(self) -> None:
        """Close the connection, whatever its state."""
        client, self.client, self.scheduler, self.blobs = self.client, None, None, {}
        if client is not None:
            await close_client(client)

    async def leave(self) -> None:
        """Stop all background work, and close the connection."""
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
        await self.close()

    def check_waiting(self) -> None:
        """Raise MachineError if blocks have waited too long for a suitable worker."""
        now = time.monotonic()
        if not self.waiting or any(
            not worker.refusal(work) for worker in self.workers.values() for _, work in self.waiting
        ):
            self.none_suitable_since = None
            return
        self.none_suitable_since = self.none_suitable_since or now
        waited = now - self.none_suitable_since
        if not self.workers:
            if waited > WORKERS_SECONDS:
                raise MachineError(f"The cluster at {self.address} has no workers: start some.")
        elif waited > SUITABLE_SECONDS:
            work = self.waiting[0][1]
            refusals = sorted({worker.refusal(work) for worker in self.workers.values()})
            raise MachineError(f"No worker of the cluster at {self.address} can do this work: {' '.join(refusals)}")

    # the blocks

    def queue_block(self, ticket: int, work: Work) -> None:
        """Queue a block."""
        self.waiting.append((ticket, work))
        self.distribute()

    def distribute(self) -> None:
        """Give waiting blocks to suitable workers with room, the least loaded first."""
        still_waiting: deque[tuple[int, Work]] = deque()
        while self.waiting:
            ticket, work = self.waiting.popleft()
            able = [worker for worker in self.workers.values() if worker.has_room() and not worker.refusal(work)]
            if not able or self.client is None:
                still_waiting.append((ticket, work))
                continue
            worker = min(able, key=lambda worker: worker.load)
            worker.tickets.add(ticket)
            self.run(self.do_block(ticket, work, worker, self.client))
        self.waiting = still_waiting

    async def do_block(self, ticket: int, work: Work, worker: ClusterWorker, client: Client) -> None:
        """Have one worker do a block, and pass on its report; if the worker refuses it, the block is queued again."""
        report = await self.report_from(worker, ticket, work, client)
        worker.tickets.discard(ticket)
        if isinstance(report, Refused):
            self.refuse(worker, report.need, report.sentence)
            self.waiting.appendleft((ticket, work))
        else:
            self.reports.put(report)
        self.distribute()

    async def report_from(self, worker: ClusterWorker, ticket: int, work: Work, client: Client) -> BlockReport:
        """One worker's last report on a block; Lost if the worker leaves the cluster in the meantime."""
        future = None
        try:
            blobs = [self.blob(client, name) for name in work.blobs]
            future = self.submit(client, worker, relay, f"kibitz-{self.name}", ticket, encode(work), *blobs)
            answer = await result_unless_gone(client.gather(future), worker)
            if answer is None:
                return Lost(ticket, f"the worker {worker.address} is gone.", alone=False)
            report: BlockReport = decode_answer(answer)
            return report
        except Exception as error:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(worker.gone.wait(), 2 * POLL_SECONDS)
            return Lost(ticket, f"the worker {worker.address} is lost ({cause(error)}).", alone=False)
        finally:
            if future is not None:
                with suppress(Exception):
                    future.release()

    def blob(self, client: Client, name: str) -> Future[Any]:
        """The blob on the cluster, sent if it isn't there; workers get it from one another."""
        if name not in self.blobs or self.blobs[name].status in ("cancelled", "lost", "error"):
            self.blobs[name] = client.submit(bytes, self.contents[name], key=f"kibitz-blob-{name}", pure=True)
        return self.blobs[name]

    def receive_heartbeat(self, event: tuple[float, dict[str, Any]]) -> None:
        """Receive a heartbeat with data, as a Dask event: a time and a message."""
        message = event[1]
        self.reports.put(Heartbeat(message["ticket"], message["data"]))
