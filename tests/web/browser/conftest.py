"""A server and a browser, shared by all tests of the pages.

Tests use the pages as people do; only tables are created by a request, unless the test is about creating them.

If KIBITZ_SCREENS names a folder, the tests save pictures of all pages there, wide and narrow, light and dark:
``KIBITZ_SCREENS=screens python -m pytest tests/web/browser/test_pages.py``.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.web.browser.playing import wait_for_turn

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SCREENS = os.environ.get("KIBITZ_SCREENS", "")
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
ASK = """async ([path, method, body]) => {
    const { ask } = await import(document.documentElement.dataset.base + "/static/js/server.js");
    const answer = ask(method, path, body ?? undefined);
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error(`no answer to ${method} ${path}`)), 60_000));
    return Promise.race([answer, late]);
}"""
CHECKED = """() => !document.querySelector(".submit .primary").disabled
    && document.querySelector(".findings li, .refusal:not(:empty)")"""
TIMEOUT = 60_000
"""Milliseconds to wait for anything on a busy machine."""
PROVOKED = re.compile(r"Failed to load resource: (the server responded with a status of 4|net::ERR_INTERNET_DISC)")
"""The browser's messages about error responses and lost connections that tests provoke."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of the pages in one process, with one server and one browser."""
    for item in items:
        if item.nodeid.startswith("tests/web/browser/"):
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    if not CHROMIUM.exists():
        pytest.skip("the tests of the pages need Debian's chromium: apt-get install chromium")
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield found
        found.close()


@pytest.fixture(scope="package")
def season_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the server's season."""
    return tmp_path_factory.mktemp("season") / "season.sqlite"


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory, season_store: Path) -> Iterator[str]:
    """The address of a running server."""
    store = tmp_path_factory.mktemp("server") / "kibitz.db"
    command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--workers", "1"]
    command += ["--database", str(store), "--store", str(season_store)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with (
        store.with_suffix(".log").open("w") as log,
        subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=log, env=environment) as server,
    ):
        try:
            server_address = printed_address(server)
            Lecturer.link = printed_address(server)
            yield server_address
        finally:
            server.terminate()


def printed_address(server: subprocess.Popen[str]) -> str:
    """The next address that a server prints, without its last slash."""
    assert server.stdout is not None
    lines = []
    for line in server.stdout:
        lines.append(line)
        if found := re.search(r"http://[^\s]+", line):
            return found[0].rstrip("/")
    raise AssertionError("The server did not start: " + "".join(lines))


class Lecturer:
    """The lecturer's one-time link, which the server prints."""

    link = ""


class Person:
    """A guest of the server with a separate browser context."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.told = ""
        self.page.on("console", lambda message: self.record_fault(message.type, message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.set_default_timeout(TIMEOUT)

    def record_fault(self, kind: str, text: str) -> None:
        """Record a browser message about an error or refused content as a fault."""
        if kind in ("error", "warning") and not PROVOKED.match(text):
            self.faults.append(text)

    def open(self, path: str) -> Page:
        """Open a page of the server."""
        self.page.goto(self.address + path)
        return self.page

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request as the pages do; returns the answer."""
        if not self.page.url.startswith(self.address):
            self.open("/")
        return self.page.evaluate(
            ASK,
            [path, method, body],
        )

    def join(self, link: str, name: str) -> Page:
        """Open an invitation to a table and sit down."""
        self.page.goto(link)
        return self.sit_down(name)

    def sit_down(self, name: str) -> Page:
        """Sit down at the open table, and wait until the page reloads after the server's answer."""
        self.page.get_by_label("Your name").fill(name)
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Sit down").click()
        return self.page

    def sit(self, game: str, **more: Any) -> Page:
        """Sit down at a new table with fast computer players."""
        table = {"game": game, **more}
        table["settings"] = {"pace": "faster", "auto": False, **table.get("settings", {})}
        self.open(self.ask("POST", "/api/tables", table)["path"])
        self.page.wait_for_selector(".playing")
        return self.page

    def start(self, game: str, **more: Any) -> Page:
        """Sit down at a new table, and wait for the first turn."""
        page = self.sit(game, **more)
        assert wait_for_turn(page)
        return page


def picture(page: Page, name: str, *, whole: bool = True) -> None:
    """Save a picture of a page, or of its visible part, if pictures are wanted."""
    if SCREENS:
        page.screenshot(path=Path(SCREENS) / f"{name}.png", full_page=whole)


def new_account(person: Person, name: str, path: str = "/account") -> None:
    """Create an account through its page, or a lecturer's through the one-time link."""
    page = person.open(path)
    form = page.locator("form[data-ask='POST /api/accounts']")
    form.locator("[name=name]").fill(name)
    form.locator("[name=password]").fill("four words are enough")
    form.locator("button").click()
    page.wait_for_selector(f"nav a:text-is('{name}')")


def submit_player(person: Person, player: str, file: str) -> None:
    """Submit a player for Kuhn poker through the page, and wait for the result."""
    page = person.open("/submit")
    page.locator("[name=tournament]").select_option("kuhn")
    page.locator("[name=player]").fill(player)
    mine = {"name": "mine.py", "mimeType": "text/x-python", "buffer": file.encode()}
    page.locator("[name=files]").set_input_files(mine)
    page.locator("button:text-is('Submit')").click()
    page.wait_for_function(CHECKED, timeout=60000)


@pytest.fixture(scope="package")
def season(browser: Browser, address: str, season_store: Path) -> Person:
    """Ada, whose player was submitted through the pages; one round of Kuhn poker has been played since."""
    import kibitz.arena

    ada = Person(browser.new_context(viewport=DESK), address)
    new_account(ada, "Ada")
    submit_player(ada, "Ada", "def play(view, legal):\n    return legal[0]\n")
    ada.told = ada.page.locator(".qualification").inner_text()
    with kibitz.arena.open(season_store) as arena:
        arena.run("kuhn", rounds=1, workers=1)
    return ada


@pytest.fixture(scope="package")
def lecturer(browser: Browser, address: str) -> Person:
    """Eve, who has opened the lecturer's one-time link."""
    eve = Person(browser.new_context(viewport=DESK, bypass_csp=True), address)
    new_account(eve, "Eve", Lecturer.link.removeprefix(address))
    return eve


@contextmanager
def people_at(browser: Browser, address: str) -> Iterator[Callable[..., Person]]:
    """A function that creates people; at the end their browsers must have recorded no faults."""
    found: list[Person] = []

    def new_person(*, phone: bool = False, dark: bool = False, **more: Any) -> Person:
        usual = {"viewport": PHONE if phone else DESK, "has_touch": phone, "color_scheme": "dark" if dark else "light"}
        context = browser.new_context(**{**usual, **more})
        found.append(Person(context, address))
        return found[-1]

    yield new_person
    faults = [fault for person in found for fault in person.faults]
    for person in found:
        person.context.close()
    assert faults == []


@pytest.fixture
def people(browser: Browser, address: str) -> Iterator[Callable[..., Person]]:
    """A function that creates people."""
    with people_at(browser, address) as found:
        yield found


@pytest.fixture
def person(people: Callable[..., Person]) -> Person:
    """A person with a desktop browser."""
    return people()
