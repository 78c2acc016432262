"""Which cards jokers should be, where a joker may also be a card that the hand has already (CS212).

    natural     a card that is no joker
    stand-in    what a joker is taken for; of its colour
    first       of equally good stand-ins those that come first in the course's lists, the first joker's before the
                next one's, as where all are tried one after the other

Nothing but ranks, and whether five cards are of one suit, decides what five cards are worth.  So it is the ranks of
jokers that are tried, in any order, and suits are looked for only where the best is known: 1 820 ranks of four jokers
in place of 456 976 hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

Worth = Callable[[tuple[int, ...], bool], Any]
"""What five cards are worth, by their ranks from the highest (2 to 14), and whether they are of one suit."""

RANKS = "23456789TJQKA"
SUITS = {"?B": "SC", "?R": "HD"}
"""The suits of a joker's colour, in the order of the course's lists."""


class Five(NamedTuple):
    """Five cards: the naturals, how many jokers of each colour, and the ranks of these."""

    naturals: tuple[str, ...]
    counts: tuple[int, ...]
    ranks: tuple[int, ...]


def stood_in(hand: Sequence[str], worth: Worth) -> list[str]:
    """The hand with the first of the best cards in place of its jokers.

    ``hand`` has five cards or more, up to two jokers of each colour among them.
    """
    jokers = [i for i, card in enumerate(hand) if card in SUITS]
    greatest: Any = None
    best: list[Five] = []
    for five in fives(hand):
        for is_flush in flushes(five):
            value = worth(five_ranks(five), is_flush)
            if greatest is None or value > greatest:
                greatest, best = value, []
            if value == greatest and five not in best:
                best.append(five)
    chosen = min(
        places
        for five in best
        for places, is_flush in placed(hand, jokers, five)
        if worth(five_ranks(five), is_flush) == greatest
    )
    full = list(hand)
    for i, place in zip(jokers, chosen, strict=True):
        full[i] = RANKS[place // 2] + SUITS[hand[i]][place % 2]
    return full


def fives(hand: Sequence[str]) -> Iterator[Five]:
    """All five cards that a hand can show, jokers by their ranks."""
    naturals = [card for card in hand if card not in SUITS]
    for counts in product(*(range(hand.count(joker) + 1) for joker in SUITS)):
        for some in combinations(naturals, 5 - sum(counts)):
            for ranks in combinations_with_replacement(range(2, 15), sum(counts)):
                yield Five(some, counts, ranks)


def five_ranks(five: Five) -> tuple[int, ...]:
    """The ranks of five cards, the highest first."""
    return tuple(sorted((*(RANKS.index(card[0]) + 2 for card in five.naturals), *five.ranks), reverse=True))


def flushes(five: Five) -> Iterator[bool]:
    """Whether five cards can be of one suit, and whether of several: a joker has two suits to choose from."""
    suits = {card[1] for card in five.naturals}
    colours = [SUITS[joker] for joker, count in zip(SUITS, five.counts, strict=True) if count]
    if len(suits) == 1 and all(suits <= {*colour} for colour in colours):
        yield True
    if colours or len(suits) > 1:
        yield False


def placed(hand: Sequence[str], jokers: Sequence[int], five: Five) -> Iterator[tuple[tuple[int, ...], bool]]:
    """All ways to give a hand's jokers the ranks of five cards, each with whether these are of one suit then.

    A stand-in is told by its place in the course's list; that of a joker that is none of the five is the first.
    """
    of_each = [[n for n, i in enumerate(jokers) if hand[i] == joker] for joker in SUITS]
    several = (combinations(own, count) for own, count in zip(of_each, five.counts, strict=True))
    for parts in product(*several):
        used = [n for part in parts for n in part]
        for ranks in set(permutations(five.ranks)):
            for suits in product((0, 1), repeat=len(used)):
                places = [0] * len(jokers)
                shown = {card[1] for card in five.naturals}
                for n, rank, suit in zip(used, ranks, suits, strict=True):
                    places[n] = 2 * (rank - 2) + suit
                    shown.add(SUITS[hand[jokers[n]]][suit])
                yield tuple(places), len(shown) == 1
