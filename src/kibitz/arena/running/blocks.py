"""Plays a block, one deal in every rotation of its lineup, on a worker without access to the store.

    player file     what a match needs from a submission: the player's name, and its file or packed files
    unplayable      a match that this machine couldn't play, which is no player's fault; it is void
    settings        what all blocks of a run share: the game, the limits, whether records are kept
    blobs           the data sent with a block: the settings, then the player files of the block's lineup
    memory          what earlier attempts at a match have left for the next one (``kibitz.players.rated_game``)
    heartbeat       the worker's report to the runner that it is alive, perhaps with a match's memory

A block's result depends on the files, the deal, the tournament's limits and the versions of Kibitz and the rules, but
not on the worker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from threading import Thread
from types import MappingProxyType

import msgspec

import kibitz
from kibitz.arena.model import Block, Lineup, PlayedMatch, PlayedSeat
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.engine.record import text
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import Outcome
from kibitz.errors import MachineError
from kibitz.executors.worker import SendHeartbeat
from kibitz.players.files.sources import unpacked
from kibitz.players.isolation.fork_server_client import client
from kibitz.players.limits import Limits
from kibitz.players.rated_game import EMPTY_MEMORY, Memory, OnStep, ReportMemory, play_rated
from kibitz.players.specs import PlayerSpec, is_network, network_spec
from kibitz.sandbox import Tier, adopt, tier
from kibitz.table import Match, Table
from kibitz.table.match import MAX_DETAIL

# The task that prepares workers before their first block: they start the fork server and import modules.


PREPARE_TASK = "kibitz.arena.running.blocks:prepare"


class Preparation(msgspec.Struct, frozen=True):
    """What later blocks need: the modules of a game, by its name, and the confinement of player files."""

    game: str
    tier: Tier


encode = msgspec.json.Encoder().encode
read_preparation = msgspec.json.Decoder(Preparation).decode


def prepare(encoded: bytes, blobs: Sequence[bytes], send_heartbeat: object) -> bytes:
    """Prepare this worker for later blocks; ``encoded`` is a Preparation as JSON.  Returns no data."""
    preparation = read_preparation(encoded)
    adopt(preparation.tier)
    thread = Thread(target=find_game, args=(preparation.game,))  # imports the game's modules in the meantime
    thread.start()
    try:
        client()  # starts the fork server
    finally:
        thread.join()
    return b""


# A block, match by match, every match with its whole record.


Memories = Mapping[int, Memory]
"""What earlier attempts at the matches of a block have left, by rotation."""
NO_MEMORIES: Memories = MappingProxyType({})
RotationReport = Callable[[int, Memory], object]
RotationFollow = Callable[[int, Table], None]
BUILT_IN = "built-in"
"""The name of the confinement if no player is a file."""
TRUSTED = "trusted"
"""The name of the confinement if files run inside Kibitz, unconfined."""
MAX_OUTPUT = 2000
"""The maximum number of characters of a player's output that are kept for its owner: its last ones."""


class PlayerFile(msgspec.Struct, frozen=True):
    """A submission as a worker needs it; without ``content`` it is the built-in strategy called ``file``."""

    submission: int
    player: str
    file: str
    content: bytes

    @property
    def is_code(self) -> bool:
        """Whether it is a player file, which has to be confined."""
        return bool(self.content) and not is_network(self.file)

    def spec(self, game: Game, limits: Limits) -> PlayerSpec:
        """A spec, which makes a fresh player for every match."""
        if self.is_code:
            sources = unpacked(self.file, self.content)
            return PlayerSpec(self.player, self.file, game.name, sources.sha256, sources, limits=limits)
        if self.content:
            return replace(network_spec(game, self.file, self.content), shown_name=self.player)
        return PlayerSpec(self.file, self.file, game.name, "", shown_name=self.player)


class Unplayable(Exception):
    """The machine failed repeatedly in a match; the message is the cause."""


