"""The server under load: 200 people at 50 tables of Bo, over the loopback address, with clients on the same cores.

answered    the seconds from sending an action until the reply that it is done, which follows its storing on disk
pace        at every table somebody acts about once a second, as people in a hurry do

The server is a separate program; only the rate limits for one address are lifted.

``python -m benchmarks play`` measures the time from ``make play`` until the first card is on the screen: in a fresh
clone, and then again.

    fresh       a new clone without any cache of pip, of machine code or of data: the virtual environment, the packages,
                then the server, a browser and a table
    again       the same clone once more

A browser (Playwright's, with Debian's Chromium) does what a person does: it opens the page, chooses a game and plays.
The start of the browser is not counted, since people have theirs open.  pip downloads packages from its usual source.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect

from benchmarks.harness import Row, Rows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TABLES, SEATS, SECONDS, PACE, ASKED = 50, 4, 12.0, 1.0, 0.1
BOOT = """
import sys
from kibitz.web.app_state import Config
from kibitz.web.access import Rates
from kibitz.web.server import serve
Rates.admits = lambda self, kind, who: True
config = Config(store=sys.argv[1], arena=sys.argv[2], workers=1)
serve(config, "127.0.0.1", 0, lambda address, _: print(address, flush=True))
"""


def rows() -> Rows:
    """Rows of the time until an answer, the median and the 99th percentile."""
    load = Load()
    notes = [
        f"{TABLES * SEATS} sockets at {TABLES} tables; every repeat is {SECONDS:g} s of play, some 50 actions a second,"
        " and the clients take their share of the same cores.",
        "Every action that was acknowledged is found again in the states that follow: none is lost.",
    ]
    return [
        Row("an action is answered, median", "s", lambda: load.wait(0.5)),
        Row("an action is answered, 99th percentile", "s", lambda: load.wait(0.99), None, ASKED),
    ], notes


class Load:
    """A server with all its people; one run of play serves both rows of a repeat.

    ``left`` are the shares that the rows of this repeat have yet to ask for.
    """

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.left: set[float] = set()
        self.address = ""

    def wait(self, share: float) -> float:
        """The wait that this share of the answers did not exceed."""
        if not self.left or share not in self.left:
            self.waits = sorted(asyncio.run(self.play()))
            self.left = {0.5, 0.99}
        self.left.discard(share)
        return self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))]

    def start(self) -> None:
        """Start the server, once."""
        if self.address:
            return
        folder = tempfile.TemporaryDirectory(prefix="kibitz-bench-")
        command = [sys.executable, "-c", BOOT, f"{folder.name}/server.sqlite", f"{folder.name}/season.sqlite"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        self.address = process.stdout.readline().strip().rstrip("/")
        atexit.register(lambda: (process.terminate(), process.wait(), folder.cleanup()))

    async def play(self) -> list[float]:
        """Play at all tables for ``SECONDS`` seconds; return all waits."""
        self.start()
        tables = await asyncio.gather(*(asyncio.to_thread(table_of_people, self.address) for _ in range(TABLES)))
        end = time.monotonic() + SECONDS
        waits_by_table = await asyncio.gather(
            *(at_table(self.address, table, cookies, end) for table, cookies in tables)
        )
        return [wait for waits in waits_by_table for wait in waits]


def table_of_people(address: str) -> tuple[str, list[str]]:
    """Open a table where only people sit; return its id and the people's cookies."""
    people = [Person(address) for _ in range(SEATS)]
    chairs = [{"kind": "me"}, *({"kind": "open"} for _ in range(SEATS - 1))]
    created = people[0].ask("POST", "/api/tables", {"game": "bo", "chairs": chairs})
    for person, invitation in zip(people[1:], created["invitations"], strict=True):
        invite = invitation["path"].partition("invite=")[2]
        person.ask("POST", f"/api/tables/{created['table']}/seat", {"invite": invite})
    return created["table"], [person.cookie for person in people]


