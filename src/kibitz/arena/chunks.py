"""Chunks: games that one worker plays before it reports, in this process or on the workers of an executor.

Games in which all players are policies run as machine code, or on a GPU if one is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.rating.standings import SeatForfeit
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation, gpu_kernels, loops
from kibitz.engine.kernels.batch import records
from kibitz.engine.kernels.gpu import Gpu
from kibitz.engine.kernels.policies import hook_modules, policies, scratch_size
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError, PlayerError
from kibitz.executors import Executor, map_unordered
from kibitz.executors.mapping import Log
from kibitz.executors.worker import Need
from kibitz.players.rated_game import play_rated
from kibitz.players.specs import AnySpec, FunctionSpec
from kibitz.sandbox import Tier, adopt, tier
from kibitz.search.search_players import is_ready, search_players
from kibitz.table.match import player_seed

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# What a worker on another machine needs before it gets games to play. A Need names a function, which the worker calls
# with the need's text; it returns an empty string, or why the worker can't play.


CONFINED: Need = ("kibitz.arena.chunks:why_unconfined", "")
"""The need to confine player files."""


def needs_of(game: Game, players: Iterable[str], *, files: bool) -> tuple[Need, ...]:
    """What a worker needs to play games among the built-in ``players`` and, with ``files``, player files.

    It needs the same rules; for files, a sandbox; and for search players, machine code if and only if it is ready here,
    because their choices depend on it.
    """
    needs: tuple[Need, ...] = (("kibitz.arena.chunks:why_other_rules", f"{game.name} {game.rules.VERSION}"),)
    if files:
        needs = (*needs, CONFINED)
    if set(players) & set(search_players(game)):
        needs = (*needs, ("kibitz.arena.chunks:why_other_code", f"{game.name} {int(is_ready(game))}"))
    return needs


def why_other_rules(need: str) -> str:
    """Why this worker cannot play by the needed rules, such as ``go 3``; empty if it can."""
    name, _, version = need.rpartition(" ")
    try:
        version_here = find_game(name).rules.VERSION
    except NotationError as error:
        return f"it doesn't have the game: {error}"
    return (
        ""
        if str(version_here) == version
        else f"it has version {version_here} of the rules of {name}, and version {version} is needed."
    )


def why_other_code(need: str) -> str:
    """Why search players would choose differently on this worker; empty if they wouldn't.

    The need is ``go 1`` if the games need machine code, and ``go 0`` if it must not be used.
    """
    name, _, ready = need.rpartition(" ")
    if is_ready(find_game(name)) == bool(int(ready)):
        return ""
    where = "there" if int(ready) else "here"
    return (
        f"search players play differently there, since machine code isn't ready {where}: "
        f"'kibitz compile {name}' compiles it."
    )


def why_unconfined(_: str) -> str:
    """Why this worker gets no player files; empty if its sandbox works.  The argument is always empty."""
    sandbox_tier = tier()
    return (
        "" if sandbox_tier.confines else f"its sandbox doesn't work, so it gets no player files: {sandbox_tier.reason}"
    )


# Many games between policies, without referee, views or events, in machine code or on the lanes of a GPU. A policy
# plays the same game here as at the table: it gets the same deal and the same random numbers.


BATCH = 1024
"""The number of games whose final positions are in memory at a time."""
MIN_COMPILED_GAMES = 20_000
"""From this many games on, machine code is compiled if there is none yet."""


class ScheduledGame(NamedTuple):
    """One game to be played: its number, its deal with rotation and seed, and the players' numbers by seat."""

    number: int
    deal: int
    rotation: int
    seed: int
    players: tuple[int, ...]


class GameResult(NamedTuple):
    """The result of one game."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    length: int
    forfeits: tuple[SeatForfeit, ...]
    record: Record | None


def policy_numbers(game: Game, names: Sequence[str]) -> list[int] | None:
    """The numbers of the policies with these names; None if a player isn't a policy, such as a player file."""
    policy_names = list(policies(game))
    return [policy_names.index(name) for name in names] if all(name in policy_names for name in names) else None


def should_compile(game: Game, games: int) -> bool:
    """Whether to play this many games in machine code: it is already compiled, or there are very many games."""
    if not find_spec("numba"):
        return False
    return games >= MIN_COMPILED_GAMES or compilation.is_compiled("policy_playouts", loops, *hook_modules(game))