def play(
    game: Game,
    block: Block,
    players: Mapping[int, PlayerSpec],
    memories: Memories = NO_MEMORIES,
    report: RotationReport = lambda rotation, memory: None,
    *,
    on_step: RotationFollow | None = None,
    recorded: bool = True,
) -> Iterator[PlayedMatch]:
    """Play the matches of a block, one after the other. Raises Unplayable if the machine can't play one.

    ``memories`` are from earlier attempts, by rotation. ``report`` is called with a rotation and its memory, at
    intervals and when the memory has changed. ``on_step`` is called with a rotation and its table after
    every step. Unless ``recorded``, matches have an empty record.
    """
    confined = confinement([players[submission] for submission in block.lineup])
    for rotation, lineup in enumerate(block.rotations()):
        start = time.monotonic()
        specs, memory = [players[submission] for submission in lineup], memories.get(rotation, EMPTY_MEMORY)
        follow_match = None if on_step is None else partial(on_step, rotation)
        match = rated_match(game, block.deal_seed, specs, memory, partial(report, rotation), follow_match)
        record = text(match.record) if recorded else ""
        yield match_result(rotation, lineup, match, record, confined, time.monotonic() - start)


def confinement(players: Sequence[PlayerSpec]) -> str:
    """The name of the confinement to record in the results of these players' matches."""
    if any(player.trusted for player in players):
        return TRUSTED
    return tier().name if any(player.is_file for player in players) else BUILT_IN


def rated_match(
    game: Game,
    seed: int,
    players: Sequence[PlayerSpec],
    memory: Memory = EMPTY_MEMORY,
    report: ReportMemory = lambda memory: None,
    on_step: OnStep | None = None,
) -> Match:
    """Play one rated match, again if it is void (see ``kibitz.players.rated_game``).

    Raises Unplayable if that fails too.
    """
    try:
        return play_rated(game, players, seed, memory, report, on_step)
    except MachineError as error:
        raise Unplayable(str(error)) from error


def match_result(
    rotation: int, lineup: Lineup, match: Match, record_text: str, tier: str, seconds: float
) -> PlayedMatch:
    """The result of a match; ``tier`` is the name of the confinement."""
    record = match.record
    forfeits = {forfeit.seat: forfeit for forfeit in record.forfeits}
    place = places(record.outcome, record.forfeits)
    seats = tuple(
        played_seat(submission, seat, place[seat], match, forfeits.get(seat)) for seat, submission in enumerate(lineup)
    )
    return PlayedMatch(rotation, seats, record.outcome.reason, record_text, tier, kibitz.__version__, seconds)


def played_seat(submission: int, seat: int, place: int, match: Match, forfeit: Forfeit | None) -> PlayedSeat:
    """The result of one seat; the player's output is kept only after a forfeit."""
    outcome = match.record.outcome
    share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    if forfeit is None:
        return PlayedSeat(submission, outcome.scores[seat], place, share)
    detail, prints = match.details[seat][-MAX_DETAIL:], match.prints[seat][-MAX_OUTPUT:]
    return PlayedSeat(
        submission, outcome.scores[seat], place, share, forfeit.kind, forfeit.sentence, forfeit.moves, detail, prints
    )


def places(outcome: Outcome, forfeits: Sequence[Forfeit]) -> tuple[int, ...]:
    """Every seat's place: first the winners, then other seats by score, then forfeited seats, the latest first.

    Equal seats share the better place, so two winners are 1st and the next seat is 3rd.

    >>> places(Outcome("", (1.0, 5.0, 3.0, 3.0), (1,)), [Forfeit(7, 0, "illegal", "")])
    (4, 1, 2, 2)
    """
    failed = {forfeit.seat: forfeit.moves for forfeit in forfeits}
    keys = [
        (False, False, float(failed[seat])) if seat in failed else (True, seat in outcome.winners, score)
        for seat, score in enumerate(outcome.scores)
    ]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


# The task that plays a block on a worker (``play_block``). The block, the signs of life and the outcome are JSON.


TASK = "kibitz.arena.running.blocks:play_block"
REPORT_SECONDS = 1.0
"""Seconds after which an unfinished match is reported to spectators; most matches are over sooner."""


