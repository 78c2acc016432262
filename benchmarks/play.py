"""``make play`` until the first card is on the screen: on a fresh clone, with nothing kept from before, and afterwards.

    fresh       a clone of its own: the virtual environment, the packages, then the server, a browser and a table;
                no cache of pip's, of machine code or of data is there
    again       the same clone once more

A browser (Playwright's, with Debian's Chromium) does what a person does: it opens the page, chooses a game and plays.
The time that it takes to start is not counted, since people have theirs open.  Packages come from where pip gets them.

    python -m benchmarks.play            one fresh clone, and three times afterwards
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent.parent
CHROMIUM = "/usr/bin/chromium"
ASKED = {"fresh": 90.0, "again": 3.0}
"""Seconds that are asked for."""
AGAIN = 3


def main() -> None:
    """Measure, and print what was asked and what came of it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        clone, home = Path(folder) / "kibitz", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(HERE), str(clone)], check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        tell("fresh", [first_card(clone, home, browser)])
        tell("again", [first_card(clone, home, browser) for _ in range(AGAIN)])
        browser.close()


def tell(name: str, found: list[tuple[float, float, float]]) -> None:
    """One line: seconds until the first card and until the server was there, and what all of it took of the cores."""
    whole, served, busy = ([one[part] for one in found] for part in range(3))
    spread = f" ({min(whole):.1f}-{max(whole):.1f})" if len(whole) > 1 else ""
    load = f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(
        f"{name}: {median(whole):.1f} s{spread} to the first card, {median(served):.1f} s of them until the server is "
        f"there; {median(busy):.1f} s of CPU time without the browser's; asked for: {ASKED[name]:.0f} s; {load}",
        flush=True,
    )


def first_card(clone: Path, home: Path, browser: Browser) -> tuple[float, float, float]:
    """Seconds from ``make play`` to the first card that is seen and to the server's address, and of CPU time in all."""
    page = browser.new_page()
    began, before = perf_counter(), children()
    with playing(clone, home) as address:
        served = perf_counter() - began
        page.goto(address)
        page.locator(".tile[data-family=go]").click()
        page.locator("dialog .play .primary").click()
        page.wait_for_selector(".held .spot", timeout=120_000)
        whole = perf_counter() - began
    page.close()
    return whole, served, children() - before


def children() -> float:
    """Seconds of CPU time that processes have taken that were begun here, directly or not, and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def playing(clone: Path, home: Path) -> Iterator[str]:
    """``make play`` in a clone, with nothing in the home folder but what earlier ones have left; its address."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KIBITZ", "XDG", "VIRTUAL_ENV"))}
    caches = {"HOME": str(home), "PIP_CACHE_DIR": str(home / "pip"), "PYTHONUNBUFFERED": "1"}
    command = ["make", "--no-print-directory", "play"]
    with subprocess.Popen(
        command,
        cwd=clone,
        env=kept | caches,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        try:
            assert running.stdout is not None
            told = []
            for line in running.stdout:
                told.append(line)
                if found := re.search(r"Kibitz is at (http\S+)", line):
                    yield found[1]
                    break
            else:
                sys.exit("make play did not serve: " + "".join(told))
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            running.wait(60)


if __name__ == "__main__":
    main()