def play_policies(
    game: Game,
    numbers: Sequence[int],
    scheduled: Sequence[ScheduledGame],
    threads: int | None = None,
    device: Gpu | None = None,
) -> Iterator[list[GameResult]]:
    """Play games between policies in order, and yield the results of up to ``BATCH`` games at a time.

    ``numbers`` are the players' policies. The results don't depend on the number of threads. A GPU plays all games at
    once.
    """
    if device is not None:
        yield play_batch(game, numbers, scheduled, device)
        return
    batches = [scheduled[i : i + BATCH] for i in range(0, len(scheduled), BATCH)]
    compilation.compiled(loops, *hook_modules(game))
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda batch: play_batch(game, numbers, batch), batches)


def play_batch(
    game: Game, numbers: Sequence[int], scheduled: Sequence[ScheduledGame], device: Gpu | None = None
) -> list[GameResult]:
    """Play games: one after the other in this thread, or all at once on a GPU."""
    import numpy as np

    n, seats = len(scheduled), game.seats
    states, scores, steps = records(game, n), np.zeros(n * seats, np.int64), np.zeros(n, np.int64)
    seeds = np.array([word for one in scheduled for word in seed_words(one.seed)], np.int64)
    policies_by_seat = np.array([numbers[player] for one in scheduled for player in one.players], np.int64)
    arrays = states, policies_by_seat, seeds, rng_keys(game, [one.seed for one in scheduled]), scores, steps
    if device is None:
        run_on_cpu(game, *arrays)
    else:
        run_on_gpu(device, game, *arrays)
    return contest_results(game, states, scores.reshape(n, seats), steps)


def run_on_cpu(
    game: Game, states: Array, policies_by_seat: Array, seeds: Array, keys: Array, scores: Array, steps: Array
) -> None:
    """Play the games that the arrays describe, in this thread: see ``kibitz.engine.kernels.loops``."""
    import numpy as np

    seats, scratch = game.seats, np.zeros(max(scratch_size(game), game.seats), np.int64)
    play = compilation.compiled(loops, *hook_modules(game)).policy_playouts
    rng = records(game, seats)
    play(states, policies_by_seat, rng, scratch, seeds, keys, scores, steps, 0, len(steps), seats, game.max_length)


def run_on_gpu(
    device: Gpu,
    game: Game,
    states: Array,
    policies_by_seat: Array,
    seeds: Array,
    keys: Array,
    scores: Array,
    steps: Array,
) -> None:
    """Play the games that the arrays describe on a GPU: see ``kibitz.engine.kernels.gpu_kernels``."""
    n, seats, words = len(steps), game.seats, max(scratch_size(game), gpu_kernels.MAX_SEATS)
    arrays = states, policies_by_seat, seeds, keys, scores, steps
    lanes = device.lanes(n, (1 + seats) * states.itemsize + 8 * words, sum(array.nbytes for array in arrays), None)
    gpu_states, seating, deals, rng_seeds, gpu_scores, lengths = map(device.put, arrays)
    per_lane = device.put(records(game, lanes * seats)), device.columns(words, lanes)  # generators and scratch
    play = device.kernels(gpu_kernels, *hook_modules(game), words=words).play_policy_games
    constants = n, lanes, seats, game.max_length
    device.run(play, lanes, gpu_states, seating, *per_lane, deals, rng_seeds, gpu_scores, lengths, *constants)
    for array, copy in ((states, gpu_states), (scores, gpu_scores), (steps, lengths)):
        copy.copy_to_host(array)


def rng_keys(game: Game, seeds: Sequence[int]) -> Array:
    """The keys of the seats' random generators, two 32-bit words each; zeros if no policy of the game draws numbers."""
    import numpy as np

    keys = np.zeros(2 * game.seats * len(seeds), np.int64)
    if getattr(game.policies, "DRAWS", False):
        player_seeds = [player_seed(seed, seat) for seed in seeds for seat in range(game.seats)]
        keys[0::2] = [seed & 0xFFFFFFFF for seed in player_seeds]
        keys[1::2] = [seed >> 32 for seed in player_seeds]
    return keys


