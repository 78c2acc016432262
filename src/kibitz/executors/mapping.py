"""A function of many items, carried out by an executor: ``results``.

The function and the values that all items need are sent to each worker once; items and results travel as pickles. Each
result comes as soon as it is ready, with its item's number; the results don't depend on the executor.
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
from kibitz.executors.worker import Done, ExecutorReport, Failed, Lost, Need, Note, Sign, Work

MAX_DEATHS, MAX_VANISHED = 2, 20
"""How often a block is retried when its process has died, or when its whole worker is gone."""
MAX_AHEAD = 16
"""How far workers may be ahead of the earliest unfinished item, in items per worker."""
DIED_SENTENCE = "A worker process died repeatedly. Is there enough memory?"
TASK = "kibitz.executors.mapping:run_item"
TICKETS = count()
"""Ids of rounds, which are unique even on one executor."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Given = TypeVar("Given")
Log = Callable[[str], object]


def no_log(sentence: str) -> None:
    """Ignore a message."""


def results(
    executor: Executor | None,
    function: Callable[..., Result],
    given: Given,
    items: Iterable[Item],
    *,
    more: Sequence[str] = (),
    needs: Sequence[Need] = (),
    log: Log = no_log,
) -> Iterator[tuple[int, Result]]:
    """``function(given, item)`` for all items, with the number of each, as they are done.

    Without an executor, they are done in this process, in order.

    ``more`` are names of values given to the executor before (``shared``), passed as further arguments.

    ``function`` must always give the same result for an item, since an item may be done twice. Its exceptions are
    raised here. NotationError if it can't be sent, MachineError if the executor fails. ``log`` is called with sentences
    about the executor, for people to read.
    """
    if executor is None:
        yield from ((number, function(given, item)) for number, item in enumerate(items))
        return
    executor.begin()
    part = executor.share(pickle_function(function, given))
    try:
        yield from MappingRound(executor, (part, *more), items, tuple(needs), log).results()
    finally:
        executor.forget_part(part)


def shared(executor: Executor, value: object) -> str:
    """Give an executor a value that several rounds of ``results`` need; returns its name, valid until it is dropped."""
    return executor.share(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


class MappingRound(Generic[Item]):
    """The items of one call of ``results``; ``failed`` is the lowest number of an item whose function raised."""

    def __init__(
        self, executor: Executor, parts: tuple[str, ...], items: Iterable[Item], needs: tuple[Need, ...], log: Log
    ) -> None:
        self.executor, self.parts, self.needs, self.tell = executor, parts, needs, log
        self.coming = enumerate(items)
        self.items: dict[int, Item] = {}
        """Items that were sent and aren't done, by number."""
        self.waiting: list[int] = []
        """Numbers of the items that must be sent again."""
        self.over, self.newest = False, 0
        self.sent: dict[int, int] = {}
        """The numbers of items by their tickets."""
        self.lost: Counter[tuple[int, bool]] = Counter()
        self.failed: tuple[int, Exception] | None = None

    def results(self) -> Iterator[tuple[int, Any]]:
        """All results as they are done; raises what the function raised for the first failing item."""
        self.send()
        while self.items or not self.over:
            self.executor.begin()
            self.send()
            for heard in self.executor.listen(1.0):
                if isinstance(heard, Done) and heard.ticket in self.sent:
                    number = self.sent.pop(heard.ticket)
                    del self.items[number]
                    well, value = pickle.loads(heard.result)
                    if well:
                        self.send()
                        yield number, value
                    else:
                        self.fail(number, value)
                else:
                    self.handle(heard)
            if self.failed and not any(number < self.failed[0] for number in self.items):
                raise self.failed[1]

    def send(self) -> None:
        """Send items while there is room."""
        while self.executor.free_slots() > 0 and (number := self.next()) is not None:
            ticket = next(TICKETS)
            self.sent[ticket] = number
            block = pickle.dumps(self.items[number], pickle.HIGHEST_PROTOCOL)
            self.executor.send(ticket, Work(TASK, block, self.parts, self.needs))

    def next(self) -> int | None:
        """The number of the next item to send: a retry, or a new item that isn't too far ahead."""
        if self.waiting:
            return self.waiting.pop()
        if self.over or (self.items and self.newest - min(self.items) > MAX_AHEAD * self.executor.size):
            return None
        for number, item in self.coming:
            self.items[number], self.newest = item, number
            return number
        self.over = True
        return None

    def fail(self, number: int, error: Exception) -> None:
        """Only items before this one are still needed: one of them may have failed as well."""
        self.over = True
        if self.failed is None or number < self.failed[0]:
            self.failed = number, error
        for later in [one for one in self.waiting if one > self.failed[0]]:
            self.waiting.remove(later)
            del self.items[later]

    def handle(self, heard: ExecutorReport) -> None:
        """Handle a report that isn't a result; reports on an abandoned round are ignored."""
        if isinstance(heard, Note):
            self.tell(heard.sentence)
        elif heard.ticket not in self.sent:
            return
        elif isinstance(heard, Failed):
            raise heard.error.exception()
        elif isinstance(heard, Lost):
            number = self.sent.pop(heard.ticket)
            self.lost[number, heard.alone] += 1
            if self.lost[number, heard.alone] > (MAX_DEATHS if heard.alone else MAX_VANISHED):
                raise MachineError(f"{DIED_SENTENCE} The last time {heard.cause}")
            self.waiting.append(number)


def pickle_function(function: Callable[..., Any], given: object) -> bytes:
    """A function and its arguments as bytes; NotationError if they can't be sent."""
    from cloudpickle import dumps

    with pickled_by_value(function):
        try:
            return bytes(dumps((function, given)))
        except Exception as error:
            raise NotationError(f"the function can't be sent to worker processes: {error}.") from error


@contextmanager
def pickled_by_value(function: Callable[..., Any]) -> Iterator[None]:
    """Send functions of a package other than Kibitz whole, since workers may not have it."""
    from cloudpickle import register_pickle_by_value, unregister_pickle_by_value

    home = sys.modules.get(function.__module__.partition(".")[0])
    if home is None or home.__name__ in ("kibitz", "__main__"):
        yield
        return
    register_pickle_by_value(home)
    try:
        yield
    finally:
        unregister_pickle_by_value(home)


# on a worker


def run_item(block: bytes, parts: Sequence[bytes], sign: Sign) -> bytes:
    """The outcome of one item: its result, or what the function raised."""
    function, given = unpickle(parts[0])
    more = [unpickle(part) for part in parts[1:]]
    try:
        result = True, function(given, pickle.loads(block), *more)
    except Exception as error:
        sentence = game_error_sentence(error)
        result = False, KibitzError(sentence) if sentence else error
    return packed_result(result)


@lru_cache(maxsize=8)
def unpickle(content: bytes) -> Any:
    """The function and its arguments; MachineError if this worker lacks a module that they need."""
    try:
        return pickle.loads(content)
    except (ImportError, AttributeError) as error:
        raise MachineError(
            f"A worker cannot read what it was sent ({error}): its imports must be installed there too."
        ) from error


def packed_result(outcome: tuple[bool, Any]) -> bytes:
    """A result as bytes; an error that can't be sent becomes a MachineError.

    A class that cloudpickle sent along with the function goes back the same way, and the caller gets its own class.
    """
    from cloudpickle import dumps

    for write in (pickle.dumps, dumps):
        with suppress(Exception):
            return bytes(write(outcome, pickle.HIGHEST_PROTOCOL))
    return pickle.dumps((False, MachineError(f"A worker's result can't be sent: {outcome[1]!r}"[:500])))
