"""Compare the speed of two commits: random games in machine code of every game that both have, or matches of files.

    process     the place of a game's machine code in memory changes its speed by a tenth, so there are many processes
    turn        both commits play the same games in turn; the figure of a process is the least time of its turns
    ratio       the time of the other commit divided by that of these sources: below 1 these are slower
    matches     Bo between four copies of ``benchmarks/bo_trivial.py``, each confined in a process of its own

    python -m benchmarks paired COMMIT [--games cribbage,go] [--processes 8] [--turns 15]
    python -m benchmarks paired COMMIT --matches [--processes 8] [--turns 15]

The other commit's sources run with the packages that are installed here.  Random games are measured in CPU time.
Matches run on one worker and are measured in wall-clock time, since other processes play them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import games, whole
from kibitz.engine.registry import all_games

HERE = Path(__file__).parent.parent
FILE = HERE / "benchmarks" / "bo_trivial.py"
AIM = 0.02
"""About how many seconds of CPU time a turn of random games takes."""
DEALS = 40
"""Deals in a turn of matches; each deal has four matches."""
PLAY = """
import sys, time, kibitz
def turn(game, n):
    before = time.process_time()
    kibitz.random_games(game, n, seed=2, threads=1)
    return time.process_time() - before
for line in sys.stdin:
    name, n = line.split()
    try:
        game = kibitz.game(name)
    except ValueError:
        print(-1.0, flush=True)
        continue
    turn(game, 10)
    print(turn(game, int(n)), flush=True)
"""
MATCHES = """
import sys, time, kibitz
try:
    from kibitz.arena.running.tournament import run
except ImportError:
    from kibitz.arena.tournament import run
from kibitz.players.specs import find_player
for line in sys.stdin:
    name, deals = line.split()
    specs = [find_player(kibitz.game("bo"), name)] * 4
    before = time.perf_counter()
    played = run(kibitz.game("bo"), specs, int(deals), 1, 1)
    taken = time.perf_counter() - before
    assert not any(line.forfeits for line in played.standings)
    print(taken, flush=True)
"""


class Side:
    """A process that plays games with some sources."""

    def __init__(self, sources: Path, script: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(sources / "src")}
        command = [sys.executable, "-c", script]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)

    def turn(self, name: str, n: int) -> float:
        """The seconds for ``n`` games; -1 if the game does not exist."""
        assert self.process.stdin
        assert self.process.stdout
        print(name, n, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def figures(other: Path, names: list[str], processes: int, turns: int) -> dict[str, list[tuple[float, float]]]:
    """For each game and process, the least CPU time of a turn: of the other commit, then of these sources."""
    least_times: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for number in range(processes):
        sides = Side(other, PLAY), Side(HERE, PLAY)
        for name in names:
            if sides[0].turn(name, 1) < 0:
                least_times.pop(name, None)
                continue
            n = max(1, int(1000 * AIM / max(sides[1].turn(name, 1000), 1e-5)))
            times = [(sides[0].turn(name, n), sides[1].turn(name, n)) for _ in range(turns)]
            least_times[name].append(least(times))
        for side in sides:
            side.close()
        names = list(least_times)
        print(f"process {number + 1} of {processes}", file=sys.stderr)
    return least_times


def least(times: list[tuple[float, float]]) -> tuple[float, float]:
    """The least time of each side's turns."""
    return min(other for other, _ in times), min(here for _, here in times)


def matches(other: Path, processes: int, turns: int) -> dict[str, list[tuple[float, float]]]:
    """For each process, the least time of a turn of matches: of the other commit, then of these sources."""
    least_times = []
    for number in range(processes):
        sides = Side(other, MATCHES), Side(HERE, MATCHES)
        for side in sides:
            side.turn(str(FILE), 2)
        times = [(sides[0].turn(str(FILE), DEALS), sides[1].turn(str(FILE), DEALS)) for _ in range(turns)]
        least_times.append(least(times))
        for side in sides:
            side.close()
        rates = " and ".join(f"{4 * DEALS / seconds:.1f}" for seconds in least_times[-1])
        print(f"process {number + 1} of {processes}: {rates} matches/s", file=sys.stderr)
    return {"matches": least_times}


def main(arguments: list[str]) -> None:
    """Measure, and print a line for each game."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks paired", description="The speed of two commits.")
    parser.add_argument("commit")
    parser.add_argument("--matches", action="store_true", help="matches of Bo's between files, for random games")
    parser.add_argument("--games", type=games, help="random games of these alone, with commas between; else of all")
    parser.add_argument("--processes", type=whole(1, 1000), default=8)
    parser.add_argument("--turns", type=whole(1), default=15)
    options = parser.parse_args(arguments)
    if options.matches and options.games:
        parser.error("the matches are Bo's: leave --games out, or --matches")
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        git = ["git", "-C", str(HERE), "worktree"]
        if subprocess.run([*git, "add", "--quiet", "--detach", str(other), options.commit], check=False).returncode:
            parser.error(f"there is no commit {options.commit!r} here")
        try:
            for sources in (other, HERE):  # fork servers write no byte code, and would compile theirs at every start
                subprocess.run([sys.executable, "-m", "compileall", "-q", str(sources / "src")], check=True)
            if options.matches:
                least_times = matches(other, options.processes, options.turns)
            else:
                least_times = figures(
                    other, [game.name for game in options.games or all_games()], options.processes, options.turns
                )
        finally:
            subprocess.run([*git, "remove", "--force", str(other)], check=True)
    for name, pairs in least_times.items():
        ratios = sorted(other_time / own_time for other_time, own_time in pairs)
        middle = statistics.median(pair[0] for pair in pairs) / statistics.median(pair[1] for pair in pairs)
        print(f"{name:16} {middle:.3f} ({ratios[0]:.3f}-{ratios[-1]:.3f})")
