"""How fast the referee is in plain Python: matches between players who choose at random, and views of all seats.

Where the environment names another source tree of Kibitz in ``KIBITZ_PEER`` (its ``src``), the same work is done with
that one beside it, in turns of a fraction of a second: so a change is held against what was there before.  Figures are
steps in a second of processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import harness

GAMES = ("go", "bo", "huxxy", "president", "cribbage", "holdem:hands=20", "draw:hands=20", "leduc:hands=20")
WORK = {"match": "matches between players at random", "views": "one driver, views of all seats at every step"}
LOOP = Path(__file__).with_name("referee_loop.py")
SECONDS = 0.1


class Worker:
    """A process that measures with one source tree."""

    def __init__(self, tree: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(LOOP)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": tree, "PYTHONSAFEPATH": "1"},
        )

    def probe(self, game: str, work: str) -> Callable[[], float]:
        """A probe of one kind of work."""

        def ask() -> float:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            print(game, work, SECONDS, file=self.process.stdin, flush=True)
            return float(self.process.stdout.readline())

        return ask


def rows() -> harness.Rows:
    """Every game, both kinds of work."""
    ours = Worker(str(Path(__file__).parents[1] / "src"))
    tree = os.environ.get("KIBITZ_PEER")
    peer = Worker(tree) if tree else None
    found = [
        harness.Row(f"{game}: {words}", "steps/s", ours.probe(game, work), peer.probe(game, work) if peer else None)
        for game in GAMES
        for work, words in WORK.items()
    ]
    return found, [f"The peer is the Kibitz in {tree}."] if tree else []
