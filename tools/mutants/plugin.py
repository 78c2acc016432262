"""A plugin for pytest: it records which functions every test runs, or runs only chosen tests, in a chosen order.

``KIBITZ_MUTANTS_WATCH`` is the file to write, ``KIBITZ_MUTANTS_CHOSEN`` the file with chosen tests; both are JSON.
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
    """Records notes on every test: its seconds, whether it starts processes, and the functions that it runs."""

    def __init__(self, file: Path) -> None:
        self.file, self.notes = file, dict[str, dict[str, object]]()
        self.seen, self.shared = set[tuple[str, str]](), dict[str, set[tuple[str, str]]]()
        self.starts = False
        sys.addaudithook(self.audit)

    def audit(self, event: str, _: object) -> None:
        """An audit hook: record that a process is started."""
        if event in STARTING:
            self.starts = True

    def called(self, frame: FrameType, _event: str, _: object) -> None:
        """A profile function: record a function that a thread runs."""
        self.seen.add(qualified(frame.f_code))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record the functions that run in the meantime; the profiler costs a fraction of a tracing function."""
        profile = Profile(subcalls=False, builtins=False)
        profile.enable()
        try:
            yield
        finally:
            profile.disable()
            self.seen |= {qualified(entry.code) for entry in profile.getstats() if not isinstance(entry.code, str)}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record one test, with its fixtures."""
        self.seen, self.starts, start = set(), False, time.monotonic()
        threading.setprofile(self.called)
        try:
            return (yield)
        finally:
            threading.setprofile(None)
            seconds = round(time.monotonic() - start, 3)
            self.notes[item.nodeid] = {"seconds": seconds, "starts": self.starts, "functions": ours(self.seen)}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Record the functions that fixtures run, since other tests of the file may use the same fixtures."""
        try:
            with self.watching():
                return (yield)
        finally:
            self.shared.setdefault(item.nodeid.split("::")[0], set()).update(self.seen)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Record the test itself."""
        with self.watching():
            return (yield)

    def pytest_sessionfinish(self) -> None:
        """Write all notes."""
        for test, note in self.notes.items():
            functions = {tuple(function) for function in note["functions"]}  # type: ignore[attr-defined]
            note["functions"] = sorted(functions.union(map(tuple, ours(self.shared.get(test.split("::")[0], set())))))
        self.file.write_text(json.dumps(self.notes))


def qualified(code: CodeType) -> tuple[str, str]:
    """The file and the qualified name of a function."""
    return code.co_filename, code.co_qualname


def ours(seen: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The functions of Kibitz among those seen, with the file within the package."""
    return sorted((name.rpartition(PACKAGE)[2], function) for name, function in seen if f"src{PACKAGE}" in name)


class Choice:
    """Runs the chosen tests and test files in their order, and all tests of documentation, except those in ``but``.

    ``FILE[go`` chooses the tests of a file whose parameters begin with ``go``.
    """

    def __init__(self, tests: list[str], but: list[str]) -> None:
        self.places = {test: place for place, test in enumerate(tests)}
        self.but = set(but)

    def place(self, test: str) -> int | None:
        """The place of a test in the order; None if it is not chosen."""
        if test in self.but:
            return None
        if not test.startswith("tests/"):
            return -1
        file, _, parameters = test.partition("[")
        file = file.partition("::")[0]
        matching = (place for chosen, place in self.places.items() if f"{file}[{parameters}".startswith(chosen))
        return self.places.get(test, next(matching, None))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remove the tests that are not chosen, and sort the others."""
        places = [(place, item) for item in items if (place := self.place(item.nodeid)) is not None]
        items[:] = [item for _, item in sorted(places, key=lambda pair: pair[0])]


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugins that the environment asks for."""
    if file := os.environ.get("KIBITZ_MUTANTS_WATCH"):
        config.pluginmanager.register(Watch(Path(file)))
    if file := os.environ.get("KIBITZ_MUTANTS_CHOSEN"):
        config.pluginmanager.register(Choice(**json.loads(Path(file).read_text())))
