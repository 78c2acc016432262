"""``map_unordered``: calls a function for many items on an executor, and yields each result as soon as it is ready.

The function and the values that all items need are sent to each worker once; items and results are sent as pickles.
The results don't depend on the executor.
"""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from typing import Any, Generic, TypeVar

from kibitz.engine.registry import game_error_sentence
from kibitz.errors import KibitzError, MachineError, NotationError
from kibitz.executors.executor import Executor
from kibitz.executors.worker import Done, ExecutorReport, Failed, Lost, Need, Note, SendHeartbeat, Work

MAX_DEATHS, MAX_VANISHED = 2, 20
"""How many times an item is retried when its process has died, or when its whole worker is gone."""
MAX_AHEAD = 16
"""How far, in items per worker, the newest item that was sent may be ahead of the earliest unfinished one."""
DIED_SENTENCE = "A worker process died repeatedly. Is there enough memory?"
TASK = "kibitz.executors.mapping:run_item"
TICKETS = count()
"""Tickets that are never used twice, so that late reports on an abandoned call of ``map_unordered`` can be ignored."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Common = TypeVar("Common")
Log = Callable[[str], object]


def no_log(sentence: str) -> None:
    """Ignore a message."""


def map_unordered(
    executor: Executor | None,
    function: Callable[..., Result],
    common: Common,
    items: Iterable[Item],
    *,
    more: Sequence[str] = (),
    needs: Sequence[Need] = (),
    log: Log = no_log,
) -> Iterator[tuple[int, Result]]:
    """Call ``function(common, item)`` for all items, and yield each item's number and result as soon as it is ready.

    Without an executor, this process calls the function, in order. ``more`` are names of values that the executor
    already has (``add_value``); they are passed as further arguments.

    ``function`` must always return the same result for an item, since it may be called twice. Its exceptions are raised
    here. Raises NotationError if it can't be sent, MachineError if the executor fails. ``log`` is called with sentences
    about the executor, for people to read.
    """
    if executor is None:
        yield from ((number, function(common, item)) for number, item in enumerate(items))
        return
    executor.begin()
    blob = executor.add_blob(pickle_function(function, common))
    try:
        yield from MappingRound(executor, (blob, *more), items, tuple(needs), log).results()
    finally:
        executor.forget_blob(blob)


def add_value(executor: Executor, value: object) -> str:
    """Give an executor a value for several calls of ``map_unordered``; its name is valid until ``forget_blob``."""
    return executor.add_blob(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


class MappingRound(Generic[Item]):
    """The items of one call of ``map_unordered``; ``failed`` is the lowest number of an item whose function raised."""

    def __init__(
        self, executor: Executor, blobs: tuple[str, ...], items: Iterable[Item], needs: tuple[Need, ...], log: Log
    ) -> None:
        self.executor, self.blobs, self.needs, self.log = executor, blobs, needs, log
        self.new_items = enumerate(items)
        self.items: dict[int, Item] = {}
        """Items that have been sent and aren't done, by number."""
        self.waiting: list[int] = []
        """The numbers of items that must be sent again."""
        self.no_more_items, self.newest = False, 0
        """Whether all new items have been sent or aren't needed, and the number of the newest item that was sent."""
        self.sent: dict[int, int] = {}
        """The numbers of items by their tickets."""
        self.losses: Counter[tuple[int, bool]] = Counter()
        """How many times an item was lost, by its number and whether its worker process died alone."""
        self.failed: tuple[int, Exception] | None = None

    def results(self) -> Iterator[tuple[int, Any]]:
        """All results as soon as they are ready; raises what the function raised for the first item that failed."""
        self.send()
        while self.items or not self.no_more_items:
            self.executor.begin()
            self.send()
            for report in self.executor.listen(1.0):
                if isinstance(report, Done) and report.ticket in self.sent:
                    number = self.sent.pop(report.ticket)
                    del self.items[number]
                    succeeded, value = pickle.loads(report.result)
                    if succeeded:
                        self.send()
                        yield number, value
                    else:
                        self.fail(number, value)
                else:
                    self.handle(report)
            if self.failed and not any(number < self.failed[0] for number in self.items):
                raise self.failed[1]

    def send(self) -> None:
        """Send items while the executor has free slots."""
        while self.executor.free_slots() > 0 and (number := self.next()) is not None:
            ticket = next(TICKETS)
            self.sent[ticket] = number
            block = pickle.dumps(self.items[number], pickle.HIGHEST_PROTOCOL)
            self.executor.send(ticket, Work(TASK, block, self.blobs, self.needs))

    def next(self) -> int | None:
        """The number of the next item to send, a retry or a new item; None if there is none, or it is too far ahead."""
        if self.waiting:
            return self.waiting.pop()
        if self.no_more_items or (self.items and self.newest - min(self.items) > MAX_AHEAD * self.executor.size):
            return None
        for number, item in self.new_items:
            self.items[number], self.newest = item, number
            return number
        self.no_more_items = True
        return None

    def fail(self, number: int, error: Exception) -> None:
        """Record that the function raised for an item.

        Only earlier items are still needed, since one of them may fail too, and its error would be raised instead.
        """
        self.no_more_items = True
        if self.failed is None or number < self.failed[0]:
            self.failed = number, error
        for later in [waiting for waiting in self.waiting if waiting > self.failed[0]]:
            self.waiting.remove(later)
            del self.items[later]

    def handle(self, report: ExecutorReport) -> None:
        """Handle a report that isn't a result; reports on an abandoned call are ignored."""
        if isinstance(report, Note):
            self.log(report.sentence)
        elif report.ticket not in self.sent:
            return
        elif isinstance(report, Failed):
            raise report.error.exception()
        elif isinstance(report, Lost):
            number = self.sent.pop(report.ticket)
            self.losses[number, report.alone] += 1
            if self.losses[number, report.alone] > (MAX_DEATHS if report.alone else MAX_VANISHED):
                raise MachineError(f"{DIED_SENTENCE} The last time {report.cause}")
            self.waiting.append(number)


