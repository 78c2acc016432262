"""A poker hand in words, and its class as the literature numbers them.

    strength    1..7462, higher is better (``ranking.strength``)
    class       1 (royal flush) to 7462 (7-5-4-3-2), lower is better

The surprising rule: words tell exactly as much as the strength does, so hands that tie are called the same.
Rule sheet "poker", Hand-ranking functions.
"""

from __future__ import annotations

from kibitz.cards import Card, as_set, cards_of
from kibitz.games.poker import ranking

CATEGORIES = (
    *("high card", "pair", "two pair", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush"),
)
RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "Jack", "Queen", "King", "Ace"),
)
"""The names of the ranks 0 (deuce) to 12 (Ace)."""


def hand_class(strength: int) -> int:
    """The usual number of a strength among the 7462 classes, 1 for a royal flush; and the other way round.

    >>> hand_class(7462), hand_class(1)
    (1, 7462)
    """
    return ranking.BEST + 1 - strength


def rank_of(card: Card) -> int:
    """0 for a deuce to 12 for an Ace."""
    return ((card >> 2) + 12) % 13


def ranks_in_order(cards: int) -> list[int]:
    """The ranks of a set of five cards, those that come most often first, then the higher."""
    ranks = [rank_of(card) for card in cards_of(cards)]
    return sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)


def in_words(cards: int) -> str:
    """What a set of 5, 6 or 7 cards is called.

    >>> from kibitz.cards import as_set, parse_hand
    >>> in_words(as_set(parse_hand("KS KH KD 4C 4S 2D 9H")))
    'a full house, Kings full of fours'
    """
    five = ranking.best_five(cards)
    return phrase(ranking.category(ranking.strength(five)), ranks_in_order(five))


def phrase(category: int, ranks: list[int]) -> str:
    """The words for a category and its ranks, those that come most often first."""
    first, other, last = RANKS[ranks[0]], RANKS[ranks[3]], RANKS[ranks[4]]
    match category:
        case ranking.HIGH_CARD:
            return f"{first} high, then {', '.join(RANKS[rank] for rank in ranks[1:])}"
        case ranking.PAIR:
            return f"a pair of {plural(ranks[0])}, {kickers(ranks[2:])}"
        case ranking.TWO_PAIR:
            return f"two pair, {plural(ranks[0])} and {plural(ranks[2])}, {last} kicker"
        case ranking.THREE:
            return f"three {plural(ranks[0])}, {kickers(ranks[3:])}"
        case ranking.FLUSH:
            return f"a flush, {first} high, then {', '.join(RANKS[rank] for rank in ranks[1:])}"
        case ranking.FULL_HOUSE:
            return f"a full house, {plural(ranks[0])} full of {plural(ranks[3])}"
        case ranking.FOUR:
            return f"four {plural(ranks[0])}, {last} kicker"
    top = "five" if ranks[:2] == [12, 3] else first
    if category == ranking.STRAIGHT:
        return f"a straight to the {top}"
    return "a royal flush" if top == RANKS[12] else f"a straight flush to the {top}"


def kickers(ranks: list[int]) -> str:
    """The cards that only break ties."""
    return f"{', '.join(RANKS[rank] for rank in ranks)} {'kickers' if len(ranks) > 1 else 'kicker'}"


def plural(rank: int) -> str:
    """The name of several cards of a rank.

    >>> plural(4), plural(11)
    ('sixes', 'Kings')
    """
    return RANKS[rank] + ("es" if RANKS[rank] == "six" else "s")
