"""Failures that outlive an attempt at a game which the machine has spoilt.

    lapse       a seat's failure, with the digest of all that had happened in the game before it
    digest      of the game, its seed and the actions so far: equal ones mean the very same question to the seat

Who has failed stays failed when the game is begun again, but only there: where other actions have led up to the
same number of moves, the seat is asked as if nothing had been.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from kibitz.errors import FailureKind

DETAIL = 26_000
"""Characters of a failure's detail that are kept: a call, its answer and a traceback."""


class PastFailure(msgspec.Struct, frozen=True):
    """One failure; ``detail`` is for the owner alone."""

    seat: int
    moves: int
    digest: str
    kind: FailureKind
    sentence: str
    detail: str


def digest(game: str, version: int, seed: int, actions: Sequence[int]) -> str:
    """What stands for all that has happened in a game so far."""
    return hashlib.sha256(f"{game} {version} {seed:032x} {' '.join(map(str, actions))}".encode()).hexdigest()


class PastFailures:
    """The failures of all attempts so far."""

    def __init__(self, known: Iterable[PastFailure] = ()) -> None:
        self.known = list(known)

    def add(self, lapse: PastFailure) -> None:
        """Keep a failure; the same one is kept once."""
        if lapse not in self.known:
            self.known.append(lapse)

    def at(self, moves: int) -> Iterator[PastFailure]:
        """Those that happened after so many moves, if what came before was the same: compare the digest."""
        return (lapse for lapse in self.known if lapse.moves == moves)
