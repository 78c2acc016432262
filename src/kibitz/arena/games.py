"""Many games between any players, on all cores, as arrays and standings: ``kibitz.play_games``.

    deal        the cards of one seed; they are played once for every rotation of a lineup over the seats, so that
                luck is shared (``arena.pairing.schedule``)
    chunk       games that one worker process plays before it reports

What comes out depends on the game, the players and the seed; on how many processes play it, nothing does.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.contests import contested, is_worth_it, policy_numbers
from kibitz.arena.cores import die_with
from kibitz.arena.pairing.schedule import Schedule, deal_seed
from kibitz.arena.rating.standings import Result, SeatForfeit, Standing, standings
from kibitz.cards import shown
from kibitz.engine.asked import refuse_number
from kibitz.engine.game import Game, seed_words
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import game_of
from kibitz.errors import MachineError, NotationError, PlayerError
from kibitz.players.counted import play_counted
from kibitz.players.functions import AnyPlayer, AnySpec, FunctionSpec, names_of, specs_of
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier, adopt, tier

if TYPE_CHECKING:
    import numpy as np

LARGEST = 10_000_000
"""Games that are played at once at most."""
CHUNKS = 8
"""At least so many chunks for every worker, if there are enough games, so that none waits long for the last."""
LONGEST = 64
"""Games that a chunk has at most."""
AHEAD = 4
"""So many chunks for every worker are handed out before the first of them is back."""
AT_ONCE = 1 << 15
"""Games that are handed to machine code at a time, of more than can be kept."""

Progress = Callable[[int, int], object]


class Seated(NamedTuple):
    """One game to be played: its number, its deal, and the players' numbers by seat."""

    number: int
    deal: int
    rotation: int
    seed: int
    players: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PlayedGames:
    """Finished games; row ``i`` of every array is game ``i``.

    players     names, by number
    seated      (n, seats) int64: the number of the player in each seat
    scores      (n, seats) float64: what each seat has scored
    winners     (n, seats) bool: who wins, or shares the win; in some games nobody may
    lengths     (n,) int64: actions
    deals       (n,) int64: the deal; games of one deal have the same cards, and the seed ``seeds[deal]``
    failures    the forfeits of player files: the game's number, the seat, the kind of failure, why
    standings   the table, with 95 % intervals that take the deal as the unit (``arena.standings``)
    records     the record of every game, if they were asked for
    """

    game: str
    seed: int
    players: tuple[str, ...]
    seated: np.ndarray[Any, Any]
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
            margin = "" if line.win_margin is None else f" ± {100 * line.win_margin:.1f}"
            lines.append(
                f"{line.rank or '–'}  {line.name}: {100 * line.win_share:.1f} %{margin}, mean score {line.mean_score:g}"
            )
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
) -> PlayedGames:
    """Play ``n`` games between players of any kind, and return arrays and standings.

    Each of ``players`` is the name of a built-in player, a function ``f(view, legal)`` or ``f(view, legal, random)``
    that returns one of the legal actions, or the path of a player file.  Any number of players will do: they take
    turns in the seats, every deal is played in all rotations (so take a multiple of the seats for ``n``), and with
    fewer players than seats they meet themselves.

    ``workers`` processes play, one for each core unless it is given; one plays in this process.  The result is the
    same on any number of them.  ``progress(done, n)`` is called as games end.

    Games between policies alone (``kibitz.engine.policies``) are played in machine code, where that is ready or the
    games are very many; they come out as they would at the table.

    A player file that fails forfeits its game, as in a tournament.  A function of your own that raises or returns what
    is illegal ends all with PlayerError, whose ``detail`` has its traceback.  NotationError or SeatError say which
    argument cannot be meant; MachineError that this machine cannot run the players.

    >>> def last(view, legal):
    ...     return legal[-1]
    >>> games = play_games("go-mini", ["greedy", last], n=20, seed=1, workers=1)
    >>> games.scores.shape, games.players
    ((20, 2), ('greedy', 'last'))
    >>> games.standings[0].name
    'greedy'
    """
    found = game_of(game)
    specs = specs_of(found, players)
    count, processes = asked_for(n, seed, workers)
    refuse_progress(progress)
    seats = islice(seating(len(specs), found.seats, seed), count)
    played: list[tuple[Seated, Ended]] = []
    with ExitStack() as stack:
        for some in each_game(found, specs, seats, count, processes, stack, records=records):
            played += some
            if progress:
                progress(len(played), count)
    return gathered(found, specs, seed, [one for one, _ in played], [ended for _, ended in played])


