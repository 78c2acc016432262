"""A tournament: every block of a schedule played, on all cores, into one table.

Worker processes play whole blocks, each pinned to one core with the processes of its player files, because a
question and its answer are three times faster on one core than across two.  Which worker plays a block changes
nothing: the same seed gives the same table on any number of workers.
"""

from __future__ import annotations

import ctypes
import io
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from multiprocessing.synchronize import Lock as LockType

import msgspec

from kibitz.arena import sheets
from kibitz.arena.running import interrupted_by_signals
from kibitz.arena.schedule import Block, schedule
from kibitz.arena.standings import Result, SeatForfeit, Standing, standings
from kibitz.engine.game import Game, seed_words
from kibitz.engine.registry import game as find_game
from kibitz.errors import MachineError, NotationError
from kibitz.players.replays import play_counted
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier, adopt, tier
from kibitz.table import Match
from kibitz.table.names import clean_name, distinct

__all__ = ["Result", "SeatForfeit", "Standing", "Tournament", "run"]

Progress = Callable[[int, int], None]
DETAIL = 4000
CSV_COLUMNS = ("deal", "rotation", "seed", "seat", "player", "score", "win_share", "forfeit")
SET_PDEATHSIG = 1
DEATHS = 5
"""So many times workers are started, if they die."""


class Tournament(msgspec.Struct, frozen=True):
    """The outcome: the table and every game; ``complete`` is False where it was broken off.

    ``trouble`` says why in a sentence, if it was the machine that could not go on.
    """

    game: str
    rules: int
    seed: int
    deals: int
    players: tuple[str, ...]
    complete: bool
    standings: tuple[Standing, ...]
    results: tuple[Result, ...]
    trouble: str = ""

    def to_json(self) -> str:
        """Everything, as JSON."""
        return msgspec.json.format(msgspec.json.encode(self)).decode()

    def to_csv(self) -> str:
        """One line for every seat of every game: enough to compute the table again."""
        out = io.StringIO(newline="")
        rows: list[tuple[sheets.Cell, ...]] = [CSV_COLUMNS]
        for result in self.results:
            failed = {forfeit.seat: forfeit.kind for forfeit in result.forfeits}
            for seat, player in enumerate(result.players):
                place = result.deal, result.rotation, result.seed, seat
                counted = result.scores[seat], result.win_share(seat)
                rows.append((*place, self.players[player], *counted, failed.get(seat, "")))
        sheets.write_rows(out, rows)
        return out.getvalue()


def run(
    game: Game,
    specs: Sequence[PlayerSpec],
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    in_process: bool = False,
) -> Tournament:
    """Play ``deals`` blocks between the players; ``progress(done, of)`` counts games.

    ``in_process`` plays in this process, for players that are to be debugged.  An interrupt from the keyboard, SIGTERM
    and a lost terminal end it early: the blocks that are complete by then make the table.  NotationError for numbers
    out of range, MachineError if this machine cannot run the players at all; what is played before it fails is kept.
    """
    check_numbers(specs, deals, workers)
    seed_words(seed)
    blocks = schedule(len(specs), game.seats, deals, seed)
    count = min(workers or os.cpu_count() or 1, deals)
    played = here(game, specs, blocks) if in_process else on_workers(game, specs, blocks, count)
    results: list[Result] = []
    complete, trouble = False, ""
    report = progress or (lambda done, of: None)
    report(0, deals * game.seats)
    try:
        with interrupted_by_signals():
            for block in played:
                results += block
                report(len(results), deals * game.seats)
        complete = True
    except KeyboardInterrupt:
        played.close()
    except MachineError as error:
        if not results:
            raise
        trouble = str(error)
    results.sort(key=lambda result: (result.deal, result.rotation))
    names = distinct([clean_name(spec.name) for spec in specs])
    table = standings(names, results, by_score=game.by_score)
    return Tournament(game.name, game.rules.VERSION, seed, deals, names, complete, table, tuple(results), trouble)


def check_numbers(specs: Sequence[PlayerSpec], deals: int, workers: int | None) -> None:
    """Refuse a tournament that cannot be played."""
    if not specs:
        raise NotationError("a tournament needs at least one player.")
    if deals < 1:
        raise NotationError(f"a tournament needs at least one deal, not {deals}.")
    if workers is not None and workers < 1:
        raise NotationError(f"a tournament needs at least one worker, not {workers}.")


def here(game: Game, specs: Sequence[PlayerSpec], blocks: Sequence[Block]) -> Generator[list[Result], None, None]:
    """Play all blocks in this process."""
    for block in blocks:
        yield play_block(game, specs, block)


def on_workers(
    game: Game, specs: Sequence[PlayerSpec], blocks: Sequence[Block], workers: int
) -> Generator[list[Result], None, None]:
    """Play all blocks on worker processes; yields them in the order in which they are done.

    Where a worker dies, all start anew with the blocks that are not done; MachineError the ``DEATHS``th time.
    """
    left = {block.deal: block for block in blocks}
    for _ in range(DEATHS):
        try:
            for played in on_one_pool(game, specs, list(left.values()), workers):
                del left[played[0].deal]
                yield played
            return
        except BrokenExecutor:
            continue
    raise MachineError("A worker process has died again and again: is there enough memory?")


def on_one_pool(
    game: Game, specs: Sequence[PlayerSpec], blocks: Sequence[Block], workers: int
) -> Generator[list[Result], None, None]:
    """Play all blocks on worker processes that live as long as this; BrokenExecutor if one dies."""
    context = get_context("spawn")
    found = tier() if any(spec.is_file for spec in specs) else None
    shared = game.name, tuple(specs), found, os.getpid(), context.Lock(), context.Value("i", 0)
    pool = ProcessPoolExecutor(workers, context, start_worker, shared)
    futures: list[Future[list[Result]]] = []
    try:
        futures = [pool.submit(play_block_here, block) for block in blocks]
        for future in as_completed(futures):
            yield future.result()
    finally:
        if not all(future.done() for future in futures):
            for worker in active_children():
                worker.kill()
        pool.shutdown(wait=True, cancel_futures=True)


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
