"""Plays many games on all cores (``kibitz.play_games``), or yields the players' decisions (``kibitz.decisions``).

    deal        the cards of one seed, played once for every rotation of a lineup over the seats, so that luck is
                shared (``arena.schedule``)
    chunk       games that one worker plays before it reports (``arena.chunks``)

The results depend on the game, the players and the seed, not on the number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.chunks import (
    ChunkSettings,
    GameResult,
    ScheduledGame,
    check_picklable,
    play_chunks,
    play_one,
    play_policies,
    policy_numbers,
    should_compile,
)
from kibitz.arena.rating.standings import Result, SeatForfeit, Standing, standings
from kibitz.arena.schedule import Schedule, deal_seed
from kibitz.cards import short_repr
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import gpu
from kibitz.engine.kernels.policies import policies
from kibitz.engine.record import Record
from kibitz.engine.registry import game_of
from kibitz.engine.sentences import share_text
from kibitz.engine.validation import check_number
from kibitz.engine.views.events import View
from kibitz.errors import NotationError
from kibitz.executors import Executor, open_executor
from kibitz.executors.executor import LOCAL
from kibitz.executors.local import can_start
from kibitz.executors.mapping import Log, no_log
from kibitz.players.specs import AnyPlayer, AnySpec, distinct_names_of, specs_of
from kibitz.sandbox import tier
from kibitz.table import Table

if TYPE_CHECKING:
    import numpy as np

MAX_GAMES = 10_000_000
"""The maximum number of games in progress at a time."""
MIN_CHUNKS = 8
"""At least this many chunks per worker, if there are enough games, so that no worker waits long at the end."""
MAX_CHUNK = 64
"""The maximum number of games in a chunk."""
MAX_COMPILED_CHUNK = 1024
"""The maximum number of games in a chunk that machine code plays."""
MAX_COMPILED_GAMES = 1 << 15
"""The maximum number of games passed to machine code at a time."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True, eq=False)
class PlayedGames:
    """Finished games; row ``i`` of every array is game ``i``.

    players     names, by number
    lineups     (n, seats) int64: the number of the player in each seat
    scores      (n, seats) float64: the score of each seat
    winners     (n, seats) bool: True for seats that win or share the win; some games can end without a winner
    lengths     (n,) int64: the number of actions
    deals       (n,) int64: the number of the deal; games of one deal have the same cards, and the seed ``seeds[deal]``
    failures    the forfeits of player files, as pairs: the game's number, and the SeatForfeit
    standings   the ranking, with 95 % intervals; games of one deal count as one observation (``rating.standings``)
    records     the record of every game, if records were requested
    """

    game: str
    seed: int
    players: tuple[str, ...]
    lineups: np.ndarray[Any, Any]
    scores: np.ndarray[Any, Any]
    winners: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    deals: np.ndarray[Any, Any]
    seeds: tuple[int, ...]
    failures: tuple[tuple[int, SeatForfeit], ...]
    standings: tuple[Standing, ...]
    records: tuple[Record, ...] = ()

    def __len__(self) -> int:
        return len(self.lengths)

    def __repr__(self) -> str:
        lines = [f"{len(self)} games of {self.game}, seed {self.seed}"]
        for line in self.standings:
            share = share_text(line.win_share, line.win_margin)
            lines.append(f"{line.rank or '–'}  {line.name}: {share}, mean score {line.mean_score:g}")
        return "\n".join(lines)


def play_games(
    game: Game | str,
    players: Sequence[AnyPlayer],
    n: int,
    seed: int = 0,
    workers: int | None = None,
    *,
    records: bool = False,
    progress: Progress | None = None,
    on: str | None = None,
    log: Log = no_log,
) -> PlayedGames:
    """Play ``n`` games between players of any kind, and return arrays and standings.

    Each of ``players`` is the name of a built-in player, a function ``f(view, legal)`` or ``f(view, legal, random)``
    that returns one of the legal actions, or the path of a player file. Any number of players is possible: they take
    turns in the seats, and with fewer players than seats they meet themselves. Every deal is played in all rotations,
    so ``n`` should be a multiple of the number of seats.

    ``workers`` processes play (default: one for each core); with 1, this process plays. The result doesn't depend on
    their number. ``progress(done, n)`` is called as games end. ``on`` is an executor (docs/machines.md):
    ``"dask://HOST:PORT"`` is a Dask cluster, which has its own workers, and ``"local"`` is this machine; ``log`` is
    called with sentences about it. ``"cuda"`` is an NVIDIA GPU, for games between policies alone, without records.

    Games between policies alone (``kibitz.engine.kernels.policies``) are played in machine code, if it is already
    compiled or there are very many games; the results are the same as at a table.

    A player file that fails forfeits its game, as in a tournament. Raises PlayerError if one of the functions raises or
    returns an illegal action; its ``detail`` is the traceback. Raises NotationError or SeatError for an invalid
    argument, MachineError if this machine cannot run the players.

    >>> def last(view, legal):
    ...     return legal[-1]
    >>> games = play_games("go-mini", ["greedy", last], n=20, seed=1, workers=1)
    >>> games.scores.shape, games.players
    ((20, 2), ('greedy', 'last'))
    >>> games.standings[0].name
    'greedy'
    """
    known_game = game_of(game)
    specs = specs_of(known_game, players)
    count, processes = checked_counts(n, seed, workers)
    check_progress(progress)
    scheduled = islice(scheduled_games(len(specs), known_game.seats, seed), count)
    played: list[tuple[ScheduledGame, GameResult]] = []
    with ExitStack() as stack:
        if on == gpu.CUDA:
            games = play_on_gpu(known_game, specs, scheduled, workers, records=records)
        else:
            executor = stack.enter_context(executor_for(on, workers, processes))
            games = play_in_order(known_game, specs, scheduled, count, processes, executor, records=records, log=log)
        for batch in games:
            played += batch
            if progress:
                progress(len(played), count)
    return played_games(known_game, specs, seed, [game for game, _ in played], [result for _, result in played])


