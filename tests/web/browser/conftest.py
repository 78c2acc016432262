"""A server of its own and a browser, shared by all tests of the pages.

Everything goes through the pages as people use them; only tables are made by asking the server, where a test is not
about making them.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
NOT_OURS = re.compile(r"Failed to load resource: (the server responded with a status of 4|net::ERR_INTERNET_DISC)")
"""What a browser says of an answer that a test has asked for."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    if not CHROMIUM.exists():
        pytest.skip("the tests of the pages need Debian's chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield found
        found.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of our own."""
    store = tmp_path_factory.mktemp("server") / "kibitz.db"
    command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--store", str(store), "--workers", "1"]
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "env": {**os.environ, "PYTHONUNBUFFERED": "1"}}
    with subprocess.Popen(command, text=True, **told) as server:
        try:
            yield told_address(server)
        finally:
            server.terminate()


def told_address(server: subprocess.Popen[str]) -> str:
    """The address that a server says it is at, without its last slash."""
    assert server.stdout is not None
    said = []
    for line in server.stdout:
        said.append(line)
        if found := re.search(r"http://[^\s]+", line):
            return found[0].rstrip("/")
    raise AssertionError("The server did not start: " + "".join(said))


class Person:
    """Somebody with a browser of their own, who is a guest of the server."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda said: self.hear(said.type, said.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.set_default_timeout(15000)

    def hear(self, kind: str, text: str) -> None:
        """What the browser says of a page: errors and refused content are faults."""
        if kind in ("error", "warning") and not NOT_OURS.match(text):
            self.faults.append(text)

    def open(self, path: str) -> Page:
        """A page of the server."""
        self.page.goto(self.address + path)
        return self.page

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the server as the pages do; the answer."""
        if not self.page.url.startswith(self.address):
            self.open("/")
        return self.page.evaluate(
            "async ([path, method, body]) => (await import(document.documentElement.dataset.base + '/static/js/server.js')).ask(method, path, body ?? undefined)",
            [path, method, body],
        )

    def sit(self, game: str, **more: Any) -> Page:
        """Sit down at a new table at which computer players answer at once."""
        wanted = {"game": game, **more}
        wanted["settings"] = {"pace": "faster", "auto": False, **wanted.get("settings", {})}
        self.open(self.ask("POST", "/api/tables", wanted)["path"])
        self.page.wait_for_selector(".playing")
        return self.page


@pytest.fixture
def people(browser: Browser, address: str) -> Iterator[Callable[..., Person]]:
    """As many people as a test wants; at the end none of their browsers may have found a fault."""
    found: list[Person] = []

    def one(*, phone: bool = False, dark: bool = False) -> Person:
        context = browser.new_context(
            viewport=PHONE if phone else DESK, has_touch=phone, color_scheme="dark" if dark else "light"
        )
        found.append(Person(context, address))
        return found[-1]

    yield one
    faults = [fault for person in found for fault in person.faults]
    for person in found:
        person.context.close()
    assert faults == []


@pytest.fixture
def person(people: Callable[..., Person]) -> Person:
    """One person at a desk."""
    return people()
