"""The poker functions of Norvig's CS212 under their names (rule sheet "poker", Hand-ranking functions).

    card        value and suit, ten as T: ``"TH"``; ``"?B"`` is a black joker and ``"?R"`` a red one
    hand        a list or tuple of such cards
    rank        2 to 14, an Ace 14; in A-2-3-4-5 it is 1

The surprising rules: a joker never stands for a card that the hand has (the course's own solution allows a second
ace of hearts), a red joker alone works, and with both jokers a straight flush of four others and one joker is found.
What cannot be a hand is a NotationError; no argument is ever changed, and the pack that ``deal`` takes neither.

>>> hand_rank("TD TC TH 7C 7D".split())
(6, 10, 7)
>>> sorted(best_wild_hand("TD TC 5H 5C 7C ?R ?B".split()))
['7C', 'TC', 'TD', 'TH', 'TS']
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from kibitz.cards import BLACK_JOKER, JOKER, PACK, RED_JOKER, Card, as_set, is_black, poker_code, shown
from kibitz.coursework.reading import read_list
from kibitz.errors import NotationError
from kibitz.games.poker import ranking
from kibitz.games.poker.hands import best_hand as best_of
from kibitz.games.poker.hands import rank_of

T = TypeVar("T")

CARD = {poker_code(card): card for card in (*PACK, BLACK_JOKER, RED_JOKER)}
"""The 52 codes and the two jokers."""
DECK = tuple(poker_code(card) for card in PACK)
"""The pack that ``deal`` deals from, a tuple so that nobody can change it."""


def deal(numhands: int, n: int = 5, deck: Sequence[str] = DECK) -> list[list[str]]:
    """``numhands`` hands of ``n`` cards each, by Python's own generator (``random.seed``); ``deck`` stays as it is.

    NotationError if the deck has too few cards, or one of them twice.
    """
    for number, what in ((numhands, "hands"), (n, "cards")):
        if type(number) is not int or number < 0:
            raise NotationError(f"the number of {what} must be 0 or more, not {shown(number)}.")
    read_different(deck, "the deck")
    if numhands * n > len(deck):
        raise NotationError(f"{numhands} hands of {n} cards are {numhands * n}, and the deck has {len(deck)}.")
    dealt = random.sample(list(deck), numhands * n)
    return [dealt[start * n : (start + 1) * n] for start in range(numhands)]


def poker(hands: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """All the hands that are best; more than one if they tie, none if there are none."""
    return allmax(read_list(hands, "the hands"), key=hand_rank)


def allmax(iterable: Iterable[T], key: Callable[[T], Any] | None = None) -> list[T]:
    """All items that are greatest, by ``key`` where there is one, in their order."""
    if not isinstance(iterable, Iterable):
        raise NotationError(f"{shown(iterable)} holds no items that could be compared: pass a list.")
    items = list(iterable)
    values: list[Any] = items if key is None else [key(item) for item in items]
    greatest = max(values, default=None)
    return [item for item, value in zip(items, values, strict=True) if value == greatest]


def hand_rank(hand: Sequence[str]) -> tuple[Any, ...]:
    """The category of a hand of five and what decides among equal ones.

    >>> hand_rank(["2C", "4C", "5H", "7D", "TS"])
    (0, [10, 7, 5, 4, 2])
    """
    cards = read_hand(hand, 5)
    ranks = ranks_of(cards)
    category = ranking.category(ranking.strength(as_set(cards)))
    match category:
        case ranking.STRAIGHT_FLUSH | ranking.STRAIGHT:
            return (category, ranks[0])
        case ranking.FOUR:
            return (category, kind(4, ranks), kind(1, ranks))
        case ranking.FULL_HOUSE:
            return (category, kind(3, ranks), kind(2, ranks))
        case ranking.THREE:
            return (category, kind(3, ranks), ranks)
        case ranking.TWO_PAIR:
            return (category, two_pair(ranks), ranks)
        case ranking.PAIR:
            return (category, kind(2, ranks), ranks)
    return (category, ranks)


def card_ranks(hand: Sequence[str]) -> list[int]:
    """The ranks of some cards, highest first; the Ace of A-2-3-4-5 is 1.

    >>> card_ranks(["AC", "5D", "4D", "3H", "2S"])
    [5, 4, 3, 2, 1]
    """
    return ranks_of(read_naturals(hand, "the hand"))


def straight(ranks: Sequence[int]) -> bool:
    """Whether five ranks, as ``card_ranks`` tells them, follow one another."""
    read_ranks(ranks)
    return len(ranks) == 5 and len(set(ranks)) == 5 and max(ranks) - min(ranks) == 4


def flush(hand: Sequence[str]) -> bool:
    """Whether all cards are of one suit."""
    return len({card & 3 for card in read_naturals(hand, "the hand")}) == 1


def kind(n: int, ranks: Sequence[int]) -> int | None:
    """The highest rank that is there exactly ``n`` times, None if there is none."""
    read_ranks(ranks)
    if type(n) is not int:
        raise NotationError(f"{shown(n)} is no number of cards: kind asks for 1 to 4 of a kind.")
    return max((rank for rank in ranks if ranks.count(rank) == n), default=None)


def two_pair(ranks: Sequence[int]) -> tuple[int, int] | None:
    """The two ranks that are there exactly twice, the higher first; None if there are not two.

    >>> two_pair([9, 9, 6, 4, 4])
    (9, 4)
    """
    read_ranks(ranks)
    pairs = sorted({rank for rank in ranks if ranks.count(rank) == 2}, reverse=True)
    return (pairs[0], pairs[-1]) if len(pairs) > 1 else None


def best_hand(hand: Sequence[str]) -> tuple[str, ...]:
    """Five of the seven cards that make the best hand, in their order."""
    cards = read_hand(hand, 7)
    five = ranking.best_five(as_set(cards))
    return tuple(poker_code(card) for card in cards if five >> card & 1)


def best_wild_hand(hand: Sequence[str]) -> tuple[str, ...]:
    """The best hand that seven cards make, up to two jokers of each colour among them: no joker is in the answer."""
    cards = read_hand(hand, 7, jokers=True)
    best = best_of(cards)
    black = [card for card in best.stand_ins if is_black(card)]
    red = [card for card in best.stand_ins if not is_black(card)]
    full = [black.pop() if card == BLACK_JOKER else red.pop() if card == RED_JOKER else card for card in cards]
    return tuple(poker_code(card) for card in full if card in best.five)


def ranks_of(cards: Iterable[Card]) -> list[int]:
    """The ranks of cards, highest first."""
    ranks = sorted((rank_of(card) + 2 for card in cards), reverse=True)
    return [5, 4, 3, 2, 1] if ranks == [14, 5, 4, 3, 2] else ranks


def read_hand(hand: object, n: int, *, jokers: bool = False) -> list[Card]:
    """The cards of a hand of exactly ``n``, in its order."""
    cards = read_different(hand, "the hand") if jokers else read_naturals(hand, "the hand")
    if len(cards) != n:
        raise NotationError(f"the hand must have {n} cards, not {len(cards)}.")
    return cards


def read_naturals(cards: object, what: str) -> list[Card]:
    """Cards that are no jokers."""
    read = read_different(cards, what)
    if jokers := [card for card in read if card > JOKER]:
        raise NotationError(f"{poker_code(jokers[0])} is a joker: only best_wild_hand knows what it is worth.")
    return read


def read_different(cards: object, what: str) -> list[Card]:
    """The cards of a list, none of them there twice but jokers."""
    read = []
    for text in read_list(cards, what):
        card = CARD.get(text) if type(text) is str else None
        if card is None:
            raise NotationError(f"{shown(text)} is no card: write rank and suit, such as 'TH', or a joker, ?B or ?R.")
        if card < JOKER and card in read:
            raise NotationError(f"{what} holds {text} twice, and one pack has it once.")
        read.append(card)
    return read


def read_ranks(ranks: object) -> None:
    """NotationError unless these are ranks."""
    for rank in read_list(ranks, "the ranks"):
        if type(rank) is not int or not 1 <= rank <= 14:
            raise NotationError(f"{shown(rank)} is no rank: ranks are 2 to 14, and 1 for the Ace of A-2-3-4-5.")
