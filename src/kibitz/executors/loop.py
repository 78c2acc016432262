"""The thread in which Kibitz talks with Dask, and how a connection begins and ends there."""

from __future__ import annotations

import asyncio
import logging
import threading
import warnings
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from kibitz.errors import MachineError

if TYPE_CHECKING:
    from distributed import Client

REACHED, CONNECT = 5.0, 20.0
"""Seconds until an address that does not answer is nobody's, and until one that does is no scheduler's."""
UNNAMED = "Dask's configuration names no certificates: set distributed.comm.tls, as docs/machines.md has it."
MISSING = "Playing on a cluster needs Dask: pip install 'kibitz[cluster]'."

T = TypeVar("T")


class Loop:
    """A thread with an event loop, in which all talk with the scheduler takes place; Dask is silent meanwhile."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(lambda loop, context: None)  # Dask leaves tasks behind whose end nobody hears
        self.logger = logging.getLogger("distributed")
        self.level = self.logger.level
        self.logger.setLevel(logging.CRITICAL + 1)
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True, name="kibitz-cluster")
        self.thread.start()

    def result(self, doing: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """Wait for something that is done there."""
        return asyncio.run_coroutine_threadsafe(doing, self.loop).result(seconds)

    def call(self, act: Any) -> None:
        """Do something there soon."""
        self.loop.call_soon_threadsafe(act)

    def end(self) -> None:
        """End all that is left there, and the thread."""

        async def stop() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.wait_for(asyncio.gather(*others, return_exceptions=True), CONNECT)

        with suppress(Exception):
            self.result(stop(), 2 * CONNECT)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(CONNECT)
        if not self.thread.is_alive():
            self.loop.close()
        self.logger.setLevel(self.level)


async def connected(address: str) -> tuple[Client, list[str]]:
    """A connection to the scheduler at an address, and what Dask warns of; MachineError within seconds otherwise."""
    client = None
    try:
        await reached(address)
        from distributed import Client

        with warnings.catch_warnings(record=True) as told:
            client = Client(
                address,
                asynchronous=True,
                set_as_default=False,
                timeout=CONNECT,
                name="kibitz",
                direct_to_workers=True,
            )
            vars(client)["close"] = lambda: None  # or it would begin to close itself where it is collected
            await asyncio.wait_for(client, 2 * CONNECT)
    except BaseException as error:
        if client is not None:
            await closed(client)
        if not isinstance(error, Exception):
            raise
        if isinstance(error, TypeError) and address.startswith("tls"):
            raise MachineError(UNNAMED) from error
        raise MachineError(
            f"There is no Dask scheduler at {address} ({cause(error)}): start it, or check host and port."
        ) from error
    return client, [str(warning.message).strip().splitlines()[0] for warning in told]


async def reached(address: str) -> None:
    """OSError where nobody listens at an address, at once: Dask would try again for as long as it may."""
    place = urlsplit(address)
    _, writer = await asyncio.wait_for(asyncio.open_connection(place.hostname, place.port), REACHED)
    writer.close()
    await writer.wait_closed()


async def closed(client: Client) -> None:
    """Close a connection, or give it up where that takes long."""
    closing = type(client).close(client, timeout=None)
    with suppress(Exception):
        await asyncio.wait_for(closing, REACHED)


def checked() -> None:
    """MachineError with what to install, where Dask is missing."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MachineError(MISSING) from error


def cause(error: BaseException) -> str:
    """An error in a few words."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200].rstrip(".")
