"""Poker hands as a course would first write them: cards are strings, a rank is a tuple, and everything is tried.

    card        rank and suit: ``"TH"`` is the ten of hearts; ``"?B"`` and ``"?R"`` are jokers
    rank        a tuple that is greater for the better hand

Surprising rule: a joker may not represent a card that is in the hand or that another joker represents; in
``best_wild_hand_peter``, the course's own solution, it may.

Written from the rules alone, as the oracle for ``kibitz.games.poker``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

RANKS, SUITS = "23456789TJQKA", "SHDC"
SUITS_OF = {"?B": "SC", "?R": "HD"}
COLOURS = {joker: [rank + suit for rank in RANKS for suit in suits] for joker, suits in SUITS_OF.items()}


def hand_rank(hand: Sequence[str]) -> tuple[Any, ...]:
    """The rank of five cards."""
    ranks = sorted((RANKS.index(card[0]) + 2 for card in hand), reverse=True)
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    is_flush = len({card[1] for card in hand}) == 1
    is_straight = ranks == list(range(ranks[0], ranks[0] - 5, -1))
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    counts = [count for count, _ in groups]
    by_count = [rank for _, rank in groups]
    if is_straight and is_flush:
        return (8, ranks[0])
    if counts == [4, 1]:
        return (7, *by_count)
    if counts == [3, 2]:
        return (6, *by_count)
    if is_flush:
        return (5, ranks)
    if is_straight:
        return (4, ranks[0])
    if counts[0] == 3:
        return (3, by_count[0], ranks)
    if counts == [2, 2, 1]:
        return (2, (by_count[0], by_count[1]), ranks)
    if counts[0] == 2:
        return (1, by_count[0], ranks)
    return (0, ranks)


def best_rank(hand: Sequence[str]) -> tuple[Any, ...]:
    """The rank of the best five of some cards."""
    return max(hand_rank(five) for five in combinations(hand, 5))


def replacements(hand: Sequence[str]) -> Iterator[list[str]]:
    """Every hand that the jokers of a hand can make."""
    joker = next((card for card in hand if card in SUITS_OF), None)
    if joker is None:
        yield list(hand)
        return
    rest = list(hand)
    rest.remove(joker)
    for suit in SUITS_OF[joker]:
        for rank in RANKS:
            if rank + suit not in rest:
                yield from replacements([*rest, rank + suit])


def best_wild_rank(hand: Sequence[str]) -> tuple[Any, ...]:
    """The rank of the best five that cards with jokers can make."""
    return max(best_rank(full) for full in replacements(hand))


def best_wild_hand_peter(hand: Sequence[str]) -> tuple[str, ...]:
    """The first of the best fives of all hands that the jokers can make, each any card of its colour."""
    stand_ins = [COLOURS.get(card, [card]) for card in hand]
    return max((max(combinations(full, 5), key=hand_rank) for full in product(*stand_ins)), key=hand_rank)
