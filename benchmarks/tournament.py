"""Matches a second of a whole tournament, including the start of the workers, all players' processes, and the table.

ours        four copies of a player file (``benchmarks/players/bo_trivial.py``), each in its own process
peer        the same games between built-in players, in the worker itself: the difference is the cost of the processes
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter

from benchmarks.harness import Probe, Row, Rows

FILE = Path(__file__).parent / "players" / "bo_trivial.py"
DEALS = 40
ASKED = 50.0


def rows() -> Rows:
    """A row for two workers if there are two cores, and one for a single worker."""
    import kibitz

    game = kibitz.game("bo")
    cores = os.cpu_count() or 1
    table_rows = [
        Row(f"Bo matches on {n} worker{'s' if n > 1 else ''}", "/s", matches(game, str(FILE), n),
            matches(game, "first", n), ASKED if n == 2 else None)
        for n in sorted({1, min(2, cores)}, reverse=True)
    ]  # fmt: skip
    from kibitz.sandbox import tier

    return table_rows, [
        f"Each figure is a tournament of {DEALS} deals, {4 * DEALS} matches, all starts included.",
        f"The players' processes are confined as in the sandbox's tier {tier().name!r}.",
    ]


def matches(game: object, player: str, workers: int) -> Probe:
    """A probe: matches a second of a tournament among four copies of a player."""
    from kibitz.arena.running.tournament import run
    from kibitz.players.specs import find_player

    specs = [find_player(game, player)] * 4  # type: ignore[arg-type]

    def probe() -> float:
        start = perf_counter()
        result = run(game, specs, DEALS, 1, workers)  # type: ignore[arg-type]
        failed = [line.reasons for line in result.standings if line.forfeits]
        if failed:
            raise RuntimeError(f"the measured players forfeit: {failed[0]}")
        return len(result.results) / (perf_counter() - start)

    return probe
