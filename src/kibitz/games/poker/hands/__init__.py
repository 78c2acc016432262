"""A poker hand: its five best cards, what its jokers stand for, its class and its words.

    hand        5, 6 or 7 cards of one pack, up to two black jokers ``?B`` and two red ones ``?R`` among them
    strength    1..7462, higher is better (``ranking.strength``)
    class       1 (royal flush) to 7462 (7-5-4-3-2), as the literature numbers them: lower is better
    stand-in    the card that a joker stands for

Words express exactly the strength, so hands that tie have the same words. See ``docs/poker-hands.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from kibitz.cards import BLACK_JOKER, JOKER, RED_JOKER, Card, as_set, cards_of, poker_code, short_repr, symbol
from kibitz.errors import NotationError
from kibitz.games.poker.hands import ranking, wild

MIN_CARDS, MAX_CARDS = 5, 7
RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "Jack", "Queen", "King", "Ace"),
)
"""The names of the ranks 0 (deuce) to 12 (Ace)."""


class Hand(msgspec.Struct, frozen=True):
    """The strength of a hand, and the cards that give it this strength.

    ``five`` are its best five cards, with stand-ins in place of jokers, in the order of ``in_order``.  ``stand_ins``
    has one card for each joker, black ones first, even if it isn't among the five.
    """

    strength: int
    five: tuple[Card, ...]
    stand_ins: tuple[Card, ...] = ()

    @property
    def category(self) -> int:
        """0 for high card to 8 for straight flush."""
        return int(ranking.category(self.strength))

    @property
    def hand_class(self) -> int:
        """1 (royal flush) to 7462 (7-5-4-3-2)."""
        return hand_class(self.strength)

    @property
    def words(self) -> str:
        """The name of the hand, such as ``a full house, Kings full of fours``."""
        return phrase(self.category, [rank_of(card) for card in self.five], kickers)


def best_hand(cards: Iterable[Card]) -> Hand:
    """The best hand that 5 to 7 cards make, which may include jokers. Raises NotationError if they aren't a hand.

    >>> from kibitz.cards import parse_cards
    >>> best_hand(parse_cards("TS JS QS KS 2D ?B ?R")).words
    'a royal flush'
    """
    held, black, red = read_hand(cards)
    full = wild.replace_jokers(held, black, red)
    five = ranking.best_five(full)
    return Hand(int(ranking.strength(five)), tuple(in_order(five)), stand_ins(full & ~held))


def read_hand(cards: Iterable[Card]) -> tuple[int, int, int]:
    """The set of cards other than jokers, and the numbers of black and red jokers.

    Raises NotationError if it isn't a hand.
    """
    hand = list(cards)
    black, red = hand.count(BLACK_JOKER), hand.count(RED_JOKER)
    if not MIN_CARDS <= len(hand) <= MAX_CARDS:
        raise NotationError(f"a poker hand has {MIN_CARDS} to {MAX_CARDS} cards, not {len(hand)}.")
    if max(black, red) > wild.MAX_JOKERS:
        raise NotationError(f"a hand has at most {wild.MAX_JOKERS} jokers of one colour, not {max(black, red)}.")
    for card in hand:
        if card == JOKER:
            raise NotationError("XX isn't a joker of poker: write ?B for a black joker and ?R for a red one.")
        if card < JOKER and hand.count(card) > 1:
            raise NotationError(
                f"{poker_code(card)} is in the hand {hand.count(card)} times, but a pack has it only once."
            )
    if invalid := [card for card in hand if not 0 <= card <= RED_JOKER]:
        raise NotationError(f"{short_repr(invalid[0])} is not a card of one pack.")
    return as_set(card for card in hand if card < JOKER), black, red


def stand_ins(cards: int) -> tuple[Card, ...]:
    """The cards of a set, black ones first."""
    return tuple(sorted(cards_of(cards), key=lambda card: (not card & 1, card)))


def hand_class(strength: int) -> int:
    """The class of a strength (1 for a royal flush); also the strength of a class.

    >>> hand_class(7462), hand_class(1)
    (1, 7462)
    """
    return ranking.BEST_STRENGTH + 1 - strength


def rank_of(card: Card) -> int:
    """0 for a deuce to 12 for an Ace."""
    return ((card >> 2) + 12) % 13


def in_order(five: int) -> list[Card]:
    """The cards of a set of five: the rank held most often first, then by rank; in A-2-3-4-5 the Ace comes last."""
    cards = cards_of(five)
    ranks = [rank_of(card) for card in cards]
    ordered = sorted(cards, key=lambda card: (ranks.count(rank_of(card)), rank_of(card), card), reverse=True)
    wheel = sorted(ranks) == [0, 1, 2, 3, 12]
    return ordered[1:] + ordered[:1] if wheel else ordered


def in_words(cards: int, *, in_record: bool = False) -> str:
    """The name of a set of 5, 6 or 7 cards; ``in_record``: with its kickers as the sentences of records name them.

    >>> from kibitz.cards import as_set, parse_hand
    >>> in_words(as_set(parse_hand("KS KH KD 4C 4S 2D 9H")))
    'a full house, Kings full of fours'
    >>> in_words(as_set(parse_hand("JS JH 8C 3S 2D"))), in_words(as_set(parse_hand("JS JH 8C 3S 2D")), in_record=True)
    ('a pair of Jacks, kickers 8, 3, 2', 'a pair of Jacks, eight, three and two kickers')
    """
    five = ranking.best_five(cards)
    ranks = [rank_of(card) for card in in_order(five)]
    return phrase(ranking.category(ranking.strength(five)), ranks, record_kickers if in_record else kickers)


def phrase(category: int, ranks: list[int], kickers: Callable[[list[int]], str]) -> str:
    """The name of a hand by its category and its five ranks in order; ``kickers`` makes the words for the kickers."""
    first, last = RANKS[ranks[0]], RANKS[ranks[4]]
    match category:
        case ranking.HIGH_CARD:
            return f"{first} high, {kickers(ranks[1:])}"
        case ranking.PAIR:
            return f"a pair of {plural(ranks[0])}, {kickers(ranks[2:])}"
        case ranking.TWO_PAIR:
            return f"two pair, {plural(ranks[0])} and {plural(ranks[2])}, {last} kicker"
        case ranking.THREE:
            return f"three {plural(ranks[0])}, {kickers(ranks[3:])}"
        case ranking.STRAIGHT:
            return f"a straight to the {first}"
        case ranking.FLUSH:
            return f"a flush, {first} high, {kickers(ranks[1:])}"
        case ranking.FULL_HOUSE:
            return f"a full house, {plural(ranks[0])} full of {plural(ranks[3])}"
        case ranking.FOUR:
            return f"four {plural(ranks[0])}, {last} kicker"
    return "a royal flush" if first == RANKS[12] else f"a straight flush to the {first}"


def kickers(ranks: list[int]) -> str:
    """The words for kickers, the cards that only break ties.

    >>> kickers([11, 8, 0])
    'kickers K, 10, 2'
    """
    return f"kickers {', '.join(symbol(4 * (rank + 1) % 52)[:-1] for rank in ranks)}"


def record_kickers(ranks: list[int]) -> str:
    """The words for kickers in records.

    >>> record_kickers([11, 10, 0])
    'King, Queen and two kickers'
    """
    names = [RANKS[rank] for rank in ranks]
    return f"{', '.join(names[:-1])} and {names[-1]} kickers"


def plural(rank: int) -> str:
    """The name of several cards of a rank.

    >>> plural(4), plural(11)
    ('sixes', 'Kings')
    """
    return RANKS[rank] + ("es" if RANKS[rank] == "six" else "s")
