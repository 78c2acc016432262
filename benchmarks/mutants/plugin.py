"""A plugin for pytest: it writes down which functions every test runs, or runs chosen tests only, in a chosen order.

``KIBITZ_MUTANTS_WATCH`` names the file that is written, ``KIBITZ_MUTANTS_CHOSEN`` a list of tests; both are JSON.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from cProfile import Profile
from pathlib import Path
from types import CodeType, FrameType

import pytest

PACKAGE = f"{os.sep}kibitz{os.sep}"
STARTING = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn")


class Watch:
    """Notes by test: its seconds, whether it starts processes, and the functions that it runs, by qualified name."""

    def __init__(self, file: Path) -> None:
        self.file, self.notes = file, dict[str, dict[str, object]]()
        self.seen, self.shared = set[tuple[str, str]](), dict[str, set[tuple[str, str]]]()
        self.starts = False
        sys.addaudithook(self.audit)

    def audit(self, event: str, _: object) -> None:
        """Note that a process is started."""
        if event in STARTING:
            self.starts = True

    def called(self, frame: FrameType, _event: str, _: object) -> None:
        """Note a function that a thread runs."""
        self.seen.add(qualified(frame.f_code))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note the functions that run meanwhile; the profiler costs a fraction of what a tracing function does."""
        profile = Profile(subcalls=False, builtins=False)
        profile.enable()
        try:
            yield
        finally:
            profile.disable()
            self.seen |= {qualified(entry.code) for entry in profile.getstats() if not isinstance(entry.code, str)}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test with all that is set up for it."""
        self.seen, self.starts, begun = set(), False, time.monotonic()
        threading.setprofile(self.called)
        try:
            return (yield)
        finally:
            threading.setprofile(None)
            seconds = round(time.monotonic() - begun, 3)
            self.notes[item.nodeid] = {"seconds": seconds, "starts": self.starts, "functions": ours(self.seen)}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """What is set up for one test may serve every other of its file."""
        try:
            with self.watching():
                return (yield)
        finally:
            self.shared.setdefault(item.nodeid.split("::")[0], set()).update(self.seen)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Watch the test itself."""
        with self.watching():
            return (yield)

    def pytest_sessionfinish(self) -> None:
        """Write all notes."""
        for test, note in self.notes.items():
            together = {tuple(one) for one in note["functions"]}  # type: ignore[attr-defined]
            note["functions"] = sorted(together.union(map(tuple, ours(self.shared.get(test.split("::")[0], set())))))
        self.file.write_text(json.dumps(self.notes))


def qualified(code: CodeType) -> tuple[str, str]:
    """A function by its file and its qualified name."""
    return code.co_filename, code.co_qualname


def ours(seen: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The functions of Kibitz among some, by file within the package."""
    return sorted((name.rpartition(PACKAGE)[2], function) for name, function in seen if f"src{PACKAGE}" in name)


class Choice:
    """Runs the chosen tests and files of tests in their order, and those of documentation.

    ``FILE[go`` chooses the tests of a file whose parameters begin so; none of ``but`` is run.
    """

    def __init__(self, tests: list[str], but: list[str]) -> None:
        self.places = {test: place for place, test in enumerate(tests)}
        self.but = set(but)

    def place(self, test: str) -> int | None:
        """Where a test stands in the order; None if it is not chosen."""
        if test in self.but:
            return None
        if not test.startswith("tests/"):
            return -1
        file, _, parameters = test.partition("[")
        file = file.partition("::")[0]
        begun = (place for one, place in self.places.items() if f"{file}[{parameters}".startswith(one))
        return self.places.get(test, next(begun, None))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what is not chosen."""
        places = [(place, item) for item in items if (place := self.place(item.nodeid)) is not None]
        items[:] = [item for _, item in sorted(places, key=lambda pair: pair[0])]


def pytest_configure(config: pytest.Config) -> None:
    """Take the part that the environment asks for."""
    if file := os.environ.get("KIBITZ_MUTANTS_WATCH"):
        config.pluginmanager.register(Watch(Path(file)))
    if file := os.environ.get("KIBITZ_MUTANTS_CHOSEN"):
        config.pluginmanager.register(Choice(**json.loads(Path(file).read_text())))