def pickle_function(function: Callable[..., Any], common: object) -> bytes:
    """A function and its common argument as bytes. Raises NotationError if they can't be sent."""
    from cloudpickle import dumps

    with pickled_by_value(function):
        try:
            return bytes(dumps((function, common)))
        except Exception as error:
            raise NotationError(f"the function can't be sent to worker processes: {error}.") from error


@contextmanager
def pickled_by_value(function: Callable[..., Any]) -> Iterator[None]:
    """A ``with`` block in which functions of the function's package are pickled with their code.

    Workers may not have that package; Kibitz itself they have.
    """
    from cloudpickle import register_pickle_by_value, unregister_pickle_by_value

    package = sys.modules.get(function.__module__.partition(".")[0])
    if package is None or package.__name__ in ("kibitz", "__main__"):
        yield
        return
    register_pickle_by_value(package)
    try:
        yield
    finally:
        unregister_pickle_by_value(package)


# on a worker


def run_item(block: bytes, blobs: Sequence[bytes], send_heartbeat: SendHeartbeat) -> bytes:
    """Call the function for one item; returns whether it succeeded, and its result or error, as bytes."""
    function, common = unpickle(blobs[0])
    more = [unpickle(blob) for blob in blobs[1:]]
    try:
        outcome = True, function(common, pickle.loads(block), *more)
    except Exception as error:
        sentence = game_error_sentence(error)
        outcome = False, KibitzError(sentence) if sentence else error
    return pickle_outcome(outcome)


@lru_cache(maxsize=8)
def unpickle(content: bytes) -> Any:
    """The object in a pickle, such as a function. Raises MachineError if this worker lacks a module that it needs."""
    try:
        return pickle.loads(content)
    except (ImportError, AttributeError) as error:
        raise MachineError(
            f"A worker cannot read what it was sent ({error}): its imports must be installed there too."
        ) from error


def pickle_outcome(outcome: tuple[bool, Any]) -> bytes:
    """An outcome as bytes; if its result or error can't be sent, a MachineError takes its place.

    Objects of a class that was sent with the function are sent back with cloudpickle too, and the caller gets objects
    of its own class.
    """
    from cloudpickle import dumps

    for write in (pickle.dumps, dumps):
        with suppress(Exception):
            return bytes(write(outcome, pickle.HIGHEST_PROTOCOL))
    return pickle.dumps((False, MachineError(f"A worker's result can't be sent: {outcome[1]!r}"[:500])))
