"""A worker that tries player files: one process on one core, with no access to the store."""

from __future__ import annotations

import signal
from multiprocessing.synchronize import Lock as LockType

from kibitz.arena.entry.qualification import Report, qualify
from kibitz.engine.registry import game as find_game
from kibitz.executors.worker import die_with, stay_on_core
from kibitz.players.limits import Limits
from kibitz.players.sources import Sources
from kibitz.sandbox import Tier, adopt

QUIET = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""What a terminal sends to everybody; the process that has started the workers ends them."""


def start_worker(found: Tier, parent: int, lock: LockType, started: object) -> None:
    """Prepare a worker process: confine players as its parent does, and stay on one core."""
    for which in QUIET:
        signal.signal(which, signal.SIG_IGN)
    die_with(parent)
    adopt(found)
    with lock:
        number = started.value  # type: ignore[attr-defined]
        started.value = number + 1  # type: ignore[attr-defined]
    stay_on_core(number)


def try_here(game: str, words: str, sources: Sources, limits: Limits, games: int) -> Report:
    """Try one player in a worker process."""
    return qualify(find_game(game), words, sources, limits, games=games)