def executor_for(on: str | None, workers: int | None, processes: int) -> AbstractContextManager[Executor | None]:
    """Open the executor to play on: ``on``, or ``processes`` processes here; it is None if this process plays."""
    if on not in (None, LOCAL):
        return open_executor(on, workers)
    return open_executor(None if on is None and (processes == 1 or not can_start()) else LOCAL, processes)


def play_in_order(
    game: Game,
    specs: Sequence[AnySpec],
    scheduled: Iterable[ScheduledGame],
    count: int,
    processes: int,
    executor: Executor | None,
    *,
    records: bool,
    log: Log = no_log,
) -> Iterator[list[tuple[ScheduledGame, GameResult]]]:
    """Play ``count`` games and yield them in order, in lists, as they end.

    ``processes`` is the number of processes that play on this machine. At most ``MAX_COMPILED_GAMES`` games are in
    memory at a time.
    """
    numbers = policy_numbers(game, [spec.built_in for spec in specs])
    if numbers is not None and (records or not should_compile(game, count)):
        numbers = None  # then games are played at a table
    if numbers is not None and (executor is None or executor.is_local):
        yield from play_compiled(game, numbers, scheduled, processes)
        return
    if executor is not None:
        check_picklable(specs)
        executor.begin()
    workers = processes if executor is None or executor.is_local else executor.size
    size = chunk_size(count, workers, in_machine_code=numbers is not None)
    confine = executor is not None and executor.is_local and any(spec.is_file for spec in specs)
    settings = ChunkSettings(game.name, tuple(specs), tier() if confine else None, records, tuple(numbers or ()))
    chunks, chunks_to_play = tee(chunked(scheduled, size))
    for results, chunk in zip(
        in_order(play_chunks(executor, game, settings, chunks_to_play, log)), chunks, strict=False
    ):
        yield list(zip(chunk, results, strict=True))


def play_on_gpu(
    game: Game, specs: Sequence[AnySpec], scheduled: Iterable[ScheduledGame], workers: int | None, *, records: bool
) -> Iterator[list[tuple[ScheduledGame, GameResult]]]:
    """Play games on a GPU. Raises NotationError if it can't play them."""
    if workers is not None:
        raise NotationError(f"a GPU has no workers: leave out the number {workers}.")
    if records:
        raise NotationError("a GPU keeps no records of its games: leave out 'records', or 'on'.")
    numbers = policy_numbers(game, [spec.built_in for spec in specs])
    if numbers is None:
        names = ", ".join(policies(game)) or "none"
        raise NotationError(f"on='cuda' plays only strategies that are kernels; those of {game.name}: {names}.")
    return play_compiled(game, numbers, scheduled, None, gpu.open_gpu(gpu.CUDA))


def play_compiled(
    game: Game,
    numbers: Sequence[int],
    scheduled: Iterable[ScheduledGame],
    threads: int | None,
    device: gpu.Gpu | None = None,
) -> Iterator[list[tuple[ScheduledGame, GameResult]]]:
    """Play games between policies, in this process or on a GPU, ``MAX_COMPILED_GAMES`` at a time."""
    for chunk in chunked(scheduled, MAX_COMPILED_GAMES):
        remaining = iter(chunk)
        for batch in play_policies(game, numbers, chunk, threads, device):
            yield [(next(remaining), result) for result in batch]


def in_order(chunks: Iterable[tuple[int, list[GameResult]]]) -> Iterator[list[GameResult]]:
    """The results of numbered chunks, in the order of their numbers."""
    pending: dict[int, list[GameResult]] = {}
    next_number = 0
    for number, results in chunks:
        pending[number] = results
        while next_number in pending:
            yield pending.pop(next_number)
            next_number += 1


