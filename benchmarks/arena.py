"""The arena's store: the cost of claiming and completing a match, and matches a second through its runner.

ours        for the runner: 16 copies of ``benchmarks/bo_trivial.py`` with a store in a file, including rounds,
            leases and records
peer        ``kibitz.arena.running.tournament`` in a temporary store, with the same files: the difference is the cost of
            storing

The benchmark starts its own PostgreSQL server on this machine (see ``tests/arena/store/postgres.py``), with the usual
setting of fsync.
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

FILE = Path(__file__).parent / "bo_trivial.py"
BLOCKS, SEATS = 100, 4
PLAYERS, GAMES = 16, 256
ASKED = 50.0
names = count()


def rows() -> Rows:
    """Rows of the store's own cost on both databases, then of whole tournaments."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-bench-"))
    notes = [f"The store's figures: blocks of {SEATS} matches with records of 3 kB, claimed and completed 2 at a time."]
    databases = {"SQLite": str(Path(folder) / "cost.db")}
    if url := postgres(stack):
        databases["PostgreSQL"] = url
    else:
        notes.append("PostgreSQL is not installed: no figures of it.")
    table_rows = [
        Row(f"claim and complete of a match, {name}", "s", cost(opened(where, stack)))
        for name, where in databases.items()
    ]
    for n in sorted({1, min(2, os.cpu_count() or 1)}, reverse=True):
        what = f"Bo matches from the store on {n} worker{'s' if n > 1 else ''}"
        table_rows.append(Row(what, "/s", stored_matches(folder, n), unstored_matches(n), ASKED if n == 2 else None))
    notes.append(f"Each rate is {GAMES} matches or a few more, all starts included.")
    return table_rows, notes


def postgres(stack: ExitStack) -> str | None:
    """The URL of a server of our own, if PostgreSQL is installed."""
    from tests.arena.store import postgres

    return stack.enter_context(postgres.server(settings=())) if postgres.binaries() else None


def opened(where: str, stack: ExitStack) -> Any:
    """A store, closed at the end."""
    from kibitz.arena.store import open_store

    return stack.enter_context(open_store(where))


def new_tournament(store: Any, players: int, file: str, content: bytes) -> str:
    """Add a tournament of Bo with accepted players; return its name."""
    name = f"bo-{next(names)}"
    store.add_tournament(name, "bo", seed=1)
    for number in range(players):
        submission = store.submit(name, f"p{number}", "owner", file, content)
        store.record_check(submission.id, passed=True, reason="", report="{}")
    return name


def cost(store: Any) -> Probe:
    """A probe: seconds a match of claiming and completing blocks that nobody plays."""
    from kibitz.arena.model import Lease, PlayedMatch, PlayedSeat

    record = "".join(f"{k}. 0 3S h1>b2 ; Seat 0 lays a card.\n" for k in range(80))

    def matches(lease: Lease) -> list[PlayedMatch]:
        return [
            PlayedMatch(r, tuple(PlayedSeat(s, 0.0, 1, 0.25) for s in seats), "Over.", record, "default", "1", 0.01)
            for r, seats in enumerate(lease.block.rotations())
        ]

    def probe() -> float:
        name = new_tournament(store, SEATS, "first", b"")
        entrants = store.entrants(name)
        lineup = tuple(entrant.submission for entrant in entrants)
        store.schedule_round(name, 1, entrants, [lineup] * BLOCKS)
        start = perf_counter()
        while leases := store.claim(name, "benchmark", 2):
            store.complete_all([(lease, matches(lease)) for lease in leases])
        return (perf_counter() - start) / (BLOCKS * SEATS)

    return probe


def stored_matches(folder: str, workers: int) -> Probe:
    """A probe: matches a second of a tournament that is stored in a file."""
    from kibitz.arena.running.next_round import StopCondition
    from kibitz.arena.running.runner import run
    from kibitz.arena.store import open_store

    def probe() -> float:
        with open_store(Path(folder) / f"{next(names)}.db") as store:
            name = new_tournament(store, PLAYERS, "trivial.py", FILE.read_bytes())
            start = perf_counter()
            outcome = run(store, name, workers, until=StopCondition(games=GAMES), stop=lambda: False)
            elapsed = perf_counter() - start
            if failed := store.failures(name, newest=1):
                raise RuntimeError(f"the measured players forfeit: {failed[0].rule}")
        return outcome.games / elapsed

    return probe


def unstored_matches(workers: int) -> Probe:
    """A probe: matches a second of ``kibitz.arena.running.tournament``."""
    import kibitz
    from kibitz.arena.running.tournament import run
    from kibitz.players.specs import find_player

    game = kibitz.game("bo")
    specs = [find_player(game, str(FILE))] * PLAYERS

    def probe() -> float:
        start = perf_counter()
        tournament = run(game, specs, GAMES // SEATS, 1, workers)
        return len(tournament.results) / (perf_counter() - start)

    return probe


DEALS = 40


def tournament() -> Rows:
    """A row for two workers if there are two cores, and one for a single worker."""
    import kibitz

    game = kibitz.game("bo")
    cores = os.cpu_count() or 1
    table_rows = [
        Row(f"Bo matches on {n} worker{'s' if n > 1 else ''}", "/s", tournament_matches(game, str(FILE), n),
            tournament_matches(game, "first", n), ASKED if n == 2 else None)
        for n in sorted({1, min(2, cores)}, reverse=True)
    ]  # fmt: skip
    from kibitz.sandbox import tier

    return table_rows, [
        f"Each figure is a tournament of {DEALS} deals, {4 * DEALS} matches, all starts included.",
        f"The players' processes are confined as in the sandbox's tier {tier().name!r}.",
    ]


def tournament_matches(game: object, player: str, workers: int) -> Probe:
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
