"""One hand at a time in plain Python, by tables: the strengths of ``ranking`` without a compiler.

    code        of a card: 5 ** rank, which counts ranks, and above that 1 for its suit, four bits per suit
    sum         of the codes of a hand: everything that its strength depends on, except the ranks of a flush
    flush       a suit of which a hand has five: such a hand goes to ``ranking``

Codes add up, so a loop over boards can add one number per card.  The table of the 73 775 sums without a flush takes a
tenth of a second to set up, once a process; ``ranks.z`` holds their strengths, made by ``python -m
kibitz.games.poker.hands.evaluator``.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from kibitz.cards import CardSet
from kibitz.engine.kernels import compilation
from kibitz.games.poker.hands import ranking

FILE = "ranks.z"
RANKS = (1 << 31) - 1
"""The bits of a sum that count ranks: 4 * 5 ** 12 and less."""
SUITS = 31
THREE_EACH = 0x3333 << SUITS
FLUSHES = 0x8888 << SUITS
CHUNK = 13
LOW = (1 << CHUNK) - 1
CODES = tuple(5 ** ((card // 4 + 12) % 13) + (1 << SUITS + 4 * (card % 4)) for card in range(52))
"""By card, its code."""


def sums() -> list[list[int]]:
    """The sums of ranks of all hands of 5, of 6 and of 7 cards without a flush, in the order of the file."""
    by_size: list[list[int]] = [[0]] + [[] for _ in range(7)]
    for rank in range(13):
        one = 5**rank
        for cards in range(7, 0, -1):
            for copies in range(1, min(4, cards) + 1):
                by_size[cards] += [found + copies * one for found in by_size[cards - copies]]
    return by_size[5:]


@cache
def table() -> dict[int, int]:
    """The strength for every sum of ranks of a hand without a flush."""
    stored = zlib.decompress(files(__package__).joinpath(FILE).read_bytes())
    half = len(stored) // 2
    every = [found for each in sums() for found in each]
    return dict(
        zip(every, (low + 256 * high for low, high in zip(stored[:half], stored[half:], strict=True)), strict=True)
    )


@cache
def chunks() -> tuple[list[int], ...]:
    """For each quarter of the pack, the sum of codes by the set of its cards."""
    result = []
    for quarter in range(4):
        codes = CODES[CHUNK * quarter : CHUNK * (quarter + 1)]
        partial = [0]
        for code in codes:
            partial += [before + code for before in partial]
        result.append(partial)
    result[0] = [THREE_EACH + partial for partial in result[0]]
    return tuple(result)


class Evaluator:
    """The tables at hand: ``strength`` takes a set of 5 to 7 cards, ``of_sum`` the sum of its codes as well.

    >>> from kibitz.cards import as_set, parse_hand
    >>> evaluator().strength(as_set(parse_hand("KS KH KD 4C 4S 2D 9H")))
    7275
    """

    def __init__(self) -> None:
        self.worth = table()
        self.first, self.second, self.third, self.fourth = chunks()

    def strength(self, cards: CardSet) -> int:
        """1 (7-5-4-3-2) to 7462 (royal flush), as ``ranking.strength``; KeyError for other numbers of cards."""
        total = (
            self.first[cards & LOW]
            + self.second[cards >> 13 & LOW]
            + self.third[cards >> 26 & LOW]
            + self.fourth[cards >> 39]
        )
        return ranking.strength(cards) if total & FLUSHES else self.worth[total & RANKS]


@cache
def evaluator() -> Evaluator:
    """The evaluator of this process."""
    return Evaluator()


def fastest() -> Callable[[CardSet], int]:
    """The fastest evaluator of one set of 5 to 7 cards: machine code if it is ready, else the tables.

    Get it once and call it often: ``strength = fastest()``.
    """
    if compilation.is_ready("strength", ranking):
        compiled: Callable[[CardSet], int] = compilation.compiled(ranking).strength
        return compiled
    return evaluator().strength


def strengths() -> bytes:
    """The bytes of the file: the low bytes of all strengths, then the high ones, in the order of ``sums``."""
    values = []
    for each in sums():
        for total in each:
            counts = [total // 5**rank % 5 for rank in range(13)]
            held = [sum(1 << rank for rank in range(13) if counts[rank] >= times) for times in range(1, 5)]
            values.append(ranking.strength_of_ranks(*held))
    return bytes(one & 255 for one in values) + bytes(one >> 8 for one in values)


def main(path: str = "") -> None:
    """Write the file, the package's own if none is named."""
    place = Path(path) if path else Path(__file__).with_name(FILE)
    place.write_bytes(zlib.compress(strengths(), 9))
    print(place)


if __name__ == "__main__":
    main(*sys.argv[1:])
