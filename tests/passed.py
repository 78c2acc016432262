"""Resume a stopped run: ``--go-on`` skips the tests that have passed with the same code.

Each test that passes is recorded in pytest's cache at once, under a hash of all files that tests depend on: after any
change all tests run again.
"""

import hashlib
import sys
from pathlib import Path

from tests.parts import TIME_IS_UP

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "benchmarks", "tools", "examples", "docs", "requirements")
INPUT_KEY = "passed"


def code_hash():
    """A hash of the Python version and of every file that tests depend on."""
    digest = hashlib.sha256(sys.version.encode())
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    for path in sorted([*files, ROOT / "pyproject.toml", ROOT / "README.md"]):
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Passed:
    """Records in the controlling process which tests have passed; with ``--go-on``, deselects them."""

    def __init__(self, config):
        worker_input = getattr(config, "workerinput", None)
        self.file, self.failed = None, set()
        if worker_input is not None:
            self.passed = set(worker_input.get(INPUT_KEY, ()))
            return
        self.passed = set()
        if (cache := getattr(config, "cache", None)) is not None:
            self.file = cache.mkdir("kibitz") / f"passed-{code_hash()}"
        if config.getoption("go_on") and self.file and self.file.exists():
            self.passed = set(self.file.read_text(encoding="utf-8").splitlines())

    def send_to(self, node):
        """Send a worker process the passed tests: it collects all tests too, and must deselect the same ones."""
        node.workerinput[INPUT_KEY] = sorted(self.passed)

    def pytest_collection_modifyitems(self, config, items):
        """Deselect the tests that have passed."""
        done = [item for item in items if item.nodeid in self.passed]
        if done:
            config.hook.pytest_deselected(items=done)
            items[:] = [item for item in items if item.nodeid not in self.passed]

    def pytest_runtest_logreport(self, report):
        """Record a test after its teardown if it passed, was skipped or failed as expected."""
        if report.failed or TIME_IS_UP in str(report.longrepr):
            self.failed.add(report.nodeid)
        if self.file and report.when == "teardown" and report.nodeid not in self.failed:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(report.nodeid + "\n")
