"""Work in threads while a screen stays responsive."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """Raised by a progress callback once its screen is closed, to end the work."""


async def in_thread(function: Callable[[], T]) -> T:
    """Call a function in a thread that does not keep the program from ending; return or raise what it does."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def resolve(result: T | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def call() -> None:
        found: T | None = None
        failed: BaseException | None = None
        try:
            found = function()
        except BaseException as error:
            failed = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(resolve, found, failed)

    threading.Thread(target=call, daemon=True).start()
    return await future
