"""What workers do before their first block comes: the server of players' processes starts, and modules are imported.

Nothing heavy is imported here, so that the server starts at once; it takes the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from threading import Thread

import msgspec

from kibitz.players.fork_server_client import client
from kibitz.sandbox import Tier, adopt

TASK = "kibitz.arena.running.ready:get_ready"


class Coming(msgspec.Struct, frozen=True):
    """What blocks to come will need: their game's modules, and the confinement of their player files."""

    game: str
    tier: Tier


encode = msgspec.json.Encoder().encode
coming_of = msgspec.json.Decoder(Coming).decode


def get_ready(coming: bytes, parts: Sequence[bytes], sign: object) -> bytes:
    """Make ready for blocks to come."""
    given = coming_of(coming)
    adopt(given.tier)
    meanwhile = Thread(target=import_for, args=(given.game,))
    meanwhile.start()
    try:
        client()
    finally:
        meanwhile.join()
    return b""


def import_for(game: str) -> None:
    """Import what plays blocks, and the game."""
    import_module("kibitz.arena.running.worker")
    import_module("kibitz.engine.registry").game(game)
