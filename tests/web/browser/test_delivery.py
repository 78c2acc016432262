"""The size and loading time of pages on a slow network: 400 ms round trip, 50 kB/s.

``python -m pytest tests/web/browser/test_delivery.py -m long -n 0 -s`` prints the figures.
"""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.conftest import PHONE, Person

LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
TILE, BOARD = ".tile:not([disabled])", ".playing .held .spot"
MAX_BYTES = 150_000
MAX_SECONDS = 20
"""Five times the slowest measurement, since other tests run at the same time."""
LOADED = """() => performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname)
    .filter((path) => path.endsWith(".js"))"""
FETCHED = """() => performance.getEntriesByType("resource")
    .filter((each) => each.transferSize > 0 && !/[.]svg$/.test(each.name))
    .map((each) => new URL(each.name).pathname)"""
PREFETCHED = "() => performance.getEntriesByType('resource').some((each) => each.name.includes('/layouts/'))"
NAMED = """() => [...document.querySelectorAll("link[rel=modulepreload], link[rel=prefetch]")]
    .map((each) => new URL(each.href).pathname).filter((path) => path.endsWith(".js"))"""


def timed(what: str, act: Callable[[], object], page: Page, ready: str) -> None:
    """Do something and wait for something to appear, within the time limit."""
    began = time.monotonic()
    act()
    page.wait_for_selector(ready)
    took = time.monotonic() - began
    print(f"{what}: {took:.2f} s")
    assert took < MAX_SECONDS, what


@pytest.mark.long
def test_the_first_page_and_table_load_quickly(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    names: dict[str, str] = {}
    weights: dict[str, int] = {}
    line.on("Network.requestWillBeSent", lambda told: names.update({told["requestId"]: told["request"]["url"]}))
    line.on("Network.loadingFinished", lambda told: weights.update({told["requestId"]: told["encodedDataLength"]}))

    def choose() -> None:
        page.locator(".tile[data-family=cribbage]").click()
        page.wait_for_selector("dialog .primary")

    def play() -> None:
        page.locator("dialog").get_by_role("button", name="Play", exact=True).click()

    timed("start", lambda: page.goto(address), page, TILE)
    page.wait_for_load_state("networkidle")
    choose()
    timed("first table", play, page, BOARD)
    page.wait_for_timeout(1000)
    whole = sum(weight for id, weight in weights.items() if "/vendor/cards/" not in names[id])
    print(f"weight of both: {whole / 1000:.0f} kB in {len(weights)} answers")
    assert whole <= MAX_BYTES
    page.goto(address)
    choose()
    timed("next table", play, page, BOARD)
    timed("reload", page.reload, page, BOARD)
    friend = browser.new_context(viewport=PHONE).new_page()
    line = friend.context.new_cdp_session(friend)
    line.send("Network.emulateNetworkConditions", LINE)
    timed("by its link", lambda: friend.goto(page.url), friend, ".board")
    friend.context.close()
    context.close()


@pytest.mark.parametrize("family", ["hearts", "huxxy"])
def test_a_table_opened_from_the_first_page_takes_one_request(family: str, person: Person) -> None:
    page = open_table(person, family)
    assert [path for path in page.evaluate(FETCHED) if "/live" not in path] == ["/api/tables"]
    expect(page.locator("main")).to_be_focused()


def test_the_browser_goes_back_from_a_new_table_and_forward_again(person: Person) -> None:
    page = open_table(person, "poker")
    address = page.url
    assert "/tables/" in address
    page.go_back()
    page.wait_for_selector(TILE)
    page.go_forward()
    page.wait_for_selector(BOARD)
    assert page.url == address
    page.reload()
    page.wait_for_selector(BOARD)
    page.go_back()
    page.wait_for_selector(TILE)


def open_table(person: Person, family: str) -> Page:
    """The page of a new table, opened from the start page."""
    page = person.open("/")
    page.wait_for_load_state("networkidle")
    page.locator(f".tile[data-family={family}]").click()
    page.wait_for_function(PREFETCHED)
    page.wait_for_selector("dialog .primary")
    page.evaluate("() => performance.clearResourceTimings()")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(BOARD)
    return page


@pytest.mark.long
@pytest.mark.parametrize("path", ["/", "/count", "/arena", "/account", "/games", "/submit", "/marks", "table"])
def test_pages_preload_exactly_the_modules_they_use(person: Person, path: str) -> None:
    page = person.sit("kuhn") if path == "table" else person.open(path)
    page.wait_for_load_state("networkidle")
    loaded, named = page.evaluate(LOADED), page.evaluate(NAMED)
    assert set(loaded) == set(named)
    assert len(loaded) == len(set(loaded))
