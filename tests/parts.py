"""How much of the long tests a run does: tests that would take days are sampled, and test files are cut into shards.

    sample      a test that would take days, such as one of every damaged bit of a file, runs one sample of its cases;
                ``--sample N`` runs the N-th (default: 0), and all samples together are all cases
    exhaustive  all cases (``--exhaustive``), for days
    shard       ``--shard K/N`` runs only the K-th of N parts of the test files, K from 1: each file is in one part
    minutes     ``--minutes M`` starts no test after M minutes; tests left out are counted and are not failures

Samples are random, so that each has cases from everywhere, and fixed, so that failures can be reproduced.
"""

import time
import zlib
from collections.abc import Iterable
from random import Random
from typing import Any, TypeVar

import pytest

Thing = TypeVar("Thing")
TIME_IS_UP = "not begun: the time is up"


class Options:
    """The options of the command line; set before any test is collected."""

    exhaustive = False
    sample = 0


def share(things: Iterable[Thing], of: int, about: str = "") -> list[Thing]:
    """One of ``of`` samples of the things, in their order: never empty, and all things in an exhaustive run.

    ``about`` gives each test a different sample.
    """
    everything = list(things)
    if Options.exhaustive or not everything:
        return everything
    shuffled = Random(f"{about} {len(everything)}").sample(range(len(everything)), len(everything))
    samples = min(of, len(everything))
    return [everything[k] for k in sorted(shuffled[Options.sample % samples :: samples])]


def times(most: int, of: int) -> int:
    """How often to repeat a random test: ``most`` times in an exhaustive run, otherwise ``most / of`` times."""
    return most if Options.exhaustive else -(-most // of)


def parse_shard(text: str) -> tuple[int, int]:
    """The number of a shard and the number of shards, from the value of ``--shard``."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise pytest.UsageError(f"--shard needs K/N with K from 1 to N, such as 2/8; got {text!r}")
    return int(number), int(count)


class Shard:
    """Deselects the tests of other shards."""

    def __init__(self, number: int, count: int) -> None:
        self.number, self.count = number, count

    def contains(self, item: pytest.Item) -> bool:
        """Whether a test is in this shard, which depends on its file."""
        return zlib.crc32(item.nodeid.split("::")[0].encode()) % self.count == self.number - 1

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep this shard's tests."""
        others = [item for item in items if not self.contains(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if self.contains(item)]


class Minutes:
    """Skips every test once the time is up, and reports how many were skipped."""

    def __init__(self, minutes: float, end: float | None = None) -> None:
        self.minutes, self.skipped = minutes, 0
        self.end = time.monotonic() + 60 * minutes if end is None else end

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send a new worker process the time limit: a replacement for a crashed worker keeps it."""
        node.workerinput["end"] = self.end

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Skip a test before its fixtures are set up."""
        if time.monotonic() > self.end:
            pytest.skip(TIME_IS_UP)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the skipped tests."""
        self.skipped += report.skipped and TIME_IS_UP in str(report.longrepr)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report the number of skipped tests."""
        if self.skipped:
            terminalreporter.write_line(f"{self.skipped} tests were not begun: {self.minutes:g} minutes are over.")
