"""What confinement costs: the start of a player's process, one question with its answer, and a whole match.

ours        a process in the tier named, bound by Landlock and seccomp; of a match, all CPU time of all its processes
peer        the same process with neither; of a match, as many bare forks of a small Python, asked as often over pipes

How fair the clock is beside busy neighbours is tested in tests/sandbox (``busy_neighbours``).
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.harness import Probe, Row, Rows

SOURCE = "def play(hand):\n    return hand[0]\n"
STARTS, TRIPS = 40, 2000
MATCHES, SEATS = 30, 4
FILE = Path(__file__).parent / "players" / "bo_trivial.py"
CALL = [["AS", "KS", "QS", "JS", "0S", "9S", "8S", "7S", "6S"]]


def rows() -> Rows:
    """Start and round trip in each tier that this machine has."""
    from kibitz.sandbox import request_tier, tier

    found, notes = [], []
    for name in ("default", "outer"):
        request_tier(name)
        if not tier().confines:
            notes.append(f"No {name} tier here: {tier().reason}")
            continue
        found.append(Row(f"start of a player, {name}, median", "s", starts(name), starts(""), 0.003))
        found.append(Row(f"start of a player, {name}, 95 % below", "s", starts(name, 95), starts("", 95)))
        found.append(Row(f"question and answer, {name}", "s", trips(name), trips("")))
    request_tier()
    found += match_rows(notes)
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


def match_rows(notes: list[str]) -> list[Row]:
    """The CPU time of a Bo match between four files, of what its processes and their questions take of it."""
    import kibitz
    from kibitz.players.isolation.confined_process import PlayerProcess
    from kibitz.players.isolation.wire import packed
    from kibitz.players.limits import STANDARD
    from kibitz.players.specs import find_player
    from kibitz.table.match import play_match

    game = kibitz.game("bo")
    files, own = find_player(game, str(FILE)), find_player(game, "first")

    def lengths(spec) -> list[int]:
        return [
            len(play_match(game, [spec.make() for _ in range(SEATS)], 1 + k).record.actions) for k in range(MATCHES)
        ]

    calls = sum(lengths(files)) // MATCHES
    notes.append(f"Matches of Bo with {calls} actions on average, by CPU time in all processes.")
    source, call = FILE.read_text(encoding="utf-8"), packed(CALL)

    def start_all() -> None:
        for _ in range(SEATS * MATCHES):
            process = PlayerProcess(STANDARD)
            process.load("play.py", source, [("comp10001bo_play", 6)], 0)
            process.end()

    def ask_all() -> None:
        process = PlayerProcess(STANDARD)
        process.load("play.py", SOURCE, [("play", 1)], 0)
        for _ in range(calls * MATCHES):
            process.call("play", call, "[]")
        process.end()

    def each(work) -> Probe:
        def probe() -> float:
            with served("default"):
                return cpu_of(work) / MATCHES

        return probe

    return [
        Row("a Bo match of four files", "s", each(lambda: lengths(files)), bare(SEATS, calls)),
        Row("the same of built-in players", "s", each(lambda: lengths(own))),
        Row("its four starts", "s", each(start_all), bare(SEATS, 0)),
        Row("its questions and answers", "s", each(ask_all), bare(0, calls)),
    ]


def cpu_of(work) -> float:
    """The CPU time in which this process and all processes under it do something."""
    before = process_time() + below()
    work()
    return process_time() + below() - before


def below() -> float:
    """The CPU time of all processes under this one, those that have ended included."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        times[int(stat.parent.name)] = sum(map(int, fields[11:15]))
    under, found = {os.getpid()}, 0
    while more := {pid for pid, parent in parents.items() if parent in under} - under:
        under |= more
        found += sum(times[pid] for pid in more)
    return found / os.sysconf("SC_CLK_TCK")


BARE = """
import os, resource, sys
seats, calls, times = map(int, sys.argv[1:])
question = b"x" * 1000 + b"\\n"
for _ in range(times):
    children = []
    for _ in range(max(1, seats)):
        ask, answer = os.pipe(), os.pipe()
        if not (pid := os.fork()):
            os.close(ask[1])
            while line := os.read(ask[0], 4096):
                os.write(answer[1], line)
            os._exit(0)
        os.close(ask[0])
        children.append((pid, ask[1], answer[0]))
    for k in range(calls):
        _, asks, told = children[k % len(children)]
        os.write(asks, question)
        os.read(told, 4096)
    for pid, asks, told in reversed(children):
        os.close(asks)
    for pid, asks, told in children:
        os.waitpid(pid, 0)
        os.close(told)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(one.ru_utime + one.ru_stime for one in used))
"""


def bare(seats: int, calls: int) -> Probe:
    """A probe: the CPU time of as many processes that only send back what they are asked."""

    def taken(times: int) -> float:
        asked = [sys.executable, "-I", "-S", "-c", BARE, str(seats), str(calls), str(times)]
        return float(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)

    return lambda: (taken(MATCHES + 1) - taken(1)) / MATCHES


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
    tiers.request_tier(name)
    vars(fork_server_client)["tier"] = tiers.tier if name else lambda: Tier("none", "", 0, False)
    try:
        fork_server_client.close()
        timed_start()
        yield
    finally:
        fork_server_client.close()
        vars(fork_server_client)["tier"] = tiers.tier
        tiers.request_tier()
        os.sched_setaffinity(0, cores)