def chunk_size(games: int, workers: int, *, in_machine_code: bool) -> int:
    """How many games a chunk has; machine code plays larger chunks."""
    return max(1, min(MAX_COMPILED_CHUNK if in_machine_code else MAX_CHUNK, -(-games // (MIN_CHUNKS * workers))))


def chunked(scheduled: Iterable[ScheduledGame], size: int) -> Iterator[list[ScheduledGame]]:
    """The games in lists of ``size`` games; the last list may be shorter."""
    remaining = iter(scheduled)
    while chunk := list(islice(remaining, size)):
        yield chunk


def check_progress(progress: object) -> None:
    """Raise NotationError if ``progress`` can't be called."""
    if progress is not None and not callable(progress):
        raise NotationError(f"progress must be a function of two numbers, not {short_repr(progress)}.")


def checked_counts(n: object, seed: object, workers: object) -> tuple[int, int]:
    """The numbers of games and of processes. Raises NotationError, with the argument's name, if one is invalid."""
    count = check_number("n", n)
    if not 0 < count <= MAX_GAMES:
        raise NotationError(f"n must be from 1 to {MAX_GAMES:,} games, not {short_repr(n)}.")
    seed_words(check_number("seed", seed))
    processes = os.cpu_count() or 1 if workers is None else check_number("workers", workers)
    if processes < 1:
        raise NotationError(f"workers must be 1 or more, not {short_repr(workers)}.")
    return count, min(processes, count)


def scheduled_games(players: int, seats: int, seed: int) -> Iterator[ScheduledGame]:
    """Games 0, 1, ... with their deals and seating, without end."""
    schedule, number = Schedule(players, seats, seed), 0
    while True:
        deal, first = schedule.deals, schedule.lineup()
        for rotation in range(seats):
            yield ScheduledGame(number, deal, rotation, deal_seed(seed, deal), first[rotation:] + first[:rotation])
            number += 1


def played_games(
    game: Game, specs: Sequence[AnySpec], seed: int, scheduled: list[ScheduledGame], played: list[GameResult]
) -> PlayedGames:
    """All games as arrays and standings."""
    import numpy as np

    shape = len(played), game.seats
    winners = np.zeros(shape, bool)
    for i, result in enumerate(played):
        winners[i, list(result.winners)] = True
    names = distinct_names_of(specs)
    results = [
        Result(
            scheduled_game.deal,
            scheduled_game.rotation,
            scheduled_game.seed,
            scheduled_game.players,
            result.scores,
            result.winners,
            result.forfeits,
        )
        for scheduled_game, result in zip(scheduled, played, strict=True)
    ]
    return PlayedGames(
        game=game.name,
        seed=seed,
        players=names,
        lineups=np.array([scheduled_game.players for scheduled_game in scheduled], np.int64).reshape(shape),
        scores=np.array([result.scores for result in played], np.float64).reshape(shape),
        winners=winners,
        lengths=np.array([result.length for result in played], np.int64),
        deals=np.array([scheduled_game.deal for scheduled_game in scheduled], np.int64),
        seeds=tuple({scheduled_game.deal: scheduled_game.seed for scheduled_game in scheduled}.values()),
        failures=tuple(
            chain.from_iterable(((i, forfeit) for forfeit in result.forfeits) for i, result in enumerate(played))
        ),
        standings=standings(names, results, by_score=game.by_score),
        records=tuple(result.record for result in played if result.record),
    )


# The decisions of players in their games: ``kibitz.decisions``.


class Decision(NamedTuple):
    """One decision of a player.

    game, step      the number of the game, and the number of actions before this decision
    seat            the seat that decides
    view, legal     what the seat could see, and its legal actions
    action          the action that it chose
    score           the seat's final score in this game
    """

    game: int
    step: int
    seat: int
    view: View
    legal: list[int]
    action: int
    score: float


def decisions(game: Game | str, players: Sequence[AnyPlayer], n: int = 1, seed: int = 0) -> Iterator[Decision]:
    """Every decision, in order, in the ``n`` games that ``play_games`` plays with the same arguments.

    Games are played in this process, each when its first decision is needed. The moves that a substitute makes for a
    forfeited seat are not decisions, and are left out. Raises what ``play_games`` raises.

    >>> first = next(decisions("go-mini", ["greedy"], seed=1))
    >>> first.seat, first.step, first.action in first.legal
    (0, 0, True)
    """
    known_game = game_of(game)
    specs = specs_of(known_game, players)
    count, _ = checked_counts(n, seed, 1)
    return (
        decision
        for scheduled in islice(scheduled_games(len(specs), known_game.seats, seed), count)
        for decision in decisions_of(play_one(known_game, specs, scheduled, records=True).record, scheduled.number)
    )


def decisions_of(record: Record | None, number: int) -> Iterator[Decision]:
    """The decisions in the recorded game ``number``."""
    assert record is not None
    for table in Table.resume(record).replay():
        if table.over or table.player in table.forfeited:
            continue
        seat, step = table.player, table.step
        score = record.outcome.scores[seat]
        yield Decision(number, step, seat, table.view(seat), table.legal(seat), record.actions[step], score)
