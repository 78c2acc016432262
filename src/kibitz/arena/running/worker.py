"""A worker: one process on one core that plays the blocks it is sent, and has no access to the store.

    channel     a socket to the runner; messages of both ways are JSON
    order       the game, a player file that blocks to come will need, or a block to play
    report      ready, a sign of life, a match that is played, or a match that this machine cannot play

A worker never outlives its runner.  The kernel kills it when the runner dies, however that
dies, and where the kernel cannot, the closed channel ends it after the match.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec

from kibitz.arena.cores import die_with, stay_on_core
from kibitz.arena.model import Block, Played
from kibitz.arena.running.blocks import PlayerFile, Unplayable, play
from kibitz.engine.game import Game
from kibitz.engine.registry import game as find_game
from kibitz.players.ledger import Memory
from kibitz.players.limits import Limits
from kibitz.players.specs import PlayerSpec
from kibitz.sandbox import Tier, adopt


class Begin(msgspec.Struct, frozen=True, tag=True):
    """The first order: which game, within which limits."""

    game: str
    core: int
    parent: int
    limits: Limits


class Know(msgspec.Struct, frozen=True, tag=True):
    """A player file that blocks to come will need."""

    file: PlayerFile


class Play(msgspec.Struct, frozen=True, tag=True):
    """Play a block; ``tier`` is the confinement of player files, None while the runner has met none."""

    block: Block
    tier: Tier | None
    memory: dict[int, Memory]
    """What is remembered of earlier attempts at its matches, by rotation."""
    recorded: bool


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The worker has begun."""


class Done(msgspec.Struct, frozen=True, tag=True):
    """A match has been played."""

    block: int
    played: Played


class Going(msgspec.Struct, frozen=True, tag=True):
    """The worker is alive, in the middle of a match: what is to be remembered of that."""

    block: int
    rotation: int
    memory: Memory


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A match could not be played, nor the rest of its block."""

    block: int
    rotation: int
    cause: str


Order = Begin | Know | Play
Report = Ready | Going | Done | Failed

encode = msgspec.json.Encoder().encode
order = msgspec.json.Decoder(Order).decode
report = msgspec.json.Decoder(Report).decode


def main() -> None:
    """Serve the runner at the other end of the descriptor that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    fd = int(sys.argv[1])
    os.set_inheritable(fd, False)
    with suppress(EOFError, ConnectionError), Connection(fd) as channel:
        serve(channel)


def serve(channel: Connection) -> None:
    """Carry out orders until the channel is closed."""
    begin = order(channel.recv_bytes())
    assert isinstance(begin, Begin)
    die_with(begin.parent)
    stay_on_core(begin.core)
    game = find_game(begin.game)
    players: dict[int, PlayerSpec] = {}
    channel.send_bytes(encode(Ready()))
    while True:
        given = order(channel.recv_bytes())
        if isinstance(given, Know):
            players[given.file.submission] = given.file.spec(game, begin.limits)
        elif isinstance(given, Play):
            if given.tier:
                adopt(given.tier)
            carry_out(given, channel, game, players)


def carry_out(given: Play, channel: Connection, game: Game, players: dict[int, PlayerSpec]) -> None:
    """Play a block, and report every match when it is over, and what must not be lost before."""
    number, rotation = given.block.number, 0

    def sign(rotation: int, memory: Memory) -> None:
        channel.send_bytes(encode(Going(number, rotation, memory)))

    try:
        for match in play(game, given.block, players, given.memory, sign, recorded=given.recorded):
            rotation = match.rotation + 1
            channel.send_bytes(encode(Done(number, match)))
    except Unplayable as error:
        channel.send_bytes(encode(Failed(number, rotation, str(error))))


if __name__ == "__main__":
    main()
