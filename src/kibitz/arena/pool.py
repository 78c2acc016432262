"""Playing the blocks of a tournament: on worker processes, or here.

block       the unit of work; whoever plays it, its results are the same
worker      a process that stays on one core with the processes of its player files, because a question and its
            answer are three times faster on one core than across two
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import active_children, get_context
from multiprocessing.synchronize import Lock as LockType
from queue import SimpleQueue
from typing import Protocol

from kibitz.arena.schedule import Block
from kibitz.arena.standings import Result, SeatForfeit
from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.errors import MachineError
from kibitz.players.replays import play_counted
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier, adopt, tier
from kibitz.table import Match

DETAIL = 4000
SET_PDEATHSIG = 1
DEATHS = 5
"""So many times workers are started, if they die."""


class Pool(Protocol):
    """Whoever plays blocks."""

    def begin(self, blocks: Iterable[Block]) -> None:
        """Have blocks played, after those that are being played."""

    def next(self) -> list[Result]:
        """The results of a block that is complete; there must be one that was begun and is not handed out."""
        ...

    def close(self) -> None:
        """Play nothing more."""


class Here:
    """Plays in this process, block after block."""

    def __init__(self, game: Game, specs: Sequence[PlayerSpec]) -> None:
        self.game, self.specs = game, specs
        self.waiting: deque[Block] = deque()

    def begin(self, blocks: Iterable[Block]) -> None:
        """Put blocks at the end of the queue."""
        self.waiting.extend(blocks)

    def next(self) -> list[Result]:
        """Play the first block of the queue."""
        return play_block(self.game, self.specs, self.waiting.popleft())

    def close(self) -> None:
        """Forget the queue."""
        self.waiting.clear()


class Workers:
    """Plays on so many worker processes; where one dies, all start anew with the blocks that are not done."""

    def __init__(self, game: Game, specs: Sequence[PlayerSpec], count: int) -> None:
        self.game, self.specs, self.count = game, tuple(specs), count
        self.left: dict[int, Block] = {}
        self.lives = DEATHS
        self.pool: ProcessPoolExecutor | None = None
        self.done: SimpleQueue[Future[list[Result]]] = SimpleQueue()

    def begin(self, blocks: Iterable[Block]) -> None:
        """Give blocks to the workers, who start with the first ones."""
        new = list(blocks)
        self.left |= {block.deal: block for block in new}
        try:
            self.give(new)
        except BrokenExecutor:
            self.start_anew()

    def next(self) -> list[Result]:
        """Wait for a block; MachineError if the workers die again and again, or cannot run the players."""
        while True:
            try:
                played = self.done.get().result()
            except BrokenExecutor:
                self.start_anew()
                continue
            del self.left[played[0].deal]
            return played

    def close(self) -> None:
        """End the workers, in the middle of a block if they are."""
        if self.pool is None:
            return
        if self.left:
            for worker in active_children():
                worker.kill()
        self.pool.shutdown(wait=True, cancel_futures=True)
        self.pool = None

    def give(self, blocks: Sequence[Block]) -> None:
        """Hand blocks to the pool; BrokenExecutor if it is dead."""
        if self.pool is None:
            context = get_context("spawn")
            found = tier() if any(spec.is_file for spec in self.specs) else None
            shared = self.game.name, self.specs, found, os.getpid(), context.Lock(), context.Value("i", 0)
            self.pool, self.done = ProcessPoolExecutor(self.count, context, start_worker, shared), SimpleQueue()
        for block in blocks:
            self.pool.submit(play_block_here, block).add_done_callback(self.done.put)

    def start_anew(self) -> None:
        """Begin what is not done with fresh workers."""
        while True:
            self.close()
            self.lives -= 1
            if not self.lives:
                raise MachineError("A worker process has died again and again: is there enough memory?")
            try:
                self.give(list(self.left.values()))
                return
            except BrokenExecutor:
                continue


class Worker:
    """What a worker process keeps between blocks."""

    game: Game
    specs: Sequence[PlayerSpec]


def start_worker(
    name: str, specs: Sequence[PlayerSpec], found: Tier | None, parent: int, lock: LockType, started: object
) -> None:
    """Prepare a worker process: find the game and stay on one core."""
    for which in (signal.SIGINT, signal.SIGHUP):
        signal.signal(which, signal.SIG_IGN)
    die_with(parent)
    Worker.game, Worker.specs = find_game(name), specs
    if found:
        adopt(found)
    with lock:
        number = started.value  # type: ignore[attr-defined]
        started.value = number + 1  # type: ignore[attr-defined]
    stay_on_core(number)


def stay_on_core(number: int) -> None:
    """Pin this process, and so all it starts, to one of the cores it may use, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[number % len(cores)]})


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; end now if it is dead already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(0)


def play_block_here(block: Block) -> list[Result]:
    """Play a block in a worker process."""
    return play_block(Worker.game, Worker.specs, block)


def play_block(game: Game, specs: Sequence[PlayerSpec], block: Block) -> list[Result]:
    """One deal in every rotation of its lineup."""
    return [play_game(game, specs, block, r, players) for r, players in enumerate(block.rotations())]


def play_game(game: Game, specs: Sequence[PlayerSpec], block: Block, rotation: int, players: tuple[int, ...]) -> Result:
    """One game, played until it counts."""
    return result(block, rotation, players, play_counted(game, [specs[player] for player in players], block.seed))


def result(block: Block, rotation: int, players: tuple[int, ...], match: Match) -> Result:
    """What counts of a match."""
    record = match.record
    forfeits = tuple(
        SeatForfeit(forfeit.seat, forfeit.kind, forfeit.sentence, match.details[forfeit.seat][-DETAIL:])
        for forfeit in record.forfeits
    )
    outcome = record.outcome
    return Result(block.deal, rotation, block.seed, players, outcome.scores, outcome.winners, forfeits)