def contest_results(game: Game, states: Array, scores: Array, steps: Array) -> list[GameResult]:
    """The results of finished games, with the same winners as at a table.

    The highest score wins; if all scores are equal, the game decides who wins.
    """
    top = scores == scores.max(axis=1, keepdims=True)
    all_equal = top.all(axis=1)
    results = []
    for i, (row, best, length) in enumerate(zip(scores.tolist(), top.tolist(), steps.tolist(), strict=True)):
        winners = tuple(p for p, wins in enumerate(best) if wins)
        if all_equal[i]:
            winners = game.result(game.rules.LAYOUT.load(states, i), frozenset()).winners
        results.append(GameResult(tuple(map(float, row)), winners, length, (), None))
    return results


# Chunks.


class ChunkSettings(NamedTuple):
    """What all chunks share: the game, the players, and whether to keep ``records``.

    ``tier`` is the confinement of player files, None if the worker determines its own. ``policies`` are the numbers of
    the players' policies if the chunks are played in machine code, else empty.
    """

    game: str
    specs: Sequence[AnySpec]
    tier: Tier | None
    records: bool
    policies: tuple[int, ...] = ()


def play_chunks(
    executor: Executor | None, game: Game, settings: ChunkSettings, chunks: Iterable[Sequence[ScheduledGame]], log: Log
) -> Iterator[tuple[int, list[GameResult]]]:
    """Play chunks, and yield the number and results of each when it ends; without an executor, this process plays."""
    if executor is None:
        for number, chunk in enumerate(chunks):
            yield number, [play_one(game, settings.specs, scheduled, settings.records) for scheduled in chunk]
        return
    yield from map_unordered(
        executor, play_chunk, settings, chunks, needs=worker_needs(executor, game, settings), log=log
    )


def worker_needs(executor: Executor, game: Game, settings: ChunkSettings) -> tuple[Need, ...]:
    """What workers on other machines need; nothing if the executor's workers run on this machine."""
    if executor.is_local:
        return ()
    built_in = [spec.built_in for spec in settings.specs if spec.built_in]
    return needs_of(game, built_in, files=any(spec.is_file for spec in settings.specs))


def check_picklable(specs: Sequence[AnySpec]) -> None:
    """Raise NotationError for the first player that cannot be sent to a worker."""
    from cloudpickle import dumps

    for number, spec in enumerate(specs):
        try:
            dumps(spec)
        except Exception as error:
            raise NotationError(
                f"players[{number}] ({spec.name}) cannot be sent to worker processes ({error}): play with workers=1."
            ) from error


def play_chunk(settings: ChunkSettings, chunk: Sequence[ScheduledGame]) -> list[GameResult]:
    """Play some games in a worker process, one after the other."""
    game = find_game(settings.game)
    if settings.tier:
        adopt(settings.tier)
    if settings.policies:
        return [result for batch in play_policies(game, settings.policies, chunk, 1) for result in batch]
    return [play_one(game, settings.specs, scheduled, settings.records) for scheduled in chunk]


def play_one(game: Game, specs: Sequence[AnySpec], scheduled: ScheduledGame, records: bool) -> GameResult:
    """Play one game. Raises PlayerError if a function that the caller passed as a player failed."""
    match = play_rated(game, [specs[player] for player in scheduled.players], scheduled.seed)
    record = match.record
    for forfeit in record.forfeits:
        player = scheduled.players[forfeit.seat]
        if isinstance(specs[player], FunctionSpec):
            sentence = (
                f"players[{player}] ({specs[player].name}) failed in game {scheduled.number} (deal seed"
                f" {scheduled.seed}), seat {forfeit.seat}, after {forfeit.moves} moves: {forfeit.sentence}"
            )
            raise function_error(forfeit.kind, sentence, match.details[forfeit.seat])
    forfeits = tuple(SeatForfeit(forfeit.seat, forfeit.kind, forfeit.sentence) for forfeit in record.forfeits)
    outcome = record.outcome
    return GameResult(outcome.scores, outcome.winners, len(record.actions), forfeits, record if records else None)


def function_error(kind: Any, sentence: str, detail: str) -> PlayerError:
    """The error for a caller's function that failed; ``detail``, its traceback, becomes a note of the error."""
    error = PlayerError(kind, sentence, detail)
    if detail:
        error.add_note(detail)
    return error
