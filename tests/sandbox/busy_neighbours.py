"""Moves lost on time by a player that uses 70 % of its CPU time for a move, beside eight busy processes.

The busy processes run in their own sessions, as other users' programs do.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from kibitz.errors import PlayerError
from kibitz.players.isolation.confined_process import PlayerProcess
from kibitz.players.isolation.wire import packed
from kibitz.players.limits import Limits

LIMIT = 0.02
SHARE = 0.7
NEIGHBOURS = 8
PER_GAME = 200
HOG = "import time\nprint('x', flush=True)\nend = time.time() + 3600\nwhile time.time() < end: pass"
SOURCE = """
from time import process_time
def work(microseconds):
    end = process_time() + microseconds / 1e6
    while process_time() < end: pass
    return 1
"""


@dataclass
class Tally:
    """Counts of moves and of lost moves, and the wall seconds of the slowest move."""

    moves: int = 0
    lost: int = 0
    slowest: float = 0.0
    reason: str = ""


@contextmanager
def neighbours(count: int = NEIGHBOURS) -> Iterator[None]:
    """Run ``count`` processes that are always busy."""
    hogs = [
        subprocess.Popen([sys.executable, "-c", HOG], stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(count)
    ]
    try:
        for hog in hogs:
            assert hog.stdout
            hog.stdout.read(1)
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
            assert hog.stdout
            hog.stdout.close()


def lost_moves(moves: int, limit: float = LIMIT) -> Tally:
    """Make ``moves`` moves that each use ``SHARE`` of the CPU limit, with a tight limit on idle time."""
    tally = Tally()
    limits = Limits(call=limit, bank=3600.0, wall_factor=1.0, wall_floor=0.2)
    while tally.moves < moves:
        process = PlayerProcess(limits)
        try:
            process.load("work.py", SOURCE, [("work", 1)], 0)
            for _ in range(min(PER_GAME, moves - tally.moves)):
                start = perf_counter()
                tally.moves += 1
                process.call("work", packed([int(1e6 * SHARE * limit)]), "[]")
                tally.slowest = max(tally.slowest, perf_counter() - start)
        except PlayerError as error:
            tally.lost += 1
            tally.reason = str(error)
        finally:
            process.end()
    return tally
