"""A Dask cluster as an executor: each block goes to a suitable worker that is connected at the moment.

    scheduler   Dask's process that knows all workers; it is told which block is where, and sees no result
    slot        room for a block at a worker: one for each of its threads, and as many that wait there
    refusal     a worker lacks what blocks need, such as a sandbox, or this version of Kibitz: it gets no more such
                blocks

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
from kibitz.executors.worker import ANY, ExecutorReport, Lost, Need, Note, Refused, Signed, Work, part_name

if TYPE_CHECKING:
    from distributed import Client, Future

# The thread in which Kibitz talks with Dask, and how a connection begins and ends there.


REACH_SECONDS, CONNECT_SECONDS = 5.0, 20.0
"""Seconds after which an address counts as unreachable, and after which an address that answers isn't a scheduler's."""
UNNAMED = "Dask's configuration names no certificates: set distributed.comm.tls, as docs/machines.md has it."
MISSING = "Playing on a cluster needs Dask: pip install 'kibitz[cluster]'."

T = TypeVar("T")


class Loop:
    """A thread with an event loop for all communication with the scheduler; it silences Dask's messages."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(lambda loop, context: None)  # Dask leaves tasks behind that nobody awaits
        self.logger = logging.getLogger("distributed")
        self.level = self.logger.level
        self.logger.setLevel(logging.CRITICAL + 1)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True, name="kibitz-cluster")
        self.thread.start()

    def result(self, doing: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """Run a coroutine in the loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(doing, self.loop).result(seconds)

    def call(self, act: Any) -> None:
        """Call a function there soon."""
        self.loop.call_soon_threadsafe(act)

    def end(self) -> None:
        """Cancel everything that is left there, and end the thread."""

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
    """A connection to the scheduler at an address, and Dask's warnings; MachineError within seconds otherwise."""
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
            raise MachineError(UNNAMED) from error
        raise MachineError(
            f"There is no Dask scheduler at {address} ({cause(error)}): start it, or check host and port."
        ) from error
    return client, [str(warning.message).strip().splitlines()[0] for warning in caught]


async def require_listener(address: str) -> None:
    """Raise OSError at once if nothing listens at an address: Dask would retry until its time is up."""
    place = urlsplit(address)
    _, writer = await asyncio.wait_for(asyncio.open_connection(place.hostname, place.port), REACH_SECONDS)
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
        raise MachineError(MISSING) from error


def cause(error: BaseException) -> str:
    """An error in a few words."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200].rstrip(".")


# One of a cluster's workers as Kibitz sees it.


SLOTS_PER_THREAD = 2
"""Slots of each thread of a worker, so that it never waits for the next block."""


class ClusterWorker:
    """One of the cluster's workers: its slots, its current tickets, and what it has refused."""

    def __init__(self, address: str, threads: int) -> None:
        self.address, self.slots = address, SLOTS_PER_THREAD * threads
        self.tickets: set[int] = set()
        self.refusals: dict[Need, str] = {}
        self.known = False
        """Whether it has answered which Kibitz it has."""
        self.gone = asyncio.Event()

    def refusal(self, work: Work) -> str:
        """Why the worker may not get a block; empty if it may."""
        return next((self.refusals[need] for need in (ANY, *work.needs) if need in self.refusals), "")

    def has_room(self) -> bool:
        """Whether it can take another block, as far as is known."""
        return self.known and len(self.tickets) < self.slots

    @property
    def load(self) -> float:
        """How full its slots are, from 0 to 1."""
        return len(self.tickets) / self.slots


async def result_unless_gone(coming: Awaitable[T], worker: ClusterWorker) -> T | None:
    """The result of a question to a worker; None if the worker goes away first."""
    result, gone = asyncio.ensure_future(coming), asyncio.ensure_future(worker.gone.wait())
    try:
        await asyncio.wait({result, gone}, return_when=asyncio.FIRST_COMPLETED)
        return await result if result.done() else None
    finally:
        result.cancel()
        gone.cancel()


POLL_SECONDS = 0.5
"""Seconds between looks at the list of workers; for each hundred workers as much again."""
WORKERS_SECONDS = 60.0
"""Seconds to wait for a cluster without workers ..."""
ABLE_SECONDS = 10.0
"""... for one whose workers can't do a block ..."""
RECONNECT_SECONDS = 120.0
"""... and for one whose scheduler is gone."""
PAUSE = 0.5
VERSION_QUESTION = "(__import__('kibitz.executors.dask_worker'), __import__('kibitz').__version__)[1]"
"""The first question to a worker, as plain source: a worker without Kibitz would crash on one of our functions."""

BlockReport = ExecutorReport | Refused


class Cluster:
    """The workers of a Dask cluster; ``address`` is its scheduler's in Dask's words, such as ``tcp://host:8786``."""

    here = False

    def __init__(self, address: str) -> None:
        self.address, self.name = address, uuid.uuid4().hex[:12]
        self.heard: queue.SimpleQueue[BlockReport | KibitzError] = queue.SimpleQueue()
        self.contents: dict[str, bytes] = {}
        self.sent: set[int] = set()
        """Tickets without a final report yet; used by the caller's thread only, like ``contents``."""
        self.size = 1
        self.thread: Loop | None = None
        # used by the loop's thread only
        self.members: dict[str, ClusterWorker] = {}
        self.waiting: deque[tuple[int, Work]] = deque()
        self.running: set[asyncio.Task[None]] = set()
        self.client: Client | None = None
        self.scheduler: str | None = None
        self.parts: dict[str, Future[Any]] = {}
        self.unable_since: float | None = None

    # called by the caller's thread

    def begin(self) -> None:
        """Connect, unless connected; MachineError if there is no cluster."""
        if self.thread is None:
            require_dask()
            self.thread = Loop()
            try:
                self.thread.result(self.connect())
                self.thread.result(self.wait_for_workers())
            except BaseException:
                self.end()
                raise
            self.thread.call(lambda: self.run(self.watch()))

    def prepare(self, work: Work) -> None:
        """Do nothing: workers run before we connect, and their first block prepares them."""

    def free_slots(self) -> int:
        """How many more blocks it can take now."""
        return self.size - len(self.sent)

    def share(self, content: bytes) -> str:
        """Keep a part for later blocks; returns its name."""
        name = part_name(content)
        self.contents[name] = content
        return name

    def forget_part(self, name: str) -> None:
        """Forget a part that no block needs any more."""
        self.contents.pop(name, None)
        if self.thread:
            self.thread.call(lambda: self.parts.pop(name, None))

    def send(self, ticket: int, work: Work) -> None:
        """Have a block done by a suitable worker."""
        assert self.thread is not None
        self.sent.add(ticket)
        self.thread.call(lambda: self.take(ticket, work))

    def listen(self, seconds: float) -> Iterator[ExecutorReport]:
        """Reports that arrive within a time; returns at once if there are any."""
        while True:
            try:
                found = self.heard.get(timeout=seconds) if seconds else self.heard.get_nowait()
            except queue.Empty:
                return
            seconds = 0
            if isinstance(found, KibitzError):
                raise found
            assert not isinstance(found, Refused)
            if isinstance(found, Note):
                yield found
            elif found.ticket in self.sent:
                if not isinstance(found, Signed):
                    self.sent.remove(found.ticket)
                yield found

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
        """Find the scheduler; MachineError if there is none within seconds."""
        client, messages = await connect_client(self.address)
        for sentence in messages:
            self.heard.put(Note(sentence))
        client.subscribe_topic(f"kibitz-{self.name}", self.signed)
        self.client, self.parts = client, {}

    async def wait_for_workers(self) -> None:
        """Look which workers there are, and give them a moment to answer."""
        await self.find_workers()
        if self.running:
            await asyncio.wait(self.running, timeout=REACH_SECONDS)

    async def find_workers(self) -> None:
        """Look which workers there are; an error if the scheduler doesn't answer."""
        assert self.client is not None
        found = await asyncio.wait_for(self.client.scheduler.identity(n_workers=-1), CONNECT_SECONDS)
        if self.scheduler not in (None, found["id"]):
            raise ConnectionError("another scheduler has replaced it, without the work that was sent.")
        self.scheduler = found["id"]
        workers = found["workers"]
        for address in [address for address in self.members if address not in workers]:
            self.members.pop(address).gone.set()
        for address, about in workers.items():
            if address not in self.members:
                self.members[address] = ClusterWorker(address, about["nthreads"])
                self.run(self.ask(self.members[address], self.client))
        self.count()
        self.distribute()

    def count(self) -> None:
        """Count the room for blocks at workers that have this Kibitz."""
        able = [worker for worker in self.members.values() if worker.known and ANY not in worker.refusals]
        self.size = max(1, sum(worker.slots for worker in able))

    async def ask(self, worker: ClusterWorker, client: Client) -> None:
        """Ask a worker for its Kibitz."""
        future = self.submitted(client, worker, eval, VERSION_QUESTION)
        try:
            version = await result_unless_gone(client.gather(future), worker)
        except Exception as error:
            if future.status != "error":
                return
            self.refuse(worker, ANY, f"it doesn't have Kibitz {kibitz.__version__}: {cause(error)}.")
        else:
            if version is None:
                return
            if version != kibitz.__version__:
                self.refuse(worker, ANY, f"it has Kibitz {version}, but this is {kibitz.__version__}.")
        finally:
            future.release()
        worker.known = True
        self.count()
        self.distribute()

    def submitted(self, client: Client, worker: ClusterWorker, function: Any, *given: Any) -> Future[Any]:
        """Have one particular worker call a function."""
        return client.submit(
            function,
            *given,
            key=f"kibitz-{self.name}-{uuid.uuid4().hex}",
            workers=[worker.address],
            allow_other_workers=False,
            pure=False,
        )

    def refuse(self, worker: ClusterWorker, need: Need, sentence: str) -> None:
        """Exclude a worker from blocks with this need, and report it."""
        if need not in worker.refusals:
            worker.refusals[need] = f"{worker.address}: {sentence}"
            self.heard.put(Note(f"A worker is left out: {worker.refusals[need]}"))
            self.count()

    def run(self, doing: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, until it ends or everything is closed."""
        task = asyncio.get_running_loop().create_task(doing)
        self.running.add(task)
        task.add_done_callback(self.running.discard)

    async def watch(self) -> None:
        """Look for workers repeatedly, and find a lost scheduler again."""
        while True:
            await asyncio.sleep(POLL_SECONDS * (1 + len(self.members) / 100))
            try:
                await self.find_workers()
                self.check()
            except MachineError as error:
                self.heard.put(error)
                return
            except Exception:
                if not await self.reconnect():
                    return

    async def reconnect(self) -> bool:
        """Try for a while to reconnect; whether that succeeded."""
        self.heard.put(Note(f"The scheduler at {self.address} is lost; waiting for it."))
        for address in list(self.members):
            self.members.pop(address).gone.set()
        end = time.monotonic() + RECONNECT_SECONDS
        await self.close()
        while True:
            try:
                await self.connect()
                await self.find_workers()
            except Exception as error:
                if time.monotonic() > end:
                    self.heard.put(MachineError(f"The scheduler at {self.address} hasn't come back."))
                    return False
                del error
                await self.close()
                await asyncio.sleep(PAUSE)
            else:
                self.heard.put(Note(f"The scheduler at {self.address} is back."))
                return True

    async def close(self) -> None:
        """Close the connection, whatever its state."""
        client, self.client, self.scheduler, self.parts = self.client, None, None, {}
        if client is not None:
            await close_client(client)

    async def leave(self) -> None:
        """Stop all background work, and close the connection."""
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
        await self.close()

    def check(self) -> None:
        """Raise MachineError if blocks have waited too long for a suitable worker."""
        now = time.monotonic()
        if not self.waiting or any(
            not worker.refusal(work) for worker in self.members.values() for _, work in self.waiting
        ):
            self.unable_since = None
            return
        self.unable_since = self.unable_since or now
        waited = now - self.unable_since
        if not self.members:
            if waited > WORKERS_SECONDS:
                raise MachineError(f"The cluster at {self.address} has no workers: start some.")
        elif waited > ABLE_SECONDS:
            work = self.waiting[0][1]
            refusals = sorted({worker.refusal(work) for worker in self.members.values()})
            raise MachineError(f"No worker of the cluster at {self.address} can do this work: {' '.join(refusals)}")

    # the blocks

    def take(self, ticket: int, work: Work) -> None:
        """Queue a block."""
        self.waiting.append((ticket, work))
        self.distribute()

    def distribute(self) -> None:
        """Give blocks that wait to workers that have room for them, the least loaded first."""
        left: deque[tuple[int, Work]] = deque()
        while self.waiting:
            ticket, work = self.waiting.popleft()
            able = [worker for worker in self.members.values() if worker.has_room() and not worker.refusal(work)]
            if not able or self.client is None:
                left.append((ticket, work))
                continue
            worker = min(able, key=lambda one: one.load)
            worker.tickets.add(ticket)
            self.run(self.carry(ticket, work, worker, self.client))
        self.waiting = left

    async def carry(self, ticket: int, work: Work, worker: ClusterWorker, client: Client) -> None:
        """Have one worker do a block, and pass on the result."""
        found = await self.done_by(ticket, work, worker, client)
        worker.tickets.discard(ticket)
        if isinstance(found, Refused):
            self.refuse(worker, found.need, found.sentence)
            self.waiting.appendleft((ticket, work))
        else:
            self.heard.put(found)
        self.distribute()

    async def done_by(self, ticket: int, work: Work, worker: ClusterWorker, client: Client) -> BlockReport:
        """One worker's result for a block; lost if it goes away meanwhile."""
        future = None
        try:
            parts = [self.part(client, name) for name in work.parts]
            future = self.submitted(client, worker, relay, f"kibitz-{self.name}", ticket, encode(work), *parts)
            found = await result_unless_gone(client.gather(future), worker)
            if found is None:
                return Lost(ticket, f"the worker {worker.address} is gone.", alone=False)
            report: BlockReport = decode_answer(found)
            return report
        except Exception as error:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(worker.gone.wait(), 2 * POLL_SECONDS)
            return Lost(ticket, f"the worker {worker.address} is lost ({cause(error)}).", alone=False)
        finally:
            if future is not None:
                with suppress(Exception):
                    future.release()

    def part(self, client: Client, name: str) -> Future[Any]:
        """A part on the cluster; workers get it from one another."""
        if name not in self.parts or self.parts[name].status in ("cancelled", "lost", "error"):
            self.parts[name] = client.submit(bytes, self.contents[name], key=f"kibitz-part-{name}", pure=True)
        return self.parts[name]

    def signed(self, event: tuple[float, dict[str, Any]]) -> None:
        """Receive a sign of life that has content."""
        sign = event[1]
        self.heard.put(Signed(sign["ticket"], sign["data"]))
