"""The strength of one hand in plain Python, from tables that need no compiler.

    code        a number for each card: 5 ** rank in the low 31 bits, and above them a 1 in the four bits of its suit
    sum         the sum of a hand's codes; its low bits count the ranks, which determine the strength without a flush

Codes add up, so a loop over boards can add one number per card.  A hand with five cards of a suit goes to ``ranking``.
The table of the 73 775 sums without a flush takes a tenth of a second to set up, once per process; ``ranks.z`` holds
their strengths, made by ``python -m tools.poker_ranks``.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from kibitz.cards import CardSet
from kibitz.engine.kernels import compilation
from kibitz.games.poker.hands import ranking

FILE = "ranks.z"
RANK_BITS = (1 << 31) - 1
"""The bits of a sum that count ranks: at most 4 * 5 ** 12."""
SUIT_SHIFT = 31
"""The position of the lowest bit that counts suits."""
THREE_EACH = 0x3333 << SUIT_SHIFT
"""Three cards of each suit, added to every sum, so that five cards of a suit set its bit in FLUSHES."""
FLUSHES = 0x8888 << SUIT_SHIFT
CHUNK = 13
"""Cards in a quarter of the pack, by number."""
LOW = (1 << CHUNK) - 1
CODES = tuple(5 ** ((card // 4 + 12) % 13) + (1 << SUIT_SHIFT + 4 * (card % 4)) for card in range(52))
"""By card, its code."""


def sums() -> list[list[int]]:
    """The sums of ranks of all hands of 5, of 6 and of 7 cards without a flush, in the order of the file."""
    by_size: list[list[int]] = [[0]] + [[] for _ in range(7)]
    for rank in range(13):
        code = 5**rank
        for cards in range(7, 0, -1):  # downwards, so that the smaller hands don't have this rank yet
            for copies in range(1, min(4, cards) + 1):
                by_size[cards] += [smaller + copies * code for smaller in by_size[cards - copies]]
    return by_size[5:]


@cache
def table() -> dict[int, int]:
    """The strength of a hand without a flush, by its sum of ranks."""
    stored = zlib.decompress(files(__package__).joinpath(FILE).read_bytes())
    half = len(stored) // 2
    all_sums = [total for totals in sums() for total in totals]
    strengths = [low + 256 * high for low, high in zip(stored[:half], stored[half:], strict=True)]
    return dict(zip(all_sums, strengths, strict=True))


@cache
def chunks() -> tuple[list[int], ...]:
    """For each quarter of the pack, the sum of codes of each set of its cards."""
    result = []
    for quarter in range(4):
        codes = CODES[CHUNK * quarter : CHUNK * (quarter + 1)]
        partial = [0]
        for code in codes:
            partial += [smaller + code for smaller in partial]  # every set so far, with this card added
        result.append(partial)
    result[0] = [THREE_EACH + partial for partial in result[0]]
    return tuple(result)


class Evaluator:
    """Looks up strengths; ``strength_by_ranks`` has the strength of a hand without a flush by its sum of ranks.

    >>> from kibitz.cards import as_set, parse_hand
    >>> evaluator().strength(as_set(parse_hand("KS KH KD 4C 4S 2D 9H")))
    7275
    """

    def __init__(self) -> None:
        self.strength_by_ranks = table()
        self.first, self.second, self.third, self.fourth = chunks()

    def strength(self, cards: CardSet) -> int:
        """1 (7-5-4-3-2) to 7462 (royal flush), as ``ranking.strength``. Raises KeyError for other numbers of cards."""
        total = (
            self.first[cards & LOW]
            + self.second[cards >> 13 & LOW]
            + self.third[cards >> 26 & LOW]
            + self.fourth[cards >> 39]
        )
        return ranking.strength(cards) if total & FLUSHES else self.strength_by_ranks[total & RANK_BITS]


@cache
def evaluator() -> Evaluator:
    """The evaluator, made once per process."""
    return Evaluator()


def fastest_evaluator() -> Callable[[CardSet], int]:
    """The fastest evaluator of one set of 5 to 7 cards: machine code if it is ready, else the tables.

    Get it once and call it often: ``strength = fastest_evaluator()``.
    """
    if compilation.is_compiled("strength", ranking):
        compiled: Callable[[CardSet], int] = compilation.compiled(ranking).strength
        return compiled
    return evaluator().strength
