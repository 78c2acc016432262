"""What runs in a worker process: a block of a tournament played (``play_block``), without access to the store.

job         what is the same for all blocks of a run: the game, the limits, whether records are kept
block       JSON, as what is told of it: signs of life while it is played, and what comes of it
parts       the job, then the player files of the block's lineup
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from kibitz.arena.model import Block, Played
from kibitz.arena.running.blocks import PlayerFile, Unplayable, play
from kibitz.engine.record import text
from kibitz.engine.registry import game as find_game
from kibitz.executors.worker import Sign
from kibitz.players.attempts import NOTHING, Memory
from kibitz.players.limits import Limits
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier, adopt
from kibitz.table import Table

TASK = "kibitz.arena.running.worker:play_block"
SHOW = 1.0
"""Seconds after which a match that is not over yet is told of, for whoever looks on; most are over sooner."""


class Job(msgspec.Struct, frozen=True):
    """What is the same for all blocks of a run."""

    game: str
    limits: Limits
    recorded: bool


class Order(msgspec.Struct, frozen=True):
    """A block to be played; ``tier`` is the confinement of player files, None where the worker finds out its own."""

    block: Block
    tier: Tier | None
    memory: dict[int, Memory]
    """What is remembered of earlier attempts at its matches, by rotation."""


class Going(msgspec.Struct, frozen=True):
    """The worker is in the middle of a match: how far it is, as a record, and what is new to be remembered of it."""

    rotation: int
    record: str = ""
    memory: Memory | None = None


class BlockOutcome(msgspec.Struct, frozen=True):
    """All matches of a block; or with a ``cause`` those before the one that could not be played."""

    played: tuple[Played, ...]
    cause: str = ""


encode = msgspec.json.Encoder().encode
job_of = lru_cache(maxsize=8)(msgspec.json.Decoder(Job).decode)
file_of = msgspec.json.Decoder(PlayerFile).decode
order = msgspec.json.Decoder(Order).decode
going = msgspec.json.Decoder(Going).decode
outcome = msgspec.json.Decoder(BlockOutcome).decode


def play_block(block: bytes, parts: Sequence[bytes], sign: Sign) -> bytes:
    """Play a block: a BlockOutcome.  Between matches it is seen to be alive; Going tells of the one being played."""
    given, job = order(block), job_of(parts[0])
    game = find_game(job.game)
    if given.tier:
        adopt(given.tier)
    players = {}
    for submission, content in zip(dict.fromkeys(given.block.lineup), parts[1:], strict=True):
        players[submission] = spec_of(content, job)

    told = Telling(sign)
    follow = told.follow if job.recorded else None
    played = []
    try:
        for match in play(
            game, given.block, players, given.memory, told.remember, follow=follow, recorded=job.recorded
        ):
            played.append(match)
            sign(b"")
    except Unplayable as error:
        return encode(BlockOutcome(tuple(played), str(error) or "The machine failed."))
    return encode(BlockOutcome(tuple(played)))


class Telling:
    """Tells a runner of the matches of a block while they are played; ``clock`` gives seconds."""

    def __init__(self, sign: Sign, clock: Callable[[], float] = time.monotonic) -> None:
        self.sign, self.clock = sign, clock
        self.rotation = -1
        self.table: Table | None = None
        self.next = 0.0

    def remember(self, rotation: int, memory: Memory) -> None:
        """Tell what must not be lost, or only that the worker is alive."""
        if rotation != self.rotation:
            self.rotation, self.table = rotation, None
        if memory != NOTHING or self.table is not None:
            self.tell(memory)
        else:
            self.sign(b"")

    def follow(self, rotation: int, table: Table) -> None:
        """Look at a match after a step, and tell of it every ``SHOW`` seconds."""
        if table is not self.table:
            self.rotation, self.table, self.next = rotation, table, self.clock() + SHOW
        elif self.clock() >= self.next and not table.over:
            self.tell(None)

    def tell(self, memory: Memory | None) -> None:
        """Tell how far the match is."""
        self.next = self.clock() + SHOW
        record = text(self.table.record) if self.table is not None and not self.table.over else ""
        self.sign(encode(Going(self.rotation, record, memory)))


@lru_cache(maxsize=4096)
def spec_of(content: bytes, job: Job) -> PlayerSpec:
    """A player, ready to be made for every match."""
    return file_of(content).spec(find_game(job.game), job.limits)
