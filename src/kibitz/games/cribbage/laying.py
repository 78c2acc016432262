"""What cards to lay away: exact expectations over all that the other seat and the starter can be.

    unseen      the cards that a seat has not seen, each as likely as another to be the starter or in the crib
    ranked      fifteens, pairs and runs of some ranks, found by a number that is the same in whatever order they come

The other seat is taken to lay any of its cards away: a player who picks what helps or hurts the crib is not modelled,
so a crib of one's own comes out half a point too high.  It serves ``greedy``; people are told what ``outlook`` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from kibitz.cards import Card
from kibitz.games.cribbage.counting import FLUSH, JACK, rank_points

RANK = tuple(5**rank for rank in range(13))
"""Ranks are added up to a number: no rank comes five times, so its digits to base five are the ranks."""


@cache
def ranked(number: int) -> int:
    """What the ranks of a number score; five of a rank cannot be, and are not asked for."""
    cards = 0
    for rank in range(13):
        number, times = divmod(number, 5)
        cards |= ((1 << times) - 1) << 4 * rank
    return int(rank_points(cards))


def number_of(cards: Iterable[Card]) -> int:
    """The ranks of some cards as one number."""
    return sum(RANK[card >> 2] for card in cards)


class Unseen:
    """The cards that a seat has not seen, counted by rank and suit."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.size = len(cards)
        self.ranks = Counter(card >> 2 for card in cards)
        self.suits = Counter(card & 3 for card in cards)
        self.jacks = [card & 3 for card in cards if card >> 2 == JACK]
        self._crib: dict[int, list[tuple[int, int]]] = {}

    def hand(self, kept: Sequence[Card]) -> float:
        """The mean of what the cards kept score in the show, over all starters."""
        number = number_of(kept)
        total = sum(times * ranked(number + RANK[rank]) for rank, times in self.ranks.items())
        total += sum(self.suits[card & 3] for card in kept if card >> 2 == JACK)
        if len(kept) >= FLUSH and len({card & 3 for card in kept}) == 1:
            total += len(kept) * self.size + self.suits[kept[0] & 3]
        return total / self.size

    def crib(self, laid: Sequence[Card]) -> float:
        """The mean of what the crib scores, over all cards that the other seat lays and all starters."""
        n = len(laid)
        number = number_of(laid)
        ways = comb(self.size, n + 1)
        total = sum(times * ranked(number + others) for others, times in self.others(n + 1)) / ways
        total += sum(self.suits[card & 3] for card in laid if card >> 2 == JACK) / self.size
        total += sum(n * (self.suits[suit] - 1) for suit in self.jacks) / (self.size * (self.size - 1))
        if 2 * n >= FLUSH and len({card & 3 for card in laid}) == 1:
            total += (2 * n + 1) * comb(self.suits[laid[0] & 3], n + 1) / ways
        return total

    def others(self, n: int) -> list[tuple[int, int]]:
        """Every number that ``n`` unseen cards can have, with how many sets of cards have it."""
        if n not in self._crib:
            found = []
            for some in combinations_with_replacement(sorted(self.ranks), n):
                times = prod(comb(self.ranks[rank], many) for rank, many in Counter(some).items())
                if times:
                    found.append((sum(RANK[rank] for rank in some), times))
            self._crib[n] = found
        return self._crib[n]
