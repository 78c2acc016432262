"""What confinement costs: the start of a player's process, and one question with its answer.

ours        a process in the tier named, bound by Landlock and seccomp
peer        the same process with neither

How fair the clock is beside busy neighbours is tested in tests/sandbox (``busy_neighbours``).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from time import perf_counter

from benchmarks.harness import Probe, Row, Rows

SOURCE = "def play(hand):\n    return hand[0]\n"
STARTS, TRIPS = 40, 2000
CALL = [["AS", "KS", "QS", "JS", "0S", "9S", "8S", "7S", "6S"]]


def rows() -> Rows:
    """Start and round trip in each tier that this machine has."""
    from kibitz.sandbox import tier, wish

    found, notes = [], []
    for name in ("default", "outer"):
        wish(name)
        if not tier().rated:
            notes.append(f"No {name} tier here: {tier().reason}")
            continue
        found.append(Row(f"start of a player, {name}, median", "s", starts(name), starts(""), 0.003))
        found.append(Row(f"start of a player, {name}, 95 % below", "s", starts(name, 95), starts("", 95)))
        found.append(Row(f"question and answer, {name}", "s", trips(name), trips("")))
    wish()
    notes.append("The ratio of question and answer is asked to be at least 0.95. All processes share one core.")
    return found, notes


def starts(name: str, percent: int = 50) -> Probe:
    """A probe: the time until a player's process has loaded its file."""

    def probe() -> float:
        with served(name):
            return percentile([timed_start() for _ in range(STARTS)], percent)

    return probe


def timed_start() -> float:
    """Start a process, load a file, and end it again; the seconds until it was loaded."""
    from kibitz.players.isolation.confined_process import PlayerProcess
    from kibitz.players.limits import STANDARD

    start = perf_counter()
    process = PlayerProcess(STANDARD)
    process.load("play.py", SOURCE, [("play", 1)], 0)
    taken = perf_counter() - start
    process.end()
    return taken


def trips(name: str) -> Probe:
    """A probe: the median time of a call and its answer."""

    def probe() -> float:
        from kibitz.players.isolation.confined_process import PlayerProcess
        from kibitz.players.isolation.wire import packed
        from kibitz.players.limits import STANDARD

        with served(name):
            process = PlayerProcess(STANDARD)
            process.load("play.py", SOURCE, [("play", 1)], 0)
            times, call = [], packed(CALL)
            for _ in range(TRIPS):
                start = perf_counter()
                process.call("play", call, "[]")
                times.append(perf_counter() - start)
            process.end()
            return percentile(times, 50)

    return probe


def percentile(times: list[float], percent: int) -> float:
    """The time that so many of a hundred stay below."""
    return sorted(times)[(len(times) - 1) * percent // 100]


@contextmanager
def served(name: str):
    """A fork server of the tier ``name``, or of none, on the same core as this process."""
    from kibitz.players.isolation import fork_server_client
    from kibitz.sandbox import Tier, tiers

    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    tiers.wish(name)
    fork_server_client.tier = tiers.tier if name else lambda: Tier("none", "", 0, False)
    try:
        fork_server_client.close()
        timed_start()
        yield
    finally:
        fork_server_client.close()
        fork_server_client.tier = tiers.tier
        tiers.wish()
        os.sched_setaffinity(0, cores)
