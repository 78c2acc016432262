"""One of a cluster's workers as Kibitz sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from kibitz.executors.worker import ANY, Need, Work

AHEAD = 2
"""Slots of each thread of a worker, so that it never waits for the next block."""

T = TypeVar("T")


class Seat:
    """One of the cluster's workers: its slots, the tickets that are there, and what it has refused."""

    def __init__(self, address: str, threads: int) -> None:
        self.address, self.slots = address, AHEAD * threads
        self.tickets: set[int] = set()
        self.refusals: dict[Need, str] = {}
        self.known = False
        """Whether it has said that it has this Kibitz, or has not."""
        self.gone = asyncio.Event()

    def refusal(self, work: Work) -> str:
        """Why it may not have a block, or nothing."""
        return next((self.refusals[need] for need in (ANY, *work.needs) if need in self.refusals), "")

    def has_room(self) -> bool:
        """Whether it can have another block, as far as is known."""
        return self.known and len(self.tickets) < self.slots

    @property
    def load(self) -> float:
        """How full its slots are."""
        return len(self.tickets) / self.slots


async def unless_gone(coming: Awaitable[T], seat: Seat) -> T | None:
    """What comes of a question to a worker; None if the worker goes away first."""
    result, gone = asyncio.ensure_future(coming), asyncio.ensure_future(seat.gone.wait())
    try:
        await asyncio.wait({result, gone}, return_when=asyncio.FIRST_COMPLETED)
        return await result if result.done() else None
    finally:
        result.cancel()
        gone.cancel()