class Person:
    """A guest."""

    def __init__(self, address: str) -> None:
        self.address, self.jar = address, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.csrf = self.ask("GET", "/api/me")["csrf"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request."""
        headers = {"Content-Type": "application/json", "X-Kibitz-CSRF": getattr(self, "csrf", "")}
        data = None if body is None else json.dumps(body).encode()
        with self.opener.open(urllib.request.Request(self.address + path, data, headers, method=method)) as answer:
            return json.loads(answer.read())

    @property
    def cookie(self) -> str:
        """The person's cookies as a header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)


async def at_table(address: str, table: str, cookies: list[str], end: float) -> list[float]:
    """Have everybody at a table choose in turn, about once a second; return the waits for answers."""
    live = f"{address.replace('http', 'ws', 1)}/tables/{table}/live"
    waits: list[float] = []

    async def sit(cookie: str) -> None:
        async with connect(live, additional_headers={"Cookie": cookie}) as socket:
            sent, expected = 0.0, -1
            while time.monotonic() < end:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), end - time.monotonic() + 0.1))
                except TimeoutError:
                    return
                if message["type"] == "done":
                    waits.append(time.perf_counter() - sent)
                elif message["type"] == "refused":
                    raise AssertionError(message["sentence"])
                elif message["type"] == "state" and message["mine"] and message["turn"] != expected:
                    assert expected in (-1, message["turn"] - 1), "an acknowledged action is lost"
                    expected = message["turn"]
                    await asyncio.sleep(random.uniform(0.5, 1.5) * PACE)
                    action = random.choice(message["legal"])["action"]
                    request = {"type": "act", "id": f"t{expected}", "action": action, "turn": expected}
                    sent = time.perf_counter()
                    await socket.send(json.dumps(request))

    await asyncio.gather(*map(sit, cookies))
    return waits


HERE = Path(__file__).parent.parent
CHROMIUM = "/usr/bin/chromium"
ASKED_SECONDS = {"fresh": 90.0, "again": 3.0}
"""The required seconds."""
AGAIN = 3


def first_cards(arguments: list[str]) -> None:
    """Measure, and print the results beside the required times."""
    from playwright.sync_api import sync_playwright

    argparse.ArgumentParser(prog="python -m benchmarks play", description=first_cards.__doc__).parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        clone, home = Path(folder) / "kibitz", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(HERE), str(clone)], check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        print_result("fresh", [first_card(clone, home, browser)])
        print_result("again", [first_card(clone, home, browser) for _ in range(AGAIN)])
        browser.close()


def print_result(name: str, measured: list[tuple[float, float, float]]) -> None:
    """Print a line: the seconds until the first card and until the server was ready, and the CPU time."""
    whole, served, busy = ([times[part] for times in measured] for part in range(3))
    spread = f" ({min(whole):.1f}-{max(whole):.1f})" if len(whole) > 1 else ""
    load = f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(
        f"{name}: {median(whole):.1f} s{spread} to the first card, {median(served):.1f} s of them until the server is "
        f"there; {median(busy):.1f} s of CPU time without the browser's; asked: {ASKED_SECONDS[name]:.0f} s; {load}",
        flush=True,
    )


def first_card(clone: Path, home: Path, browser: Browser) -> tuple[float, float, float]:
    """The seconds from ``make play`` to the first card and to the server's address, and the CPU time of all of it."""
    page = browser.new_page()
    start, cpu_before = perf_counter(), children()
    with playing(clone, home) as address:
        served = perf_counter() - start
        page.goto(address)
        page.locator(".tile[data-family=go]").click()
        page.locator("dialog .play .primary").click()
        page.wait_for_selector(".held .spot", timeout=120_000)
        whole = perf_counter() - start
    page.close()
    return whole, served, children() - cpu_before


def children() -> float:
    """The CPU time of all ended descendants of this process, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def playing(clone: Path, home: Path) -> Iterator[str]:
    """Run ``make play`` in a clone, with a home folder that only earlier runs have used; the server's address."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("KIBITZ", "XDG", "VIRTUAL_ENV"))
    }
    caches = {"HOME": str(home), "PIP_CACHE_DIR": str(home / "pip"), "PYTHONUNBUFFERED": "1"}
    command = ["make", "--no-print-directory", "play"]
    with subprocess.Popen(
        command,
        cwd=clone,
        env=inherited | caches,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        try:
            assert running.stdout is not None
            output = []
            for line in running.stdout:
                output.append(line)
                if match := re.search(r"Kibitz is at (http\S+)", line):
                    yield match[1]
                    break
            else:
                sys.exit("make play did not serve: " + "".join(output))
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            running.wait(60)
