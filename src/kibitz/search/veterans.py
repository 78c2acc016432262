"""The player ``veteran``: it plays what its network rates highest, without looking ahead.

    veterans    the players that come with Kibitz, by name, for the games that they were trained for
    veteran     a player with a network of your own, such as ``examples/learning/train.py`` writes

A veteran's choice follows from the view alone, without randomness, and is the same on every machine.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.registry import game as game_by_name
from kibitz.engine.views.events import View
from kibitz.errors import NotationError
from kibitz.search.networks import GAME, Network, network_from_bytes, read_content

if TYPE_CHECKING:
    from kibitz.search.network_inputs import Inputs

PRESIDENT_NETWORK = Path(__file__).with_name("president.npz")


@dataclass(frozen=True)
class Veteran:
    """A strategy that takes the action its network rates highest (the first of equals).

    ``source`` has the network: a file's path, or its bytes, which are the same wherever the player is sent.
    """

    name: str
    source: Path | bytes = field(repr=False)
    line: str = "Learned from the results of many thousands of rounds against itself."

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, view: View, legal: list[int], random: Random | None = None) -> int:
        """The action that its network rates highest."""
        return legal[0] if len(legal) == 1 else legal[int(self.worth(view, legal).argmax())]

    def worth(self, view: View, legal: list[int]) -> Any:
        """The values of legal actions, (actions,) int64: from 0 for the Bum to ``networks.ONE`` for the President."""
        time_changed = self.source.stat().st_mtime_ns if isinstance(self.source, Path) else 0
        return network(self.source, time_changed).values(inputs().of_view(view, legal))


def veterans(game: Game) -> dict[str, Veteran]:
    """The trained players that come with a game; empty if none was trained for these rules.

    >>> list(veterans(game_by_name("president:rounds=1"))), list(veterans(game_by_name("president:players=5")))
    (['veteran'], [])
    """
    if game.name.partition(":")[0] != GAME:
        return {}
    from kibitz.search.network_inputs import is_supported

    return {"veteran": Veteran("veteran", PRESIDENT_NETWORK)} if is_supported(game) else {}


def veteran(path: str | os.PathLike[str]) -> Veteran:
    """A player with the network of a file, called like the file. Raises NotationError or OSError if it can't be read.

    Use it like a function: ``kibitz.play_games("president:rounds=1", [veteran(path), "greedy"], n=40)``.
    """
    network_path = Path(path).resolve()
    network(network_path, network_path.stat().st_mtime_ns)
    return Veteran(network_path.stem, network_path)


@cache
def inputs() -> Inputs:
    """The inputs of the networks: the same in all games that veterans play."""
    from kibitz.search.network_inputs import Inputs

    return Inputs(game_by_name(GAME))


def network_bytes(game: Game, path: str | os.PathLike[str]) -> bytes:
    """The bytes of a network for ``game``, from its file.

    Raises NotationError if there is none, or it is for another game.
    """
    from kibitz.search.network_inputs import UNSUPPORTED, is_supported

    try:
        content = read_content(Path(path))
    except (OSError, ValueError) as error:
        why = "no such file." if isinstance(error, FileNotFoundError) else f"{error}."
        raise NotationError(f"{short_repr(os.fspath(path))} cannot be read: {why}") from None
    read_network(content, os.fspath(path))
    if not is_supported(game):
        raise NotationError(f"{path} doesn't play {game.name}: {UNSUPPORTED}")
    return content


@lru_cache(maxsize=16)
def network(source: Path | bytes, time_changed: int = 0) -> Network:
    """The network in a file or in a file's bytes, cached. Raises NotationError if there is none.

    ``time_changed`` is when the file was changed, so that a changed file is read again.
    """
    if isinstance(source, bytes):
        return read_network(source, "the trained network")
    return read_network(read_content(source), str(source))


def read_network(content: bytes, file_name: str) -> Network:
    """The network in a file's bytes. Raises NotationError, with ``file_name``, if it doesn't fit."""
    result, cells = network_from_bytes(content, file_name), inputs()
    if (result.about, result.inputs) != (cells.about, cells.view_cells + cells.action_cells):
        raise NotationError(f"{file_name} was trained for something else: {result.about[:80]!r}, not {cells.about!r}.")
    return result
