"""The arena's store: what it costs to lease and to keep a match, and matches a second through its runner.

ours        for the runner: 16 copies of ``benchmarks/players/bo_trivial.py`` from a store in a file, rounds, leases,
            records and all
peer        ``kibitz.arena.running.tournament`` in a temporary store, with the same files: what keeping costs

The PostgreSQL server is our own (see ``tests/arena/store/postgres.py``), on this machine, with its usual care for
what it has written (fsync).
"""

from __future__ import annotations

import atexit
import os
import tempfile
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.harness import Probe, Row, Rows

FILE = Path(__file__).parent / "players" / "bo_trivial.py"
BLOCKS, SEATS = 100, 4
PLAYERS, GAMES = 16, 256
ASKED = 50.0
names = count()


def rows() -> Rows:
    """The store's own cost on both databases, then whole tournaments."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-bench-"))
    notes = [f"The store's figures: blocks of {SEATS} matches with records of 3 kB, claimed and completed 2 at a time."]
    databases = {"SQLite": str(Path(folder) / "cost.db")}
    if url := postgres(stack):
        databases["PostgreSQL"] = url
    else:
        notes.append("PostgreSQL is not installed: no figures of it.")
    found = [
        Row(f"claim and complete of a match, {name}", "s", cost(opened(where, stack)))
        for name, where in databases.items()
    ]
    for n in sorted({1, min(2, os.cpu_count() or 1)}, reverse=True):
        what = f"Bo matches from the store on {n} worker{'s' if n > 1 else ''}"
        found.append(Row(what, "/s", played(folder, n), unkept(n), ASKED if n == 2 else None))
    notes.append(f"Each rate is {GAMES} matches or a few more, all starts included.")
    return found, notes


def postgres(stack: ExitStack) -> str | None:
    """The URL of a server of our own, if there are its programs."""
    from tests.arena.store import postgres

    return stack.enter_context(postgres.server(settings=())) if postgres.binaries() else None


def opened(where: str, stack: ExitStack) -> Any:
    """A store, closed at the end."""
    from kibitz.arena.store import open_store

    return stack.enter_context(open_store(where))


def entered(store: Any, players: int, file: str, content: bytes) -> str:
    """A fresh tournament of Bo with accepted players: its name."""
    name = f"bo-{next(names)}"
    store.add_tournament(name, "bo", seed=1)
    for number in range(players):
        made = store.submit(name, f"p{number}", "owner", file, content)
        store.record_check(made.id, passed=True, reason="", report="{}")
    return name


def cost(store: Any) -> Probe:
    """A probe: seconds a match of claiming and completing blocks that cost nothing to play."""
    from kibitz.arena.model import Lease, PlayedMatch, PlayedSeat

    record = "".join(f"{k}. 0 3S h1>b2 ; Seat 0 lays a card.\n" for k in range(80))

    def matches(lease: Lease) -> list[PlayedMatch]:
        return [
            PlayedMatch(r, tuple(PlayedSeat(s, 0.0, 1, 0.25) for s in seats), "Over.", record, "default", "1", 0.01)
            for r, seats in enumerate(lease.block.rotations())
        ]

    def probe() -> float:
        name = entered(store, SEATS, "first", b"")
        entrants = store.entrants(name)
        lineup = tuple(entrant.submission for entrant in entrants)
        store.schedule_round(name, 1, entrants, [lineup] * BLOCKS)
        start = perf_counter()
        while leases := store.claim(name, "benchmark", 2):
            store.complete_all([(lease, matches(lease)) for lease in leases])
        return (perf_counter() - start) / (BLOCKS * SEATS)

    return probe


def played(folder: str, workers: int) -> Probe:
    """A probe: matches a second of a tournament that is kept in a file."""
    from kibitz.arena.running.next_round import Until
    from kibitz.arena.running.runner import run
    from kibitz.arena.store import open_store

    def probe() -> float:
        with open_store(Path(folder) / f"{next(names)}.db") as store:
            name = entered(store, PLAYERS, "trivial.py", FILE.read_bytes())
            start = perf_counter()
            ended = run(store, name, workers, until=Until(games=GAMES), stop=lambda: False)
            elapsed = perf_counter() - start
            if failed := store.failures(name, newest=1):
                raise RuntimeError(f"the measured players forfeit: {failed[0].rule}")
        return ended.games / elapsed

    return probe


def unkept(workers: int) -> Probe:
    """A probe: the same by ``kibitz.arena.running.tournament``."""
    import kibitz
    from kibitz.arena.running.tournament import run
    from kibitz.players.specs import find_player

    game = kibitz.game("bo")
    specs = [find_player(game, str(FILE))] * PLAYERS

    def probe() -> float:
        start = perf_counter()
        ended = run(game, specs, GAMES // SEATS, 1, workers)
        return len(ended.results) / (perf_counter() - start)

    return probe
