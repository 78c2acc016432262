"""The cost of confinement: the start of a player's process, one question with its answer, and a whole match.

ours        a process in the named tier, confined by Landlock and seccomp; for a match, the CPU time of all processes
peer        the same process with neither; for a match, as many bare forks of a small Python, asked as often over pipes

The tests in tests/sandbox (``busy_neighbours``) check that the clock is fair on a busy machine.
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
FILE = Path(__file__).parent / "bo_trivial.py"
CALL = [["AS", "KS", "QS", "JS", "0S", "9S", "8S", "7S", "6S"]]


def rows() -> Rows:
    """Rows of the start and of a question in each tier that this machine has, and of matches."""
    from kibitz.sandbox import request_tier, tier

    table_rows, notes = [], []
    for name in ("default", "outer"):
        request_tier(name)
        if not tier().confines:
            notes.append(f"No {name} tier here: {tier().reason}")
            continue
        table_rows.append(Row(f"start of a player, {name}, median", "s", starts(name), starts(""), 0.003))
        table_rows.append(Row(f"start of a player, {name}, 95 % below", "s", starts(name, 95), starts("", 95)))
        table_rows.append(Row(f"question and answer, {name}", "s", trips(name), trips("")))
    request_tier()
    table_rows += match_rows(notes)
    notes.append("The ratio of question and answer is asked to be at least 0.95. All processes share one core.")
    return table_rows, notes


def starts(name: str, percent: int = 50) -> Probe:
    """A probe: the time until a player's process has loaded its file."""

    def probe() -> float:
        with fork_server(name):
            return percentile([timed_start() for _ in range(STARTS)], percent)

    return probe


def timed_start() -> float:
    """Start a process, load a file, and end the process; return the seconds until the file was loaded."""
    from kibitz.players.isolation.confined_process import PlayerProcess
    from kibitz.players.limits import STANDARD

    start = perf_counter()
    process = PlayerProcess(STANDARD)
    process.load("play.py", SOURCE, [("play", 1)], 0)
    seconds = perf_counter() - start
    process.end()
    return seconds


def trips(name: str) -> Probe:
    """A probe: the median time of a call and its answer."""

    def probe() -> float:
        from kibitz.players.isolation.confined_process import PlayerProcess
        from kibitz.players.isolation.wire import packed
        from kibitz.players.limits import STANDARD

        with fork_server(name):
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
    """Rows of the CPU time of a Bo match between four files, and of the share of its processes and questions."""
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
            with fork_server("default"):
                return cpu_of(work) / MATCHES

        return probe

    return [
        Row("a Bo match of four files", "s", each(lambda: lengths(files)), bare(SEATS, calls)),
        Row("the same of built-in players", "s", each(lambda: lengths(own))),
        Row("its four starts", "s", each(start_all), bare(SEATS, 0)),
        Row("its questions and answers", "s", each(ask_all), bare(0, calls)),
    ]


def cpu_of(work) -> float:
    """The CPU time that this process and its descendants take for some work."""
    before = process_time() + cpu_of_descendants()
    work()
    return process_time() + cpu_of_descendants() - before


def cpu_of_descendants() -> float:
    """The CPU time of all descendants of this process, including those that have ended."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        times[int(stat.parent.name)] = sum(map(int, fields[11:15]))
    descendants, ticks = {os.getpid()}, 0
    while more := {pid for pid, parent in parents.items() if parent in descendants} - descendants:
        descendants |= more
        ticks += sum(times[pid] for pid in more)
    return ticks / os.sysconf("SC_CLK_TCK")


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
    """A probe: the CPU time of as many processes that only return the questions."""

    def cpu_time(times: int) -> float:
        command = [sys.executable, "-I", "-S", "-c", BARE, str(seats), str(calls), str(times)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return lambda: (cpu_time(MATCHES + 1) - cpu_time(1)) / MATCHES


def percentile(times: list[float], percent: int) -> float:
    """The percentile ``percent`` of some times."""
    return sorted(times)[(len(times) - 1) * percent // 100]


@contextmanager
def fork_server(name: str):
    """Run a fork server of the tier ``name``, or of none for "", on the same core as this process."""
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