class RunSettings(msgspec.Struct, frozen=True):
    """The data that all blocks of a run share."""

    game: str
    limits: Limits
    recorded: bool


class BlockOrder(msgspec.Struct, frozen=True):
    """A block to play; ``tier`` is the confinement of player files, None if the worker determines its own."""

    block: Block
    tier: Tier | None
    memory: dict[int, Memory]
    """What earlier attempts at its matches have left, by rotation."""


class MatchProgress(msgspec.Struct, frozen=True):
    """A worker's report on the match in play: its record so far, and its memory if it has changed, else None."""

    rotation: int
    record: str = ""
    memory: Memory | None = None


class BlockOutcome(msgspec.Struct, frozen=True):
    """The matches of a block. If one could not be played, ``cause`` says why, and ``played`` are the matches before."""

    played: tuple[PlayedMatch, ...]
    cause: str = ""


read_settings = lru_cache(maxsize=8)(msgspec.json.Decoder(RunSettings).decode)
read_player_file = msgspec.json.Decoder(PlayerFile).decode
read_order = msgspec.json.Decoder(BlockOrder).decode
read_progress = msgspec.json.Decoder(MatchProgress).decode
read_outcome = msgspec.json.Decoder(BlockOutcome).decode


def play_block(block: bytes, blobs: Sequence[bytes], send_heartbeat: SendHeartbeat) -> bytes:
    """Play a block, which is a BlockOrder, and return a BlockOutcome.

    The heartbeat after each match is empty; those during a match hold a MatchProgress.
    """
    order, settings = read_order(block), read_settings(blobs[0])
    game = find_game(settings.game)
    if order.tier:
        adopt(order.tier)
    players = {}
    for submission, content in zip(dict.fromkeys(order.block.lineup), blobs[1:], strict=True):
        players[submission] = spec_of(content, settings)

    reporter = MatchReporter(send_heartbeat)
    on_step = reporter.on_step if settings.recorded else None
    played = []
    try:
        for match in play(
            game, order.block, players, order.memory, reporter.remember, on_step=on_step, recorded=settings.recorded
        ):
            played.append(match)
            send_heartbeat(b"")
    except Unplayable as error:
        return encode(BlockOutcome(tuple(played), str(error) or "The machine failed."))
    return encode(BlockOutcome(tuple(played)))


class MatchReporter:
    """Reports the matches of a block to the runner while they are played; ``clock`` returns seconds."""

    def __init__(self, send_heartbeat: SendHeartbeat, clock: Callable[[], float] = time.monotonic) -> None:
        self.send_heartbeat, self.clock = send_heartbeat, clock
        self.rotation = -1
        self.table: Table | None = None
        self.next = 0.0

    def remember(self, rotation: int, memory: Memory) -> None:
        """Report a match's memory; without memory and table, report only that the worker is alive."""
        if rotation != self.rotation:
            self.rotation, self.table = rotation, None
        if memory != EMPTY_MEMORY or self.table is not None:
            self.report_match(memory)
        else:
            self.send_heartbeat(b"")

    def on_step(self, rotation: int, table: Table) -> None:
        """Report the match every ``REPORT_SECONDS`` seconds; called after each of its steps."""
        if table is not self.table:
            self.rotation, self.table, self.next = rotation, table, self.clock() + REPORT_SECONDS
        elif self.clock() >= self.next and not table.over:
            self.report_match(None)

    def report_match(self, memory: Memory | None) -> None:
        """Report the match so far."""
        self.next = self.clock() + REPORT_SECONDS
        record = text(self.table.record) if self.table is not None and not self.table.over else ""
        self.send_heartbeat(encode(MatchProgress(self.rotation, record, memory)))


@lru_cache(maxsize=4096)
def spec_of(content: bytes, settings: RunSettings) -> PlayerSpec:
    """The spec of a player whose encoded PlayerFile is ``content``."""
    return read_player_file(content).spec(find_game(settings.game), settings.limits)
