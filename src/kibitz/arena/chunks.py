"""Games in chunks, which are played in this process or on the workers of a place (``arena.games``).

chunk       games that one worker plays before it reports; their results are sent as arrays
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.contests import contested
from kibitz.arena.needs import needs_of
from kibitz.arena.rating.standings import SeatForfeit
from kibitz.engine.game import Game
from kibitz.engine.gpu import Gpu
from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError, PlayerError
from kibitz.executors import Executor, results
from kibitz.executors.mapping import Tell
from kibitz.executors.worker import Need
from kibitz.players.functions import AnySpec, FunctionSpec
from kibitz.players.rated_game import play_counted
from kibitz.sandbox import Tier, adopt

if TYPE_CHECKING:
    import numpy as np


class Seated(NamedTuple):
    """One game to be played: its number, its deal, and the players' numbers by seat."""

    number: int
    deal: int
    rotation: int
    seed: int
    players: tuple[int, ...]


class Ended(NamedTuple):
    """What is kept of one game."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    length: int
    forfeits: tuple[SeatForfeit, ...]
    record: Record | None


def by_policies(
    game: Game, numbers: Sequence[int], seats: Sequence[Seated], threads: int | None, device: Gpu | None = None
) -> Iterator[list[Ended]]:
    """The same games in machine code, where all players are policies; on a GPU where one is given."""
    deals = [(one.seed, tuple(numbers[player] for player in one.players)) for one in seats]
    for some in contested(game, deals, threads, device):
        yield [Ended(scores, winners, length, (), None) for scores, winners, length in some]


class Given(NamedTuple):
    """What all chunks need: the game, the players, their confinement if they are files, whether records are kept.

    ``policies`` are the players' numbers as policies, where chunks are played in machine code.
    """

    game: str
    specs: Sequence[AnySpec]
    tier: Tier | None
    records: bool
    policies: tuple[int, ...] = ()


class Chunk(NamedTuple):
    """Some games as they are sent: a row a game; ``winners`` are bits by seat; forfeits with the row of their game."""

    scores: np.ndarray[Any, Any]
    winners: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    forfeits: tuple[tuple[int, SeatForfeit], ...]
    records: tuple[Record, ...]


def played_on(
    place: Executor | None, game: Game, given: Given, chunks: Iterable[Sequence[Seated]], tell: Tell
) -> Iterator[tuple[int, list[Ended]]]:
    """The games of every chunk, with its number, as they come; without a place in this process."""
    if place is None:
        for number, chunk in enumerate(chunks):
            yield number, [play_one(game, given.specs, seated, given.records) for seated in chunk]
        return
    for number, played in results(place, play_chunk, given, chunks, needs=needed(place, game, given), tell=tell):
        yield number, unpacked(played)


def needed(place: Executor, game: Game, given: Given) -> tuple[Need, ...]:
    """What workers must have that are another machine's."""
    if place.here:
        return ()
    built_in = [spec.built_in for spec in given.specs if spec.built_in]
    return needs_of(game, built_in, files=any(spec.is_file for spec in given.specs))


def check_picklable(specs: Sequence[AnySpec]) -> None:
    """NotationError with the player that cannot be sent to a worker."""
    from cloudpickle import dumps

    for number, spec in enumerate(specs):
        try:
            dumps(spec)
        except Exception as error:
            raise NotationError(
                f"players[{number}] ({spec.name}) cannot be sent to worker processes ({error}): play with workers=1."
            ) from error


def play_chunk(given: Given, chunk: Sequence[Seated]) -> Chunk:
    """Play some games in a worker process, one after the other."""
    game = find_game(given.game)
    if given.tier:
        adopt(given.tier)
    if given.policies:
        return packed(game, [one for some in by_policies(game, given.policies, chunk, 1) for one in some])
    return packed(game, [play_one(game, given.specs, seated, given.records) for seated in chunk])


def packed(game: Game, played: Sequence[Ended]) -> Chunk:
    """Games as they are sent."""
    import numpy as np

    return Chunk(
        scores=np.array([ended.scores for ended in played], np.float64).reshape(len(played), game.seats),
        winners=np.array([sum(1 << seat for seat in ended.winners) for ended in played], np.int64),
        lengths=np.array([ended.length for ended in played], np.int32),
        forfeits=tuple((i, one) for i, ended in enumerate(played) for one in ended.forfeits),
        records=tuple(ended.record for ended in played if ended.record),
    )


def unpacked(chunk: Chunk) -> list[Ended]:
    """Games as they were sent."""
    rows = zip(chunk.scores.tolist(), chunk.winners.tolist(), chunk.lengths.tolist(), strict=True)
    found = []
    for i, (scores, winners, length) in enumerate(rows):
        won = tuple(seat for seat in range(len(scores)) if winners >> seat & 1)
        forfeits = tuple(one for row, one in chunk.forfeits if row == i)
        found.append(Ended(tuple(scores), won, length, forfeits, chunk.records[i] if chunk.records else None))
    return found


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
