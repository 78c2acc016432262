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
    return Schedule(players, seats, seed).blocks(deals)


class Schedule:
    """A schedule that goes on for as long as one asks, and that players can leave.

    Where fewer players are left than seats, ``filler`` takes the seats that are over; without one they are filled up
    evenly.  Until somebody leaves it is the same however many blocks are asked for at a time.
    """

    def __init__(self, players: int, seats: int, seed: int, filler: int | None = None) -> None:
        self.left = list(range(players))
        self.seats, self.seed, self.filler = seats, seed, filler
        self.random = Random(f"kibitz schedule {seed}")
        self.bag: list[int] = []
        self.deal = 0

    def leave(self, player: int) -> None:
        """From now on a player has no place."""
        self.left.remove(player)
        self.bag = [other for other in self.bag if other != player]

    def blocks(self, deals: int) -> list[Block]:
        """The blocks of so many more deals."""
        return [self.block() for _ in range(deals)]

    def block(self) -> Block:
        """The block of the next deal."""
        deal, self.deal = self.deal, self.deal + 1
        lineup: list[int] = []
        while len(lineup) < self.seats:
            full = len(lineup) >= len(self.left)
            if full and self.filler is not None:
                lineup.append(self.filler)
                continue
            wanted = next((p for p in self.bag if full or p not in lineup), None)
            if wanted is None:
                self.bag += self.random.sample(self.left, len(self.left))
            else:
                self.bag.remove(wanted)
                lineup.append(wanted)
        self.random.shuffle(lineup)
        return Block(deal, deal_seed(self.seed, deal), tuple(lineup))
