"""The time from ``make play`` until the first card is on the screen: in a fresh clone, and then again.

    fresh       a new clone without any cache of pip, of machine code or of data: the virtual environment, the packages,
                then the server, a browser and a table
    again       the same clone once more

A browser (Playwright's, with Debian's Chromium) does what a person does: it opens the page, chooses a game and plays.
The start of the browser is not counted, since people have theirs open.  pip downloads packages from its usual source.

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
"""The required seconds."""
AGAIN = 3


def main() -> None:
    """Measure, and print the results beside the required times."""
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
        f"there; {median(busy):.1f} s of CPU time without the browser's; asked for: {ASKED[name]:.0f} s; {load}",
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


if __name__ == "__main__":
    main()