def each_game(
    game: Game,
    specs: Sequence[AnySpec],
    seats: Iterable[Seated],
    count: int,
    processes: int,
    stack: ExitStack,
    *,
    records: bool,
) -> Iterator[list[tuple[Seated, Ended]]]:
    """Some ``count`` games, in order, by chunks as they end; ``stack`` ends the processes that play them.

    No more than ``AT_ONCE`` games are kept here at a time, however many there are.
    """
    numbers = policy_numbers(game, [spec.name if isinstance(spec, PlayerSpec) else "" for spec in specs])
    if numbers is not None and not records and is_worth_it(game, count):
        for chunk in chunked(seats, AT_ONCE):
            left = iter(chunk)
            for some in by_policies(game, numbers, chunk, processes):
                yield [(next(left), ended) for ended in some]
        return
    size = max(1, min(LONGEST, -(-count // (CHUNKS * processes))))
    ours, theirs = tee(chunked(seats, size))
    for ended, chunk in zip(played_by(game, specs, theirs, processes, stack, records=records), ours, strict=False):
        yield list(zip(chunk, ended, strict=True))


def chunked(seats: Iterable[Seated], size: int) -> Iterator[list[Seated]]:
    """Games by so many at a time."""
    left = iter(seats)
    while chunk := list(islice(left, size)):
        yield chunk


class Ended(NamedTuple):
    """What is kept of one game."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    length: int
    forfeits: tuple[SeatForfeit, ...]
    record: Record | None


def by_policies(game: Game, numbers: Sequence[int], seats: Sequence[Seated], threads: int) -> Iterator[list[Ended]]:
    """The same games in machine code, where all players are policies."""
    deals = [(one.seed, tuple(numbers[player] for player in one.players)) for one in seats]
    for some in contested(game, deals, threads):
        yield [Ended(scores, winners, length, (), None) for scores, winners, length in some]


def refuse_progress(progress: object) -> None:
    """NotationError for what cannot be told of progress."""
    if progress is not None and not callable(progress):
        raise NotationError(f"progress must be a function of two numbers, not {shown(progress)}.")


def asked_for(n: object, seed: object, workers: object) -> tuple[int, int]:
    """The numbers of games and of processes; NotationError with the argument's name if one can be none."""
    count = refuse_number("n", n)
    if not 0 < count <= LARGEST:
        raise NotationError(f"n must be from 1 to {LARGEST:,} games, not {shown(n)}.")
    seed_words(refuse_number("seed", seed))
    processes = os.cpu_count() or 1 if workers is None else refuse_number("workers", workers)
    if processes < 1:
        raise NotationError(f"workers must be 1 or more, not {shown(workers)}.")
    return count, min(processes, count)


def seating(players: int, seats: int, seed: int) -> Iterator[Seated]:
    """Who sits where in game 0, 1, ..., without end."""
    schedule, number = Schedule(players, seats, seed), 0
    while True:
        deal, first = schedule.deals, schedule.lineup()
        for rotation in range(seats):
            yield Seated(number, deal, rotation, deal_seed(seed, deal), first[rotation:] + first[:rotation])
            number += 1


def played_by(
    game: Game,
    specs: Sequence[AnySpec],
    chunks: Iterable[Sequence[Seated]],
    processes: int,
    stack: ExitStack,
    *,
    records: bool,
) -> Iterator[list[Ended]]:
    """The games of every chunk, in order; ``stack`` ends the processes."""
    if processes == 1:
        return (play_chunk(game, specs, chunk, records) for chunk in chunks)
    from loky import ProcessPoolExecutor

    files = any(spec.is_file for spec in specs)
    given = game.name, packed(specs), tier() if files and hasattr(os, "fork") else None, os.getpid(), records
    pool = ProcessPoolExecutor(processes, initializer=start_worker, initargs=given)
    stack.callback(pool.shutdown, wait=True, kill_workers=True)
    return listened_to((pool.submit(play_chunk_here, list(chunk)) for chunk in chunks), AHEAD * processes)


def packed(specs: Sequence[AnySpec]) -> bytes:
    """The players as bytes for worker processes, functions with all that they need."""
    from cloudpickle import dumps

    for number, spec in enumerate(specs):
        try:
            dumps(spec)
        except Exception as error:
            raise NotationError(
                f"players[{number}] ({spec.name}) cannot be sent to worker processes ({error}): play with workers=1."
            ) from error
    return bytes(dumps(tuple(specs)))


def listened_to(futures: Iterator[Any], ahead: int) -> Iterator[list[Ended]]:
    """The results of futures, in order; MachineError where a process died over them.

    ``futures`` hands out work as it is gone through, so no more than ``ahead`` of them are waited for.
    """
    from concurrent.futures import BrokenExecutor

    try:
        waiting = deque(islice(futures, ahead))
        while waiting:
            ended = waiting.popleft().result()
            waiting.extend(islice(futures, 1))
            yield ended
    except BrokenExecutor as error:
        raise MachineError("A worker process has died: is there enough memory?") from error


class Worker:
    """What a worker process keeps between chunks."""

    game: Game
    specs: Sequence[AnySpec]
    records: bool


def start_worker(name: str, packed: bytes, found: Tier | None, parent: int, records: bool) -> None:
    """Prepare a worker process."""
    from pickle import loads

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    if found:
        adopt(found)
    Worker.game, Worker.specs, Worker.records = find_game(name), loads(packed), records


def play_chunk_here(chunk: Sequence[Seated]) -> list[Ended]:
    """Play a chunk in a worker process."""
    return play_chunk(Worker.game, Worker.specs, chunk, Worker.records)


def play_chunk(game: Game, specs: Sequence[AnySpec], chunk: Sequence[Seated], records: bool) -> list[Ended]:
    """Play some games, one after the other."""
    return [play_one(game, specs, seated, records) for seated in chunk]


def play_one(game: Game, specs: Sequence[AnySpec], seated: Seated, records: bool) -> Ended:
    """Play one game; PlayerError where a function of the caller's has failed in it."""
    match = play_counted(game, [specs[player] for player in seated.players], seated.seed)
    record = match.record
    for forfeit in record.forfeits:
        player = seated.players[forfeit.seat]
        if isinstance(specs[player], FunctionSpec):
            sentence = (
                f"players[{player}] ({specs[player].name}) failed in game {seated.number} (deal seed {seated.seed}),"
                f" seat {forfeit.seat}, after {forfeit.moves} moves: {forfeit.sentence}"
            )
            raise failure(forfeit.kind, sentence, match.details[forfeit.seat])
    forfeits = tuple(SeatForfeit(forfeit.seat, forfeit.kind, forfeit.sentence) for forfeit in record.forfeits)
    outcome = record.outcome
    return Ended(outcome.scores, outcome.winners, len(record.actions), forfeits, record if records else None)


def failure(kind: Any, sentence: str, detail: str) -> PlayerError:
    """The failure of a caller's function, with its own traceback below it."""
    error = PlayerError(kind, sentence, detail)
    if detail:
        error.add_note(detail)
    return error


def gathered(game: Game, specs: Sequence[AnySpec], seed: int, seats: list[Seated], played: list[Ended]) -> PlayedGames:
    """Everything as arrays and standings."""
    import numpy as np

    shape = len(played), game.seats
    winners = np.zeros(shape, bool)
    for i, ended in enumerate(played):
        winners[i, list(ended.winners)] = True
    names = names_of(specs)
    results = [
        Result(one.deal, one.rotation, one.seed, one.players, ended.scores, ended.winners, ended.forfeits)
        for one, ended in zip(seats, played, strict=True)
    ]
    return PlayedGames(
        game=game.name,
        seed=seed,
        players=names,
        seated=np.array([one.players for one in seats], np.int64).reshape(shape),
        scores=np.array([ended.scores for ended in played], np.float64).reshape(shape),
        winners=winners,
        lengths=np.array([ended.length for ended in played], np.int64),
        deals=np.array([one.deal for one in seats], np.int64),
        seeds=tuple({one.deal: one.seed for one in seats}.values()),
        failures=tuple(chain.from_iterable(((i, one) for one in ended.forfeits) for i, ended in enumerate(played))),
        standings=standings(names, results, by_score=game.by_score),
        records=tuple(ended.record for ended in played if ended.record),
    )
