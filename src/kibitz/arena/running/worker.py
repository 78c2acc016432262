"""What runs in a worker process: a block of a tournament played (``play_block``), without access to the store.

job         what is the same for all blocks of a run: the game, the limits, whether records are kept
block       JSON, as what is told of it: signs of life while it is played, and what comes of it
parts       the job, then the player files of the block's lineup
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kibitz.arena.model import Block, Played
from kibitz.arena.running.blocks import PlayerFile, Unplayable, play
from kibitz.engine.registry import game as find_game
from kibitz.places.work import Sign
from kibitz.players.ledger import NOTHING, Memory
from kibitz.players.limits import Limits
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier, adopt

TASK = "kibitz.arena.running.worker:play_block"


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
    """The worker is in the middle of a match: what is to be remembered of that."""

    rotation: int
    memory: Memory


class Outcome(msgspec.Struct, frozen=True):
    """All matches of a block; or with a ``cause`` those before the one that could not be played."""

    played: tuple[Played, ...]
    cause: str = ""


encode = msgspec.json.Encoder().encode
job_of = lru_cache(maxsize=8)(msgspec.json.Decoder(Job).decode)
file_of = msgspec.json.Decoder(PlayerFile).decode
order = msgspec.json.Decoder(Order).decode
going = msgspec.json.Decoder(Going).decode
outcome = msgspec.json.Decoder(Outcome).decode


def play_block(block: bytes, parts: Sequence[bytes], sign: Sign) -> bytes:
    """Play a block: an Outcome.  Between matches it shows that it is alive; Going says what must not be lost before."""
    given, job = order(block), job_of(parts[0])
    game = find_game(job.game)
    if given.tier:
        adopt(given.tier)
    players = {}
    for submission, content in zip(dict.fromkeys(given.block.lineup), parts[1:], strict=True):
        players[submission] = spec_of(content, job)

    def tell(rotation: int, memory: Memory) -> None:
        sign(encode(Going(rotation, memory)) if memory != NOTHING else b"")

    played = []
    try:
        for match in play(game, given.block, players, given.memory, tell, recorded=job.recorded):
            played.append(match)
            sign(b"")
    except Unplayable as error:
        return encode(Outcome(tuple(played), str(error) or "The machine failed."))
    return encode(Outcome(tuple(played)))


@lru_cache(maxsize=4096)
def spec_of(content: bytes, job: Job) -> PlayerSpec:
    """A player, ready to be made for every match."""
    return file_of(content).spec(find_game(job.game), job.limits)
