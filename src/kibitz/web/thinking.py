"""Computer players think in processes of their own, and so do those who give advice: never in the event loop.

A strategy is asked for one decision at a time, with a generator that the game's seed, the seat and the step fix: a
table that goes on after a restart has the same future, and any process can be asked.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

from kibitz.engine.events import View
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.errors import MachineError
from kibitz.places.cores import cores, die_with
from kibitz.players.advice import Hint, hint
from kibitz.players.built_in import best_known, strategies
from kibitz.table.match import player_seed

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds for one decision, from when a process begins with it."""


class Thinker:
    """Worker processes that are asked for decisions; they start with the first question, or with ``warm``."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, cores())
        self.turn = asyncio.Semaphore(self.workers)
        self.pool: Any = None

    def started(self) -> Any:
        """The processes."""
        if self.pool is None:
            from loky import ProcessPoolExecutor

            self.pool = ProcessPoolExecutor(self.workers, initializer=start_worker, initargs=(os.getpid(),))
        return self.pool

    async def warm(self) -> None:
        """Start every process, so that the first decision does not wait for it."""
        await asyncio.gather(*(self.asked(ready) for _ in range(self.workers)))

    async def think(self, game: str, player: str, view: View, legal: Sequence[int], seed: int) -> int:
        """What a computer player would do; what it raises is raised."""
        return await self.asked(decide, game, player, view, list(legal), seed)

    async def advise(self, game: str, view: View, legal: Sequence[int], seed: int) -> Hint:
        """What the strongest player would do, and why."""
        return await self.asked(advise, game, view, list(legal), seed)

    async def asked(self, question: Callable[..., T], *arguments: Any) -> T:
        """Ask a process, and once more if it dies over the question; MachineError if no answer is to be had.

        Only as many questions are out as there are processes: one that waits behind others is not late, and it ends
        no process that thinks about somebody else's.
        """
        for _ in range(2):
            await self.turn.acquire()
            pool = self.started()
            try:
                out = self.submitted(pool, question, *arguments)
                return await asyncio.wait_for(asyncio.wrap_future(out), PATIENCE)
            except deaths():
                self.give_up(pool)
            except TimeoutError:
                self.give_up(pool)
                break
        raise MachineError("A computer player gives no answer: is there enough memory, and is the machine busy?")

    def submitted(self, pool: Any, question: Callable[..., T], *arguments: Any) -> Future[T]:
        """A question that is out; its turn ends when the processes are done with it, even if nobody waits any more."""
        loop = asyncio.get_running_loop()
        try:
            out: Future[T] = pool.submit(question, *arguments)
        except BaseException:
            self.turn.release()
            raise

        def done(_: Future[T]) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self.turn.release)

        out.add_done_callback(done)
        return out

    def give_up(self, pool: Any) -> None:
        """End processes that are of no use any more; others take their place with the next question."""
        if self.pool is pool:
            self.pool = None
        pool.shutdown(wait=False, kill_workers=True)

    def close(self) -> None:
        """End the processes."""
        if self.pool is not None:
            self.pool.shutdown(wait=True, kill_workers=True)
            self.pool = None


def deaths() -> tuple[type[Exception], ...]:
    """What is raised for a question whose process has died, by itself or because of somebody else's question."""
    from loky.process_executor import ShutdownExecutorError

    return BrokenExecutor, ShutdownExecutorError


def start_worker(parent: int) -> None:
    """Prepare a worker process: what stops the server from outside is the server's to hear.

    The games are loaded first: a view of a game that was taken from a path cannot be read by who does not know it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    all_games()


def ready() -> bool:
    """A worker has started, and has loaded what strategies need."""
    import kibitz.engine.twins  # noqa: F401

    return True


def decide(game: str, player: str, view: View, legal: list[int], seed: int) -> int:
    """One decision, in a worker process."""
    found = find_game(game)
    return strategies(found)[player](view, legal, Random(seed))


def advise(game: str, view: View, legal: list[int], seed: int) -> Hint:
    """One piece of advice, in a worker process."""
    return hint(find_game(game), view, legal, seed)


def decision_seed(seed: int, seat: int, step: int) -> int:
    """The seed for one decision: fixed by the game's seed, the seat and the step, and no help in guessing the first."""
    return (player_seed(seed, seat) + step) & ((1 << 64) - 1)


def strongest(game: str) -> str:
    """The name of the strongest computer player of a game."""
    return best_known(find_game(game))
