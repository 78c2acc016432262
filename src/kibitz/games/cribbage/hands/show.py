"""A hand counted for people: the scoring items in players' order and words.

    item        one combination that scores: a fifteen, a pair, a run, a flush or nob, with its cards
    counting    the items in words, each with the points so far: "fifteen two, and a pair is four"

An implementation of its own, which tries every combination of the five cards; the tests check that the kernels of
``scoring`` agree with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import msgspec

from kibitz.cards import Card, code, parse, short_repr, symbol
from kibitz.errors import NotationError
from kibitz.games.cribbage.scoring import FIFTEEN, FLUSH, JACK, value_of

PAIR_NAMES = {2: "a pair", 3: "a pair royal", 4: "a double pair royal"}
NUMBER_WORDS = (
    *("nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS_WORDS = {2: "twenty", 3: "thirty"}
HAND_SIZE = 4


class Item(msgspec.Struct, frozen=True):
    """One combination that scores; ``name`` is what players call it, such as "a run of three"."""

    name: str
    cards: tuple[Card, ...]
    points: int


class Show(msgspec.Struct, frozen=True):
    """The score of a hand with a starter, item by item."""

    items: tuple[Item, ...]

    @property
    def points(self) -> int:
        """The total of all items."""
        return sum(item.points for item in self.items)

    @property
    def counting(self) -> str:
        """The items in words, each with the points so far.

        >>> show("AS 4D 0C JH", "4H").counting
        'fifteen two, fifteen four, fifteen six, fifteen eight, a pair is ten, and nob is eleven'
        """
        phrases, points = [], 0
        for item in self.items:
            points += item.points
            phrases.append(
                f"{item.name} {number_words(points)}"
                if item.name == "fifteen"
                else f"{item.name} is {number_words(points)}"
            )
        if len(phrases) > 1 and not phrases[-1].startswith("fifteen"):
            phrases[-1] = f"and {phrases[-1]}"
        return ", ".join(phrases) or "nothing"

    def __str__(self) -> str:
        """The items with points and cards, one per line, and the total."""
        lines = [
            f"{item.points:>2}  {item.name}: {' '.join(symbol(card) for card in item.cards)}" for item in self.items
        ]
        return "\n".join([*lines, f"{self.points:>2}  in all"])


def number_words(number: int) -> str:
    """A number below forty in words.

    >>> number_words(29)
    'twenty-nine'
    """
    if number < len(NUMBER_WORDS):
        return NUMBER_WORDS[number]
    tens, rest = divmod(number, 10)
    return f"{TENS_WORDS[tens]}-{NUMBER_WORDS[rest]}" if rest else TENS_WORDS[tens]


def show(hand: str | Iterable[Card | str], starter: Card | str, *, crib: bool = False) -> Show:
    """The score of four cards and the starter; cards are ints or text in any notation, and a hand may be one text.

    Raises NotationError unless they are five different cards of the 52.

    >>> show("5S 5C 5D JH", "5H").points
    29
    >>> print(show("2H 4H 6H KH", "KS", crib=True))
     2  a pair: K♥ K♠
     2  in all
    """
    hand_cards = read_cards(hand.replace(",", " ").split() if isinstance(hand, str) else hand)
    (starter_card,) = read_cards([starter])
    if len(hand_cards) != HAND_SIZE:
        raise NotationError(f"a hand or crib has four cards besides the starter, not {len(hand_cards)}.")
    return count_show(hand_cards, starter_card, crib=crib)


def count_show(hand_cards: Iterable[Card], starter: Card, *, crib: bool = False) -> Show:
    """The score of up to four cards (mini games have fewer) and the starter.

    Raises NotationError if a card appears twice.
    """
    hand = sorted(hand_cards)
    cards = sorted([*hand, starter])
    for card in cards:
        if cards.count(card) > 1:
            raise NotationError(f"there are two cards {code(card)}, but a pack has it only once.")
    return Show((*fifteens(cards), *pairs(cards), *runs(cards), *flushes(hand, starter, crib), *nobs(hand, starter)))


def read_cards(cards: Iterable[Card | str]) -> list[Card]:
    """Cards in any notation, none of them a joker."""
    if not isinstance(cards, Iterable):
        raise NotationError(f"{short_repr(cards)} isn't a hand: write its cards as '5S 5C 5D JH' or in a list.")
    result = [card if type(card) is int else parse(card) for card in cards]
    for card in result:
        if not 0 <= card < 52:
            raise NotationError(f"{short_repr(card)} isn't one of the 52 cards of cribbage.")
    return result


def fifteens(cards: list[Card]) -> list[Item]:
    """Every set of cards that adds up to fifteen."""
    sets = [subset for n in range(2, len(cards) + 1) for subset in combinations(cards, n)]
    return [Item("fifteen", subset, 2) for subset in sets if sum(value_of(card) for card in subset) == FIFTEEN]


def pairs(cards: list[Card]) -> list[Item]:
    """The cards of equal rank: three of them are three pairs, four are six."""
    result = []
    for rank in range(13):
        equal = tuple(card for card in cards if card >> 2 == rank)
        if len(equal) > 1:
            result.append(Item(PAIR_NAMES[len(equal)], equal, len(equal) * (len(equal) - 1)))
    return result


def runs(cards: list[Card]) -> list[Item]:
    """The longest runs: one item for each set of cards that makes one."""
    for n in range(len(cards), 2, -1):
        result = []
        for subset in combinations(cards, n):
            ranks = [card >> 2 for card in subset]
            if ranks == list(range(ranks[0], ranks[0] + n)):
                result.append(Item(f"a run of {number_words(n)}", subset, n))
        if result:
            return result
    return []


def flushes(hand: list[Card], starter: Card, crib: bool) -> list[Item]:
    """Four hand cards of one suit, or all five; in a crib only all five."""
    if len(hand) < FLUSH or len({card & 3 for card in hand}) > 1:
        return []
    if starter & 3 == hand[0] & 3:
        cards = tuple(sorted([*hand, starter]))
        return [Item("a flush", cards, len(cards))]
    return [] if crib else [Item("a flush", tuple(hand), len(hand))]


def nobs(hand: list[Card], starter: Card) -> list[Item]:
    """The Jack in the hand that has the starter's suit."""
    return [Item("nob", (card,), 1) for card in hand if card >> 2 == JACK and card & 3 == starter & 3]
