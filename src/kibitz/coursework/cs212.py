"""The poker functions of Norvig's CS212 under their names (the assignment's statement, "Hand-ranking functions").

    card        rank and suit, with T for ten: ``"TH"``; ``"?B"`` is a black joker and ``"?R"`` a red one
    hand        a list or tuple of such cards
    rank        2 to 14; an Ace is 14, and 1 in A-2-3-4-5

A joker never stands for a card that the hand already has. Two cases that simple solutions get wrong are handled: a red
joker alone, and a best hand that uses only one of two jokers (``TS JS QS KS 2D ?B ?R`` is a royal flush).
``best_wild_hand_peter`` follows the course's own solution, which allows a second ace of hearts. A hand may have each
card twice (two packs); in functions that take jokers, and in ``deal``, each card may appear only once. Raises
NotationError for an invalid hand; no argument is ever changed, not even the pack that ``deal`` deals from.

>>> hand_rank("TD TC TH 7C 7D".split())
(6, 10, 7)
>>> sorted(best_wild_hand("TD TC 5H 5C 7C ?R ?B".split()))
['7C', 'TC', 'TD', 'TH', 'TS']
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any, NamedTuple, TypeVar

from kibitz.cards import BLACK_JOKER, JOKER, PACK, RED_JOKER, Card, is_black, poker_code, short_repr
from kibitz.coursework.arguments import read_list
from kibitz.errors import NotationError
from kibitz.games.poker.hands import MAX_CARDS as MAX_RANKED
from kibitz.games.poker.hands import best_hand as best_of
from kibitz.games.poker.hands import rank_of, ranking

__all__ = [
    "all_ranks",
    "allmax",
    "best_hand",
    "best_wild_hand",
    "best_wild_hand_peter",
    "black_cards",
    "card_ranks",
    "deal",
    "flush",
    "hand_rank",
    "kind",
    "mydeck",
    "poker",
    "red_cards",
    "replacement",
    "straight",
    "two_pair",
]

T = TypeVar("T")

CARD = {poker_code(card): card for card in (*PACK, BLACK_JOKER, RED_JOKER)}
"""The 52 codes and the two jokers."""
PACKS = 2
"""How many times a card may occur in a hand."""
MAX_WILD_HAND = 8
"""The maximum number of cards in a hand with jokers."""

all_ranks = "23456789TJQKA"
"""The characters of the ranks, from the lowest."""
red_cards = [rank + suit for rank in all_ranks for suit in "HD"]
"""The cards that a red joker may stand for."""
black_cards = [rank + suit for rank in all_ranks for suit in "SC"]
"""The cards that a black joker may stand for."""
mydeck = [rank + suit for rank in all_ranks for suit in "SHDC"]
"""The pack that ``deal`` deals from."""


def deal(numhands: int, n: int = 5, deck: Sequence[str] = mydeck) -> list[list[str]]:
    """Deal ``numhands`` hands of ``n`` cards with Python's own generator (``random.seed``); ``deck`` is unchanged.

    Raises NotationError if the deck has too few cards, or one of them twice.
    """
    for number, what in ((numhands, "hands"), (n, "cards")):
        if type(number) is not int or number < 0:
            raise NotationError(f"the number of {what} must be 0 or more, not {short_repr(number)}.")
    read_distinct(deck, "the deck")
    if numhands * n > len(deck):
        raise NotationError(f"{numhands} hands of {n} cards are {numhands * n}, but the deck has {len(deck)}.")
    dealt = random.sample(list(deck), numhands * n)
    return [dealt[start * n : (start + 1) * n] for start in range(numhands)]


def poker(hands: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """All best hands; several if they tie, none for an empty list."""
    return allmax(read_list(hands, "the hands"), key=hand_rank)


def allmax(iterable: Iterable[T], key: Callable[[T], Any] | None = None) -> list[T]:
    """All items with the greatest value, or with the greatest ``key``, in their order."""
    if not isinstance(iterable, Iterable):
        raise NotationError(f"{short_repr(iterable)} has no items that can be compared: pass a list.")
    items = list(iterable)
    values: list[Any] = items if key is None else [key(item) for item in items]
    greatest = max(values, default=None)
    return [item for item, value in zip(items, values, strict=True) if value == greatest]


def hand_rank(hand: Sequence[str]) -> tuple[Any, ...]:
    """The category of a hand, and the ranks that decide between hands of this category; for one card or more.

    >>> hand_rank(["2C", "4C", "5H", "7D", "TS"])
    (0, [10, 7, 5, 4, 2])
    """
    return rank_from_ranks(card_ranks(hand), is_flush=flush(hand))


def rank_from_ranks(ranks: list[int], *, is_flush: bool) -> tuple[Any, ...]:
    """``hand_rank`` of cards with these ranks, the highest first."""
    is_straight = straight(ranks)
    if is_straight and is_flush:
        return (ranking.STRAIGHT_FLUSH, ranks[0])
    if four := kind(4, ranks):
        return (ranking.FOUR, four, kind(1, ranks))
    if (three := kind(3, ranks)) and (pair := kind(2, ranks)):
        return (ranking.FULL_HOUSE, three, pair)
    if is_flush:
        return (ranking.FLUSH, ranks)
    if is_straight:
        return (ranking.STRAIGHT, ranks[0])
    if three:
        return (ranking.THREE, three, ranks)
    if pairs := two_pair(ranks):
        return (ranking.TWO_PAIR, pairs, ranks)
    if pair := kind(2, ranks):
        return (ranking.PAIR, pair, ranks)
    return (ranking.HIGH_CARD, ranks)


def card_ranks(hand: Sequence[str]) -> list[int]:
    """The ranks of some cards, highest first; the Ace of A-2-3-4-5 is 1.

    >>> card_ranks(["AC", "5D", "4D", "3H", "2S"])
    [5, 4, 3, 2, 1]
    """
    return ranks_of(read_naturals(hand, "the hand"))


def straight(ranks: Sequence[int]) -> bool:
    """Whether ranks, as ``card_ranks`` returns them, are five successive ones, perhaps with repeats."""
    read_ranks(ranks)
    if not ranks:
        raise NotationError("the list of ranks is empty.")
    return len(set(ranks)) == 5 and max(ranks) - min(ranks) == 4


def flush(hand: Sequence[str]) -> bool:
    """Whether all cards are of one suit."""
    return len({card & 3 for card in read_naturals(hand, "the hand")}) == 1


def kind(n: int, ranks: Sequence[int]) -> int | None:
    """The highest rank that occurs exactly ``n`` times; None if there is none."""
    read_ranks(ranks)
    if type(n) is not int:
        raise NotationError(f"{short_repr(n)} isn't a number of cards: kind looks for 1 to 4 of a kind.")
    return max((rank for rank in ranks if ranks.count(rank) == n), default=None)


def two_pair(ranks: Sequence[int]) -> tuple[int, int] | None:
    """The two ranks that occur exactly twice, the higher first; None if there aren't two.

    >>> two_pair([9, 9, 6, 4, 4])
    (9, 4)
    """
    read_ranks(ranks)
    pairs = sorted({rank for rank in ranks if ranks.count(rank) == 2}, reverse=True)
    return (pairs[0], pairs[-1]) if len(pairs) > 1 else None


def best_hand(hand: Sequence[str]) -> tuple[str, ...]:
    """The best five-card hand of five or more cards, in their order; the first of equal ones."""
    if len(cards := read_naturals(hand, "the hand")) < 5:
        raise NotationError(f"the hand must have 5 cards or more, not {len(cards)}.")
    return best_five(list(hand))


def replacement(card: str) -> list[str]:
    """The cards that a card may stand for: a joker for all cards of its colour, any other card for itself."""
    (parsed,) = read_distinct([card], "the hand")
    if parsed == BLACK_JOKER:
        return black_cards[:]
    return red_cards[:] if parsed == RED_JOKER else [card]


def best_wild_hand(hand: Sequence[str]) -> tuple[str, ...]:
    """The best hand that 5 to 8 cards make, with up to two jokers of each colour, which become other cards."""
    cards = read_wild(hand)
    subsets = combinations(cards, min(len(cards), MAX_RANKED))
    five = max((best_of(subset) for subset in subsets), key=lambda best: best.strength).five
    stand_ins = [card for card in five if card not in cards]
    black, red = [card for card in stand_ins if is_black(card)], [card for card in stand_ins if not is_black(card)]
    result = []
    for card in cards:
        if card in five:
            result.append(card)
        elif of_colour := {BLACK_JOKER: black, RED_JOKER: red}.get(card):
            result.append(of_colour.pop())
    return tuple(map(poker_code, result))


def best_wild_hand_peter(hand: Sequence[str]) -> tuple[str, ...]:
    """Like ``best_wild_hand``, but a joker may stand for any card of its colour, even one that the hand already has.

    >>> sorted(best_wild_hand_peter("AH KH QH 9H 3H 2C ?R".split()))
    ['9H', 'AH', 'AH', 'KH', 'QH']
    """
    read_wild(hand)
    return best_five(replace_jokers(hand, rank_from_five_ranks))


def best_five(hand: list[str]) -> tuple[str, ...]:
    """The best five by ``hand_rank``, the first of equal ones; ``hand`` has five or more cards, some perhaps equal."""
    fives = combinations(hand, 5) if len(hand) <= MAX_RANKED else map(tuple, candidates(hand))
    return max((five for five in fives if len(five) == 5), key=rank_of_five_cards)


def rank_of_five_cards(five: Sequence[str]) -> tuple[Any, ...]:
    """``hand_rank`` of five cards, of which some may be equal."""
    ranks = sorted((all_ranks.index(card[0]) + 2 for card in five), reverse=True)
    return rank_from_five_ranks(tuple(ranks), len({card[1] for card in five}) == 1)


@cache
def rank_from_five_ranks(ranks: tuple[int, ...], is_flush: bool) -> tuple[Any, ...]:
    """``rank_from_ranks`` of five cards with these ranks, the highest first, with 14 for every Ace."""
    return rank_from_ranks([5, 4, 3, 2, 1] if ranks == (14, 5, 4, 3, 2) else list(ranks), is_flush=is_flush)


def candidates(hand: list[str]) -> Iterator[list[str]]:
    """Sets of up to five cards, one of which is the best five: the best of each category, and the first five cards."""
    places = sorted(range(len(hand)), key=lambda i: all_ranks.index(hand[i][0]), reverse=True)
    yield hand[:5]
    for suit in "SHDC":
        of_suit = [i for i in places if hand[i][1] == suit]
        yield cards_at(hand, of_suit[:5])
        yield from straights(hand, of_suit)
    yield from straights(hand, places)
    for pattern in ((4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)):
        yield cards_at(hand, of_kinds(hand, places, pattern))


def straights(hand: list[str], places: list[int]) -> Iterator[list[str]]:
    """Five cards for each straight among the cards at these places."""
    place_of = {hand[i][0]: i for i in sorted(places, reverse=True)}  # the first of equal ranks
    for window in range(-1, len(all_ranks) - 4):
        ranks = "A2345" if window < 0 else all_ranks[window : window + 5]
        if all(rank in place_of for rank in ranks):
            yield cards_at(hand, [place_of[rank] for rank in ranks])


def of_kinds(hand: list[str], places: list[int], pattern: tuple[int, ...]) -> list[int]:
    """Places of cards: for each number n in ``pattern``, n cards of the highest unused rank with at least n."""
    result: list[int] = []
    used: set[str] = set()
    ranks = [hand[i][0] for i in places]
    for times in pattern:
        rank = next((rank for rank in ranks if rank not in used and ranks.count(rank) >= times), "")
        used.add(rank)
        result += [i for i in places if hand[i][0] == rank][:times]
    return result


def cards_at(hand: list[str], places: list[int]) -> list[str]:
    """The cards at these places, in their order in the hand."""
    return [hand[i] for i in sorted(places)]


def ranks_of(cards: Iterable[Card]) -> list[int]:
    """The ranks of cards, highest first; the Ace of A-2-3-4-5 is 1."""
    ranks = sorted((rank_of(card) + 2 for card in cards), reverse=True)
    return [5, 4, 3, 2, 1] if ranks == [14, 5, 4, 3, 2] else ranks


def read_wild(hand: object) -> list[Card]:
    """The cards of a hand of 5 to 8 cards, which may have jokers, in its order."""
    cards = read_distinct(hand, "the hand")
    if not 5 <= len(cards) <= MAX_WILD_HAND:
        raise NotationError(f"the hand must have 5 to {MAX_WILD_HAND} cards, not {len(cards)}.")
    for joker in (BLACK_JOKER, RED_JOKER):
        if cards.count(joker) > PACKS:
            raise NotationError(f"a hand has at most {PACKS} jokers of one colour, not {cards.count(joker)}.")
    return cards


def read_naturals(cards: object, what: str) -> list[Card]:
    """The cards of a hand without jokers, none of them more often than in two packs."""
    hand = [read_card(text) for text in read_list(cards, what)]
    if jokers := [card for card in hand if card > JOKER]:
        raise NotationError(f"{poker_code(jokers[0])} is a joker: only best_wild_hand takes jokers.")
    for card in hand:
        if hand.count(card) > PACKS:
            times = hand.count(card)
            raise NotationError(f"{what} holds {poker_code(card)} {times} times, but two packs have it twice.")
    return hand


def read_distinct(cards: object, what: str) -> list[Card]:
    """The cards of a list, in its order; only jokers may appear more than once."""
    read: list[Card] = []
    for text in read_list(cards, what):
        card = read_card(text)
        if card < JOKER and card in read:
            raise NotationError(f"{what} holds {text} twice, but a pack has it only once.")
        read.append(card)
    return read


def read_card(text: object) -> Card:
    """A card or a joker."""
    card = CARD.get(text) if type(text) is str else None
    if card is None:
        raise NotationError(
            f"{short_repr(text)} is not a card: write rank and suit, such as 'TH', or a joker, ?B or ?R."
        )
    return card


def read_ranks(ranks: object) -> None:
    """Raise NotationError unless these are ranks."""
    for rank in read_list(ranks, "the ranks"):
        if type(rank) is not int or not 1 <= rank <= 14:
            raise NotationError(f"{short_repr(rank)} isn't a rank: ranks are 2 to 14, and 1 for the Ace of A-2-3-4-5.")


# The best cards for jokers to stand for, if a joker may also stand for a card that the hand already has.
#
# natural     a card that is not a joker
# stand-in    the card that a joker stands for, of the joker's colour
#
# Of equally good stand-ins, those are chosen that ``itertools.product`` of the jokers' lists (``replacement``) would
# yield first.
#
# The value of five cards depends only on their ranks, and on whether they are of one suit.  So only the ranks of jokers
# are tried, in any order, and suits are chosen once the best value is known. With four jokers, these are 1,820
# combinations of ranks instead of 456,976 hands.


ValueOfFive = Callable[[tuple[int, ...], bool], Any]
"""A function for the value of five cards, from their ranks (14 to 2, highest first) and whether they have one suit."""

RANKS = "23456789TJQKA"
SUITS_OF_JOKER = {"?B": "SC", "?R": "HD"}
"""The suits of a joker's colour, in the order of the course's lists."""


class Five(NamedTuple):
    """Five cards: the naturals, the number of jokers of each colour (black, red), and the ranks of all jokers."""

    naturals: tuple[str, ...]
    counts: tuple[int, ...]
    ranks: tuple[int, ...]


def replace_jokers(hand: Sequence[str], value_of: ValueOfFive) -> list[str]:
    """The hand with the first of the best stand-ins in place of its jokers.

    ``hand`` has five cards or more, with up to two jokers of each colour.
    """
    jokers = [i for i, card in enumerate(hand) if card in SUITS_OF_JOKER]
    greatest: Any = None
    best: list[Five] = []
    for five in fives(hand):
        for is_flush in possible_is_flush(five):
            value = value_of(five_ranks(five), is_flush)
            if greatest is None or value > greatest:
                greatest, best = value, []
            if value == greatest and five not in best:
                best.append(five)
    chosen = min(
        indices
        for five in best
        for indices, is_flush in stand_in_choices(hand, jokers, five)
        if value_of(five_ranks(five), is_flush) == greatest
    )
    result = list(hand)
    for i, index in zip(jokers, chosen, strict=True):
        result[i] = RANKS[index // 2] + SUITS_OF_JOKER[hand[i]][index % 2]
    return result


def fives(hand: Sequence[str]) -> Iterator[Five]:
    """All sets of five cards that a hand can make, with jokers as ranks without suits."""
    naturals = [card for card in hand if card not in SUITS_OF_JOKER]
    for counts in product(*(range(hand.count(joker) + 1) for joker in SUITS_OF_JOKER)):
        for chosen in combinations(naturals, 5 - sum(counts)):
            for ranks in combinations_with_replacement(range(2, 15), sum(counts)):
                yield Five(chosen, counts, ranks)


def five_ranks(five: Five) -> tuple[int, ...]:
    """The ranks of five cards, the highest first."""
    return tuple(sorted((*(RANKS.index(card[0]) + 2 for card in five.naturals), *five.ranks), reverse=True))


def possible_is_flush(five: Five) -> Iterator[bool]:
    """Whether five cards have one suit: both True and False if the suits chosen for jokers decide it."""
    suits = {card[1] for card in five.naturals}
    colours = [SUITS_OF_JOKER[joker] for joker, count in zip(SUITS_OF_JOKER, five.counts, strict=True) if count]
    if len(suits) == 1 and all(suits <= {*colour} for colour in colours):
        yield True
    if colours or len(suits) > 1:
        yield False


def stand_in_choices(hand: Sequence[str], jokers: Sequence[int], five: Five) -> Iterator[tuple[tuple[int, ...], bool]]:
    """All stand-ins that give a hand's jokers the ranks of ``five``, each with whether the five then have one suit.

    ``jokers`` are the jokers' places in the hand. A stand-in is given as its index in the course's list of its colour;
    a joker that isn't one of the five has index 0.
    """
    by_colour = [[n for n, i in enumerate(jokers) if hand[i] == joker] for joker in SUITS_OF_JOKER]
    choices = (combinations(of_colour, count) for of_colour, count in zip(by_colour, five.counts, strict=True))
    for parts in product(*choices):
        used = [n for part in parts for n in part]
        for ranks in set(permutations(five.ranks)):
            for suits in product((0, 1), repeat=len(used)):
                places = [0] * len(jokers)
                suits_of_five = {card[1] for card in five.naturals}
                for n, rank, suit in zip(used, ranks, suits, strict=True):
                    places[n] = 2 * (rank - 2) + suit
                    suits_of_five.add(SUITS_OF_JOKER[hand[jokers[n]]][suit])
                yield tuple(places), len(suits_of_five) == 1
