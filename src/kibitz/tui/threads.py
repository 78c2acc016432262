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
    """Call a function in a thread that doesn't keep the program alive; return its result or raise its exception."""
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
        result: T | None = None
        raised: BaseException | None = None
        try:
            result = function()
        except BaseException as error:
            raised = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(resolve, result, raised)

    threading.Thread(target=call, daemon=True).start()
    return await future
