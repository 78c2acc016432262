"""The built site in a browser, as the server serves it: nothing refused, no other host, every link valid."""

import re
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from starlette.applications import Starlette

from kibitz.web.app import docs_routes
from kibitz.web.guards import Guards
from tests.web.browser.conftest import DESK, PHONE
from website import hardening
from website.building import build

pytestmark = pytest.mark.long

LINK = re.compile(r"""<(?:a|link|img|script)\b[^>]*?\s(?:href|src)=["']?([^"'\s>]+)""")
NAME = re.compile(r"""\b(?:id|name)=["']?([^"'\s>]+)""")


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ``make docs`` builds it; any warning fails the build."""
    return build(tmp_path_factory.mktemp("documentation") / "site")


@pytest.fixture(scope="module")
def site_address(site: Path) -> Iterator[str]:
    """The address of a server that serves the site, with the real server's guards."""

    class AppState:
        base = ""

    app = Guards(Starlette(routes=docs_routes(AppState(), site)), "")  # type: ignore[arg-type]
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_the_site_needs_no_other_host_and_follows_the_policy(site: Path) -> None:
    assert list(hardening.faults(site)) == []


def test_every_link_has_a_target(site: Path) -> None:
    pages = {path.resolve(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    names = {path: {unescape(name) for name in NAME.findall(page)} for path, page in pages.items()}
    dead = []
    for path, page in pages.items():
        for link in set(LINK.findall(page)):
            parts = urlsplit(unescape(link))
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (
                parts.fragment and target in names and not has_target(parts.fragment, names[target])
            ):
                dead.append(f"{path.relative_to(site.resolve())}: {link}")
    assert dead == []


def has_target(fragment: str, names: set[str]) -> bool:
    """Whether a page has the target of a link."""
    return fragment in names or unquote(fragment) in names


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True)])
def test_pages_load_without_errors_or_requests_to_other_hosts(
    browser: Browser, site_address: str, size: ViewportSize, dark: bool
) -> None:
    """On a desktop and a phone, light and dark; any request to another host is a fault."""
    faults = list[str]()
    context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light")
    page = watched_page(context, site_address, faults)
    for place in ("index", "games/go", "reference/kibitz", "how-it-works", "season"):
        page.goto(f"{site_address}/docs/{place}.html")
        expect(page.locator("h1").first).to_be_visible(timeout=20000)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{place} is {wide} pixels wider than the screen"
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", colour)[:3])) < 200) is dark
    context.close()
    assert faults == []


def watched_page(context: BrowserContext, site_address: str, faults: list[str]) -> Page:
    """A page that records the browser's complaints, and every request to another host."""
    page = context.new_page()
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "request", lambda asked: None if asked.url.startswith((site_address, "data:")) else faults.append(asked.url)
    )
    return page


def test_the_search_finds_words(browser: Browser, site_address: str) -> None:
    faults = list[str]()
    context = browser.new_context(viewport=DESK)
    page = watched_page(context, site_address, faults)
    page.goto(f"{site_address}/docs/index.html")
    page.keyboard.press("/")
    page.keyboard.type("straddle")
    expect(page.get_by_text("Poker").last).to_be_visible(timeout=20000)
    context.close()
    assert faults == []
