"""Going on after a stop: ``--go-on`` leaves out the tests that have passed with this very code.

What has passed is noted as it passes, in pytest's cache, under the hash of all files that tests depend on: after any
change everything is run again.
"""

import hashlib
import sys
from pathlib import Path

from tests.parts import OVER

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "benchmarks", "tools", "examples", "docs", "requirements")
GIVEN = "passed"


def state_of_the_code():
    """A hash of the Python that runs and of every file that decides whether tests pass."""
    digest = hashlib.sha256(sys.version.encode())
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    for path in sorted([*files, ROOT / "pyproject.toml", ROOT / "README.md"]):
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Passed:
    """Notes what passes, in the one process that hears of all tests; leaves it out where that is wanted."""

    def __init__(self, config):
        given = getattr(config, "workerinput", None)
        self.notes, self.failed = None, set()
        if given is not None:
            self.known = set(given.get(GIVEN, ()))
            return
        self.known = set()
        if (cache := getattr(config, "cache", None)) is not None:
            self.notes = cache.mkdir("kibitz") / f"passed-{state_of_the_code()}"
        if config.getoption("go_on") and self.notes and self.notes.exists():
            self.known = set(self.notes.read_text(encoding="utf-8").splitlines())

    def tell(self, node):
        """Processes that tests are run in collect them too, and must leave out the same."""
        node.workerinput[GIVEN] = sorted(self.known)

    def pytest_collection_modifyitems(self, config, items):
        """Leave out what has passed."""
        done = [item for item in items if item.nodeid in self.known]
        if done:
            config.hook.pytest_deselected(items=done)
            items[:] = [item for item in items if item.nodeid not in self.known]

    def pytest_runtest_logreport(self, report):
        """Note a test once it has passed, been skipped or failed as it should, and has cleaned up after itself."""
        if report.failed or OVER in str(report.longrepr):
            self.failed.add(report.nodeid)
        if self.notes and report.when == "teardown" and report.nodeid not in self.failed:
            with self.notes.open("a", encoding="utf-8") as file:
                file.write(report.nodeid + "\n")
