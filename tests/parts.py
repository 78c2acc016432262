"""How much of the long tests a run does: what would take days is sampled, and the tests are cut into shards.

    sample      of what would take days, such as every damaged bit of a file, a test takes one sample; ``--sample N``
                takes the N-th (0 unless asked for), and all samples together are everything
    exhaustive  everything (``--exhaustive``), for days
    shard       ``--shard K/N`` runs only the K-th of N shares of the files of tests, K from 1: every file is in one
    minutes     ``--minutes M`` begins no test after M minutes; what was left out is said, and is no failure

Samples are mixed, so that each has something from everywhere, and fixed, so that what fails fails again.
"""

import time
import zlib
from collections.abc import Iterable
from random import Random
from typing import Any, TypeVar

import pytest

Thing = TypeVar("Thing")
OVER = "not begun: the time is up"


class Chosen:
    """What was asked for on the command line; set before any test is collected."""

    exhaustive = False
    sample = 0


def share(things: Iterable[Thing], of: int, about: str = "") -> list[Thing]:
    """One sample of ``of`` of some things, in their order: never none of them, and all in an exhaustive run.

    ``about`` mixes one test's things otherwise than another's.
    """
    every = list(things)
    if Chosen.exhaustive or not every:
        return every
    mixed = Random(f"{about} {len(every)}").sample(range(len(every)), len(every))
    samples = min(of, len(every))
    return [every[k] for k in sorted(mixed[Chosen.sample % samples :: samples])]


def times(most: int, of: int) -> int:
    """How often something random is tried: ``most`` times in an exhaustive run, else one in ``of`` of them."""
    return most if Chosen.exhaustive else -(-most // of)


def shard(text: str) -> tuple[int, int]:
    """What ``--shard`` was given: which of how many."""
    which, _, of = text.partition("/")
    if not (which.isdecimal() and of.isdecimal() and 1 <= int(which) <= int(of)):
        raise pytest.UsageError(f"--shard needs K/N with K from 1 to N, such as 2/8; got {text!r}")
    return int(which), int(of)


class Shard:
    """Leaves out the tests of other shards."""

    def __init__(self, which: int, of: int) -> None:
        self.which, self.of = which, of

    def holds(self, item: pytest.Item) -> bool:
        """Whether a test is in this shard, which its file decides."""
        return zlib.crc32(item.nodeid.split("::")[0].encode()) % self.of == self.which - 1

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep this shard's tests."""
        others = [item for item in items if not self.holds(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if self.holds(item)]


class Minutes:
    """Begins no test once the time is up, and says how many were left out."""

    def __init__(self, minutes: float, end: float | None = None) -> None:
        self.minutes, self.left = minutes, 0
        self.end = time.monotonic() + 60 * minutes if end is None else end

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A process that tests are run in begins: one that replaces a crashed one has the same time limit."""
        node.workerinput["end"] = self.end

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Before anything is set up for a test."""
        if time.monotonic() > self.end:
            pytest.skip(OVER)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what was left out."""
        self.left += report.skipped and OVER in str(report.longrepr)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say so."""
        if self.left:
            terminalreporter.write_line(f"{self.left} tests were not begun: {self.minutes:g} minutes are over.")
