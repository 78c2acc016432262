"""What OpenSpiel is shown of a state: strings and tensors, of one seat, of what all know, or of what it alone knows.

    observation     the view of a seat, as JSON and as the planes of ``kibitz.features``
    information     all that a seat remembers: what it was told and what it chose (perfect recall); as a tensor the
    state           same planes, which seat it is, and ``memory``: 128 bits that differ for different memories, from
                    which nothing can be learnt but that they differ
    public          what spectators see; ``private`` what a seat sees otherwise than they do

Before the deal there is nothing to see.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import numpy as np
import pyspiel

from kibitz.engine.events import SPECTATOR, View, encoded
from kibitz.environments.spiel.positions import Memory, Position
from kibitz.tensors.features import Features

BITS = 128


class Observer:
    """Looks at states as OpenSpiel's observers do: ``set_from`` fills ``tensor``, of which ``dict`` has the parts."""

    def __init__(self, features: Features, kind: pyspiel.IIGObservationType) -> None:
        self.features, self.kind = features, kind
        self.seats = features.game.seats
        self.remembers = bool(kind.perfect_recall)
        self.public, self.private = bool(kind.public_info), kind.private_info
        alone = self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER
        extra = self.seats + BITS if self.remembers else 0
        self.tensor = np.zeros(features.size + extra, np.float32) if self.public and alone else None
        self.dict: dict[str, Any] = {} if self.tensor is None else self.parts(self.tensor, extra)

    def parts(self, tensor: Any, extra: int) -> dict[str, Any]:
        """The parts of the tensor by name, each in its shape."""
        found = {"player": tensor[: self.seats], "memory": tensor[self.seats : extra]} if extra else {}
        for plane in self.features.planes:
            first = extra + plane.offset
            found[plane.name] = tensor[first : first + plane.size].reshape(plane.shape)
        return found

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what ``player`` sees; zeros before the deal."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        position: Position = state.at
        if self.remembers:
            self.tensor[player] = 1
            self.tensor[self.seats : self.seats + BITS] = bits(self.remembered(position, player))
        if position.state is not None:
            seen = self.features.observe(self.features.game.view(position.state, player))
            self.tensor[len(self.tensor) - self.features.size :] = seen

    def string_from(self, state: Any, player: int) -> str:
        """What ``player`` sees, or remembers, as text; nothing before the deal but for whom it is."""
        position: Position = state.at
        if self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return "\n".join(self.of_seat(position, seat) for seat in range(self.seats))
        if self.private == pyspiel.PrivateInfoType.NONE:
            return self.of_seat(position, SPECTATOR) if self.public else ""
        return self.of_seat(position, player)

    def of_seat(self, position: Position, seat: int) -> str:
        """What one seat, or a spectator, sees or remembers."""
        if self.remembers:
            return self.remembered(position, seat)
        if position.state is None:
            return ""
        view = self.features.game.view(position.state, seat)
        if self.public:
            return encoded(view).decode()
        return encoded(own_of(view, self.features.game.view(position.state, SPECTATOR))).decode()

    def remembered(self, position: Position, seat: int) -> str:
        """What a seat remembers; without what is public, where only what is private is asked for."""
        memory = position.memories[seat]
        if not self.public:
            known = set(position.memories[SPECTATOR])
            memory = tuple(told for told in memory if told not in known)
        return written(memory, seat)


def own_of(view: View, common: View) -> dict[str, Any]:
    """The fields of a view that spectators see otherwise."""
    found: dict[str, Any] = msgspec.to_builtins(view)
    others = msgspec.to_builtins(common)
    return {name: value for name, value in found.items() if value != others[name]}


def written(memory: Memory, seat: int) -> str:
    """A memory as text: whose it is, then what was told, as JSON, and its own actions, in order."""
    told = (part.decode() if isinstance(part, bytes) else f"action {part}" for part in memory)
    return " ".join([f"seat {seat}:" if seat >= 0 else "spectator:", *told])


def bits(memory: str) -> Any:
    """128 bits that stand for a memory: equal for equal ones, and different for different ones."""
    digest = hashlib.blake2b(memory.encode(), digest_size=BITS // 8).digest()
    return np.unpackbits(np.frombuffer(digest, np.uint8))
