"""Who meets whom, on which deal, in which seat.

    deal        one seed of the game; its cards are the same in all its games
    lineup      the players of a block, as many as there are seats
    block       one deal played once for every rotation of a lineup over the seats, so that luck is shared

A schedule is a pure function of the seed, the number of players and the number of deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random

import msgspec


class Block(msgspec.Struct, frozen=True):
    """One deal and the players (as numbers) who play it in every rotation."""

    deal: int
    seed: int
    lineup: tuple[int, ...]

    def rotations(self) -> Iterator[tuple[int, ...]]:
        """The players by seat, once for every rotation."""
        for r in range(len(self.lineup)):
            yield self.lineup[r:] + self.lineup[:r]


def deal_seed(seed: int, deal: int) -> int:
    """The seed of one deal: fixed by the tournament's, and no help in guessing another deal's."""
    return int.from_bytes(hashlib.sha256(f"kibitz deal {seed:032x} {deal}".encode()).digest()[:16], "little")


def schedule(players: int, seats: int, deals: int, seed: int) -> list[Block]:
    """One block a deal.  Every player gets the same number of places, as nearly as the number of deals allows.

    With at least as many players as seats nobody meets themselves; with fewer, places are filled up evenly.
    """
    random = Random(f"kibitz schedule {seed}")
    bag: list[int] = []
    blocks = []
    for deal in range(deals):
        lineup: list[int] = []
        while len(lineup) < seats:
            full = len(lineup) >= players
            wanted = next((p for p in bag if full or p not in lineup), None)
            if wanted is None:
                bag += random.sample(range(players), players)
            else:
                bag.remove(wanted)
                lineup.append(wanted)
        random.shuffle(lineup)
        blocks.append(Block(deal, deal_seed(seed, deal), tuple(lineup)))
    return blocks
