"""Computer players think in processes of their own, and so do those who give advice: never in the event loop.

A strategy is asked for one decision at a time, with a generator that the game's seed, the seat and the step fix: a
table that goes on after a restart has the same future, and any process can be asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from kibitz.engine.events import View
from kibitz.engine.registry import game as find_game
from kibitz.errors import MachineError
from kibitz.executors.worker import cores
from kibitz.players.advice import Hint, hint
from kibitz.players.built_in import best_known, strategies
from kibitz.table.match import player_seed
from kibitz.web.workers import Answer, Worker, WorkerGone

T = TypeVar("T")
TIMEOUT = 60.0
"""Seconds for one decision, from when a process begins with it."""


class SearchPool:
    """Worker processes that are asked for decisions; they start with the first question, or with ``warm``.

    All questions of a pool are asked in one event loop.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, cores())
        self.turn = asyncio.Semaphore(self.workers)
        self.idle: list[Worker] = []
        self.out: set[asyncio.Task[Answer]] = set()

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

        Only as many questions are out as there are processes: one that waits behind others is not late.  The turn of
        a question ends when its process is done with it, even if nobody waits any more.
        """
        await self.turn.acquire()
        out = asyncio.create_task(self.answer(question, *arguments))
        self.out.add(out)
        out.add_done_callback(self.done)
        answer = await asyncio.shield(out)
        found: T = answer.value()
        return found

    def done(self, out: asyncio.Task[Answer]) -> None:
        """A question is no longer out."""
        self.out.discard(out)
        self.turn.release()

    async def answer(self, question: Callable[..., Any], *arguments: Any) -> Answer:
        """What a process answers, or the MachineError that says why there is no answer."""
        for _ in range(2):
            try:
                worker = await self.free()
            except OSError:
                break
            try:
                answer = await asyncio.wait_for(worker.answer(question, *arguments), TIMEOUT)
            except WorkerGone:
                await worker.end()
            except TimeoutError:
                await worker.end()
                break
            except BaseException:
                await worker.end()
                raise
            else:
                self.idle.append(worker)
                return answer
        said = "A computer player gives no answer: is there enough memory, and is the machine busy?"
        return Answer(good=False, found=MachineError(said))

    async def free(self) -> Worker:
        """A process that has nothing to do, a new one if there is none; OSError if none is to be had."""
        while self.idle:
            worker = self.idle.pop()
            if not worker.is_gone:
                return worker
            await worker.end()
        return await Worker.start()

    async def close(self) -> None:
        """End the processes."""
        for out in self.out:
            out.cancel()
        await asyncio.gather(*self.out, return_exceptions=True)
        while self.idle:
            await self.idle.pop().end()


def ready() -> bool:
    """A worker has started, and has loaded what strategies need."""
    import kibitz.engine.compilation  # noqa: F401

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
