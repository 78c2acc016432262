"""Chunks: games that one worker plays before it reports, in this process or on the workers of an executor.

Results are sent as arrays.  Games in which all players are policies run as machine code, or on a GPU if one is given.
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

PolicyGame = tuple[int, tuple[int, ...]]
"""A game to be played: the seed of its deal, and by seat the number of the policy."""
PolicyResult = tuple[tuple[float, ...], tuple[int, ...], int]
"""The scores by seat, the winners, and the number of actions."""


def policy_numbers(game: Game, names: Sequence[str]) -> list[int] | None:
    """The numbers of the policies with these names; None if one of the players isn't a policy."""
    policy_names = list(policies(game))
    return [policy_names.index(name) for name in names] if all(name in policy_names for name in names) else None


def should_compile(game: Game, games: int) -> bool:
    """Whether to play this many games in machine code: it is already compiled, or there are very many games."""
    if not find_spec("numba"):
        return False
    return games >= MIN_COMPILED_GAMES or compilation.is_compiled("policy_playouts", loops, *hook_modules(game))


def play_batches(
    game: Game, games: Sequence[PolicyGame], threads: int | None = None, device: Gpu | None = None
) -> Iterator[list[PolicyResult]]:
    """Play games in order, and yield the results of up to ``BATCH`` games at a time.

    The results don't depend on the number of threads. A GPU plays all games at once.
    """
    if device is not None:
        yield play_batch(game, games, device)
        return
    batches = [games[i : i + BATCH] for i in range(0, len(games), BATCH)]
    compilation.compiled(loops, *hook_modules(game))
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda batch: play_batch(game, batch), batches)


def play_batch(game: Game, games: Sequence[PolicyGame], device: Gpu | None = None) -> list[PolicyResult]:
    """Play games: one after the other in this thread, or all at once on a GPU."""
    import numpy as np

    n, seats = len(games), game.seats
    states, scores, steps = records(game, n), np.zeros(n * seats, np.int64), np.zeros(n, np.int64)
    seeds = np.array([word for seed, _ in games for word in seed_words(seed)], np.int64)
    policies_by_seat = np.array([policy for _, seating in games for policy in seating], np.int64)
    arrays = states, policies_by_seat, seeds, rng_keys(game, games), scores, steps
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


def rng_keys(game: Game, games: Sequence[PolicyGame]) -> Array:
    """The keys of the seats' random generators, two 32-bit words each; zeros if no policy of the game draws numbers."""
    import numpy as np

    keys = np.zeros(2 * game.seats * len(games), np.int64)
    if getattr(game.policies, "DRAWS", False):
        player_seeds = [player_seed(seed, seat) for seed, _ in games for seat in range(game.seats)]
        keys[0::2] = [seed & 0xFFFFFFFF for seed in player_seeds]
        keys[1::2] = [seed >> 32 for seed in player_seeds]
    return keys


def contest_results(game: Game, states: Array, scores: Array, steps: Array) -> list[PolicyResult]:
    """The results of finished games, with the same winners as at a table.

    The highest score wins; if all scores are equal, the game decides who wins.
    """
    top = scores == scores.max(axis=1, keepdims=True)
    all_equal = top.all(axis=1)
    results: list[PolicyResult] = []
    for i, (row, best, length) in enumerate(zip(scores.tolist(), top.tolist(), steps.tolist(), strict=True)):
        winners = tuple(p for p, wins in enumerate(best) if wins)
        if all_equal[i]:
            winners = game.result(game.rules.LAYOUT.load(states, i), frozenset()).winners
        results.append((tuple(map(float, row)), winners, length))
    return results


# Chunks.


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


def play_policies(
    game: Game,
    numbers: Sequence[int],
    scheduled: Sequence[ScheduledGame],
    threads: int | None,
    device: Gpu | None = None,
) -> Iterator[list[GameResult]]:
    """Play games between policies in machine code, on a GPU if one is given; ``numbers`` are the players' policies."""
    games = [(one.seed, tuple(numbers[player] for player in one.players)) for one in scheduled]
    for batch in play_batches(game, games, threads, device):
        yield [GameResult(scores, winners, length, (), None) for scores, winners, length in batch]


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


class Chunk(NamedTuple):
    """The results of games as sent between processes, with a row for each game.

    Bit ``s`` of a row of ``winners`` is set if seat ``s`` wins; each of ``forfeits`` begins with the number of its row.
    """

    scores: np.ndarray[Any, Any]
    winners: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    forfeits: tuple[tuple[int, SeatForfeit], ...]
    records: tuple[Record, ...]


def play_chunks(
    executor: Executor | None, game: Game, settings: ChunkSettings, chunks: Iterable[Sequence[ScheduledGame]], log: Log
) -> Iterator[tuple[int, list[GameResult]]]:
    """Play chunks, and yield the number and results of each when it ends; without an executor, this process plays."""
    if executor is None:
        for number, chunk in enumerate(chunks):
            yield number, [play_one(game, settings.specs, scheduled, settings.records) for scheduled in chunk]
        return
    for number, played in map_unordered(
        executor, play_chunk, settings, chunks, needs=worker_needs(executor, game, settings), log=log
    ):
        yield number, unpacked_games(played)


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


def play_chunk(settings: ChunkSettings, chunk: Sequence[ScheduledGame]) -> Chunk:
    """Play some games in a worker process, one after the other."""
    game = find_game(settings.game)
    if settings.tier:
        adopt(settings.tier)
    if settings.policies:
        return packed_games(
            game, [result for batch in play_policies(game, settings.policies, chunk, 1) for result in batch]
        )
    return packed_games(game, [play_one(game, settings.specs, scheduled, settings.records) for scheduled in chunk])


def packed_games(game: Game, played: Sequence[GameResult]) -> Chunk:
    """The results of games as a Chunk."""
    import numpy as np

    return Chunk(
        scores=np.array([result.scores for result in played], np.float64).reshape(len(played), game.seats),
        winners=np.array([sum(1 << seat for seat in result.winners) for result in played], np.int64),
        lengths=np.array([result.length for result in played], np.int32),
        forfeits=tuple((i, forfeit) for i, result in enumerate(played) for forfeit in result.forfeits),
        records=tuple(result.record for result in played if result.record),
    )


def unpacked_games(chunk: Chunk) -> list[GameResult]:
    """The results in a chunk, game by game."""
    rows = zip(chunk.scores.tolist(), chunk.winners.tolist(), chunk.lengths.tolist(), strict=True)
    games = []
    for i, (scores, winners, length) in enumerate(rows):
        won = tuple(seat for seat in range(len(scores)) if winners >> seat & 1)
        forfeits = tuple(forfeit for row, forfeit in chunk.forfeits if row == i)
        games.append(GameResult(tuple(scores), won, length, forfeits, chunk.records[i] if chunk.records else None))
    return games


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
