"""Who meets whom, on which deal, in which seat.

    deal        one seed of the game; its cards are the same in all its games
    lineup      the players of a deal, as numbers, as many as there are seats; every rotation of it plays the deal

A schedule is a pure function of the seed, the number of players and the number of deals.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random

from kibitz.arena.model import Goal, Lineup


def deal_seed(seed: int, deal: int) -> int:
    """The seed of one deal: fixed by the tournament's, and no help in guessing another deal's."""
    return int.from_bytes(hashlib.sha256(f"kibitz deal {seed:032x} {deal}".encode()).digest()[:16], "little")


def seed_text(seed: int) -> str:
    """A seed as the store keeps it, in 32 hexadecimal digits.

    >>> seed_text(2026)
    '000000000000000000000000000007ea'
    """
    return f"{seed:032x}"


def seed_from(text: str) -> int:
    """What ``seed_text`` has written; ValueError for anything else, however short or long."""
    if len(text) != 32 or seed_text(seed := int(text, 16)) != text:
        raise ValueError("a seed has 32 hexadecimal digits")
    return seed


def seed_of_block(seed: int, block: int, goal: Goal | None) -> int:
    """The seed of a block's deal.  Blocks are numbered from 1, and the deals of a course from 0."""
    return deal_seed(seed, block if goal is None else block - 1)


def schedule(players: int, seats: int, deals: int, seed: int) -> list[Lineup]:
    """One lineup a deal.  Every player gets the same number of places, as nearly as the number of deals allows.

    With at least as many players as seats nobody meets themselves; with fewer, places are filled up evenly.
    """
    return Schedule(players, seats, seed).lineups(deals)


class Schedule:
    """A schedule that goes on for as long as one asks, and that players can leave.

    Where fewer players are left than seats, ``filler`` takes the seats that are over; without one they are filled up
    evenly.  Until somebody leaves it is the same however many blocks are asked for at a time.  With ``each`` nobody is
    in more deals than that, and ``filler`` takes the seats that are left over.
    """

    def __init__(self, players: int, seats: int, seed: int, filler: int | None = None, each: int | None = None) -> None:
        self.left = list(range(players))
        self.seats, self.filler, self.each = seats, filler, each
        self.dealt = Counter[int]()
        self.random = Random(f"kibitz schedule {seed}")
        self.bag: list[int] = []
        self.deals = 0

    def leave(self, player: int) -> None:
        """From now on a player has no place."""
        self.left.remove(player)
        self.bag = [other for other in self.bag if other != player]

    def lineups(self, deals: int) -> list[Lineup]:
        """The lineups of so many more deals."""
        return [self.lineup() for _ in range(deals)]

    def lineup(self) -> Lineup:
        """The lineup of the next deal."""
        self.deals += 1
        found: list[int] = []
        due = [player for player in self.left if self.each is None or self.dealt[player] < self.each]
        self.bag = [player for player in self.bag if player in due]
        while len(found) < self.seats:
            full = len(found) >= len(due)
            if full and self.filler is not None:
                found.append(self.filler)
                continue
            wanted = next((p for p in self.bag if full or p not in found), None)
            if wanted is None:
                self.bag += self.random.sample(due, len(due))
            else:
                self.bag.remove(wanted)
                found.append(wanted)
        self.dealt.update(set(found))
        self.random.shuffle(found)
        return tuple(found)
