"""What the tests cost: CPU seconds by file, processes that tests start and wait for included.

Asked for with ``-p benchmarks.costs``, in one process or several: ``make test ARGS="-p benchmarks.costs"``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

BY_FILE: Counter[str] = Counter()
BY_TEST: Counter[str] = Counter()
SHOWN = 60


def spent() -> float:
    """CPU seconds of this process and of all its children that have ended."""
    return sum(os.times()[:4])


class Costs:
    """Notes in each report what its phase has cost, and sums up where all reports arrive."""

    before = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        """What has been spent since the last report is this phase's: nothing else happens between two."""
        report = yield
        now = spent()
        report.cpu, self.before = now - self.before, now
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add a report that has arrived."""
        BY_FILE[report.nodeid.partition("::")[0]] += report.cpu
        BY_TEST[report.nodeid] += report.cpu

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Tell the dearest."""
        terminalreporter.section(f"CPU seconds: {BY_FILE.total():.0f}")
        for found in (BY_FILE, BY_TEST):
            for name, seconds in found.most_common(SHOWN):
                terminalreporter.write_line(f"{seconds:8.1f} {name}")


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    config.pluginmanager.register(Costs(), "costs")
